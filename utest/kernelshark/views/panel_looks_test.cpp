// SPDX-License-Identifier: GPL-2.0
/*
 * panel_looks_test.cpp - what is painted
 *
 * Images are compared where place and colour follow from the numbers; what fonts
 * and styles do elsewhere is not looked at.
 */
#include <cmath>

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QTabBar>
#include <QTextDocument>
#include <QToolButton>
#include <QToolTip>

#include "kernelshark-plugin/panel/panel_widgets.hpp"
#include "utest/kernelshark/fixture/panel_dark.hpp"
#include "utest/kernelshark/fixture/panel_texts.hpp"
#include "utest/kernelshark/views/panel_looks_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

/* All of the viewport, painted now. */
static QImage imageOf(QAbstractScrollArea *view)
{
	return view->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
}

#define COMPARE_COLOUR(image, point, expected)                                                     \
	do {                                                                                       \
		const QColor seen_((image).pixel(point)), wanted_(expected);                       \
		QVERIFY2(qAbs(seen_.red() - wanted_.red()) <= 2 &&                                 \
				 qAbs(seen_.green() - wanted_.green()) <= 2 &&                     \
				 qAbs(seen_.blue() - wanted_.blue()) <= 2,                         \
			 qPrintable(QStringLiteral("%1 at %2,%3 is not %4")                        \
					    .arg(seen_.name()).arg((point).x()).arg((point).y())   \
					    .arg(wanted_.name())));                                \
	} while (0)

void LooksTest::barsAreAsHighAsTheirCounts_data()
{
	QTest::addColumn<bool>("log");
	QTest::addColumn<bool>("dark");
	QTest::newRow("linear scale") << false << false;
	QTest::newRow("logarithmic scale") << true << false;
	QTest::newRow("linear scale, dark colours") << false << true;
}

void LooksTest::barsAreAsHighAsTheirCounts()
{
	QFETCH(bool, log);
	QFETCH(bool, dark);
	PanelFixture p(dir_.path());
	BarsView *bars = p.bars();
	QRectF largest;
	uint64_t most = 0;

	if (dark)
		p.top->setPalette(darkPalette());
	p.load("mallocs", 103, 112);
	p.find<QToolButton>("hist_log")->setChecked(log);
	QCOMPARE(bars->isLog(), log);
	const QImage image = imageOf(bars);
	const QColor colour(dark ? 0x5aa2e0 : 0x2d6fb0);
	const double zero = bars->scale().kind == CHART_LINEAR ? chart_scale_at(&bars->scale(), 0) :
									 chart_scale_at(&bars->scale(), bars->scale().low);

	for (int i = 0; i < bars->bars(); i++)
		if (bars->count(i) > most) {
			most = bars->count(i);
			largest = bars->barRect(i);
		}
	QVERIFY(largest.height() > 100);
	for (int i = 0; i < bars->bars(); i++) {
		const QRectF bar = bars->barRect(i), slot = bars->itemRect(i);
		const uint64_t v = bars->count(i);

		if (!v) {
			QVERIFY(bar.isEmpty());
			continue;
		}
		if (!log)
			QVERIFY(std::fabs(bar.height() - std::max(1.0, largest.height() * double(v) / double(most))) < 1);
		else
			QVERIFY(std::fabs((zero - bar.top()) * std::log10(double(most) / bars->scale().low) -
					  largest.height() * std::log10(double(v) / bars->scale().low)) < 5);
		QVERIFY(slot.contains(bar.center()));
		QCOMPARE(bars->itemAt(bar.center().toPoint()), i);
		/* also above a small bar */
		QCOMPARE(bars->itemAt(QPoint(int(bar.center().x()), int(largest.top()) + 1)), i);
		if (bar.height() < 6)
			continue;
		COMPARE_COLOUR(image, bar.center().toPoint(), colour);
		COMPARE_COLOUR(image, QPoint(int(bar.left()) + 2, int(bar.top()) + 2), colour);
		COMPARE_COLOUR(image, QPoint(int(bar.right()) - 3, int(bar.bottom()) - 2), colour);
		QVERIFY(QColor(image.pixel(int(bar.left()) + 3, int(bar.top()) - 3)) != colour);
	}
	COMPARE_COLOUR(image, QPoint(2, image.height() - 2), dark ? QColor(0x1c2026) : QColor(Qt::white));
}

void LooksTest::lyingBars()
{
	PanelFixture p(dir_.path());
	BarsView *bars = p.bars();

	p.load("tasks");
	const QImage image = imageOf(bars);
	QVERIFY(!bars->upright());
	for (int i = 0; i < 6; i++) {
		const QRectF bar = bars->barRect(i), first = bars->barRect(0);

		QVERIFY(bars->count(i) >= bars->count(i + 1));
		QVERIFY(std::fabs(bar.width() - first.width() * double(bars->count(i)) / double(bars->count(0))) < 1);
		COMPARE_COLOUR(image, QPoint(int(bar.right()) - 3, int(bar.center().y())), QColor(0x2d6fb0));
		QCOMPARE(bars->itemAt(QPoint(20, int(bar.center().y()))), i);
	}
	QCOMPARE(bars->label(4), QStringLiteral("a\\nb\\x01 [104]"));
	/* what is below comes by scrolling, and keys lead there */
	QCOMPARE(bars->itemAt(QPoint(20, 5)), -1);
	bars->setFocus();
	QTest::keyClick(bars, Qt::Key_End);
	QCOMPARE(bars->current(), 39);
	QVERIFY(bars->viewport()->rect().contains(bars->itemRect(39).center()));
	QTest::keyClick(bars, Qt::Key_Home);
	QVERIFY(bars->viewport()->rect().contains(bars->itemRect(0).center()));
}

void LooksTest::cellsHaveTheirColours_data()
{
	QTest::addColumn<bool>("dark");
	QTest::newRow("light colours") << false;
	QTest::newRow("dark colours") << true;
}

void LooksTest::cellsHaveTheirColours()
{
	QFETCH(bool, dark);
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();
	const QColor darkest(dark ? 0xfbfbd6 : 0x1a173d), faintest(dark ? 0x236f80 : 0x67b3d2);
	int seen = 0, most = 0, least = 0;

	if (dark)
		p.top->setPalette(darkPalette());
	p.load("latency", 100, 130);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const QImage image = imageOf(view);
	const hist_heatmap *map = view->map();
	uint64_t low, high;

	hist_heatmap_find_range(map, &low, &high);
	for (uint32_t row = 0; row < map->nrows; row++)
		for (unsigned int col = 0; col < map->ncolumns; col++) {
			const int item = int(row * map->ncolumns + col);
			const QPoint middle = view->itemRect(item).center();
			const uint64_t rate = hist_heatmap_rate(map, &map->rows[row], col);

			QCOMPARE(view->itemAt(middle), item);
			COMPARE_COLOUR(image, middle, view->colour(view->level(row, col)));
			QCOMPARE(view->level(row, col) == 0, rate == 0);
			if (rate == high) {
				COMPARE_COLOUR(image, middle, darkest);
				most++;
			}
			if (rate == low) {
				COMPARE_COLOUR(image, middle, faintest);
				least++;
			}
			seen++;
		}
	QCOMPARE(seen, int(map->nrows * 60));
	QVERIFY(most > 0 && least > 0);
	/* the largest numbers are at the top */
	QVERIFY(view->itemRect(0).top() > view->itemRect(int((map->nrows - 1) * map->ncolumns)).top());
}

/* Relative luminance, as WCAG 2 defines it. */
static double luminance(const QColor &colour)
{
	const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };

	return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

static double contrast(const QColor &a, const QColor &b)
{
	const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return std::max(x, y) / std::min(x, y);
}

void LooksTest::coloursStandOut_data()
{
	QTest::addColumn<QRgb>("base");
	QTest::addColumn<QRgb>("text");
	QTest::newRow("white") << QRgb(0xffffff) << QRgb(0x000000);
	QTest::newRow("light grey") << QRgb(0xfafafa) << QRgb(0x202020);
	QTest::newRow("black") << QRgb(0x000000) << QRgb(0xffffff);
	QTest::newRow("dark") << QRgb(0x1c2026) << QRgb(0xe6e6e6);
	QTest::newRow("dark grey") << QRgb(0x2d2d2d) << QRgb(0xffffff);
}

/* The lowest level is seen beside zero, and levels are in order on grey too. */
void LooksTest::coloursStandOut()
{
	QFETCH(QRgb, base);
	QFETCH(QRgb, text);
	QWidget widget;
	QPalette palette;

	palette.setColor(QPalette::Base, QColor(base));
	palette.setColor(QPalette::Text, QColor(text));
	widget.setPalette(palette);
	const ChartStyle style(&widget);
	for (unsigned int level = 1; level < ChartStyle::HEAT_LEVELS; level++) {
		const double ratio = contrast(style.heat(level), style.heat(0));

		QVERIFY2(ratio >= 2, qPrintable(QStringLiteral("level %1: %2").arg(level).arg(ratio)));
		if (level == 1)
			continue;
		QVERIFY(contrast(style.heat(level), style.heat(level - 1)) > 1.1);
		QVERIFY(ratio > contrast(style.heat(level - 1), style.heat(0)));
	}
}

/* A and B stand at their times, wherever the window is. */
void LooksTest::markersAreDrawn()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();
	const QColor a(Qt::darkGreen), b(Qt::darkCyan);

	p.shark.setSpan(150, 1150);
	p.load("latency", 105, 125);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const QImage before = imageOf(view);
	p.shark.setMarkers(110 * SECOND, 120 * SECOND);
	p.wait();
	QImage image = imageOf(view);
	const int y = view->plot().bottom() - 3;
	QVERIFY(QColor(before.pixel(400, y)) != a);
	COMPARE_COLOUR(image, QPoint(150 + 250, y), a);
	COMPARE_COLOUR(image, QPoint(150 + 750, y), b);
	p.window(112, 132);
	image = imageOf(view);
	COMPARE_COLOUR(image, QPoint(150 + 400, y), b);
	for (int x = 150; x < 1150; x++)
		QVERIFY(QColor(image.pixel(x, y)) != a);
	/* both names are seen at the same time */
	p.shark.setMarkers(122 * SECOND, 122 * SECOND);
	p.wait();
	image = imageOf(view);
	COMPARE_COLOUR(image, QPoint(150 + 500 - 4, view->plot().top() + 1), a);
	COMPARE_COLOUR(image, QPoint(150 + 500 + 4, view->plot().top() + 1), b);
}

/* Notes come and go, and the mouse moves: nothing else does. */
void LooksTest::layoutStandsStill()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.load("latency", 100, 130);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QCOMPARE(p.text("hist_notes"), QString());
	const QRect place = view->geometry();
	QImage before = imageOf(view);
	/* the labels of rows, left of the plot */
	const QRect labels(0, view->plot().top(), view->plot().left() - 8, view->plot().height());
	p.hover(view, QPoint(view->plot().center()));
	QCOMPARE(imageOf(view).copy(labels), before.copy(labels));
	/* and the tip of a cell is above all cells */
	QHelpEvent event(QEvent::ToolTip, view->plot().center(), view->viewport()->mapToGlobal(view->plot().center()));
	p.top->move(300, 400);
	QApplication::sendEvent(view->viewport(), &event);
	QVERIFY(!QToolTip::text().isEmpty());
	for (QWidget *w : QApplication::topLevelWidgets())
		if (w->isVisible() && w->inherits("QTipLabel"))
			QVERIFY(!QRect(view->viewport()->mapToGlobal(view->plot().topLeft()), view->plot().size())
					 .intersects(w->geometry()));
	QToolTip::hideText();
	p.load("mallocs", 100, 130);
	p.panel->choose(panelRecording(dir_.path(), "mallocs"), 0);
	p.wait();
	QVERIFY(!p.text("hist_notes").isEmpty());
	QCOMPARE(view->geometry(), place);
}

void LooksTest::columnsStandBelowTheGraph()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.shark.setSpan(150, 1150);
	p.load("latency", 105, 125);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QCOMPARE(view->plot().left(), 150);
	QCOMPARE(view->plot().width(), 1000);
	/* 20 seconds on 1000 pixels: half a second is 25 */
	QCOMPARE(view->itemRect(0).left(), 150);
	QCOMPARE(view->itemRect(0).width(), 25);
	QCOMPARE(view->itemRect(10).left(), 150 + 250);
	QCOMPARE(view->timeOf(150 + 500), 115 * SECOND);
	/* the graph moves at once, the figures may come later */
	p.shark.setWindow(115 * SECOND, 125 * SECOND);
	QCOMPARE(view->timeOf(150 + 500), 120 * SECOND);
	p.wait();
	QCOMPARE(view->itemRect(0).width(), 50);
	/* a microsecond far from the cells: more pixels than a number has */
	p.shark.setWindow(115 * SECOND, 115 * SECOND + 1000);
	for (int i = 1; i < 20; i++) {
		QVERIFY(view->itemRect(i).left() > view->plot().right());
		QVERIFY(view->itemRect(i).width() > 0);
	}
	p.shark.setWindow(115 * SECOND, 125 * SECOND);
	p.wait();
	p.shark.setSpan(200, 700);
	QCOMPARE(view->plot().left(), 200);
	QCOMPARE(view->plot().width(), 500);
	/* not known: margins of its own, all still in sight */
	p.shark.setSpan(0, 0);
	QVERIFY(view->plot().left() > 60 && view->plot().left() < 200);
	QVERIFY(view->plot().right() < view->viewport()->width());
}

/* The graph leaves room for "CPU 0", and not for a range: the start of the range is shown whole. */
void LooksTest::narrowLabelsAreWhole()
{
	PanelFixture p(dir_.path());

	p.shark.setSpan(76, 1076);
	p.load("latency", 100, 130);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	TextDevice device(p.heatmap()->viewport()->size());
	{
		QPainter painter(&device);

		p.heatmap()->paintInto(&painter);
	}
	const QStringList texts = device.texts();
	QVERIFY2(texts.contains("1.03 ms.."), qPrintable(texts.join('|')));
	/* each of these buckets has an end */
	QVERIFY2(texts.filter(">=").isEmpty(), qPrintable(texts.join('|')));
	QVERIFY2(texts.filter(QChar(0x2026)).isEmpty(), qPrintable(texts.join('|')));
}

void LooksTest::unknownTimeIsHatched()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();
	QSet<QRgb> colours;

	p.load("tasks", 90, 130);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const QImage image = imageOf(view);
	/* from 110 on there are no snapshots: two colours and no cells */
	const int x = int(view->xOf(115 * SECOND));
	QCOMPARE(view->itemAt(QPoint(x, view->plot().center().y())), -1);
	for (int dx = 0; dx < 12; dx++)
		for (int dy = 0; dy < 12; dy++)
			colours << image.pixel(x + dx, view->plot().top() + 10 + dy);
	QVERIFY(colours.size() >= 2);
	QVERIFY(!colours.contains(view->colour(0).rgb()));
	for (unsigned int level = 1; level < 10; level++)
		QVERIFY(!colours.contains(view->colour(level).rgb()));
}

void LooksTest::lossesAreMarked()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.load("mallocs", 100, 130);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const QImage image = imageOf(view);
	const hist_heatmap *map = view->map();
	int marked = 0;

	for (unsigned int col = 0; col < map->ncolumns; col++) {
		const bool lost = map->columns[col].reset || map->columns[col].lost || map->columns[col].dropped;
		const QPoint above(view->itemRect(int(col)).center().x(), view->plot().top() - 3);

		marked += lost;
		QCOMPARE(QColor(image.pixel(above)) == QColor(0xd9480f), lost);
		if (map->columns[col].dropped)
			QVERIFY(view->itemText(int(col)).contains("42 hits were dropped"));
		if (map->columns[col].lost)
			QVERIFY(view->itemText(int(col)).contains("1 snapshots during this time are missing") ||
				view->itemText(int(col)).contains("1 snapshot during this time is missing"));
	}
	QCOMPARE(marked, 3);
}

void LooksTest::boxesSpanTheirIntervals()
{
	PanelFixture p(dir_.path());
	PercentilesView *view = p.percentiles();
	const PercentilesModel *model = view->percentilesModel();

	p.load("latency");
	p.panel->setView(HistPanel::Percentiles);
	p.wait();
	const QImage image = imageOf(view);
	for (int row = 0; row < 3; row++) {
		const QRect cell = view->visualRect(model->index(row, model->chartColumn()));
		const chart_scale scale = view->scale(cell.left(), cell.width());

		for (int i = 0; i < 4; i++) {
			const QRectF box = view->box(row, i, cell);
			const struct hist_quantile &q = model->rowOf(row)->q[i];

			QVERIFY(std::fabs(box.left() - chart_scale_at(&scale, double(q.low))) < 0.01);
			QVERIFY(std::fabs(box.right() - chart_scale_at(&scale, double(q.high))) < 0.01);
			QVERIFY(box.width() > 3);
			COMPARE_COLOUR(image, box.center().toPoint(), view->look().quantile[i]);
			if (i)
				QVERIFY(box.top() >= view->box(row, i - 1, cell).bottom());
		}
	}
	/* linear: twice the number is twice as far */
	p.find<QToolButton>("hist_log")->setChecked(false);
	const chart_scale scale = view->scale(0, 1000);
	QVERIFY(std::fabs(chart_scale_at(&scale, 20000) - chart_scale_at(&scale, 10000) - (chart_scale_at(&scale, 10000) - chart_scale_at(&scale, 0))) < 0.01);
}

void LooksTest::linearColours()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();
	uint64_t low, high;

	p.load("latency", 100, 130);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	hist_heatmap_find_range(view->map(), &low, &high);
	QVERIFY(p.find<QToolButton>("hist_log")->isChecked());
	QVERIFY(view->heat().from[5] < high / 4);
	p.find<QToolButton>("hist_log")->setChecked(false);
	QCOMPARE(view->heat().from[1], low);
	QVERIFY(qAbs(qint64(view->heat().from[5]) - qint64(high * 4 / 9)) <= 1);
	for (uint32_t row = 0; row < view->map()->nrows; row++) {
		const uint64_t rate = hist_heatmap_rate(view->map(), &view->map()->rows[row], 7);

		QCOMPARE(view->level(row, 7), hist_heat_level(&view->heat(), rate));
	}
	/* each view has a scale of its own */
	p.panel->setView(HistPanel::Bars);
	QVERIFY(!p.find<QToolButton>("hist_log")->isChecked());
	p.panel->setView(HistPanel::HeatMap);
	QVERIFY(!p.find<QToolButton>("hist_log")->isChecked());
}

/* The same chart at twice the density, cell by cell. */
void LooksTest::highDensity()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();

	p.load("latency", 100, 130);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QImage image(view->viewport()->size() * 2, QImage::Format_RGB32);
	image.setDevicePixelRatio(2);
	{
		QPainter painter(&image);

		view->paintInto(&painter);
	}
	for (unsigned int col = 0; col < view->map()->ncolumns; col++) {
		const int item = int(5 * view->map()->ncolumns + col);

		COMPARE_COLOUR(image, view->itemRect(item).center() * 2, view->colour(view->level(5, col)));
	}
}

void LooksTest::pictures()
{
	PanelFixture p(dir_.path());

	p.load("mallocs", 100, 130);
	for (int view = 0; view < 4; view++) {
		const QString path = dir_.path() + QStringLiteral("/view%1.png").arg(view);

		p.panel->setView(HistPanel::View(view));
		p.wait();
		QCOMPARE(p.exported(path, "png"), "Written: " + path);
		const QImage image(path);
		QVERIFY(image.width() >= 2000);
		/* a chart and not an empty page */
		QSet<QRgb> colours;
		for (int y = 0; y < image.height(); y += 3)
			for (int x = 0; x < image.width(); x += 3)
				colours << image.pixel(x, y);
		QVERIFY2(colours.size() > 10, qPrintable(QString::number(colours.size())));
		QCOMPARE(QFile::exists(path + ".part"), false);
	}
	QCOMPARE(p.exported("/no/such/dir/x.png", "png"), QStringLiteral("Not written: cannot write /no/such/dir/x.png"));
	p.panel->setView(HistPanel::Table);
	p.wait();
	QVERIFY(p.exported(dir_.path() + "/x.svg", "svg").startsWith("Cannot save this view as SVG"));
	/* a name of another format would mislead */
	QCOMPARE(p.exported(dir_.path() + "/y.csv", "png"),
		 QStringLiteral("Not written: %1: the name of this file must end in .png").arg(dir_.path() + "/y.csv"));
	QVERIFY(!QFile::exists(dir_.path() + "/y.csv"));
	QVERIFY(!QFile::exists(dir_.path() + "/x.svg"));
}

/* What a tool tip looks like to who reads it: Qt takes what looks like HTML for HTML. */
static QString readAs(const QString &tip)
{
	QTextDocument document;

	if (!Qt::mightBeRichText(tip))
		return tip;
	document.setHtml(tip);
	return document.toPlainText();
}

/* As the mouse rests there. */
static QString tipAt(QWidget *at, const QPoint &where)
{
	QHelpEvent event(QEvent::ToolTip, where, at->mapToGlobal(where));

	QToolTip::hideText();
	QApplication::sendEvent(at, &event);
	return QToolTip::text();
}

/* Only the view that is seen has figures. */
static void see(PanelFixture &p, const QWidget *view)
{
	QTabBar *tabs = p.find<QTabBar>("hist_view");

	for (int i = 0; i < tabs->count() && !view->isVisible(); i++) {
		tabs->setCurrentIndex(i);
		p.wait();
	}
	QVERIFY(view->isVisible());
}

void LooksTest::tipsAreTexts()
{
	const QString picture = QStringLiteral("<img src=x>");
	PanelFixture p(dir_.path());
	QString tip;

	p.load("tag-bars");
	tip = tipAt(p.bars()->viewport(), p.bars()->itemRect(0).center());
	QVERIFY2(readAs(tip).contains(picture), qPrintable(tip));
	see(p, p.table());
	tip = p.table()->histModel()->index(0, 0).data(Qt::ToolTipRole).toString();
	QVERIFY2(readAs(tip).contains(picture), qPrintable(tip));
	tip.clear();
	for (const QComboBox *box : p.panel->findChildren<QComboBox *>())
		tip += box->itemData(0, Qt::ToolTipRole).toString();
	QVERIFY2(readAs(tip).contains(QStringLiteral("if next_comm != \"<img src=x>\"")), qPrintable(tip));

	p.load("tag-heat");
	see(p, p.heatmap());
	tip = tipAt(p.heatmap()->viewport(), p.heatmap()->itemRect(0).center());
	QVERIFY2(readAs(tip).contains(picture), qPrintable(tip));
	LineLabel line;

	line.resize(20, 20);
	line.setText(QStringLiteral("<img src=x> and more than there is room for"));
	tip = tipAt(&line, QPoint(5, 5));
	QVERIFY2(readAs(tip).contains(picture), qPrintable(tip));
}
