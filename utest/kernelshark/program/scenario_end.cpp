// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_end.cpp - the end of a recording: a snapshot whose mark the graph shows counts
 *
 * data/quiet.dat ends with the mark of its last snapshot (quiet_dat.sh).
 */
#include <QRegularExpression>

#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const EXEC = "sched:sched_process_exec";

/* The number of the snapshot that the panel's numbers end with. */
static int ends(Driver &d)
{
	return QRegularExpression(" to (\\d+) \\(").match(labelText(d, "hist_from")).captured(1).toInt();
}

SCENARIO(end)
{
	const QString file = d.data("quiet.dat");
	const QList<Snapshot> all = snapshots(d, file, EXEC);
	const int last = int(all.last().seq);
	GraphState graph;

	d.ok("the histogram of process executions can be chosen",
	     chooseLike(d, "hist_choose", EXEC));
	setView(d, "Table");
	d.like("the last event is the mark of the last snapshot", d.column("Info").last(),
	       QString("snapshot %1:").arg(last));
	d.is("the window of the whole file ends with the last snapshot", ends(d), last);
	checkWindow(d, "the whole file", file, EXEC);

	graph = graphState(d);
	d.drag(graphWidget(d), QPoint(graph.left + graph.bins / 2, graph.top),
	       QPoint(graph.left + graph.bins - 1, graph.top));
	panelSettled(d);
	d.ok("the graph shows only the second half of the file", graphState(d).min > graph.min);
	d.is("the window of the second half ends with the last snapshot", ends(d), last);
	checkWindow(d, "the second half", file, EXEC);
	hold(d, graphButton(d, ">"));
	panelSettled(d);
	d.is("the rightmost window ends with the last snapshot", ends(d), last);
}
