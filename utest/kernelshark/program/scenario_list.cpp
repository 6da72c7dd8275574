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

	d.is("the list shows all events", d.rows(), 861);
	d.is("the list shows every snapshot marker in words",
	     count_of(info, "^histogram [^ ]+ snapshot [0-5]: \\d+ hits, \\d+ entr(y|ies), none dropped$"), 24);
	d.is("a snapshot marker shows its number, hits, entries and dropped hits",
	     d.findRow("Info", "histogram sched:sched_switch#2 snapshot 5: "
			       "142 hits, 63 entries, none dropped") >= 0, true);
	d.is("an incomplete snapshot marker is shown unchanged",
	     info.contains("tracing_mark_write: hist-snapshot: sched:sched_switch#0 seq=1 hits=9 entries=9"),
	     true);
	d.is("other texts are shown unchanged",
	     info.contains("tracing_mark_write: hello from a program"), true);
}

/* The same, without the plugin. */
SCENARIO(list_without)
{
	const QStringList info = d.column("Info");

	d.is("the list shows all events", d.rows(), 861);
	d.is("no snapshot marker is shown in words without the plugin",
	     count_of(info, "^histogram "), 0);
	d.is("snapshot markers are shown as plain texts without the plugin",
	     count_of(info, "^tracing_mark_write: hist-snapshot: "), 25);
}

/* What the driver itself can do. */
/*
 * What the driver itself can do.  Sessions of files with buffers beside the top one
 * cannot be restored: kshark_tep_open_buffer() always fails, in 2.2.1 and in 2.3.1.
 */
SCENARIO(driver)
{
	d.is("the list is empty without a file", d.rows(), 0);
	d.ok("File > Open Trace File opens a file", d.open(d.data("marks.dat")));
	d.is("the list shows all events of the file", d.rows(), 861);
	d.ok("File > Append Trace File appends a file", d.append(d.data("events.dat")));
	d.is("the list shows the events of both files", d.rows(), 861 + 371);
	d.ok("File > Open Trace File opens another file", d.open(d.data("events.dat")));
	d.is("the list shows only the events of the other file", d.rows(), 371);
	d.ok("a session can be written", d.exportSession(d.work("driver.json")));
	d.ok("File > Open Trace File opens the first file again", d.open(d.data("marks.dat")));
	d.is("the list shows all events of the first file again", d.rows(), 861);
	d.ok("the session can be read", d.importSession(d.work("driver.json")));
	d.is("the list shows the events of the session", d.rows(), 371);
	/* not before: the program follows a marker behind the end of a session's rows */
	d.selectRow(100);
	d.is("one row of the list is selected",
	     d.listView()->selectionModel()->selectedRows().size(), 1);
	d.is("the selected row is the row that was clicked",
	     d.listView()->selectionModel()->selectedRows().value(0).row(), 100);
}

SCENARIO(session_write)
{
	d.is("the list shows all events", d.rows(), 371);
	d.ok("a session can be written", d.exportSession(d.work("session.json")));
}

SCENARIO(session_read)
{
	d.is("the list shows the events of the session", d.rows(), 371);
}

SCENARIO(session_buffers_write)
{
	d.is("the list shows the events of both files", d.rows(), 861 + 371);
	d.ok("a session can be written", d.exportSession(d.work("buffers.json")));
}

/* What cannot be restored leaves a program that can go on. */
SCENARIO(session_buffers_read)
{
	d.is("KernelShark restores no event of a session with buffers", d.rows(), 0);
	d.ok("a file can be opened after the session", d.open(d.data("marks.dat")));
	d.is("the list shows all events of the file", d.rows(), 861);
}

/* As kernelshark-hist starts the program. */
SCENARIO(wrapper)
{
	d.is("the list shows all events", d.rows(), 861);
	d.ok("kernelshark-hist shows the panel", d.shows("hist_panel"));
	d.ok("the Tools menu has the panel", d.action("Tools/Histograms"));
}

/* Under valgrind, by `kernelshark-memory`: all ways in, and out. */
SCENARIO(memory)
{
	const QString with = d.data("shark.dat"), without = d.data("events.dat");

	d.ok("a file with histograms can be opened", d.open(with));
	d.ok("a file without histograms can be opened", d.open(without));
	d.ok("the first file can be appended", d.append(with));
	d.ok("a session can be written", d.exportSession(d.work("memory.json")));
	d.ok("the first file can be opened alone", d.open(with));
	d.ok("the panel is visible", d.shows("hist_panel"));
	d.find<QWidget>("hist_panel")->close();
	d.settle();
	d.find<QWidget>("hist_panel")->show();
	d.ok("the session can be read", d.importSession(d.work("memory.json")));
}
