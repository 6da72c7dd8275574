// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_bench.cpp - how long opening and zooming takes, for utest/bench/panel.sh
 *
 * data/bench.dat: 500 MB of events and 3,000 snapshots of 16,384 keys.  Run without the panel,
 * too.  Comments "bench open MS CPU" and "bench zoom NUMBER MS CPU": until KernelShark
 * and the panel have nothing more to do.  CPU is the CPU time of all threads, in ms.
 */
#include <ctime>

#include <QDockWidget>
#include <QElapsedTimer>
#include <QTableView>

#include "utest/kernelshark/program/driver_panel.hpp"

enum { KEYS = 16384, ZOOMS = 6 };

class Stopwatch {
public:
	Stopwatch() : cpu_(cpuMs()) { clock_.start(); }
	QString text() const
	{
		return QString("%1 %2").arg(double(clock_.nsecsElapsed()) / 1e6, 0, 'f', 1).arg(cpuMs() - cpu_, 0, 'f', 1);
	}

private:
	static double cpuMs()
	{
		struct timespec t;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
	}

	double cpu_;
	QElapsedTimer clock_;
};

static void settled(Driver &d, bool panel)
{
	if (panel)
		panelSettled(d);
	else
		d.settle();
}

/* The heat map follows, each time into the middle of what is visible. */
static void zoom(Driver &d, bool panel)
{
	for (int i = 0; i < ZOOMS; i++) {
		const GraphState graph = graphState(d);
		const Stopwatch watch;

		d.drag(graphWidget(d), QPoint(graph.left + graph.bins / 4, graph.top),
		       QPoint(graph.left + graph.bins * 3 / 4, graph.top));
		settled(d, panel);
		d.note(QString("bench zoom %1 %2").arg(i).arg(watch.text()));
		d.ok("the graph shows about half of the time",
		     (graphState(d).max - graphState(d).min) * 3 < (graph.max - graph.min) * 2);
	}
}

SCENARIO(bench)
{
	const bool panel = d.window()->findChild<QDockWidget *>("hist_panel");
	const Stopwatch watch;

	d.ok("the file can be opened", d.open(d.data("bench.dat")));
	settled(d, panel);
	d.note("bench open " + watch.text());
	d.ok("the list has millions of events", d.rows() > 1000000, QString::number(d.rows()));
	if (panel) {
		setView(d, "Table");
		d.is("the panel shows all keys", d.find<QTableView>("hist_table")->model()->rowCount(), int(KEYS));
		setView(d, "Heat map");
	}
	zoom(d, panel);
}
