// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_split.cpp - several histograms at once
 *
 * data/shark.dat has three histograms and their events.
 */
#include <QComboBox>
#include <QDockWidget>
#include <QJsonValue>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const SWITCH = "sched:sched_switch";
static const char *const RUNTIME = "sched:sched_stat_runtime";

static bool idle(QWidget *panel)
{
	bool is = false;

	return QMetaObject::invokeMethod(panel, "idle", Q_RETURN_ARG(bool, is)) && is;
}

/* The panel that opens when "Split" is pressed. */
static QDockWidget *splitPanel(Driver &d)
{
	QDockWidget *other = nullptr;

	d.click(d.widget("hist_split"));
	d.waitUntil([&] {
		other = d.window()->findChild<QDockWidget *>("hist_panel_2");
		return other && other->isVisible() && idle(other);
	});
	d.settle();
	return other;
}

/* The object that reads the files: how many there are, and how many files it has read. */
static QList<int> readings(Driver &d)
{
	QList<int> n;

	for (QObject *object : d.window()->findChildren<QObject *>()) {
		qulonglong files = 0;

		if (object->inherits("Recordings") &&
		    QMetaObject::invokeMethod(object, "readings", Q_RETURN_ARG(qulonglong, files)))
			n << int(files);
	}
	return n;
}

static QString shownBy(QDockWidget *panel)
{
	return panel->findChild<QComboBox *>("hist_choose")->currentText();
}

SCENARIO(split)
{
	const QString file = d.data("shark.dat");
	QDockWidget *panel = d.find<QDockWidget>("hist_panel"), *other;
	QList<QDockWidget *> both;
	GraphState graph;
	QString first;

	d.window()->resize(1300, 950);
	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", SWITCH));
	setView(d, "Table");
	first = shownBy(panel);
	const int height = panel->height(), least = d.window()->minimumHeight();

	other = splitPanel(d);
	if (!d.ok("Split opens another panel", other))
		return;
	d.is("both panels share one reading of the file", readings(d), QList<int>{ 1 });
	d.ok("both panels are visible", panel->isVisible() && other->isVisible());
	d.is("the other panel is next to the first one", other->geometry().left() > panel->geometry().right() &&
	     other->geometry().top() == panel->geometry().top(), true);
	d.ok("the panels have the same height as the panel before", qAbs(panel->height() - height) < 40,
	     QString("%1, before %2").arg(panel->height()).arg(height));
	d.ok("both panels have the same width", qAbs(panel->width() - other->width()) < 40);
	d.is("the first panel shows the same histogram as before", shownBy(panel), first);
	d.ok("the other panel shows another histogram", shownBy(other) != first && !shownBy(other).isEmpty(),
	     shownBy(other));
	/* choose and look in each of them */
	QComboBox *combo = other->findChild<QComboBox *>("hist_choose");

	for (int i = 0; i < combo->count(); i++)
		if (combo->itemText(i).contains(RUNTIME))
			d.choose(combo, combo->itemText(i));
	other->findChild<QTabBar *>("hist_view")->setCurrentIndex(3);
	for (int round = 0; round < 2; round++) {
		const QString when = round ? "after dragging" : "the whole file";

		d.waitUntil([&] { return idle(panel) && idle(other); });
		graph = graphState(d);
		both = { panel, other };
		for (QDockWidget *dock : both) {
			const char *event = dock == panel ? SWITCH : RUNTIME;
			const QList<Snapshot> all = snapshots(d, file, event);
			int from, to;

			d.ok(when + ": the graph shows snapshots", windowOf(all, graph.min, graph.max, &from, &to));
			d.is(when + ": numbers of " + event, tableRows(dock->findChild<QTableView *>("hist_table")),
			     reportRows(report(d, file, { "-e", event, "--between",
							  QString("%1,%2").arg(all[from].seq).arg(all[to].seq) })));
		}
		d.drag(graphWidget(d), QPoint(graph.left + graph.bins / 3, graph.top),
		       QPoint(graph.left + graph.bins / 2, graph.top));
		d.settle();
	}
	d.picture("kernelshark-split");
	d.window()->splitDockWidget(panel, other, Qt::Vertical);
	d.waitUntil([&] { return idle(panel) && idle(other); });
	d.settle();
	d.ok("the other panel can be below the first one", other->y() > panel->geometry().bottom());
	d.ok("panels below each other do not increase the least height of the window",
	     d.window()->minimumHeight() <= least,
	     QString("%1, before %2").arg(d.window()->minimumHeight()).arg(least));
	other->close();
	d.waitUntil([&] { return !d.window()->findChild<QDockWidget *>("hist_panel_2"); });
	d.is("the closed panel is gone", d.window()->findChild<QDockWidget *>("hist_panel_2") == nullptr, true);
	d.ok("the first panel has all of the width again",
	     d.waitUntil([&] { return panel->width() > d.window()->width() - 40; }));
	d.click(graphButton(d, "- -"));
	setView(d, "Heat map");
	checkMarks(d, "after the split", snapshots(d, file, SWITCH));
}

/* The program ends while two panels are open. */
SCENARIO(split_quit)
{
	QDockWidget *other = splitPanel(d);

	if (!d.ok("Split opens another panel", other))
		return;
	other->findChild<QTabBar *>("hist_view")->setCurrentIndex(1);
	d.trigger("File/Quit");
	d.is("File > Quit closes the window with two panels", d.window()->isVisible(), false);
}
