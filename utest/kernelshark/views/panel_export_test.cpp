// SPDX-License-Identifier: GPL-2.0
/*
 * panel_export_test.cpp - the files that the panel writes, compared with reports and with the views
 */
#include "utest/kernelshark/views/panel_export_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

void ExportTest::csvAndSvgEqualReport_data()
{
	QTest::addColumn<int>("view");
	QTest::addColumn<QString>("format");
	QTest::addColumn<QString>("view_name");
	QTest::newRow("table as csv") << int(HistPanel::Table) << "csv" << "";
	QTest::newRow("bars as svg") << int(HistPanel::Bars) << "svg" << "bars";
	QTest::newRow("heat map as svg") << int(HistPanel::HeatMap) << "svg" << "heatmap";
	QTest::newRow("percentiles as svg") << int(HistPanel::Percentiles) << "svg" << "percentiles";
}

void ExportTest::csvAndSvgEqualReport()
{
	QFETCH(int, view);
	QFETCH(QString, format);
	QFETCH(QString, view_name);
	PanelFixture p(dir_.path());
	const QString path = p.load("latency", 104.2, 109.9), out = dir_.path() + "/out." + format;
	QStringList arguments{ path, "--between", "8,19", "--format", format };
	QFile file(out);

	p.panel->setView(HistPanel::View(view));
	p.wait();
	QCOMPARE(p.exported(out, format), "Written: " + out);
	QVERIFY(file.open(QIODevice::ReadOnly));
	if (!view_name.isEmpty())
		arguments << "--view" << view_name;
	QCOMPARE(file.readAll(), reportOf(arguments));
	QVERIFY(p.exported(dir_.path() + "/no/such/dir/x." + format, format).contains(QStringLiteral("No such file")));
}

/* The intervals of the heat map, and the percentiles. */
void ExportTest::csvIsWhatIsSeen()
{
	PanelFixture p(dir_.path());
	QFile cells(dir_.filePath("cells.csv")), percentiles(dir_.filePath("percentiles.csv"));
	uint64_t sum = 0;

	p.load("mallocs", 104.2, 109.9);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QCOMPARE(p.exported(cells.fileName(), "csv"), "Written: " + cells.fileName());
	QVERIFY(cells.open(QFile::ReadOnly));
	QList<QByteArray> lines = cells.readAll().trimmed().split('\n');
	QCOMPARE(lines.takeFirst(), QByteArray("row,from,to,intervals,count"));
	for (const QByteArray &line : lines) {
		/* "(512, 1K]" is quoted */
		const QList<QByteArray> words = line.mid(line.lastIndexOf('"') + 1).split(',');

		QCOMPARE(words.size(), 5);
		/* an interval is a second, from one snapshot to the next */
		QCOMPARE(words[2].toLongLong() - words[1].toLongLong(), SECOND);
		QVERIFY(words[1].toLongLong() >= 104 * SECOND && words[2].toLongLong() <= 109 * SECOND);
		sum += words[4].toULongLong();
	}
	QCOMPARE(sum, p.heatmap()->figures()->whole_total);
	p.panel->setView(HistPanel::Percentiles);
	p.wait();
	QCOMPARE(p.exported(percentiles.fileName(), "csv"), "Written: " + percentiles.fileName());
	QVERIFY(percentiles.open(QFile::ReadOnly));
	lines = percentiles.readAll().trimmed().split('\n');
	const hist_percentiles *all = p.percentiles()->percentilesModel()->figures()->percentiles;
	QCOMPARE(lines.size(), 1 + int(all->nrows));
	QVERIFY2(lines[0].startsWith("group,count,mean,least_low,least_high,p50_low,p50_high,"), lines[0].constData());
	QCOMPARE(lines[1].split(',')[1].toULongLong(), qulonglong(all->rows[0].count));
	QCOMPARE(lines[1].split(',')[5].toULongLong(), qulonglong(all->rows[0].q[0].low));
	QCOMPARE(lines[1].split(',')[6].toULongLong(), qulonglong(all->rows[0].q[0].high));
}

void ExportTest::failedExpressionIsInNoOtherPicture()
{
	const QString good = QStringLiteral("sched:sched_switch hist:keys=next_comm");
	PanelFixture p(dir_.path());

	p.load(QStringLiteral(UTEST_DATA "/events/several.dat"), 46, 47);
	p.count(good);
	/* the line that tells of an export is there from now on */
	p.exported(dir_.filePath("first.png"), "png");
	p.count("sched:sched_switch hist:keys=next_pid.log3");
	QVERIFY(p.text("hist_expression_error").startsWith("unknown modifier \"log3\""));
	p.exported(dir_.filePath("wrong.png"), "png");
	const int height = p.find<QWidget>("hist_bars")->height();
	const QImage with(dir_.filePath("wrong.png"));
	p.count(good);
	p.exported(dir_.filePath("right.png"), "png");
	QCOMPARE(p.find<QWidget>("hist_bars")->height(), height);
	QVERIFY(with.size().isValid());
	QCOMPARE(with.size(), QImage(dir_.filePath("right.png")).size());
}
