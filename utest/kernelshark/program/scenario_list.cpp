// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_list.cpp - KernelShark's list shows marks of snapshots readably
 *
 * That is libtraceevent's plugin, not the panel.  What data/marks.dat holds is told
 * in utest/scripts/plugin.sh.
 */
#include <QItemSelectionModel>
#include <QTableView>

#include "utest/kernelshark/program/driver.hpp"

static int count_of(const QStringList &texts, const QString &regex)
{
	return texts.filter(QRegularExpression(regex)).size();
}

SCENARIO(list)
{
	const QStringList info = d.column("Info");

	d.is("all events are there", d.rows(), 861);
	d.is("all marks are readable",
	     count_of(info, "^histogram [^ ]+ snapshot [0-5]: \\d+ hits, \\d+ entr(y|ies), none dropped$"), 24);
	d.is("the numbers of one", d.findRow("Info", "histogram sched:sched_switch#2 snapshot 5: "
						     "142 hits, 63 entries, none dropped") >= 0, true);
	d.is("what is not a whole mark is as it was",
	     info.contains("tracing_mark_write: hist-snapshot: sched:sched_switch#0 seq=1 hits=9 entries=9"),
	     true);
	d.is("other texts are as they were", info.contains("tracing_mark_write: hello from a program"), true);
}

/* The same, without the plugin. */
SCENARIO(list_without)
{
	const QStringList info = d.column("Info");

	d.is("all events are there", d.rows(), 861);
	d.is("no mark is readable", count_of(info, "^histogram "), 0);
	d.is("marks are texts", count_of(info, "^tracing_mark_write: hist-snapshot: "), 25);
}

/* What the driver itself can do. */
/*
 * What the driver itself can do.  Sessions of files with buffers beside the top one
 * cannot be restored: kshark_tep_open_buffer() always fails, in 2.2.1 and in 2.3.1.
 */
SCENARIO(driver)
{
	d.is("without a file there are no rows", d.rows(), 0);
	d.ok("File > Open Trace File", d.open(d.data("marks.dat")));
	d.is("has all events", d.rows(), 861);
	d.ok("File > Append Trace File", d.append(d.data("events.dat")));
	d.is("has the events of both", d.rows(), 861 + 371);
	d.ok("File > Open Trace File again", d.open(d.data("events.dat")));
	d.is("has the events of that one", d.rows(), 371);
	d.ok("a session is written", d.exportSession(d.work("driver.json")));
	d.ok("File > Open Trace File, the first", d.open(d.data("marks.dat")));
	d.is("has all events again", d.rows(), 861);
	d.ok("the session is read", d.importSession(d.work("driver.json")));
	d.is("has the events of the session", d.rows(), 371);
	/* not before: the program follows a marker behind the end of a session's rows */
	d.selectRow(100);
	d.is("one row is selected", d.listView()->selectionModel()->selectedRows().size(), 1);
	d.is("it is that", d.listView()->selectionModel()->selectedRows().value(0).row(), 100);
}

SCENARIO(session_write)
{
	d.is("all events are there", d.rows(), 371);
	d.ok("a session is written", d.exportSession(d.work("session.json")));
}

SCENARIO(session_read)
{
	d.is("events of the session", d.rows(), 371);
}

SCENARIO(session_buffers_write)
{
	d.is("events of two files", d.rows(), 861 + 371);
	d.ok("a session is written", d.exportSession(d.work("buffers.json")));
}

/* What cannot be restored leaves a program that can go on. */
SCENARIO(session_buffers_read)
{
	d.is("the program restores none of it", d.rows(), 0);
	d.ok("it opens a file", d.open(d.data("marks.dat")));
	d.is("has all events", d.rows(), 861);
}

/* As kernelshark-hist starts the program. */
SCENARIO(wrapper)
{
	d.is("all events are there", d.rows(), 861);
	d.ok("the panel is there", d.shows("hist_panel"));
	d.ok("Tools has it", d.action("Tools/Histograms"));
}

/* Under valgrind, by `kernelshark-memory`: all ways in, and out. */
SCENARIO(memory)
{
	const QString with = d.data("shark.dat"), without = d.data("events.dat");

	d.ok("a file", d.open(with));
	d.ok("another one", d.open(without));
	d.ok("the first appended", d.append(with));
	d.ok("a session is written", d.exportSession(d.work("memory.json")));
	d.ok("the first alone", d.open(with));
	d.ok("the panel is there", d.shows("hist_panel"));
	d.find<QWidget>("hist_panel")->close();
	d.settle();
	d.find<QWidget>("hist_panel")->show();
	d.ok("the session is read", d.importSession(d.work("memory.json")));
}
