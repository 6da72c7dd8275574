// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_order.cpp - everything in any order: files, sessions, clocks, the graph, the panel
 *
 * The order is drawn by a generator whose seed is printed: KSHIST_SEED runs it again, as
 * KSHIST_STEPS makes it longer.  run.sh judges whether the program lives; after each step
 * the panel must come to rest, and at the end a file that is opened shows its numbers.
 *
 * Left out is what KernelShark 2.2.1 does not survive by itself.  It follows a marker that
 * is behind the end of a session's rows (scenario_list.cpp), so a session is only read
 * where no marker was set since a file was opened.  It takes how many rows it has for the
 * number of a stream where what is appended has no events.  And it ends itself where a
 * clock is moved so that none of the events are left in what the graph shows.
 */
#include <random>

#include <QAbstractScrollArea>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>

#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const FILES[] = { "shark.dat", "events.dat", "many.dat", "marks.dat", "recorded.dat", "cut.dat" };
static const char *const NO_EVENTS = "recorded.dat";
static const char *const BUTTONS[] = { "-", "+", "<", ">", "- -", "++" };
static const char *const SEARCHES[] = { "", "s", "sh", "no such key", "1" };

struct Order {
	Order(Driver &d, unsigned seed) : d(d), random(seed) {}

	/* 0 to n - 1; the same everywhere, which distributions of the library are not */
	int any(int n) { return int(random() % unsigned(n)); }
	template <size_t N> QString any(const char *const (&of)[N]) { return of[any(int(N))]; }
	void step();
	/* before it is done: a crash does not tell */
	void will(const QString &what) { d.note(QString("%1: %2").arg(steps++).arg(what)); }

	Driver &d;
	std::mt19937 random;
	bool written = false; /* there is a session */
	bool marked = false;
	int steps = 0;
};

/* A cut recording, as a crash leaves it. */
static void makeCut(Driver &d)
{
	QFile whole(d.data("shark.dat")), cut(d.data("cut.dat"));
	const bool opened = whole.open(QFile::ReadOnly) && cut.open(QFile::WriteOnly);

	d.ok("a truncated file can be written",
	     opened && cut.write(whole.readAll().left(int(whole.size() * 9 / 10))) > 0);
}

/* Does one thing. */
void Order::step()
{
	QDockWidget *panel = d.find<QDockWidget>("hist_panel");
	QString what;
	GraphState graph;
	int n;

	switch (any(18)) {
	case 0:
	case 1:
		what = any(FILES);
		will("open " + what);
		withDialogs(d, "File/Open Trace File", d.data(what));
		marked = false;
		return;
	case 2:
	case 3:
		what = any(FILES);
		if (!d.rows() || what == NO_EVENTS)
			return will("nothing to append");
		will("append " + what);
		withDialogs(d, "File/Append Trace File", d.data(what));
		return;
	case 4:
		if (!d.rows())
			return will("no session to write");
		will("write a session");
		QFile::remove(d.work("order.json"));
		withDialogs(d, "File/Sessions/Export Session", d.work("order.json"));
		written = true;
		return;
	case 5:
		if (!written || marked)
			return will("no session to read");
		will("read the session");
		withDialogs(d, "File/Sessions/Import Session", d.work("order.json"));
		return;
	case 6:
		graph = graphState(d);
		if (!graph.any())
			return will("nothing to zoom");
		will("zoom");
		n = graph.bins / 8 + any(graph.bins / 2);
		d.drag(graphWidget(d), QPoint(graph.left + n, graph.top), QPoint(graph.left + n + 20 + any(200), graph.top));
		return;
	case 7:
		what = any(BUTTONS);
		will("button " + what);
		/* the others are one step each */
		if (what.size() == 1)
			hold(d, graphButton(d, what));
		else
			d.click(graphButton(d, what));
		return;
	case 8: {
		QComboBox *choose = d.find<QComboBox>("hist_choose");

		if (!choose->count() || !choose->isVisible())
			return will("nothing to choose");
		what = choose->itemText(any(choose->count()));
		will("histogram " + what);
		d.choose(choose, what);
		return;
	}
	case 9: {
		QTabBar *tabs = d.find<QTabBar>("hist_view");

		n = any(tabs->count());
		will("view " + tabs->tabText(n));
		d.click(tabs, tabs->tabRect(n).center());
		return;
	}
	case 10:
		n = any(3);
		will("source " + d.find<QComboBox>("hist_source")->itemText(n));
		d.find<QComboBox>("hist_source")->setCurrentIndex(n);
		return;
	case 11:
		what = any(SEARCHES);
		will("search " + what);
		d.find<QLineEdit>("hist_search")->setText(what);
		return;
	case 12:
		n = any(2);
		will(n ? "the panel floats, or is docked" : "the panel is shown, or hidden");
		if (n)
			panel->setFloating(!panel->isFloating());
		else
			panel->setVisible(!panel->isVisible());
		d.settle();
		return;
	case 13:
		will("move a clock");
		/* the program ends itself where that leaves nothing in what the graph shows */
		d.click(graphButton(d, "- -"));
		graph = graphState(d);
		if (!graph.any() || !d.action("Tools/Add Time Offset")->isEnabled())
			return;
		n = int(double(graph.max - graph.min) / 1000 * (any(200) - 100) / 400);
		setOffset(d, n);
		return;
	case 14:
		graph = graphState(d);
		if (!graph.any())
			return will("nothing to double-click");
		will("double click over the graph");
		/* where a mark may be: over the first graph */
		d.doubleClick(graphWidget(d), QPoint(graph.left + any(graph.bins), graph.top - 6));
		marked = true;
		return;
	case 15: {
		QAbstractScrollArea *bars = d.find<QAbstractScrollArea>("hist_bars");

		if (!bars->isVisible())
			return will("no bars");
		will("a bar");
		d.click(bars, QPoint(bars->width() / 8 + any(bars->width() / 2), 30 + any(qMax(1, bars->height() - 40))));
		return;
	}
	case 16:
		will("all events");
		if (d.shows("hist_filter_clear"))
			d.click(d.widget("hist_filter_clear"));
		else if (d.action("Filter/Clear all filters")->isEnabled())
			d.trigger("Filter/Clear all filters");
		return;
	default: {
		QAbstractScrollArea *map = d.find<QAbstractScrollArea>("hist_heatmap");

		if (!map->isVisible())
			return will("no heat map");
		n = map->width() / 4 + any(map->width() / 2);
		if (any(2)) {
			will("zoom by the heat map");
			d.drag(map, QPoint(n, map->height() / 2), QPoint(n + 15 + any(100), map->height() / 2));
			return;
		}
		will("go to by the heat map");
		d.doubleClick(map, QPoint(n, map->height() / 2));
		marked = true;
		return;
	}
	}
}

SCENARIO(any_order)
{
	const QByteArray given = qgetenv("KSHIST_SEED"), steps = qgetenv("KSHIST_STEPS");
	const unsigned seed = given.isEmpty() ? std::random_device()() : given.toUInt();
	const int n = steps.isEmpty() ? 40 : steps.toInt();
	Order order(d, seed);

	d.note(QString("KSHIST_SEED=%1").arg(seed));
	makeCut(d);
	for (int i = 0; i < n; i++) {
		order.step();
		if (!d.ok(QString("the panel comes to rest after step %1").arg(i), panelSettled(d)))
			break;
	}
	/* and then all is as ever */
	d.find<QDockWidget>("hist_panel")->setFloating(false);
	d.find<QDockWidget>("hist_panel")->show();
	withDialogs(d, "File/Open Trace File", d.data("shark.dat"));
	/* the panel opens the file in a thread: until then it lists the files before */
	d.ok("the panel lists the histograms of the last file alone", d.waitUntil([&] {
		const QComboBox *choose = d.find<QComboBox>("hist_choose");
		int of_last = 0;

		for (int i = 0; i < choose->count(); i++)
			of_last += choose->itemData(i).toString() == d.data("shark.dat");
		return of_last == 3 && choose->count() == 3;
	}));
	d.ok("a histogram can be chosen after all steps",
	     chooseLike(d, "hist_choose", "sched:sched_switch"));
	d.find<QLineEdit>("hist_search")->clear();
	d.find<QComboBox>("hist_source")->setCurrentIndex(0);
	panelSettled(d);
	setView(d, "Table");
	checkWindow(d, "after all steps", d.data("shark.dat"), "sched:sched_switch");
}
