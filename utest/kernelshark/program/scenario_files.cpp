// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_files.cpp - several files: marks of an appended one, clocks that are moved, the end
 */
#include <QComboBox>
#include <QDockWidget>
#include <QPushButton>
#include <QSpinBox>

#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const SWITCH = "sched:sched_switch";
static const char *const LATENCY = "sched:latency";

/* Streams and time: the graph of an appended file, and beyond that of the first one. */
static void showAll(Driver &d)
{
	d.ok("the graph shows the CPUs of all files", plotAll(d));
	/* the panel remembers what another stage chose */
	d.ok("the panel can follow the visible window",
	     d.choose(d.widget("hist_source"), "Visible window"));
	d.click(graphButton(d, "- -"));
	panelSettled(d);
}

/* -i events.dat -a shark.dat: the second file has marks once it is in the graph. */
SCENARIO(appended_marks)
{
	const QString file = d.data("shark.dat");
	const QList<Snapshot> all = snapshots(d, file, SWITCH);
	GraphState graph;

	showAll(d);
	d.ok("a histogram of the appended file can be chosen",
	     chooseLike(d, "hist_choose", SWITCH));
	checkMarks(d, "the appended file", all, 1);
	setView(d, "Table");
	checkWindow(d, "the appended file", file, SWITCH);
	graph = graphState(d, 1);
	d.doubleClick(graphWidget(d), QPoint(graph.x(all[5].time), graph.top - 6));
	panelSettled(d);
	d.is("a double click on a mark opens its snapshot",
	     d.find<QSpinBox>("hist_snapshot")->value(), int(all[5].seq));
	d.is("the panel shows the numbers of the opened snapshot", tableRows(d),
	     reportRows(report(d, file, { "-e", SWITCH, "--snapshot", QString::number(all[5].seq) })));
	graph = graphState(d, 0);
	d.is("the file without histograms has no mark",
	     d.toolTip(graphWidget(d), QPoint(graph.x(all[5].time), graph.top - 6)), QString());
}

/* The window on the times of @all, from its middle to behind its end. */
static void zoomTo(Driver &d, const QList<Snapshot> &all, qint64 offset, int file = 0)
{
	GraphState graph = graphState(d, file);
	const qint64 from = all[all.size() / 2].time + offset, to = all.last().time + offset;

	d.drag(graphWidget(d), QPoint(graph.x(from), graph.top), QPoint(graph.x(to) + 12, graph.top));
	panelSettled(d);
}

/*
 * With all of the time in the graph, before and after: the program ends itself where
 * nothing is left in what the graph shows.
 */
static bool move(Driver &d, double us)
{
	bool moved;

	d.click(graphButton(d, "- -"));
	moved = setOffset(d, us);
	d.click(graphButton(d, "- -"));
	panelSettled(d);
	return moved;
}

/* -i many.dat -a shark.dat: the clock of the first file is moved, and moved back. */
SCENARIO(offset)
{
	const QString file = d.data("many.dat");
	const QList<Snapshot> all = snapshots(d, file, LATENCY);
	qint64 offset = 1000000000;
	GraphState graph, before;
	QString tip;

	showAll(d);
	d.ok("a histogram of the first file can be chosen", chooseLike(d, "hist_choose", LATENCY));
	setView(d, "Table");
	before = graphState(d);
	checkWindow(d, "before the move", file, LATENCY);
	d.ok("the clock of the first file can be moved by a second", setOffset(d, 1e6));
	panelSettled(d);
	graph = graphState(d);
	d.is("the events of the first file move by a second", graph.first - before.first, offset);
	checkWindow(d, "a second later", file, LATENCY, offset);
	tip = d.toolTip(graphWidget(d), QPoint(graph.x(all[1500].time + offset), graph.top - 6));
	d.like("the marks of the first file move by a second", tip, "^sched:latency\nsnapshot ");
	tip = d.toolTip(graphWidget(d), QPoint(graph.x(all[1500].time), graph.top - 6));
	d.is("no mark is left at the old time", tip, QString());
	zoomTo(d, all, offset);
	checkWindow(d, "a part, a second later", file, LATENCY, offset);
	setView(d, "Heat map");
	d.ok("the clock can be moved to a third of a second earlier", move(d, -333333.333));
	offset = -333333333;
	setView(d, "Table");
	graph = graphState(d);
	d.is("the events move to a third of a second earlier", graph.first - before.first, offset);
	checkWindow(d, "a third of a second earlier", file, LATENCY, offset);
	zoomTo(d, all, offset);
	checkWindow(d, "a part, a third of a second earlier", file, LATENCY, offset);
	d.ok("a histogram of the other file can be chosen",
	     chooseLike(d, "hist_choose", "raw_syscalls:sys_enter"));
	d.ok("the clock can be moved back", move(d, 0));
	d.is("the events move back", graphState(d).first, before.first);
	d.ok("the histogram of the first file can be chosen again",
	     chooseLike(d, "hist_choose", LATENCY));
	checkWindow(d, "after the move back", file, LATENCY);
}

/*
 * -i shark.dat -a many.dat: KernelShark moves one stream of a file alone.  Where that is
 * one without events nothing has moved, and so marks and numbers stay where they are.
 */
SCENARIO(offset_of_a_buffer)
{
	const QString file = d.data("shark.dat");
	const QList<Snapshot> all = snapshots(d, file, SWITCH);
	GraphState graph, before;

	showAll(d);
	d.ok("a histogram of the first file can be chosen",
	     chooseLike(d, "hist_choose", "shark.dat (stream 0, 1): sched:sched_switch"));
	setView(d, "Table");
	before = graphState(d);
	d.ok("the clock of the first stream can be moved", setOffset(d, 250000));
	panelSettled(d);
	graph = graphState(d);
	checkWindow(d, "after the move", file, SWITCH, graph.first - before.first);
	checkMarks(d, "after the move", all, 0, graph.first - before.first);
	zoomTo(d, all, graph.first - before.first);
	checkWindow(d, "a part, after the move", file, SWITCH, graph.first - before.first);
}

/* By the menu, with two files open and figures on the way. */
SCENARIO(quit)
{
	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", LATENCY));
	setView(d, "Heat map");
	d.type(d.widget("hist_search"), "1");
	d.ok("the panel names the window that it shows", !labelText(d, "hist_from").isEmpty());
	d.type(d.widget("hist_search"), "2");
	d.trigger("File/Quit");
	d.is("File > Quit closes the window while numbers are computed",
	     d.window()->isVisible(), false);
}

/* Floating, hidden or on another side: the end is the same. */
SCENARIO(quit_floating)
{
	d.find<QDockWidget>("hist_panel")->setFloating(true);
	d.settle();
	d.trigger("File/Quit");
	d.is("File > Quit closes the window if the panel floats", d.window()->isVisible(), false);
}

SCENARIO(quit_hidden)
{
	d.find<QDockWidget>("hist_panel")->close();
	d.settle();
	d.trigger("File/Quit");
	d.is("File > Quit closes the window if the panel is hidden",
	     d.window()->isVisible(), false);
}
