// SPDX-License-Identifier: GPL-2.0
/* panel_size_test.cpp - the size of the panel in the window */
#include <QComboBox>
#include <QScrollBar>
#include <QSettings>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>
#include <QWheelEvent>

#include "utest/kernelshark/panel/panel_size_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

/* The panel does not make the window larger than without it, and begins with room for ten bars. */
void SizeTest::smallAndHighEnough()
{
	QSettings *settings = new QSettings(dir_.filePath("height.ini"), QSettings::IniFormat);
	FakeShark shark;
	Recordings files(&shark);
	QMainWindow top;
	HistPanel *panel = new HistPanel(&shark, &files, &top, settings);
	QWidget *central = new QWidget;

	central->setMinimumSize(300, 100);
	top.setCentralWidget(central);
	const QSize without = top.minimumSizeHint();

	top.addDockWidget(Qt::BottomDockWidgetArea, panel);
	QCOMPARE(top.minimumSizeHint().width(), without.width());
	QVERIFY(top.minimumSizeHint().height() - without.height() < 80);
	top.resize(1600, 1000);
	top.show();
	QVERIFY(QTest::qWaitForWindowExposed(&top));
	QCoreApplication::processEvents();
	shark.open(panelRecording(dir_.path(), "tasks"));
	shark.setWindow(100 * SECOND, 110 * SECOND);
	QTRY_VERIFY_WITH_TIMEOUT(panel->idle() && panel->isVisible(), 60000);
	QCoreApplication::processEvents();
	BarsView *bars = panel->findChild<BarsView *>("hist_bars");

	QVERIFY2(bars->viewport()->rect().contains(bars->itemRect(9)),
		 qPrintable(QStringLiteral("%1 of %2").arg(bars->itemRect(9).bottom()).arg(bars->viewport()->height())));
	/* the height that the user chose is the next one */
	const int before = panel->height();
	const QPoint border(800, panel->y() - 2);

	QTest::mousePress(top.windowHandle(), Qt::LeftButton, Qt::NoModifier, border);
	QTest::mouseMove(top.windowHandle(), border - QPoint(0, 30));
	QTest::qWait(50);
	QTest::mouseRelease(top.windowHandle(), Qt::LeftButton, Qt::NoModifier, border - QPoint(0, 30));
	QTRY_COMPARE_WITH_TIMEOUT(panel->height(), before + 30, 60000);
	emit shark.closing();
	QCOMPARE(settings->value("height").toInt(), before + 30);
	settings->sync();

	FakeShark other;
	Recordings others(&other);
	QMainWindow next;
	HistPanel *again = new HistPanel(&other, &others, &next,
					 new QSettings(dir_.filePath("height.ini"), QSettings::IniFormat));

	next.setCentralWidget(new QWidget);
	next.addDockWidget(Qt::BottomDockWidgetArea, again);
	next.resize(1600, 1000);
	next.show();
	QVERIFY(QTest::qWaitForWindowExposed(&next));
	QTRY_COMPARE_WITH_TIMEOUT(again->height(), before + 30, 60000);
}

/* On a small screen, the graph keeps more than half of the window. */
void SizeTest::smallScreen()
{
	FakeShark shark;
	Recordings files(&shark);
	QMainWindow top;
	HistPanel *panel = new HistPanel(&shark, &files, &top);

	top.setCentralWidget(new QWidget);
	top.addDockWidget(Qt::BottomDockWidgetArea, panel);
	/* 1080p at 200 % */
	top.resize(960, 540);
	top.show();
	QVERIFY(QTest::qWaitForWindowExposed(&top));
	QCoreApplication::processEvents();
	QCOMPARE(top.size(), QSize(960, 540));
	QVERIFY(panel->height() <= 540 * 45 / 100);
	QVERIFY(panel->height() > 180);
	shark.open(panelRecording(dir_.path(), "latency"));
	shark.setWindow(100 * SECOND, 130 * SECOND);
	QTRY_VERIFY_WITH_TIMEOUT(panel->idle(), 60000);
	QCoreApplication::processEvents();
	/* all controls are inside */
	for (const char *name : { "hist_choose", "hist_source", "hist_search", "hist_log", "hist_compare", "hist_export" }) {
		QWidget *w = panel->findChild<QWidget *>(QLatin1String(name));
		const QRect at(w->mapTo(panel, QPoint()), w->size());

		QVERIFY2(panel->rect().contains(at) && w->width() >= 40, name);
	}
}

/* All of the widget is inside of the rows that are scrolled to. */
static bool isSeen(const QWidget *w)
{
	return w->isVisible() && QRegion(w->rect()).subtracted(w->visibleRegion()).isEmpty();
}

/* A low panel folds the row of the expression behind a button, and its minimum stands still. */
void SizeTest::lowPanel()
{
	PanelFixture p(dir_.path());
	QToolButton *button = p.find<QToolButton>("hist_count");
	QWidget *row = p.find<QWidget>("hist_expression_row"), *field = p.find<QWidget>("hist_expression");
	QWidget *notes = p.find<QWidget>("hist_notes");
	const int least = p.panel->minimumSizeHint().height();

	p.load(QStringLiteral(UTEST_DATA "/shark.dat"), 6, 8);
	p.fade();
	QVERIFY(isSeen(field));
	QVERIFY(button->isHidden());
	QVERIFY(notes->isVisible());
	QCOMPARE(p.panel->minimumSizeHint().height(), least);
	const int useful = p.panel->usefulHeight();

	/* one pixel less than what all rows and three bars need */
	p.top->resize(1200, useful - 1);
	QCoreApplication::processEvents();
	QCOMPARE(p.panel->height(), useful - 1);
	QVERIFY(row->isHidden());
	QVERIFY(isSeen(button));
	QVERIFY(notes->isHidden());
	QVERIFY(p.bars()->viewport()->rect().contains(p.bars()->itemRect(2)));
	QCOMPARE(p.panel->usefulHeight(), useful);
	p.top->resize(1200, useful);
	QCoreApplication::processEvents();
	QVERIFY(isSeen(field));
	QVERIFY(button->isHidden());
	QVERIFY(notes->isVisible());
	QVERIFY(p.bars()->viewport()->rect().contains(p.bars()->itemRect(2)));

	p.top->resize(1200, useful - 1);
	QTest::mouseClick(button, Qt::LeftButton);
	QCoreApplication::processEvents();
	QVERIFY(isSeen(field));
	QTest::mouseClick(button, Qt::LeftButton);
	QVERIFY(row->isHidden());
	/* the field stays while the user types */
	p.top->resize(1200, useful);
	QCoreApplication::processEvents();
	p.activate();
	field->setFocus();
	p.top->resize(1200, useful - 1);
	QCoreApplication::processEvents();
	QVERIFY(isSeen(field));
	QVERIFY(button->isChecked());
	QCOMPARE(p.panel->minimumSizeHint().height(), least);
	p.fade();
}

/* The wheel over a list scrolls rows that do not fit, and changes the list if they fit. */
void SizeTest::wheelScrolls()
{
	PanelFixture p(dir_.path());
	QComboBox *times = p.find<QComboBox>("hist_source");
	QScrollBar *bar = p.find<QScrollArea>("hist_rows")->verticalScrollBar();
	const auto wheel = [times] {
		const QPoint at = times->rect().center();
		QWheelEvent event(QPointF(at), QPointF(times->mapToGlobal(at)), QPoint(), QPoint(0, -120),
				  Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);

		/* only events of the system go on to the parents of a widget */
		QSpontaneKeyEvent::setSpontaneous(&event);
		qApp->notify(times, &event);
	};

	p.load("tasks");
	QCOMPARE(bar->maximum(), 0);
	wheel();
	QCOMPARE(times->currentIndex(), 1);
	times->setCurrentIndex(0);
	p.find<QWidget>("hist_bars")->setFocus();
	p.top->resize(1200, 80);
	QCoreApplication::processEvents();
	QVERIFY(bar->maximum() > 0);
	QCOMPARE(bar->value(), 0);
	wheel();
	QCOMPARE(times->currentIndex(), 0);
	QVERIFY(bar->value() > 0);
	/* all can be scrolled to */
	p.panel->setView(HistPanel::Table);
	p.wait();
	bar->setValue(bar->maximum());
	QVERIFY(!isSeen(times));
	QVERIFY(!p.table()->visibleRegion().isEmpty());
}

/* The text of a list, where the style puts it, is not cut. */
static bool isTextWhole(const QComboBox *box)
{
	QStyleOptionComboBox option;

	option.initFrom(box);
	return box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width() >=
	       box->fontMetrics().horizontalAdvance(box->currentText());
}

/* In a window of 1300 pixels, all tabs are seen, and the lists next to a group and a value. */
void SizeTest::choicesAreWhole()
{
	PanelFixture p(dir_.path());

	p.top->resize(1300, 330);
	p.load("tasks");
	const int width = p.find<QTabBar>("hist_view")->width();
	p.load(QStringLiteral(UTEST_DATA "/pairs.dat"), 0, 100);
	QVERIFY(p.panel->choose(UTEST_DATA "/pairs.dat", 0));
	p.wait();
	QCoreApplication::processEvents();
	QVERIFY(p.find<QTabBar>("hist_view")->width() > width);
	for (const QToolButton *arrow : p.find<QTabBar>("hist_view")->findChildren<QToolButton *>())
		QVERIFY(arrow->isHidden());
	p.load("latency", 100, 130);
	QVERIFY(p.panel->choose(panelRecording(dir_.path(), "latency"), 0));
	p.wait();
	for (const char *name : { "hist_group", "hist_value", "hist_source" })
		QVERIFY2(p.find<QComboBox>(name)->isVisible() && isTextWhole(p.find<QComboBox>(name)), name);
}
