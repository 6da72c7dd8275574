// SPDX-License-Identifier: GPL-2.0
/*
 * panel_latencies_test.cpp - each latency of a histogram, in a table and over time
 *
 * data/pairs.dat has 72 latencies of wake-ups, from 22.9 to 24.5 s.
 */
#include <cmath>

#include <QHeaderView>

#include "utest/kernelshark/panel/panel_latencies_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

#define PAIRS_DAT QStringLiteral(UTEST_DATA "/pairs.dat")

static PairsView *tableOf(PanelFixture *p)
{
	return p->find<PairsView>("hist_pairs");
}

static ScatterView *scatterOf(PanelFixture *p)
{
	return p->find<ScatterView>("hist_scatter");
}

static void loadPairs(PanelFixture *p, HistPanel::View view)
{
	p->load(PAIRS_DAT, 0, 100);
	QVERIFY(p->panel->choose(PAIRS_DAT, 0));
	p->panel->setView(view);
	p->wait();
}

/* A column as numbers, from the top. */
static QList<qint64> columnOf(const QTableWidget *table, int column)
{
	QList<qint64> numbers;

	for (int row = 0; row < table->rowCount(); row++)
		numbers << table->item(row, column)->data(Qt::UserRole).toString().toLongLong();
	return numbers;
}

void LatenciesTest::tableHasAllAndSorts()
{
	PanelFixture p(dir_.path());
	PairsView *table = tableOf(&p);

	loadPairs(&p, HistPanel::Pairs);
	QCOMPARE(table->rowCount(), 72);
	QVERIFY(p.text("hist_filter_words").isEmpty());
	QList<qint64> numbers = columnOf(table, 0);

	QVERIFY(std::is_sorted(numbers.rbegin(), numbers.rend()));
	QCOMPARE(numbers.first() / 1000, qint64(153267));
	QCOMPARE(table->item(0, 0)->text(), QStringLiteral("153.268 ms"));
	/* a click on a title sorts by number */
	for (int column = 0; column < 3; column++) {
		const QPoint title(table->horizontalHeader()->sectionViewportPosition(column) + 5, 5);

		QTest::mouseClick(table->horizontalHeader()->viewport(), Qt::LeftButton, Qt::NoModifier, title);
		numbers = columnOf(table, column);
		QVERIFY(std::is_sorted(numbers.begin(), numbers.end()) || std::is_sorted(numbers.rbegin(), numbers.rend()));
	}
	/* and a row is still that of its latency */
	p.shark.asked.clear();
	const qint64 start = columnOf(table, 1)[3], end = columnOf(table, 2)[3];

	QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier,
			  table->visualItemRect(table->item(3, 0)).center());
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("mark 0  %1 %2").arg(start).arg(end) });
	/* a shorter window does not take rows away, a longer one adds what it has */
	p.window(23, 24);
	QCOMPARE(table->rowCount(), 72);
	p.panel->setView(HistPanel::Bars);
	p.wait();
	p.panel->setView(HistPanel::Pairs);
	p.wait();
	QCOMPARE(table->rowCount(), 72);
}

void LatenciesTest::listOfABarUntilItIsClosed()
{
	PanelFixture p(dir_.path());
	PairsView *table = tableOf(&p);
	int bar = 0;

	loadPairs(&p, HistPanel::Bars);
	while (p.bars()->count(bar) < 2)
		bar++;
	const int count = int(p.bars()->count(bar));

	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(bar).center());
	p.wait();
	QCOMPARE(table->rowCount(), count);
	QCOMPARE(scatterOf(&p)->pairs().size(), count);
	p.panel->setView(HistPanel::Scatter);
	p.wait();
	p.window(0, 90);
	QCOMPARE(table->rowCount(), count);
	QTest::mouseClick(p.find<QToolButton>("hist_filter_clear"), Qt::LeftButton);
	p.wait();
	QCOMPARE(table->rowCount(), 72);
	QCOMPARE(scatterOf(&p)->pairs().size(), 72);
	/* a row of another histogram is no longer listed */
	p.panel->setView(HistPanel::Bars);
	p.wait();
	const QRect place = p.bars()->geometry();
	const int useful = p.panel->usefulHeight();

	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(bar).center());
	p.wait();
	QCOMPARE(table->rowCount(), count);
	QVERIFY(p.find<QWidget>("hist_filter")->isVisible());
	/* and the message does not move the view */
	p.panel->setView(HistPanel::Bars);
	p.wait();
	QCOMPARE(p.bars()->geometry(), place);
	QCOMPARE(p.panel->usefulHeight(), useful);
	p.panel->setView(HistPanel::Pairs);
	for (unsigned int hist : { 1u, 0u }) {
		QVERIFY(p.panel->choose(PAIRS_DAT, hist));
		p.wait();
		QVERIFY(p.find<QWidget>("hist_filter")->isHidden());
		QCOMPARE(table->rowCount(), 72);
	}
}

void LatenciesTest::dotsAreInLineWithTheGraph()
{
	PanelFixture p(dir_.path());
	ScatterView *view = scatterOf(&p);
	int visible = 0, seen = 0;

	p.shark.left = 150;
	p.shark.right = 1050;
	loadPairs(&p, HistPanel::Scatter);
	QVERIFY(p.find<QTabBar>("hist_view")->isTabVisible(HistPanel::Scatter));
	QCOMPARE(view->pairs().size(), 72);
	p.window(22.9, 24.5);
	QVERIFY(view->hasChart());
	QCOMPARE(view->plot().left(), 150);
	QCOMPARE(view->plot().width(), 900);
	const QImage image = view->viewport()->grab().toImage();
	QColor colour;

	for (int i = 0; i < view->pairs().size(); i++) {
		const double end = view->pairs()[i].end / 1e9, x = 150 + 900 * (end - 22.9) / 1.6;

		QVERIFY(std::fabs(view->dot(i).x() - x) < 1);
		if (end < 22.9 || end > 24.5) {
			QVERIFY(view->itemRect(i).isEmpty());
			continue;
		}
		visible++;
		/* larger is higher */
		if (i)
			QVERIFY(view->dot(i).y() >= view->dot(i - 1).y());
		const int found = view->itemAt(view->itemRect(i).center());

		QVERIFY(found >= 0);
		QVERIFY(QLineF(view->dot(found), view->dot(i)).length() < 3);
		const QColor pixel = image.pixelColor(view->itemRect(i).center());

		if (!seen)
			colour = pixel;
		seen += pixel == colour;
	}
	QVERIFY2(visible > 30 && seen == visible, qPrintable(QStringLiteral("%1 %2").arg(visible).arg(seen)));
	QCOMPARE(view->csv().count('\n'), visible + 1);
	/* the other scale has the same order */
	const double before = view->dot(view->pairs().size() / 2).y();

	QTest::mouseClick(p.find<QToolButton>("hist_log"), Qt::LeftButton);
	QVERIFY(!view->isLog());
	QVERIFY(view->dot(view->pairs().size() / 2).y() > before);
	for (int i = 1; i < view->pairs().size(); i++)
		QVERIFY(view->dot(i).y() >= view->dot(i - 1).y());
	/* keys: the next one in time, and in size */
	view->setCurrent(-1);
	QTest::keyClick(view, Qt::Key_Home);
	const int first = view->current();

	QTest::keyClick(view, Qt::Key_Right);
	QVERIFY(view->pairs()[view->current()].end >= view->pairs()[first].end);
	view->setCurrent(5);
	QTest::keyClick(view, Qt::Key_Up);
	QVERIFY(view->pairs()[view->current()].number >= view->pairs()[5].number);
}

void LatenciesTest::clickOnADot()
{
	PanelFixture p(dir_.path());
	ScatterView *view = scatterOf(&p);

	loadPairs(&p, HistPanel::Scatter);
	p.window(22.9, 24.5);
	p.shark.asked.clear();
	/* the slowest is the highest */
	QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, view->itemRect(0).center());
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("mark 0  %1 %2").arg(view->pairs()[0].start)
						     .arg(view->pairs()[0].end) });
	QVERIFY2(view->itemText(0).startsWith("153 ms\nSTART 24.198439"), qPrintable(view->itemText(0)));
	p.wait();
	QCOMPARE(view->pairs().size(), 72);
	/* an empty place */
	p.shark.asked.clear();
	QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, view->plot().topLeft() + QPoint(3, 3));
	QVERIFY(p.shark.asked.isEmpty());
}

/* Of a latency that an expression counts: those of the visible window. */
void LatenciesTest::counted()
{
	PanelFixture p(dir_.path());

	p.load(QStringLiteral(UTEST_DATA "/events/several.dat"), 46, 47);
	p.count("--latency sched:sched_waking:pid..sched:sched_switch:next_pid");
	p.panel->setView(HistPanel::Scatter);
	p.wait();
	QCOMPARE(scatterOf(&p)->pairs().size(), 75);
	QCOMPARE(tableOf(&p)->rowCount(), 75);
	/* an event that has no latency */
	p.count("sched:sched_switch hist:keys=next_pid");
	p.wait();
	QCOMPARE(scatterOf(&p)->pairs().size(), 0);
}

void LatenciesTest::nothingToList()
{
	PanelFixture p(dir_.path());

	p.load("latency");
	p.panel->setView(HistPanel::Pairs);
	p.wait();
	QCOMPARE(tableOf(&p)->rowCount(), 0);
	p.panel->setView(HistPanel::Scatter);
	p.wait();
	QVERIFY2(scatterOf(&p)->emptyText().startsWith("The file does not contain the START and END events"),
		 qPrintable(scatterOf(&p)->emptyText()));
	QVERIFY(p.text("hist_filter_words").isEmpty());
}
