// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_expression.cpp - an expression is typed in the real program, and counted
 *
 * data/shark.dat has events and histograms, data/events.dat events alone.  How counts are
 * held and given up is tested offscreen (panel_expression_test.cpp); here they are
 * given up by what a user does.
 */
#include <QAbstractItemModel>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QToolButton>

#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const RUNTIME = "sched:sched_stat_runtime hist:keys=comm,runtime.log2:vals=runtime";

/* The events of the file were opened. */
static bool hasLine(Driver &d)
{
	return d.ok("the panel shows the line for an expression",
		    d.waitUntil([&] { return panelSettled(d) && d.shows("hist_expression"); }));
}

/* Into the line; Enter, and nothing is waited for. */
static void enter(Driver &d, const QString &text)
{
	QLineEdit *edit = d.find<QLineEdit>("hist_expression");

	if (!edit)
		return;
	edit->setText(text);
	QTest::keyClick(edit, Qt::Key_Return);
}

/* "411 sched:sched_switch events, ...": 411; -1: another line. */
static int countedOf(Driver &d, const QString &event)
{
	const QRegularExpression line("^(\\d+) " + event + " events?, [0-9.]+ to [0-9.]+, none lost$");
	const QRegularExpressionMatch match = line.match(labelText(d, "hist_from"));

	if (!match.hasMatch())
		d.note(labelText(d, "hist_from"));
	return match.hasMatch() ? match.captured(1).toInt() : -1;
}

/* What `trace-cmd hist replay` counts in all of the file. */
static QStringList replayed(Driver &d, const QString &file, const QString &event, const QString &trigger)
{
	const QString out = d.work("replayed.dat");
	QProcess process;

	process.start(d.work("bin/trace-cmd-hist"),
		      QStringList() << "replay" << "-q" << "-o" << out << "-e" << event << "-R" << trigger << file);
	process.waitForFinished(60000);
	if (process.exitCode()) {
		d.ok("trace-cmd hist replay counts the events",
		     false, QString::fromUtf8(process.readAllStandardError()));
		return QStringList();
	}
	return reportRows(report(d, out, {}));
}

SCENARIO(expression)
{
	const QString file = d.data("shark.dat");
	QComboBox *choose = d.find<QComboBox>("hist_choose");
	QLineEdit *edit = d.find<QLineEdit>("hist_expression");
	GraphState all, graph;
	int n;

	d.window()->resize(1300, 950);
	if (!hasLine(d) || !choose || !edit)
		return;
	d.is("the panel offers no choice of buffers for a file with one buffer of events",
	     d.shows("hist_expression_of"), false);
	d.type(edit, "sched_sw");
	d.ok("the line offers words that complete an event", d.shows("hist_expression_words"));
	d.key(edit, Qt::Key_Tab);
	d.key(edit, Qt::Key_Tab);
	QTest::keyClicks(edit, "next_c");
	d.settle();
	d.key(edit, Qt::Key_Tab);
	d.is("the Tab key completes the event, the trigger and the field",
	     edit->text(), QString("sched:sched_switch hist:keys=next_comm"));
	d.key(edit, Qt::Key_Return);
	panelSettled(d);
	d.is("the expression adds one histogram", choose->count(), 4);
	d.like("the panel shows the histogram of the expression",
	       choose->currentText(), "^computed: sched:sched_switch by next_comm");
	setView(d, "Table");
	n = countedOf(d, "sched:sched_switch");
	d.is("the expression counts every sched_switch event of the list",
	     n, d.column("Event").count("sched/sched_switch"));
	d.is("the expression counts the same for each key as trace-cmd hist replay", tableRows(d),
	     replayed(d, file, "sched:sched_switch", "hist:keys=next_comm"));

	all = graphState(d);
	d.drag(graphWidget(d), QPoint(all.left + all.bins / 3, all.top), QPoint(all.left + all.bins / 2, all.top));
	panelSettled(d);
	graph = graphState(d);
	d.ok("dragging in the graph shows a part of the time",
	     graph.any() && graph.min > all.min && graph.max < all.max);
	d.ok("the expression counts fewer events in a part of the time",
	     countedOf(d, "sched:sched_switch") > 0 && countedOf(d, "sched:sched_switch") < n);
	setView(d, "Bars");
	clickBars(d, "names");
	d.click(d.widget("hist_filter_clear"));
	panelSettled(d);
	enter(d, RUNTIME);
	panelSettled(d);
	d.is("another expression replaces the histogram of the first expression",
	     choose->count(), 4);
	d.picture("kernelshark-expression");
	d.ok("the second expression counts events", countedOf(d, "sched:sched_stat_runtime") > 3);
	d.click(graphButton(d, "- -"));
	panelSettled(d);
	setView(d, "Heat map");
	panelSettled(d);
	n = countedOf(d, "sched:sched_stat_runtime");
	d.is("the expression counts all events again for the whole time",
	     n, d.column("Event").count("sched/sched_stat_runtime"));

	/* given up before it has begun */
	enter(d, "raw_syscalls:sys_enter hist:keys=id.syscall");
	d.find<QToolButton>("hist_expression_cancel")->click();
	panelSettled(d);
	d.like("the panel reports that counting was cancelled",
	       labelText(d, "hist_expression_error"), "Counting was canceled");
	d.is("a cancelled expression leaves the numbers as they were",
	     countedOf(d, "sched:sched_stat_runtime"), n);
	enter(d, "raw_syscalls:sys_enter hist:keys=id.syscal");
	panelSettled(d);
	d.like("the panel reports an unknown modifier and suggests the right one",
	       labelText(d, "hist_expression_error"),
	       "unknown modifier \"syscal\": did you mean \"syscall\"\\?");
	d.is("the line selects the unknown modifier", edit->selectedText(), QString("syscal"));

	/* the file is closed while it is counted, and so is one that was counted */
	enter(d, "raw_syscalls:sys_enter hist:keys=id.syscall");
	d.ok("another file can be opened while events are counted", d.open(d.data("events.dat")));
	d.ok("no histogram of the closed file is left",
	     d.waitUntil([&] { return panelSettled(d) && !choose->count(); }), choose->currentText());
	hasLine(d);
}

/* A file without a histogram; the line remembers. */
SCENARIO(expression_alone)
{
	QComboBox *choose = d.find<QComboBox>("hist_choose");
	QLineEdit *edit = d.find<QLineEdit>("hist_expression");

	if (!hasLine(d) || !choose || !edit)
		return;
	d.is("the panel has no histogram for a file without histograms", choose->count(), 0);
	d.type(edit, "sched:sched_switch hist:k");
	d.key(edit, Qt::Key_Escape);
	d.type(edit, "sched:sched_stat");
	/* typed in the stage before, about another file */
	d.key(edit, Qt::Key_Down);
	d.key(edit, Qt::Key_Tab);
	d.is("the line offers the expression of the stage before", edit->text(), QString(RUNTIME));
	enter(d, "sched:sched_switch hist:keys=prev_comm");
	panelSettled(d);
	d.is("the expression is the only histogram", choose->count(), 1);
	d.is("the expression counts every sched_switch event of the file",
	     countedOf(d, "sched:sched_switch"), 371);
	d.ok("another file can be appended", d.append(d.data("shark.dat")));
	panelSettled(d);
	d.ok("the panel offers both files for an expression",
	     d.waitUntil([&] { return panelSettled(d) && d.shows("hist_expression_of"); }));
	d.like("the histogram of the expression is named after its file",
	       choose->currentText(), "^computed: events\\.dat \\(stream 0\\): sched:sched_switch");
}

/* The program ends while events are counted. */
SCENARIO(expression_quit)
{
	if (!hasLine(d))
		return;
	enter(d, RUNTIME);
	panelSettled(d);
	d.ok("an expression counts events before the program ends",
	     countedOf(d, "sched:sched_stat_runtime") > 0);
	enter(d, "raw_syscalls:sys_enter hist:keys=id.syscall");
}
