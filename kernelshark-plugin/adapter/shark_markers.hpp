/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_markers.hpp - where markers A and B are, to the nanosecond
 *
 * KernelShark tells the time of a marker only by a label, in microseconds, which can
 * be on the wrong side of a snapshot.  But a marker sits on an entry, so its time is that
 * of an entry for which KernelShark would write this label.  Where several are, it is the
 * one that was selected when the label changed; else a pair whose difference is the one
 * that the third label tells in nanoseconds; else the first.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_SHARK_MARKERS_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_SHARK_MARKERS_HPP

#include <QObject>

#include "kernelshark-plugin/adapter/shark_parts.hpp"

struct kshark_trace_histo;

class SharkMarkers : public QObject {
	Q_OBJECT
public:
	explicit SharkMarkers(const SharkParts *parts, QObject *parent = nullptr);

	/*
	 * Look at the labels again; to be called at each change of them, while no file is
	 * loaded.  @histo may be null.  True: a marker is elsewhere, was set or taken away.
	 */
	bool update(const kshark_trace_histo *histo);

	/* As of the last update(); false where they are not both set. */
	bool times(qint64 *a, qint64 *b) const;

signals:
	/* A label was drawn: time for an update(). */
	void touched();

protected:
	bool eventFilter(QObject *object, QEvent *event) override;

private slots:
	/* The signals of KernelShark have these very types. */
	void selected(size_t row);
	void shown(size_t row, bool mark);

private:
	struct Marker {
		QString text;	/* of its label, without blanks; "": not set */
		qint64 hint = 0; /* the entry that was selected when the text came */
		bool hinted = false;
		qint64 time = 0;
	};
	bool row(const kshark_trace_histo *histo, qint64 *time) const;
	void resolve(const kshark_trace_histo *histo);

	const SharkParts *parts_;
	Marker marker_[2];
	qint64 selected_ = -1;
};

#endif
