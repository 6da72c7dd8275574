// SPDX-License-Identifier: GPL-2.0
/*
 * panel_hands_test.cpp - what the mouse and the keys do
 */
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>

#include "utest/kernelshark/views/panel_hands_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

void HandsTest::dragZooms()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.shark.setSpan(150, 1150);
	p.load("latency", 105, 125);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	p.shark.asked.clear();
	p.drag(view, QPoint(400, 100), QPoint(250, 120));
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("setWindow 107000000000 110000000000") });
	p.wait();
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 14 (107.000000) to 20 (110.000000): 6 intervals"));
	/* Escape takes it back */
	p.shark.asked.clear();
	p.drag(view, QPoint(400, 100), QPoint(250, 120), false);
	QTest::keyClick(view, Qt::Key_Escape);
	QTest::mouseRelease(view->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(250, 120));
	QVERIFY(p.shark.asked.isEmpty());
	/* and beyond the plot it ends where the plot does */
	p.drag(view, QPoint(650, 100), QPoint(1190, 120));
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("setWindow 108500000000 110000000000") });
}

/* The graph shows where the mouse is in the heat map. */
void HandsTest::cursorInTheGraph()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.shark.setSpan(150, 1150);
	p.load("latency", 105, 125);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QCOMPARE(p.shark.cursor, qint64(-1));
	p.hover(view, QPoint(150 + 250, view->plot().center().y()));
	QCOMPARE(p.shark.cursor, 110 * SECOND);
	p.hover(view, QPoint(150 + 251, view->plot().center().y()));
	QCOMPARE(p.shark.cursor, 110 * SECOND + SECOND / 50);
	p.hover(view, QPoint(10, 10));
	QCOMPARE(p.shark.cursor, qint64(-1));
	p.hover(view, QPoint(150 + 250, view->plot().center().y()));
	QEvent leave(QEvent::Leave);
	QApplication::sendEvent(view->viewport(), &leave);
	QCOMPARE(p.shark.cursor, qint64(-1));
}

void HandsTest::doubleClickGoes()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.shark.open(panelRecording(dir_.path(), "tasks"));
	p.load("latency", 105, 125);
	p.shark.setSpan(150, 1150);
	p.panel->choose(panelRecording(dir_.path(), "latency"), 0);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	p.shark.asked.clear();
	QTest::mouseDClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(150 + 262, 100));
	/* to the begin of the column, in the stream of that file */
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("goTo 1 110000000000") });
	p.shark.last_event = 100 * SECOND;
	QTest::mouseDClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(150 + 262, 100));
	QVERIFY(p.find<QWidget>("hist_filter")->isVisible());
	QCOMPARE(p.text("hist_filter_words"), QStringLiteral("The graph does not contain an event at "
			"110.000000."));
}

void HandsTest::keysOfTheHeatMap()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.load("latency", 105, 125);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	view->setFocus();
	QTest::keyClick(view, Qt::Key_Down);
	for (int i = 0; i < 3; i++)
		QTest::keyClick(view, Qt::Key_Right);
	/* the row at the top has the largest numbers */
	QCOMPARE(view->current(), int((view->map()->nrows - 1) * view->map()->ncolumns + 3));
	p.shark.asked.clear();
	QTest::keyClick(view, Qt::Key_Return);
	QTest::keyClick(view, Qt::Key_Z);
	QCOMPARE(p.shark.asked, (QStringList{ QStringLiteral("goTo 0 106500000000"),
					      QStringLiteral("setWindow 106500000000 107000000000") }));
}

void HandsTest::pointing()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("latency", 105, 125);
	HeatmapView *view = p.heatmap();
	QString text;
	int item;

	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const int row = rowOfNumber(view->map(), 20);
	item = row * int(view->map()->ncolumns) + 4;
	text = view->itemText(item);
	QVERIFY2(text.startsWith("lat_us: 17-32 us\n107.000000 to 107.500000: 500 ms\n"), qPrintable(text));
	QVERIFY2(text.contains(QStringLiteral("hitcount: %1, %2/s").arg(view->map()->rows[row].cells[4])
				       .arg(view->map()->rows[row].cells[4] * 2)), qPrintable(text));
	p.panel->setView(HistPanel::Bars);
	p.wait();
	text = p.bars()->itemText(rowOfNumber(p.bars()->figures()->by_axis, 20));
	QVERIFY2(text.startsWith("lat_us: 17-32 us\nhitcount: "), qPrintable(text));
	QVERIFY(text.contains("%)"));
	QVERIFY(text.contains("up to this bucket: "));
	/* what is pointed at is painted in another colour */
	const QRectF bar = p.bars()->barRect(rowOfNumber(p.bars()->figures()->by_axis, 20));
	const QRgb before = p.bars()->viewport()->grab().toImage().pixel(bar.center().toPoint());
	p.hover(p.bars(), bar.center().toPoint());
	QVERIFY(p.bars()->viewport()->grab().toImage().pixel(bar.center().toPoint()) != before);
}

void HandsTest::clickOnABarFilters()
{
	PanelFixture p(dir_.path());
	const QString path = p.load(QStringLiteral(UTEST_DATA "/shark.dat"), 1, 100);
	QToolButton *clear = p.find<QToolButton>("hist_filter_clear");
	const QString comm = p.bars()->label(1);

	p.shark.asked.clear();
	QVERIFY(!p.find<QWidget>("hist_filter")->isVisible());
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier,
			  p.bars()->barRect(1).center().toPoint());
	QCOMPARE(p.shark.asked.size(), 1);
	QVERIFY2(p.shark.asked[0].startsWith("filter 0 sched/sched_switch next_comm == \"" + comm + "\""),
		 qPrintable(p.shark.asked[0]));
	QVERIFY(p.find<QWidget>("hist_filter")->isVisible());
	QVERIFY2(p.text("hist_filter_words").startsWith("Shown: 7 sched:sched_switch events where next_comm == "),
		 qPrintable(p.text("hist_filter_words")));
	/* the bar has another number: both are told; the same number is told once */
	const QString counted = QString::number(p.bars()->count(1));
	QVERIFY(p.bars()->count(1) != 7);
	QVERIFY2(p.text("hist_filter_words").contains("; " + counted + " were counted: "),
		 qPrintable(p.text("hist_filter_words")));
	p.shark.matches = long(p.bars()->count(1));
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier,
			  p.bars()->barRect(1).center().toPoint());
	QVERIFY2(p.text("hist_filter_words").startsWith("Shown: " + counted + " ") &&
			 !p.text("hist_filter_words").contains("counted"),
		 qPrintable(p.text("hist_filter_words")));
	p.shark.matches = 7;
	p.shark.asked.removeLast();
	QCOMPARE(clear->text(), QStringLiteral("Show all events"));
	clear->click();
	QCOMPARE(p.shark.asked.last(), QStringLiteral("clearFilter"));
	QVERIFY(!p.find<QWidget>("hist_filter")->isVisible());
	/* by the keys, and from the table */
	p.bars()->setFocus();
	QTest::keyClick(p.bars(), Qt::Key_Return);
	QCOMPARE(p.shark.asked.size(), 3);
	p.panel->setView(HistPanel::Table);
	p.wait();
	p.table()->setFocus();
	p.table()->setCurrentIndex(p.table()->model()->index(1, 0));
	QTest::keyClick(p.table(), Qt::Key_Return);
	QCOMPARE(p.shark.asked.size(), 4);
	QCOMPARE(p.shark.asked[3], p.shark.asked[0]);
	/* somebody else took the filter back */
	p.shark.clearFilter();
	QVERIFY(!p.find<QWidget>("hist_filter")->isVisible());
}

void HandsTest::clickOnAnAxisFilters()
{
	PanelFixture p(dir_.path());
	const QString path = p.load(QStringLiteral(UTEST_DATA "/shark.dat"), 1, 100);
	int bar = 0;

	p.panel->choose(path, 1);
	p.wait();
	QVERIFY(p.bars()->upright());
	while (!p.bars()->count(bar))
		bar++;
	p.shark.asked.clear();
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier,
			  p.bars()->itemRect(bar).center());
	QCOMPARE(p.shark.asked.size(), 1);
	QVERIFY2(p.shark.asked[0].contains(QStringLiteral("runtime >= %1")
						   .arg(p.bars()->figures()->by_axis->rows[bar].ge)) ||
			 p.shark.asked[0].contains(QStringLiteral("runtime > %1")
						   .arg(p.bars()->figures()->by_axis->rows[bar].ge - 1)),
		 qPrintable(p.shark.asked[0]));
	QVERIFY(p.shark.asked[0].contains(QString::number(p.bars()->figures()->by_axis->rows[bar].le)));
}

void HandsTest::whatCannotBeFiltered()
{
	PanelFixture p(dir_.path());
	QLabel *words;

	/* no events in the file: said, and the program is not asked */
	p.load("tasks");
	words = p.find<QLabel>("hist_filter_words");
	p.shark.asked.clear();
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(0).center());
	QVERIFY(p.shark.asked.isEmpty());
	QVERIFY(p.find<QWidget>("hist_filter")->isVisible());
	QVERIFY2(words->text().contains("Record with --events"), qPrintable(words->text()));
	QCOMPARE(p.find<QToolButton>("hist_filter_clear")->text(), QStringLiteral("Close"));
	p.find<QToolButton>("hist_filter_clear")->click();
	QVERIFY(!p.find<QWidget>("hist_filter")->isVisible());
	/* the program cannot */
	p.shark.close(p.shark.files_.first().path);
	p.load(QStringLiteral(UTEST_DATA "/shark.dat"), 1, 100);
	p.shark.filter_why = "no such field";
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(1).center());
	QVERIFY2(words->text().startsWith("Cannot show the events of ") &&
		 words->text().endsWith(": no such field"), qPrintable(words->text()));
	/* the file holds none of them */
	p.shark.filter_why.clear();
	p.shark.matches = 0;
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(1).center());
	QVERIFY2(words->text().startsWith("The file does not contain the events "
					  "of "), qPrintable(words->text()));
}

void HandsTest::tableSortsAndCopies()
{
	PanelFixture p(dir_.path());
	HistTableModel *model = p.table()->histModel();
	QHeaderView *header;

	p.load("tasks");
	p.panel->setView(HistPanel::Table);
	p.wait();
	header = p.table()->horizontalHeader();
	QCOMPARE(model->rowCount(), 40);
	QCOMPARE(model->columnCount(), 3);
	/* largest first */
	QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("swapper/0 [100]"));
	QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
			  QPoint(header->sectionViewportPosition(1) + 20, 8));
	QCOMPARE(header->sortIndicatorSection(), 1);
	QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
			  QPoint(header->sectionViewportPosition(1) + 20, 8));
	for (int order = 0; order < 2; order++) {
		model->sort(1, Qt::SortOrder(order));
		for (int i = 1; i < 40; i++) {
			const qulonglong a = model->index(i - 1, 1).data(HistTableModel::ExactRole).toULongLong();
			const qulonglong b = model->index(i, 1).data(HistTableModel::ExactRole).toULongLong();

			QVERIFY(order == Qt::AscendingOrder ? a <= b : a >= b);
		}
	}
	model->sort(0, Qt::AscendingOrder);
	QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("<b>bold</b> [106]"));
	/* keys of other windows stay sorted */
	p.window(102, 104);
	QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("<b>bold</b> [106]"));
	p.table()->selectRow(0);
	tableCopy(p.table());
	QCOMPARE(QApplication::clipboard()->text().count('\t'), 2);
	QVERIFY(QApplication::clipboard()->text().startsWith("<b>bold</b> [106]\t" +
			model->index(0, 1).data(HistTableModel::ExactRole).toString() + "\t"));
	/* 16,384 rows by number, not by text */
	p.shark.close(p.shark.files_.first().path);
	p.load("wide");
	model->sort(0, Qt::AscendingOrder);
	QCOMPARE(model->rowCount(), 16384);
	QCOMPARE(model->index(9, 0).data().toString(), QStringLiteral("9"));
	QCOMPARE(model->index(10000, 0).data().toString(), QStringLiteral("10000"));
}

void HandsTest::snapshotsByNumber()
{
	PanelFixture p(dir_.path());
	QSpinBox *spin = p.find<QSpinBox>("hist_snapshot");

	p.load("mallocs");
	QVERIFY(!spin->isVisible());
	p.find<QComboBox>("hist_source")->setCurrentIndex(PanelChoices::OneSnapshot);
	p.wait();
	QVERIFY(spin->isVisible());
	QCOMPARE(spin->value(), 31);
	spin->setValue(19);
	p.wait();
	/* 20 is missing in the file */
	spin->stepBy(1);
	QCOMPARE(spin->value(), 21);
	p.wait();
	QVERIFY2(p.text("hist_from").startsWith("snapshot 21 (120.000000)"), qPrintable(p.text("hist_from")));
	spin->stepBy(-1);
	QCOMPARE(spin->value(), 19);
	/* a heat map of one moment: in words */
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QVERIFY(p.heatmap()->emptyText().contains("A heat map needs a time range."));
}

void HandsTest::keyboardReachesAll()
{
	PanelFixture p(dir_.path());
	QSet<QString> reached;

	p.load("latency");
	p.panel->setSource(PanelChoices::OneSnapshot);
	p.wait();
	p.activate();
	p.find<QComboBox>("hist_choose")->setFocus(Qt::TabFocusReason);
	for (int i = 0; i < 40 && QApplication::focusWidget(); i++) {
		reached << QApplication::focusWidget()->objectName();
		QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
	}
	for (const char *name : { "hist_choose", "hist_group", "hist_value", "hist_source", "hist_snapshot",
				  "hist_search", "hist_log", "hist_export", "hist_view", "hist_bars" })
		QVERIFY2(reached.contains(QLatin1String(name)), name);
}
