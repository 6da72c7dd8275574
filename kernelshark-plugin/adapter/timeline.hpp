/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timeline.hpp - draw a mark in KernelShark's graph for each snapshot
 *
 * The marks of a file are above its first graph. They show the snapshots of the
 * histogram in the panel, or of the file's first histogram. Snapshots that are closer
 * than the width of a mark share one mark. Therefore the cost depends on the width of
 * the screen and not on the number of snapshots.
 *
 * KernelShark owns the shapes and frees them at the next repaint. A shape contains
 * copies, and its actions are queued. Shapes do not receive hover events. Therefore the
 * timeline stores the rectangles of all marks for the tool tips of the graph.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_TIMELINE_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_TIMELINE_HPP

#include <array>
#include <vector>

#include <QHash>
#include <QObject>
#include <QRect>
#include <QString>

#include "kernelshark-plugin/model/model.hpp"
#include "kernelshark-plugin/work/recordings.hpp"

class HistPanel;
class KernelShark;
struct KsCppArgV;

class Timeline : public QObject {
	Q_OBJECT
public:
	/* The snapshots of a mark; plain copies. */
	struct Mark {
		QRect box; /* in the coordinates of the graph */
		QString path;
		RecordingPtr recording;
		unsigned int hist = 0;
		uint32_t first = 0, n = 0; /* snapshots, by index */
	};

	/* @shark and @panel must outlive the timeline. */
	Timeline(KernelShark *shark, HistPanel *panel, QObject *parent = nullptr);

	/* Called from the draw handler of a stream: KernelShark plots a graph for @stream. */
	void draw(const KsCppArgV *arguments, int stream, int value, int action);

	/* The marks of the last repaint, and their number; for tests. */
	const std::vector<Mark> &marks() const { return marks_; }
	Q_INVOKABLE int count() const { return int(marks_.size()); }
	/* The tool tip of a mark. */
	static QString words(const Mark &mark);
	/* Show the (first) snapshot of a mark in the panel; queued. */
	void open(const Mark &mark);

protected:
	bool eventFilter(QObject *object, QEvent *event) override;

private:
	typedef std::array<int, 3> Plot; /* stream, value and action */
	void forget();
	const Recordings::Item *fileOf(int stream) const;

	KernelShark *shark_;
	HistPanel *panel_;
	QHash<QString, Plot> plots_; /* for each file, the graph with its marks in this repaint */
	std::vector<Mark> marks_;
	std::vector<time_window_bin> bins_;
};

#endif
