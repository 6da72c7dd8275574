// SPDX-License-Identifier: GPL-2.0
/* panel_labels_test.cpp - labels that do not fit */
#include <QSet>
#include <QStyledItemDelegate>

#include "kernelshark-plugin/charts/chart_style.hpp"
#include "utest/kernelshark/fixture/panel_texts.hpp"
#include "utest/kernelshark/panel/panel_labels_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

#define ELLIPSIS QChar(0x2026)

static QSet<QString> setOf(const QStringList &texts)
{
	return QSet<QString>(texts.begin(), texts.end());
}

/* Stacks of five functions of four names: many differ by one name, somewhere. */
static QStringList stacksOfFour()
{
	static const char *const names[] = { "lsm_blob_alloc", "security_prepare", "copy_creds", "copy_process" };
	QStringList stacks;

	for (int i = 0; i < 1024; i += 3) {
		QStringList frames;

		for (int k = i; frames.size() < 5; k /= 4)
			frames << names[k % 4];
		stacks << frames.join(" <- ");
	}
	return stacks;
}

void LabelsTest::differ()
{
	const QFont font = QApplication::font();
	const QFontMetricsF metrics(font);
	QStringList labels = stacksOfFour();

	for (double width : { 150.0, 200.0, 300.0, 420.0, 2000.0 }) {
		const QStringList texts = cutLabels(labels, font, width);

		QCOMPARE(setOf(texts).size(), setOf(labels).size());
		for (const QString &text : texts)
			QVERIFY2(metrics.horizontalAdvance(text) <= width, qPrintable(text));
	}
	QCOMPARE(cutLabels(labels, font, 2000), labels);
	/* the same label twice is the same text twice */
	labels = QStringList{ labels[1], labels[2], labels[1] };
	const QStringList texts = cutLabels(labels, font, 150);

	QCOMPARE(texts[0], texts[2]);
	QVERIFY(texts[0] != texts[1]);
}

void LabelsTest::showWhereTheyDiffer()
{
	const QString begin = "the same begin of both labels ", end = " and the same end of both labels";
	const QStringList texts = cutLabels({ begin + "one" + end, begin + "two" + end, "other label, as long as both: its end is the end" },
					    QApplication::font(), 200);

	QVERIFY2(texts[0].startsWith("the ") && texts[0].contains(QString(ELLIPSIS) + "one"), qPrintable(texts[0]));
	QVERIFY2(texts[1].startsWith("the ") && texts[1].contains(QString(ELLIPSIS) + "two"), qPrintable(texts[1]));
	QVERIFY2(texts[2].startsWith("other label") && texts[2].endsWith("the end"), qPrintable(texts[2]));
}

static QStringList paintedLabels(ChartView *view)
{
	TextDevice device(view->viewport()->size());
	QPainter painter(&device);

	view->paintInto(&painter);
	painter.end();
	return device.texts().filter(QRegularExpression("^km"));
}

/* Three stacks that begin with kmalloc(), of which two end with do_sys(). */
void LabelsTest::rowsDoNotReadAlike()
{
	PanelFixture p(dir_.path());
	int cut = 0;

	p.load("stacks", 99, 110);
	for (HistPanel::View view : { HistPanel::Bars, HistPanel::HeatMap, HistPanel::Compare }) {
		p.panel->setView(view);
		p.wait();
		for (int width = 280; width < 600; width += 20) {
			p.top->resize(width, 330);
			QCoreApplication::processEvents();
			const QStringList texts = paintedLabels(p.panel->findChild<ChartView *>(
				view == HistPanel::Bars ? "hist_bars" :
				view == HistPanel::HeatMap ? "hist_heatmap" : "hist_compare_bars"));

			QVERIFY2(texts.size() == 3 && setOf(texts).size() == 3, qPrintable(texts.join('|')));
			cut += texts.filter(ELLIPSIS).size() == 3;
		}
		if (view == HistPanel::HeatMap)
			QTest::mouseClick(p.find<QToolButton>("hist_compare"), Qt::LeftButton);
	}
	QVERIFY(cut > 3);
}

static QStringList paintedCells(const QTableView *table)
{
	TextDevice device(table->viewport()->size());
	QPainter painter(&device);

	for (int row = 0; row < table->model()->rowCount(); row++) {
		const QModelIndex at = table->model()->index(row, 0);
		QStyleOptionViewItem option;

		option.widget = table;
		option.rect = table->visualRect(at);
		table->itemDelegate()->paint(&painter, option, at);
	}
	painter.end();
	return device.texts();
}

/* The same in the table, in a column of any width. */
void LabelsTest::cellsDoNotReadAlike()
{
	PanelFixture p(dir_.path());
	int cut = 0;

	p.load("stacks", 99, 110);
	p.panel->setView(HistPanel::Table);
	p.wait();
	const int whole = p.table()->columnWidth(0);

	for (int width = 100; width <= whole; width += 10) {
		p.table()->setColumnWidth(0, width);
		const QStringList texts = paintedCells(p.table());

		QVERIFY2(texts.size() == 4 && setOf(texts).size() == 4, qPrintable(texts.join('|')));
		cut += texts.filter(ELLIPSIS).size() > 1;
	}
	QVERIFY(cut > 3);
	QCOMPARE(paintedCells(p.table()).filter(ELLIPSIS).size(), 0);
}

/* Stacks that differ in their offsets alone show them, in bars and table; others do not. */
void LabelsTest::offsetsTellStacksApart()
{
	const QStringList labels{ "kfree <- parse <- do_sys", "kmalloc+0x1/0x20 <- parse+0x2/0x300 <- do_sys+0x5/0x60",
				  "kmalloc+0x1/0x20 <- parse+0x99/0x300 <- do_sys+0x5/0x60" };
	PanelFixture p(dir_.path());
	QStringList bars, cells;

	p.load("offsets", 99, 110);
	for (int i = 0; i < 3; i++)
		bars << p.bars()->label(i);
	bars.sort();
	QCOMPARE(bars, labels);
	QVERIFY(p.bars()->itemText(0).contains("+0x"));
	p.panel->setView(HistPanel::Table);
	p.wait();
	for (int i = 0; i < 3; i++)
		cells << p.table()->histModel()->index(i, 0).data().toString();
	cells.sort();
	QCOMPARE(cells, labels);
}
