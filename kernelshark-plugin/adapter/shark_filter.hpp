/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_filter.hpp - only the events behind a key in KernelShark's list and graph
 *
 * KernelShark's own advanced filter does it, so the user sees it in Filter > TEP
 * Advance Filtering, and Filter > Clear all filters takes it away.  A stream with such a
 * filter shows nothing but what matches.  What the user had filtered so before is kept,
 * and comes back.  The filter knows no time: a hook on the event hides what lies outside
 * while the data is read anew.
 *
 * In the GUI thread, while no file is loaded.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_SHARK_FILTER_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_SHARK_FILTER_HPP

#include <QByteArray>
#include <QList>
#include <QPair>

#include "kernelshark-plugin/adapter/shark_parts.hpp"
#include "kernelshark-plugin/work/host.hpp"

struct kshark_trace_histo;

class SharkFilter {
public:
	explicit SharkFilter(const SharkParts *parts) : parts_(parts) {}

	/*
	 * Shark::filterEvents(), of entries that are later than @after and not later than
	 * @until.  @histo has the data; null: none is shown.
	 */
	long apply(const kshark_trace_histo *histo, const Shark::File &file, const QString &event,
		   const QString &filter, qint64 after, qint64 until, QString *why);
	/* Takes the filter away and shows all again, if it was there. */
	void clear();
	/* The user may have taken it away, or opened another file: true if so. */
	bool gone();
	bool active() const { return !streams_.isEmpty(); }

private:
	typedef QPair<QByteArray, QByteArray> EventFilter; /* "sys/name", filter or "" */
	struct Stream {
		int id = -1;
		int event = -1;
		QByteArray file;	   /* to know the stream again */
		QByteArray text;	   /* the filter as libtraceevent prints it */
		QList<EventFilter> before; /* of the user */
	};
	void restore(const Stream &stream);
	static void hide(struct kshark_data_stream *stream, void *record,
			 struct kshark_entry *entry);

	const SharkParts *parts_;
	QList<Stream> streams_;
};

#endif
