// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_machines.cpp - recordings of two machines in one graph
 *
 * data/machine.one.dat and data/machine.two.dat are of `record --target --events`: switches and
 * wake-up latencies of two machines with different kernels (machines_dat.sh).
 */
#include <QComboBox>
#include <QPushButton>
#include <QTableWidget>

#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const SWITCH = "sched:sched_switch";
static const char *const LATENCY = "latency:sched_waking..sched_switch#0";

enum { MOVED_US = 430000 };

static const struct Machine {
	const char *file, *host;
	/* of its longest latency, as `trace-cmd report` has the events */
	const char *start, *end;
	/* all events sched_switch, as `trace-cmd report` has them */
	const char *switches;
} machines_[] = {
	{ "machine.one.dat", "host one", "5.752588", "5.755527", "750" },
	{ "machine.two.dat", "host two", "6.453499", "6.460754", "740" },
};

/* Choose the histogram of a machine whose text has @part. */
static bool chooseOf(Driver &d, const Machine &m, const QString &part)
{
	QComboBox *choose = d.find<QComboBox>("hist_choose");

	for (int i = 0; i < choose->count(); i++)
		if (choose->itemText(i).startsWith(m.file) && choose->itemText(i).contains(part))
			return d.choose(choose, choose->itemText(i)) && panelSettled(d);
	return false;
}

/* Events, histograms and latencies of machine @number; its clock is moved by @offset. */
static void checkMachine(Driver &d, int number, qint64 offset)
{
	const Machine &m = machines_[number];
	const QString file = d.data(m.file), what = QString("%1 moved by %2 ns: ").arg(m.file).arg(offset);
	const QList<Snapshot> all = snapshots(d, file, LATENCY);
	QComboBox *choose = d.find<QComboBox>("hist_choose");
	QTableWidget *list = d.find<QTableWidget>("hist_pairs");

	d.click(graphButton(d, "- -"));
	d.ok(what + "the switches can be chosen", chooseOf(d, m, SWITCH));
	d.like(what + "the tool tip of the histogram names the machine",
	       choose->itemData(choose->currentIndex(), Qt::ToolTipRole).toString(), m.host);
	setView(d, "Table");
	checkWindow(d, what + "switches", file, SWITCH, offset);
	checkMarks(d, what + "switches", snapshots(d, file, SWITCH), number, offset);

	d.ok(what + "the latencies can be chosen", chooseOf(d, m, "next_comm, lat_us"));
	checkWindow(d, what + "latencies", file, LATENCY, offset);
	setView(d, "Latencies");
	panelSettled(d);
	/* a latency that ends while the kernel makes a snapshot may be before or after its time */
	d.ok(what + "each latency is listed", qAbs(list->rowCount() - (all.last().hits - all.first().hits)) <= 2,
	     QString("%1 of %2").arg(list->rowCount()).arg(all.last().hits - all.first().hits));
	d.click(list, list->visualItemRect(list->item(0, 0)).center());
	panelSettled(d);
	if (!offset) {
		d.is(what + "marker A is at START of the longest latency", markerTexts(d).value(0), QString(m.start));
		d.is(what + "marker B is at its END", markerTexts(d).value(1), QString(m.end));
	}
	d.click(graphButton(d, "- -"));
	panelSettled(d);
}

/* Count the events of a machine with an expression. */
static void countEvents(Driver &d, const Machine &m)
{
	d.ok(QString(m.file) + ": its events can be counted", chooseLike(d, "hist_expression_of", m.file));
	d.type(d.widget("hist_expression"), "sched:sched_switch hist:keys=next_comm");
	d.key(d.widget("hist_expression"), Qt::Key_Return);
	panelSettled(d);
	d.like(QString(m.file) + ": all its events are counted", labelText(d, "hist_from"),
	       QString("^%1 sched:sched_switch events, ").arg(m.switches));
}

SCENARIO(machines)
{
	d.window()->resize(1300, 950);
	d.ok("the graph shows the CPUs of both machines", plotAll(d));
	d.ok("the panel can follow the visible window", d.choose(d.widget("hist_source"), "Visible window"));
	/* what comes last is a sample of it */
	for (int i = 0; i < 2 && Driver::isLong(); i++)
		checkMachine(d, i, 0);
	d.click(graphButton(d, "- -"));
	panelSettled(d);
	for (const Machine &m : machines_)
		countEvents(d, m);
	/* so that they overlap; KernelShark moves the first file */
	d.click(graphButton(d, "- -"));
	setOffset(d, MOVED_US);
	for (int i = 0; i < 2; i++)
		checkMachine(d, i, i ? 0 : MOVED_US * 1000);
	d.picture("kernelshark-machines");
}
