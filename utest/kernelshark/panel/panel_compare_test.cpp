// SPDX-License-Identifier: GPL-2.0
/* panel_compare_test.cpp - what is shown now, and what was shown before */
#include <cmath>

#include "utest/kernelshark/fixture/panel_texts.hpp"
#include "utest/kernelshark/panel/panel_compare_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

static CompareBars *compareBarsOf(PanelFixture *p)
{
	return p->find<CompareBars>("hist_compare_bars");
}

static QStringList textsOf(ChartView *view)
{
	TextDevice device(view->viewport()->size());
	QPainter painter(&device);

	view->paintInto(&painter);
	painter.end();
	return device.texts();
}

/* Presses "Compare" in one window, and goes to another. */
static void compareWindows(PanelFixture *p)
{
	p->load("latency", 100, 115);
	QTest::mouseClick(p->find<QToolButton>("hist_compare"), Qt::LeftButton);
	p->wait();
	p->window(115, 125);
}

/* The counts of a window as a report has them, by the lower end of the bucket. */
static QMap<quint64, quint64> bucketsReported(const QString &path, const char *between)
{
	const QByteArray csv = reportOf({ QStringLiteral("--format"), QStringLiteral("csv"),
					  QStringLiteral("--between"), QLatin1String(between), path });
	QMap<quint64, quint64> counts;
	QList<QByteArray> titles;

	for (const QByteArray &line : csv.split('\n')) {
		const QList<QByteArray> cells = line.split(',');

		if (titles.isEmpty())
			titles = cells;
		else if (cells.value(titles.indexOf("metric")) == "hitcount")
			counts[cells[titles.indexOf("key.lat_us.ge")].toULongLong()] +=
				cells[titles.indexOf("value")].toULongLong();
	}
	return counts;
}

void CompareTest::twoWindows()
{
	PanelFixture p(dir_.path());

	compareWindows(&p);
	const compared *c = compareBarsOf(&p)->comparison();
	const QString path = panelRecording(dir_.path(), "latency");

	QVERIFY(c);
	QCOMPARE(p.panel->view(), HistPanel::Compare);
	QCOMPARE(c->seconds[BEFORE], 15.0);
	QCOMPARE(c->seconds[AFTER], 10.0);
	QVERIFY(c->has_axis && c->n > 8);
	QVERIFY(!textsOf(compareBarsOf(&p)).contains("largest change first"));
	const QMap<quint64, quint64> before = bucketsReported(path, "0,30"), after = bucketsReported(path, "30,50");
	quint64 sum = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		QCOMPARE(quint64(c->rows[i].count[BEFORE]), before.value(c->rows[i].ge));
		QCOMPARE(quint64(c->rows[i].count[AFTER]), after.value(c->rows[i].ge));
		QCOMPARE(compareBarsOf(&p)->barRect(int(i), BEFORE).isEmpty(), !c->rows[i].count[BEFORE]);
		QCOMPARE(compareBarsOf(&p)->barRect(int(i), AFTER).isEmpty(), !c->rows[i].count[AFTER]);
		if (c->rows[i].count[BEFORE] && c->rows[i].count[AFTER]) {
			/* next to each other, and as high as their rates */
			const QRectF a = compareBarsOf(&p)->barRect(int(i), BEFORE), b = compareBarsOf(&p)->barRect(int(i), AFTER);

			QVERIFY(std::fabs(a.right() - b.left()) < 0.01);
			QVERIFY((c->rows[i].rate[BEFORE] > c->rows[i].rate[AFTER]) == (a.height() > b.height()) ||
				std::fabs(a.height() - b.height()) < 2);
		}
		sum += after.value(c->rows[i].ge);
	}
	QCOMPARE(quint64(c->total[AFTER]), sum);
	/* the graph shows the time before, and the line both */
	QCOMPARE(p.shark.band, qMakePair(100 * SECOND, 115 * SECOND));
	QVERIFY2(p.text("hist_from").startsWith("snapshots 30 (115.000000) to 50 (125.000000)") &&
		 p.text("hist_from").contains("(before: snapshots 0 (100.000000) to 30 (115.000000)"),
		 qPrintable(p.text("hist_from")));
	QVERIFY2(compareBarsOf(&p)->itemText(4).contains("before: ") && compareBarsOf(&p)->itemText(4).contains("after: "),
		 qPrintable(compareBarsOf(&p)->itemText(4)));
	QTest::mouseClick(p.find<QToolButton>("hist_compare"), Qt::LeftButton);
	p.wait();
	QCOMPARE(p.shark.band.first, qint64(-1));
	QVERIFY(!compareBarsOf(&p)->hasChart());
	QVERIFY(compareBarsOf(&p)->emptyText().startsWith("Press \"Compare\""));
}

/* A storm after 117 s makes slow calls more: orange; and the fast ones of its group fewer: blue. */
void CompareTest::differenceHasASign()
{
	PanelFixture p(dir_.path());
	DifferenceMap *map = p.find<DifferenceMap>("hist_difference_map");
	int more = 0, less = 0, unknown = 0;

	compareWindows(&p);
	QVERIFY(map->hasChart() && map->isVisible());
	for (uint32_t row = 0; row < map->map()->nrows; row++)
		for (unsigned int column = 0; column < DifferenceMap::COLUMNS; column++) {
			const double difference = compare_map_difference(map->map(), row, column);
			const int level = map->level(row, column);

			unknown += std::isnan(difference);
			more += level == ChartStyle::DIFFERENCE_LEVELS;
			less += level < 0;
			if (!std::isnan(difference) && level)
				QCOMPARE(level > 0, difference > 0);
		}
	QVERIFY(more > 0 && less > 0);
	/* the window after is 10 s of 15 */
	QCOMPARE(unknown, int(map->map()->nrows) * 16);
	/* a cell has the colour of its level */
	const QImage image = map->viewport()->grab().toImage();
	int seen = 0;

	for (int item = 0; item < int(map->map()->nrows) * DifferenceMap::COLUMNS; item += 7) {
		const int level = map->level(uint32_t(item) / DifferenceMap::COLUMNS, unsigned(item) % DifferenceMap::COLUMNS);

		if (!level)
			continue;
		QCOMPARE(image.pixelColor(map->itemRect(item).center()), map->colour(level));
		QCOMPARE(map->itemAt(map->itemRect(item).center()), item);
		seen++;
	}
	QVERIFY(seen > 10);
}

static double luminanceOf(const QColor &c)
{
	const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };

	return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

static double contrastOf(const QColor &a, const QColor &b)
{
	const double x = luminanceOf(a) + 0.05, y = luminanceOf(b) + 0.05;

	return x > y ? x / y : y / x;
}

/*
 * In light and dark: at least 2:1, in order on grey, and the same lightness for both signs. Less
 * is blue and more is orange, which the colour-blind see too.
 */
void CompareTest::colours()
{
	for (bool dark : { false, true }) {
		QWidget of;
		QPalette palette;

		palette.setColor(QPalette::Base, dark ? QColor(0x1e1e1e) : QColor(Qt::white));
		palette.setColor(QPalette::Text, dark ? QColor(Qt::white) : QColor(Qt::black));
		of.setPalette(palette);
		const ChartStyle style(&of);

		for (int level = 1; level <= ChartStyle::DIFFERENCE_LEVELS; level++) {
			for (int sign : { -1, 1 }) {
				const double now = contrastOf(style.difference(sign * level), style.plot);

				QVERIFY(now >= 2);
				QVERIFY(now > contrastOf(style.difference(sign * (level - 1)), style.plot));
			}
			const QColor less = style.difference(-level), more = style.difference(level);

			QVERIFY(contrastOf(less, more) < 1.1);
			QVERIFY2(less.blue() > less.red() + 40 && more.red() > more.blue() + 40,
				 qPrintable(less.name() + ' ' + more.name()));
		}
		QVERIFY(contrastOf(style.before, style.plot) >= 2);
	}
}

/* The same histogram of two recordings. */
void CompareTest::twoFiles()
{
	PanelFixture p(dir_.path());
	const QString copy = dir_.filePath("second.dat");

	QFile::copy(panelRecording(dir_.path(), "latency"), copy);
	p.load("latency", 100, 130);
	QTest::mouseClick(p.find<QToolButton>("hist_compare"), Qt::LeftButton);
	p.load(copy, 100, 130);
	QVERIFY(p.panel->choose(copy, 0));
	p.wait();
	const compared *c = compareBarsOf(&p)->comparison();

	QVERIFY(c && c->n > 8);
	for (uint32_t i = 0; i < c->n; i++)
		QCOMPARE(c->rows[i].rate[BEFORE], c->rows[i].rate[AFTER]);
	QVERIFY(QString::fromUtf8(c->side[BEFORE]->query.recording->path) !=
		QString::fromUtf8(c->side[AFTER]->query.recording->path));
}

void CompareTest::otherKeys()
{
	PanelFixture p(dir_.path());

	p.load("latency", 100, 130);
	QTest::mouseClick(p.find<QToolButton>("hist_compare"), Qt::LeftButton);
	p.load("tasks", 100, 110);
	QVERIFY(p.panel->choose(panelRecording(dir_.path(), "tasks"), 0));
	p.wait();
	QVERIFY(!compareBarsOf(&p)->hasChart());
	QCOMPARE(compareBarsOf(&p)->emptyText(),
		 QStringLiteral("Cannot compare: the histograms before and after have different keys."));
	QVERIFY(p.find<DifferenceMap>("hist_difference_map")->isHidden());
	/* keys without an axis: the largest change is first */
	p.window(100, 105);
	QTest::mouseClick(p.find<QToolButton>("hist_compare"), Qt::LeftButton);
	QTest::mouseClick(p.find<QToolButton>("hist_compare"), Qt::LeftButton);
	p.window(105, 110);
	const compared *c = compareBarsOf(&p)->comparison();

	QVERIFY(c && !c->has_axis && c->n == 40);
	QVERIFY(textsOf(compareBarsOf(&p)).contains("largest change first"));
	for (uint32_t i = 1; i < c->n; i++)
		QVERIFY(std::fabs(c->rows[i].rate[AFTER] - c->rows[i].rate[BEFORE]) <=
			std::fabs(c->rows[i - 1].rate[AFTER] - c->rows[i - 1].rate[BEFORE]));
	QVERIFY(p.find<DifferenceMap>("hist_difference_map")->isHidden());
}

/* The label of each row, with its counts before and after. */
static QStringList rowsOf(const CompareBars *bars)
{
	const compared *c = bars->comparison();
	QStringList rows;

	for (uint32_t i = 0; c && i < c->n; i++)
		rows << QStringLiteral("%1 %2 %3").arg(bars->rowLabel(i)).arg(c->rows[i].count[BEFORE])
				.arg(c->rows[i].count[AFTER]);
	rows.sort();
	return rows;
}

/* A reboot moves the addresses of symbols: they match by name, and call sites of one name are a sum. */
void CompareTest::keysOfTwoBoots()
{
	PanelFixture p(dir_.path());

	p.load("first-boot", 99, 110);
	QTest::mouseClick(p.find<QToolButton>("hist_compare"), Qt::LeftButton);
	p.wait();
	/* of one recording, they match by address */
	QCOMPARE(rowsOf(compareBarsOf(&p)), (QStringList{ "[ffffffff81000010] parse 30 30", "[ffffffff81000099] parse 60 60",
							  "do_sys 120 120" }));
	p.load("second-boot", 99, 110);
	QVERIFY(p.panel->choose(panelRecording(dir_.path(), "second-boot"), 0));
	p.wait();
	QCOMPARE(rowsOf(compareBarsOf(&p)), (QStringList{ "do_sys 120 120", "parse 90 90" }));
	QCOMPARE(quint64(compareBarsOf(&p)->comparison()->total[AFTER]), quint64(210));
}

void CompareTest::csv()
{
	PanelFixture p(dir_.path());
	const QString path = dir_.filePath("compare.csv");

	compareWindows(&p);
	QVERIFY(p.exported(path, "csv").startsWith("Written: "));
	QFile file(path);
	QVERIFY(file.open(QFile::ReadOnly));
	const QList<QByteArray> lines = file.readAll().split('\n');
	const compared *c = compareBarsOf(&p)->comparison();

	QCOMPARE(lines[0], QByteArray("row,before,after,before_per_second,after_per_second"));
	QCOMPARE(lines.size(), int(c->n) + 2);
	for (uint32_t i = 0; i < c->n; i++) {
		const QList<QByteArray> cells = lines[int(i) + 1].split(',');

		QCOMPARE(QString::fromUtf8(cells[0]), compareBarsOf(&p)->rowLabel(i));
		QCOMPARE(cells[2].toULongLong(), quint64(c->rows[i].count[AFTER]));
		QCOMPARE(cells[3].toDouble(), double(c->rows[i].count[BEFORE]) / 15);
	}
}
