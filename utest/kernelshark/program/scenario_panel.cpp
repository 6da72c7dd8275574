// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_panel.cpp - the panel follows the graph and moves it, in the real program
 *
 * data/shark.dat: three histograms with 16 snapshots each, and their events, in a
 * buffer of the file beside an empty one (shark_dat.sh).
 */
#include <QAbstractItemModel>
#include <QComboBox>
#include <QDockWidget>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include "utest/kernelshark/fixture/panel_dark.hpp"
#include "utest/kernelshark/program/driver_panel.hpp"

static const char *const SWITCH = "sched:sched_switch";
static const char *const RUNTIME = "sched:sched_stat_runtime";

/* The numbers follow whatever moves the graph. */
SCENARIO(follow)
{
	const QString file = d.data("shark.dat");
	QDockWidget *panel = d.find<QDockWidget>("hist_panel");
	QWidget *gl = graphWidget(d);
	GraphState all, graph;

	if (!panel || !d.ok("the panel is visible", panel->isVisible()) || !panelSettled(d))
		return;
	d.is("the panel is docked at the bottom",
	     int(d.window()->dockWidgetArea(panel)), int(Qt::BottomDockWidgetArea));
	d.waitUntil([&] { return d.find<QComboBox>("hist_choose")->count() == 3; });
	d.is("all histograms can be chosen", d.find<QComboBox>("hist_choose")->count(), 3);
	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", SWITCH));
	setView(d, "Table");
	checkWindow(d, "the whole file", file, SWITCH);

	all = graphState(d);
	d.drag(gl, QPoint(all.left + all.bins / 3, all.top), QPoint(all.left + all.bins / 2, all.top));
	graph = graphState(d);
	d.ok("dragging in the graph zooms", graph.any() && graph.min > all.min && graph.max < all.max);
	checkWindow(d, "after dragging", file, SWITCH);

	hold(d, graphButton(d, "-"));
	checkWindow(d, "after the button -", file, SWITCH);
	hold(d, graphButton(d, ">"));
	checkWindow(d, "after the button >", file, SWITCH);
	d.click(graphButton(d, "- -"));
	graph = graphState(d);
	d.is("the button - - shows the whole file",
	     graph.max - graph.min >= all.max - all.min - all.bins, true);
	checkWindow(d, "after the button - -", file, SWITCH);
	d.window()->resize(d.window()->width() - 150, d.window()->height());
	checkWindow(d, "in a narrower window", file, SWITCH);

	d.ok("another histogram can be chosen", chooseLike(d, "hist_choose", "sys_enter"));
	checkWindow(d, "the other histogram", file, "raw_syscalls:sys_enter");
}

/* The panel has the colours of a dark desktop, and its light colours again. */
static void checkDark(Driver &d, QWidget *map)
{
	const auto ground = [map] { return map->grab().toImage().pixelColor(1, map->height() / 2); };
	const QPalette light = QApplication::palette();
	const QColor before = ground();

	QApplication::setPalette(darkPalette());
	d.settle();
	d.ok("the heat map is dark on a dark desktop", ground() == QColor(0x1c2026),
	     ground().name());
	d.picture("kernelshark-dark");
	QApplication::setPalette(light);
	d.settle();
	d.ok("the heat map is light again", ground() == before, before.name());
}

/* Selecting in the heat map zooms the graph; its columns stand below the events. */
SCENARIO(heatmap)
{
	const QString file = d.data("shark.dat");
	QWidget *map;
	GraphState graph;
	qint64 from, to, tolerance, column = 0;
	int shift, a, b;

	d.window()->resize(1300, 950);
	d.ok("a histogram with an axis can be chosen", chooseLike(d, "hist_choose", RUNTIME));
	setView(d, "Heat map");
	map = d.find<QAbstractScrollArea>("hist_heatmap");
	if (!map)
		return;
	map = qobject_cast<QAbstractScrollArea *>(map)->viewport();
	graph = graphState(d);
	shift = map->mapFromGlobal(graphWidget(d)->mapToGlobal(QPoint(0, 0))).x();
	a = graph.left + graph.bins / 4;
	b = graph.left + graph.bins / 2;
	from = graph.time(a);
	to = graph.time(b);
	tolerance = 4 * (graph.max - graph.min) / graph.bins;
	d.picture("kernelshark-heatmap");
	checkDark(d, map);
	d.drag(map, QPoint(a + shift, map->height() / 2), QPoint(b + shift, map->height() / 2));
	graph = graphState(d);
	d.ok("the graph shows the time that is selected in the heat map",
	     qAbs(graph.min - from) <= tolerance && qAbs(graph.max - to) <= tolerance,
	     QString("%1 to %2, selected %3 to %4, not nearer than %5").arg(graph.min).arg(graph.max)
		     .arg(from).arg(to).arg(tolerance));
	setView(d, "Table");
	checkWindow(d, "after the selection", file, RUNTIME);

	/* a column is an interval here, and begins with the last snapshot before the pixel */
	setView(d, "Heat map");
	graph = graphState(d);
	a = graph.left + graph.bins / 2;
	for (const Snapshot &s : snapshots(d, file, RUNTIME))
		if (s.time <= graph.time(a))
			column = s.time;
	d.doubleClick(map, QPoint(a + shift, map->height() / 2));
	d.waitUntil([&] { return !markerTexts(d).value(0).isEmpty(); });
	d.is("a double click in the heat map goes to the event nearest to the begin of the column",
	     markerTexts(d).value(0), QString::number(nearestEvent(d, column) * 1e-9, 'f', 6));
	d.is("a double click in the heat map selects an entry in the list",
	     d.listView()->selectionModel()->hasSelection(), true);
}

/* Between the markers, which tell the nanosecond of their entries. */
SCENARIO(markers)
{
	const QString file = d.data("shark.dat");
	const QList<Snapshot> all = snapshots(d, file, SWITCH);
	int from, to, a, b;
	QComboBox *source = d.find<QComboBox>("hist_source");

	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", SWITCH));
	setView(d, "Table");
	d.ok("the panel can show the time between the markers",
	     d.choose(source, "Markers A-B") && panelSettled(d));
	d.is("the panel shows no numbers without markers", tableRows(d), QStringList());

	/* the mark of a snapshot is an event of the list right behind it */
	a = d.findRow("Info", "sched:sched_switch snapshot 4:");
	b = d.findRow("Info", "sched:sched_switch snapshot 9:");
	d.selectRow(a);
	d.click(graphButton(d, "Marker B"));
	d.selectRow(b);
	if (!d.ok("both markers can be set",
		  d.waitUntil([&] { return !markerTexts(d).value(1).isEmpty(); })))
		return;
	panelSettled(d);
	from = 4;
	to = 9;
	d.like("the panel shows snapshots 4 to 9 between the markers",
	       labelText(d, "hist_from"), "^snapshots 4 \\(.*\\) to 9 \\(");
	d.is("the panel shows the numbers of the report between the markers", tableRows(d),
	     reportRows(report(d, file, { "-e", SWITCH, "--between",
					  QString("%1,%2").arg(all[from].seq).arg(all[to].seq) })));

	d.click(graphButton(d, "Marker A"));
	d.selectRow(b);
	d.click(graphButton(d, "Marker B"));
	d.selectRow(a);
	panelSettled(d);
	d.like("the panel shows the same snapshots if marker B is before marker A",
	       labelText(d, "hist_from"), "^snapshots 4 \\(.*\\) to 9 \\(");
}

/* Snapshots before the first and after the last event. */
SCENARIO(whole)
{
	const QString file = d.data("shark.dat");
	const QJsonObject all = report(d, file, { "-e", SWITCH });

	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", SWITCH));
	d.click(graphButton(d, "- -"));
	setView(d, "Table");
	panelSettled(d);
	if (tableRows(d) != reportRows(all))
		d.like("the panel says that the graph does not show all hits", labelText(d, "hist_notes"),
		       "hits are before the first or after the last event of the graph");
	d.ok("the panel can show the whole recording",
	     d.choose(d.widget("hist_source"), "Whole recording") && panelSettled(d));
	d.is("the panel shows the numbers of the report of the whole recording", tableRows(d),
	     reportRows(all));
	hold(d, graphButton(d, "+"));
	panelSettled(d);
	d.is("the panel shows the whole recording in any window", tableRows(d), reportRows(all));
}

/* Marks of snapshots: where they are, what they say, what they open. */
SCENARIO(timeline)
{
	const QString file = d.data("shark.dat");
	const QList<Snapshot> all = snapshots(d, file, SWITCH);
	QWidget *gl = graphWidget(d);
	GraphState graph;
	QString tip;
	int y, x, missing = 0;

	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", SWITCH));
	graph = graphState(d);
	y = graph.top - 6;
	for (const Snapshot &s : all)
		if (s.time >= graph.min && s.time <= graph.max) {
			tip = d.toolTip(gl, QPoint(graph.x(s.time), y));
			if (!tip.contains(QString("snapshot %1 (%2): %3 hits").arg(s.seq)
						  .arg(s.time / 1e9, 0, 'f', 6).arg(s.hits))) {
				d.note(QString("snapshot %1: \"%2\"").arg(s.seq).arg(tip));
				missing++;
			}
		}
	d.is("each snapshot has a mark with its numbers", missing, 0);
	d.like("a mark names its event", tip, "^sched:sched_switch\n");
	d.is("the graph has no mark below its top line",
	     d.toolTip(gl, QPoint(graph.x(all[8].time), graph.top + 20)), QString());

	x = graph.x(all[8].time);
	d.doubleClick(gl, QPoint(x, y));
	panelSettled(d);
	d.is("a double click on a mark selects the source One snapshot",
	     d.find<QComboBox>("hist_source")->currentText(), QString("One snapshot"));
	d.is("a double click on a mark shows the snapshot of the mark",
	     d.find<QSpinBox>("hist_snapshot")->value(), int(all[8].seq));
	setView(d, "Table");
	d.is("the panel shows the numbers of that snapshot", tableRows(d),
	     reportRows(report(d, file, { "-e", SWITCH, "--snapshot", QString::number(all[8].seq) })));

	d.find<QDockWidget>("hist_panel")->close();
	d.settle();
	d.is("the panel can be closed", d.shows("hist_panel"), false);
	graph = graphState(d);
	d.doubleClick(gl, QPoint(graph.x(all[3].time), graph.top - 6));
	d.ok("a double click on a mark opens the closed panel",
	     d.waitUntil([&] { return d.shows("hist_panel"); }));
	panelSettled(d);
	d.is("the opened panel shows the snapshot of the mark",
	     d.find<QSpinBox>("hist_snapshot")->value(), int(all[3].seq));

	/* far out, marks are merged */
	d.ok("another histogram can be chosen", chooseLike(d, "hist_choose", RUNTIME));
	graph = graphState(d);
	tip = d.toolTip(gl, QPoint(graph.x(snapshots(d, file, RUNTIME)[5].time), graph.top - 6));
	d.like("the marks belong to the histogram that the panel shows",
	       tip, "^sched:sched_stat_runtime\n");
}

/* The row of the panel's table with this key; its count. */
static int rowOf(Driver &d, const QString &key, int *count)
{
	QAbstractItemModel *model = d.find<QTableView>("hist_table")->model();

	for (int r = 0; r < model->rowCount(); r++)
		if (model->index(r, 0).data(Qt::UserRole).toString() == key) {
			*count = model->index(r, 1).data(Qt::UserRole).toInt();
			return r;
		}
	d.ok("the table has a row " + key, false);
	return -1;
}

static void drill(Driver &d, const QString &what, const QString &key)
{
	QTableView *table = d.find<QTableView>("hist_table");
	int count = 0, row = rowOf(d, key, &count);

	if (row < 0)
		return;
	table->scrollTo(table->model()->index(row, 0));
	d.doubleClick(table, table->visualRect(table->model()->index(row, 0)).center());
	panelSettled(d);
	d.is(what + ": the list has as many events as the row counts", d.rows(), count);
	d.is(what + ": every event of the list has the key of the row",
	     d.column("Info").filter("==> " + key + ":").size(), count);
}

/* The events behind a key, in the time that is shown. */
SCENARIO(drill)
{
	const int all = d.rows();
	GraphState graph;

	d.window()->resize(1300, 950);
	d.ok("a histogram can be chosen", chooseLike(d, "hist_choose", SWITCH));
	setView(d, "Table");
	drill(d, "all snapshots", "sh");
	d.picture("kernelshark-events");
	graph = graphState(d);
	d.drag(graphWidget(d), QPoint(graph.left + graph.bins / 3, graph.top),
	       QPoint(graph.left + graph.bins / 2, graph.top));
	panelSettled(d);
	drill(d, "a part of the time", "sh");
	drill(d, "another key", "usleep");
	d.trigger("Filter/Clear all filters");
	panelSettled(d);
	d.is("KernelShark's menu shows all events again", d.rows(), all);
	drill(d, "once more", "sh");
	for (QToolButton *button : d.widget("hist_filter")->findChildren<QToolButton *>())
		if (button->text() == "Show all events")
			d.click(button);
	panelSettled(d);
	d.is("a button of the panel shows all events again", d.rows(), all);
}

/*
 * In the middle of the recording: at its end events come between the end of counting and
 * the time that the last snapshot tells.
 */
SCENARIO(click)
{
	const QList<Snapshot> snaps = snapshots(d, d.data("shark.dat"), SWITCH);
	const int all = d.rows();
	GraphState graph;

	d.window()->resize(1300, 950);
	d.ok("a histogram of names can be chosen", chooseLike(d, "hist_choose", SWITCH));
	setView(d, "Bars");
	/* the panel remembers what another stage chose; and the window has its new size */
	d.ok("the panel can follow the visible window",
	     d.choose(d.widget("hist_source"), "Visible window") && panelSettled(d));
	graph = graphState(d);
	d.drag(graphWidget(d), QPoint(graph.x(snaps[2].time), graph.top), QPoint(graph.x(snaps[12].time), graph.top));
	panelSettled(d);
	d.ok("the graph leaves out the end of the recording", graphState(d).max < snaps[13].time);
	d.picture("kernelshark-bars");
	clickBars(d, "names");
	d.ok("a histogram with an axis can be chosen", chooseLike(d, "hist_choose", RUNTIME));
	clickBars(d, "ranges");
	d.click(d.widget("hist_filter_clear"));
	panelSettled(d);
	d.is("a button of the panel shows all events again", d.rows(), all);
}
