// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_many.cpp - thousands of snapshots: what moving the graph costs, by counts
 *
 * data/many.dat: two histograms with 3,000 snapshots each, over the time of its events
 * (many_dat.c).
 */
#include <QComboBox>
#include <QEvent>
#include <QPushButton>

#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const LATENCY = "sched:latency";
/* Of a mark of one snapshot, in pixels: timeline.cpp */
enum { MARK = 7 };

/* How often the graph was painted. */
class Paints : public QObject {
public:
	explicit Paints(QWidget *graph) : graph_(graph) { graph_->installEventFilter(this); }
	~Paints() override { graph_->removeEventFilter(this); }
	int n = 0;

protected:
	bool eventFilter(QObject *object, QEvent *event) override
	{
		n += event->type() == QEvent::Paint;
		return QObject::eventFilter(object, event);
	}

private:
	QWidget *graph_;
};

static qulonglong computations(Driver &d)
{
	qulonglong n = 0;

	QMetaObject::invokeMethod(d.widget("hist_panel"), "computations", Q_RETURN_ARG(qulonglong, n));
	return n;
}

static int marks(Driver &d)
{
	const QList<QObject *> all = d.window()->findChildren<QObject *>();
	int n = -1;

	for (QObject *object : all)
		if (object->inherits("Timeline"))
			QMetaObject::invokeMethod(object, "count", Q_RETURN_ARG(int, n));
	return n;
}

/*
 * However the graph moves: for each time that it is painted figures are computed once at
 * most, of the file what lies in the window (panel_worker_test.cpp: scrollingIsCheap),
 * and the marks are no more than fit side by side.
 */
SCENARIO(many)
{
	const QString file = d.data("many.dat");
	const QList<Snapshot> all = snapshots(d, file, LATENCY);
	QWidget *gl = graphWidget(d);
	Paints paints(gl);
	GraphState graph, before;
	qulonglong computed;
	QString tip;
	int most = 0, x;

	d.is("the file has 3000 snapshots", int(all.size()), 3000);
	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", LATENCY));
	setView(d, "Heat map");
	d.picture("many");
	graph = graphState(d);
	d.ok("the graph shows at most as many marks as fit",
	     marks(d) <= graph.bins / MARK + 1 && marks(d) > graph.bins / MARK / 2,
	     QString("%1 marks in %2 pixels").arg(marks(d)).arg(graph.bins));
	x = graph.x(all[1500].time);
	tip = d.toolTip(gl, QPoint(x, graph.top - 6));
	d.like("a mark of several snapshots shows the first and the last one", tip,
	       "^sched:latency\nsnapshot \\d+ \\(.*\n\\(\\d+ snapshots between them\\)\nsnapshot \\d+ \\(");

	/* nothing moves: nothing is computed, however often it is painted */
	computed = computations(d);
	paints.n = 0;
	for (int i = 0; i < 10; i++)
		graphState(d);
	panelSettled(d);
	d.ok("the graph is painted at least ten times", paints.n >= 10);
	d.is("painting an unchanged graph computes nothing", computations(d) - computed, 0u);

	d.drag(gl, QPoint(graph.left + graph.bins / 10, graph.top), QPoint(graph.left + graph.bins / 5, graph.top));
	before = graphState(d);
	d.ok("the graph shows about a tenth of the time",
	     before.any() && (before.max - before.min) * 5 < graph.max - graph.min);
	panelSettled(d);
	computed = computations(d);
	paints.n = 0;
	for (int i = 0; i < 5; i++) {
		hold(d, graphButton(d, i < 4 ? ">" : "<"));
		most = qMax(most, marks(d));
	}
	panelSettled(d);
	graph = graphState(d);
	d.ok("a held button scrolls the graph", graph.min > before.min);
	d.note(QString("%1 paints, %2 computations, at most %3 marks in %4 pixels").arg(paints.n)
		       .arg(computations(d) - computed).arg(most).arg(graph.bins));
	d.ok("scrolling computes new numbers", computations(d) > computed);
	d.ok("scrolling computes numbers at most once for each painting",
	     computations(d) - computed <= qulonglong(paints.n));
	d.ok("scrolling never shows more marks than fit",
	     most > 0 && most <= graph.bins / MARK + 1);
	setView(d, "Table");
	checkWindow(d, "after scrolling", file, LATENCY);

	/* so near that snapshots stand alone */
	for (int i = 0; i < 8; i++) {
		graph = graphState(d);
		if ((graph.max - graph.min) / graph.bins < 2000)
			break;
		d.drag(gl, QPoint(graph.left + graph.bins / 3, graph.top),
		       QPoint(graph.left + graph.bins / 2, graph.top));
	}
	panelSettled(d);
	checkWindow(d, "zoomed in", file, LATENCY);
	checkMarks(d, "zoomed in", all);
	d.click(graphButton(d, "- -"));
	checkWindow(d, "the whole file again", file, LATENCY);
	d.ok("the other histogram can be chosen",
	     chooseLike(d, "hist_choose", "sched:sched_switch"));
	checkWindow(d, "the other histogram", file, "sched:sched_switch");
	/* and the program is closed while it computes */
	setView(d, "Heat map");
	d.ok("the first histogram can be chosen again",
	     d.choose(d.widget("hist_choose"), d.find<QComboBox>("hist_choose")->itemText(0)));
	d.click(graphButton(d, "++"));
}
