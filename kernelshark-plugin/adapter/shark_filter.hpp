/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_filter.hpp - filter KernelShark's list and graph to the events of a key
 *
 * Uses KernelShark's own advanced filter, so the filter is visible in Filter > TEP
 * Advance Filtering, and Filter > Clear all filters removes it. A stream with such a
 * filter shows only matching events. The user's previous advanced filters are saved and
 * restored. An event filter cannot check the time. Therefore a hook on the event hides
 * the events outside the time range while the data is reloaded.
 *
 * For the GUI thread, while no file is being loaded.
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
	 * Implements Shark::filterEvents(), for entries with @after < time <= @until.
	 * @histo has the data; null: no data is shown.
	 */
	long apply(const kshark_trace_histo *histo, const Shark::File &file, const QString &event,
		   const QString &filter, qint64 after, qint64 until, QString *why);
	/* If the filter is set, remove it and show all events again. */
	void clear();
	/* True if the user has removed the filter or opened another file. */
	bool gone();
	bool active() const { return !streams_.isEmpty(); }

private:
	typedef QPair<QByteArray, QByteArray> EventFilter; /* "sys/name", filter or "" */
	struct Stream {
		int id = -1;
		int event = -1;
		QByteArray file;	   /* to identify the stream later */
		QByteArray text;	   /* the filter as libtraceevent prints it */
		QList<EventFilter> before; /* the user's previous filters */
	};
	static bool findStreams(struct kshark_context *context, const Shark::File &file,
				const QByteArray &event, QList<Stream> *streams, QString *why);
	static long countEvents(const kshark_trace_histo *histo, const QList<Stream> &streams,
				uint16_t mask);
	bool setFilter(struct kshark_context *context, QList<Stream> next, const QByteArray &event,
		       const QByteArray &filter);
	bool reload(struct kshark_context *context, qint64 after, qint64 until);
	void restore(const Stream &stream);
	void restoreAll();
	static void hide(struct kshark_data_stream *stream, void *record,
			 struct kshark_entry *entry);

	const SharkParts *parts_;
	QList<Stream> streams_;
};

#endif
