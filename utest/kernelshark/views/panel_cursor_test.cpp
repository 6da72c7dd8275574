// SPDX-License-Identifier: GPL-2.0
/*
 * panel_cursor_test.cpp - what is pointed at, chosen or opened when other figures come
 *
 * The figures that come are often smaller: a number of an item that was kept would lie
 * outside of them.  What an item shows is compared with the recording, by key and time.
 */
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>

#include "utest/kernelshark/fixture/panel_gate.hpp"
#include "utest/kernelshark/views/panel_cursor_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

/* What the line above the chart and those who listen are told of the chosen item. */
static QString said(const ChartView *view)
{
	return view->accessibleDescription();
}

static void leave(QAbstractScrollArea *view)
{
	QEvent event(QEvent::Leave);

	QCoreApplication::sendEvent(view->viewport(), &event);
}

/* The heat map over 105 to 125 s, with the focus. */
static HeatmapView *focused(PanelFixture *p)
{
	p->shark.setSpan(150, 1150);
	p->load("latency", 105, 125);
	p->panel->setView(HistPanel::HeatMap);
	p->wait();
	p->activate();
	p->heatmap()->setFocus();
	return p->heatmap();
}

static int cell(const HeatmapView *view, uint32_t row, unsigned int column)
{
	return int(row * view->map()->ncolumns + column);
}

/* Of the rows from the top; -1 as a row is the last one. */
static void rows()
{
	QTest::addColumn<int>("fromTop");
	QTest::newRow("the uppermost row") << 0;
	QTest::newRow("the second row") << 1;
	QTest::newRow("a row in the middle") << 5;
	QTest::newRow("the lowest row") << -1;
}

/* After a zoom: none, or a cell of that key whose column begins not before @from. */
static void isStill(const HeatmapView *view, const hist_heat_row &row, qint64 from, qint64 to)
{
	const int n = int(view->map()->ncolumns);
	qint64 begin, end;

	if (view->current() < 0) {
		/* it is not that it was lost */
		QCOMPARE(rowOfNumber(view->map(), row.ge), -1);
		QCOMPARE(said(view), QString());
		return;
	}
	QVERIFY(view->current() < int(view->map()->nrows) * n);
	QCOMPARE(view->map()->rows[view->current() / n].ge, row.ge);
	view->columnTime(unsigned(view->current() % n), &begin, &end);
	QVERIFY(begin < to && end > from);
	QCOMPARE(said(view), view->itemText(view->current()));
}

void CursorTest::zoomByMouse_data()
{
	rows();
}

/* A click on a cell, a drag, and the mouse goes away: the cell that was clicked is told of. */
void CursorTest::zoomByMouse()
{
	QFETCH(int, fromTop);
	PanelFixture p(dir_.path());
	HeatmapView *view = focused(&p);
	const uint32_t place = fromTop < 0 ? view->map()->nrows - 1 : uint32_t(fromTop);
	const uint32_t row = view->map()->nrows - 1 - place;
	const hist_heat_row was = view->map()->rows[row];
	const QRect at = view->itemRect(cell(view, row, 9));
	qint64 from, to;

	QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, at.center());
	QCOMPARE(view->current(), cell(view, row, 9));
	view->columnTime(9, &from, &to);
	p.drag(view, QPoint(at.left() - 60, 100), QPoint(at.right() + 60, 110));
	p.wait();
	leave(view);
	QVERIFY(!view->grab().isNull());
	isStill(view, was, from, to);
}

void CursorTest::zoomByKey_data()
{
	rows();
}

void CursorTest::zoomByKey()
{
	QFETCH(int, fromTop);
	PanelFixture p(dir_.path());
	HeatmapView *view = focused(&p);
	const uint32_t place = fromTop < 0 ? view->map()->nrows - 1 : uint32_t(fromTop);
	const hist_heat_row was = view->map()->rows[view->map()->nrows - 1 - place];
	qint64 from, to;

	QTest::keyClick(view, Qt::Key_Home);
	for (uint32_t i = 0; i < place; i++)
		QTest::keyClick(view, Qt::Key_Down);
	for (int i = 0; i < 12; i++)
		QTest::keyClick(view, Qt::Key_Right);
	view->columnTime(12, &from, &to);
	p.shark.asked.clear();
	QTest::keyClick(view, Qt::Key_Z);
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("setWindow %1 %2").arg(from).arg(to) });
	p.wait();
	QVERIFY(!view->grab().isNull());
	isStill(view, was, from, to);
	/* and from there on */
	QTest::keyClick(view, Qt::Key_Up);
	QTest::keyClick(view, Qt::Key_Right);
	QVERIFY(view->current() >= 0 && view->current() < int(view->map()->nrows * view->map()->ncolumns));
	QVERIFY(!view->grab().isNull());
}

/* A cell that both windows have has another number in each, and tells the same. */
void CursorTest::cellsAreFoundAgain()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = focused(&p);
	const uint32_t row = uint32_t(rowOfNumber(view->map(), 20));
	QString text;
	int was;

	view->setCurrent(cell(view, row, 20));
	was = view->current();
	text = view->itemText(was);
	QVERIFY2(text.startsWith("lat_us: 17-32 us\n115.000000 to 115.500000: 500 ms\n"), qPrintable(text));
	p.window(113, 118);
	QVERIFY(view->current() >= 0 && view->current() != was);
	QCOMPARE(view->itemText(view->current()), text);
	QCOMPARE(said(view), text);
	/* it is not in sight any more, and nothing takes its place */
	p.window(119, 125);
	QCOMPARE(view->current(), -1);
	QCOMPARE(said(view), QString());
}

void CursorTest::barsAreFoundAgain()
{
	PanelFixture p(dir_.path());
	QLineEdit *search = p.find<QLineEdit>("hist_search");
	BarsView *bars = p.bars();
	QString label;
	int was;

	p.load("tasks");
	p.activate();
	bars->setFocus();
	QTest::keyClick(bars, Qt::Key_End);
	QCOMPARE(bars->current(), 39);
	search->setText("swapper");
	p.wait();
	QCOMPARE(bars->bars(), 4);
	QVERIFY(!bars->grab().isNull());
	QCOMPARE(bars->current(), -1);
	search->clear();
	p.wait();
	/* the same task by another number */
	while (bars->label(was = bars->current() + 1) != QLatin1String("swapper/0 [120]"))
		QTest::keyClick(bars, Qt::Key_Down);
	bars->setCurrent(was);
	search->setText("swapper");
	p.wait();
	QVERIFY(bars->current() != was);
	QCOMPARE(bars->label(bars->current()), QStringLiteral("swapper/0 [120]"));
	QVERIFY(said(bars).startsWith("swapper/0 [120]"));
	/* of an axis: by the numbers that a bucket covers */
	search->clear();
	p.shark.close(p.shark.files_.first().path);
	p.load("latency");
	bars->setCurrent(rowOfNumber(bars->figures()->by_axis, 8000));
	label = bars->label(bars->current());
	p.window(117, 120);
	QCOMPARE(bars->label(bars->current()), label);
	/* only there it is so slow */
	p.window(101, 104);
	QCOMPARE(rowOfNumber(bars->figures()->by_axis, 8000), -1);
	QCOMPARE(bars->current(), -1);
	QVERIFY(!bars->grab().isNull());
}

/* The graph moves while the mouse selects. */
void CursorTest::dragMeansTimes()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = focused(&p);

	/* 50 pixels a second, then 100 */
	p.drag(view, QPoint(250, 100), QPoint(350, 100), false);
	p.window(107, 117);
	p.shark.asked.clear();
	QTest::mouseRelease(view->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(350, 100));
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("setWindow 107000000000 109000000000") });
	/* a button that was let go of elsewhere */
	p.drag(view, QPoint(250, 100), QPoint(350, 100), false);
	p.hover(view, QPoint(400, 100));
	p.shark.asked.clear();
	QTest::mouseRelease(view->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(400, 100));
	QVERIFY(p.shark.asked.isEmpty());
}

static QAction *menuAction(HeatmapView *view, const char *part)
{
	QMenu *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
	const QList<QAction *> actions = menu && menu->parent() == view ? menu->actions() : QList<QAction *>();

	for (QAction *action : actions)
		if (action->text().contains(QLatin1String(part)))
			return action;
	return nullptr;
}

static void openMenu(HeatmapView *view, int item)
{
	const QPoint at = view->itemRect(item).center();
	QContextMenuEvent event(QContextMenuEvent::Mouse, at, view->viewport()->mapToGlobal(at));

	QCoreApplication::sendEvent(view->viewport(), &event);
}

void CursorTest::menuMeansWhatWasShown()
{
	PanelFixture p(dir_.path());
	const QString path = p.load(QStringLiteral(UTEST_DATA "/shark.dat"), 1, 100);
	HeatmapView *view = p.heatmap();
	QString label, filter;
	QAction *action;

	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	label = QString::fromUtf8(view->map()->rows[2].label);
	openMenu(view, cell(view, 2, 0));
	action = menuAction(view, "events");
	QVERIFY(action);
	p.shark.asked.clear();
	/* the third row becomes the first */
	p.find<QLineEdit>("hist_search")->setText(label);
	p.wait();
	QCOMPARE(QString::fromUtf8(view->map()->rows[0].label), label);
	action->trigger();
	filter = p.shark.asked.value(0);
	QVERIFY2(filter.contains("next_comm == \"" + label + "\""), qPrintable(filter));
	/* it has gone */
	p.find<QLineEdit>("hist_search")->clear();
	p.wait();
	openMenu(view, cell(view, 2, 0));
	action = menuAction(view, "events");
	QVERIFY(action);
	p.shark.asked.clear();
	p.find<QLineEdit>("hist_search")->setText("no such key");
	p.wait();
	action->trigger();
	QVERIFY(p.shark.asked.isEmpty());
	QApplication::activePopupWidget()->close();
	/* the whole panel goes while the menu is there */
	p.find<QLineEdit>("hist_search")->clear();
	p.wait();
	openMenu(view, cell(view, 2, 0));
	QVERIFY(QApplication::activePopupWidget());
	p.top.reset();
	QVERIFY(!QApplication::activePopupWidget());
}

/* Another file was chosen, and what is seen is still of the one before. */
void CursorTest::oldFiguresAreOfTheirFile()
{
	PanelFixture p(dir_.path());
	const QString shark = p.load(QStringLiteral(UTEST_DATA "/shark.dat"), 1, 100);
	const QString tasks = panelRecording(dir_.path(), "tasks");

	p.shark.open(tasks);
	p.wait();
	QVERIFY(p.panel->choose(shark, 0));
	p.wait();
	PanelGate::shut();
	QVERIFY(p.panel->choose(tasks, 0));
	QVERIFY(PanelGate::waitForOne());
	p.shark.asked.clear();
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier,
			  p.bars()->barRect(1).center().toPoint());
	/* stream 0 is that of shark.dat */
	QVERIFY2(p.shark.asked.value(0).startsWith("filter 0 sched/sched_switch next_comm == "),
		 qPrintable(p.shark.asked.value(0)));
	PanelGate::pass(PanelGate::Compute);
	PanelGate::open();
	p.wait();
}

/* A question about the histogram before is answered when another one is chosen already. */
void CursorTest::otherHistogram()
{
	PanelFixture p(dir_.path());
	const QString latency = p.load("latency"), tasks = panelRecording(dir_.path(), "tasks");

	p.shark.open(tasks);
	p.wait();
	QVERIFY(p.panel->choose(latency, 0));
	p.wait();
	QCOMPARE(p.find<QComboBox>("hist_group")->count(), 4);
	PanelGate::shut();
	p.shark.setWindow(105 * SECOND, 115 * SECOND);
	QVERIFY(PanelGate::waitForOne());
	QVERIFY(p.panel->choose(tasks, 0));
	PanelGate::pass(PanelGate::Compute);
	/* the next one: so the answer is on its way */
	QVERIFY(PanelGate::waitForOne());
	QCoreApplication::processEvents();
	QCOMPARE(p.find<QComboBox>("hist_group")->count(), 0);
	PanelGate::pass(PanelGate::Compute);
	PanelGate::open();
	p.wait();
	QVERIFY(!p.bars()->upright());
}

/* PanelData can be large, and files are closed: nothing holds those that are not shown. */
void CursorTest::figuresAreLetGoOf()
{
	PanelFixture p(dir_.path());
	std::weak_ptr<const PanelData> old;

	focused(&p);
	old = p.heatmap()->figures();
	p.panel->setView(HistPanel::Bars);
	p.window(107, 117);
	QVERIFY(old.expired());
	for (HistPanel::View view : { HistPanel::Bars, HistPanel::HeatMap, HistPanel::Percentiles, HistPanel::Table }) {
		p.panel->setView(view);
		p.wait();
		p.panel->grab();
	}
	old = p.table()->histModel()->figures();
	QVERIFY(!old.expired());
	p.shark.close(p.shark.files_.first().path);
	p.wait();
	QVERIFY(old.expired());
}

/* The widths that the user gave stay for a histogram, and those of another one are fitted. */
void CursorTest::widthsStay()
{
	PanelFixture p(dir_.path());
	const QString tasks = p.load("tasks"), wide = panelRecording(dir_.path(), "wide");
	int fitted;

	p.panel->setView(HistPanel::Table);
	p.wait();
	fitted = p.table()->columnWidth(0);
	p.table()->setColumnWidth(0, 411);
	p.table()->sortByColumn(0, Qt::AscendingOrder);
	QCOMPARE(p.table()->histModel()->index(0, 0).data().toString(), QStringLiteral("<b>bold</b> [106]"));
	p.window(102, 108);
	p.panel->setView(HistPanel::Bars);
	p.wait();
	p.panel->setView(HistPanel::Table);
	p.wait();
	QCOMPARE(p.table()->columnWidth(0), 411);
	/* and so does its order */
	QCOMPARE(p.table()->horizontalHeader()->sortIndicatorSection(), 0);
	QCOMPARE(p.table()->histModel()->index(0, 0).data().toString(), QStringLiteral("<b>bold</b> [106]"));
	/* others in turn: some of them lie where one was that is gone */
	for (int i = 0; i < 6; i++) {
		p.shark.close(p.shark.files_.first().path);
		p.wait();
		p.load(i % 2 ? "tasks" : "wide");
		QVERIFY(p.table()->columnWidth(0) != 411);
		if (i % 2)
			QCOMPARE(p.table()->columnWidth(0), fitted);
		p.table()->setColumnWidth(0, 411);
	}
}
