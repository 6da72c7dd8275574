/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timeline.hpp - marks over KernelShark's graph where snapshots were taken
 *
 * Each file has its marks over its first graph: those of the histogram that the panel
 * shows, or of its first one.  Snapshots nearer than a mark is wide share one, so that
 * thousands cost what fits on the screen.
 *
 * KernelShark owns the shapes and frees them at the next repaint.  A shape holds copies,
 * and what it causes is queued.  Shapes know no hovering: the boxes of all marks are
 * kept here, for the graph's tool tips.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_TIMELINE_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_TIMELINE_HPP

#include <vector>

#include <QHash>
#include <QObject>
#include <QRect>
#include <QString>

#include "kernelshark-plugin/model/time_window.h"
#include "kernelshark-plugin/work/recordings.hpp"

class HistPanel;
class KernelShark;
struct KsCppArgV;

class Timeline : public QObject {
	Q_OBJECT
public:
	/* What a mark stands for; plain copies. */
	struct Mark {
		QRect box; /* in the coordinates of the graph */
		QString path;
		RecordingPtr recording;
		unsigned int hist = 0;
		uint32_t first = 0, n = 0; /* snapshots, by index */
	};

	/* Both must outlive it. */
	Timeline(KernelShark *shark, HistPanel *panel, QObject *parent = nullptr);

	/* From the draw handler of a stream: @graph is plotted for @stream. */
	void draw(const KsCppArgV *arguments, int stream, int value, int action);

	/* The marks of the last repaint, and how many; for tests. */
	const std::vector<Mark> &marks() const { return marks_; }
	Q_INVOKABLE int count() const { return int(marks_.size()); }
	/* What hovering over a mark says. */
	static QString words(const Mark &mark);
	/* Show the (first) snapshot of a mark in the panel; queued. */
	void open(const Mark &mark);

protected:
	bool eventFilter(QObject *object, QEvent *event) override;

private:
	struct Plot {
		int stream, value, action;
		bool operator==(const Plot &o) const
		{
			return stream == o.stream && value == o.value && action == o.action;
		}
	};
	void forget();
	const Recordings::Item *fileOf(int stream) const;

	KernelShark *shark_;
	HistPanel *panel_;
	QHash<QString, Plot> plots_; /* of each file, what has its marks in this repaint */
	std::vector<Mark> marks_;
	std::vector<window_mark> bins_;
};

#endif
