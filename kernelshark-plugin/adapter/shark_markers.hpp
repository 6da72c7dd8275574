/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_markers.hpp - get the times of markers A and B in nanoseconds
 *
 * KernelShark shows the time of a marker only in a label, in microseconds. This
 * precision can put the marker on the wrong side of a snapshot. But a marker is always
 * on an entry, so its time is that of an entry with this label text. If several entries
 * match, the first of these rules that applies selects one:
 * - the entry that was selected when the label changed;
 * - the pair of entries whose difference equals the third label, which is in
 *   nanoseconds;
 * - the first entry.
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
	 * Read the labels again. Call it after each change of a label, while no file is
	 * being loaded. @histo may be null. True if a marker was moved, set or removed.
	 */
	bool update(const kshark_trace_histo *histo);

	/* The times at the last update(); false unless both markers are set. */
	bool times(qint64 *a, qint64 *b) const;

signals:
	/* A label was painted: call update(). */
	void touched();

protected:
	bool eventFilter(QObject *object, QEvent *event) override;

private slots:
	/* KernelShark's signals have exactly these types. */
	void selected(size_t row);
	void shown(size_t row, bool mark);

private:
	struct Marker {
		QString text;	/* of its label, without blanks; "": not set */
		qint64 hint = 0; /* the entry that was selected when the text changed */
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
