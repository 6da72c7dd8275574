// SPDX-License-Identifier: GPL-2.0
/*
 * panel_episodes_test.cpp - captured episodes: the list, and the way to their events
 */
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTabBar>
#include <QToolButton>

#include "utest/kernelshark/views/panel_episodes_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

static const char *const FILE_WITH = UTEST_DATA "/episodes.dat";

/* What `report --worst` has of them. */
static QJsonArray reported()
{
	const QByteArray out = reportOf({ QStringLiteral("--worst"), QStringLiteral("--format"),
					  QStringLiteral("json"), QLatin1String(FILE_WITH) });

	return QJsonDocument::fromJson(out).object()[QStringLiteral("episodes")].toArray();
}

static qint64 number(const QJsonValue &episode, const char *name)
{
	return qint64(episode[QLatin1String(name)].toDouble());
}

void EpisodesTest::tableIsTheReport()
{
	PanelFixture p(dir_.path());
	EpisodesView *view = p.find<EpisodesView>("hist_episodes");
	const QJsonArray all = reported();

	p.load(QLatin1String(FILE_WITH), 0, 100);
	p.panel->setView(HistPanel::Episodes);
	p.wait();
	QCOMPARE(all.size(), 2);
	QCOMPARE(view->rowCount(), 2);
	QVERIFY(view->isVisible());
	for (int row = 0; row < 2; row++) {
		const QJsonValue one = all[row];
		const QJsonValue part = one[QStringLiteral("parts")].toArray()[0];
		const auto exact = [&](int column) {
			return view->item(row, column)->data(TABLE_EXACT_ROLE).toString();
		};

		QCOMPARE(exact(1).toLongLong(), number(one, "latency_ns"));
		/* empty if the file does not have the threshold */
		QCOMPARE(exact(2), one[QStringLiteral("excess_ns")].isUndefined() ? QString() :
			 QString::number(number(one, "excess_ns")));
		QCOMPARE(exact(3).toLongLong(), number(one, "start_ns"));
		QCOMPARE(exact(4).toLongLong(), number(one, "end_ns"));
		QCOMPARE(exact(5).toLongLong(), number(one, "cpu"));
		QCOMPARE(exact(6), one[QStringLiteral("key")].toString());
		QCOMPARE(exact(8).section(QLatin1Char(';'), 0, 0),
			 QStringLiteral("%1 % hog/%2 [RT 50]").arg(qRound(part[QStringLiteral("percent")].toDouble()))
				 .arg(number(part, "pid")));
	}
	QCOMPARE(view->item(0, 1)->text(), QStringLiteral("121 ms"));
	QCOMPARE(view->item(0, 3)->text(), QStringLiteral("18.290116"));
	/* the file of the export is what is seen */
	const QString path = dir_.filePath(QStringLiteral("episodes.csv"));
	QVERIFY(p.exported(path, QStringLiteral("csv")).startsWith(QLatin1String("Written: ")));
	QFile file(path);
	QVERIFY(file.open(QFile::ReadOnly));
	const QList<QByteArray> lines = file.readAll().split('\n');
	QCOMPARE(lines[0], QByteArray("episode,latency_ns,excess_ns,start_ns,end_ns,cpu,key,histogram,parts"));
	QVERIFY(lines[1].startsWith("1," + QByteArray::number(number(all[0], "latency_ns")) + ','));
	QCOMPARE(lines.size(), 4);
}

void EpisodesTest::excessIsAboveTheThreshold()
{
	PanelFixture p(dir_.path());
	EpisodesView *view = p.find<EpisodesView>("hist_episodes");
	const QString file = QStringLiteral(UTEST_DATA "/excess.dat");

	p.load(file, 0, 100);
	p.panel->setView(HistPanel::Episodes);
	p.wait();
	QCOMPARE(view->rowCount(), 1);
	/* 136.514 ms, and 100 ms is the threshold */
	QCOMPARE(view->item(0, 1)->data(TABLE_EXACT_ROLE).toString(), QStringLiteral("136514000"));
	QCOMPARE(view->item(0, 2)->data(TABLE_EXACT_ROLE).toString(), QStringLiteral("36514000"));
	QCOMPARE(view->item(0, 2)->text(), QStringLiteral("36.5 ms"));
}

void EpisodesTest::clickSetsTheMarkers()
{
	PanelFixture p(dir_.path());
	EpisodesView *view = p.find<EpisodesView>("hist_episodes");
	const QJsonValue second = reported()[1];
	const qint64 offset = 5 * SECOND;
	const qint64 start = number(second, "start_ns") + offset, end = number(second, "end_ns") + offset;

	p.shark.open(QLatin1String(FILE_WITH), offset);
	p.wait();
	p.window(0, 100);
	p.panel->setView(HistPanel::Episodes);
	p.wait();
	p.shark.asked.clear();
	QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier,
			  view->visualItemRect(view->item(1, 1)).center());
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("mark 0 episode-2 %1 %2").arg(start).arg(end) });
	QCOMPARE(p.shark.a, start);
	QCOMPARE(p.shark.b, end);
	/* where the graph has no events, a sentence says so */
	p.shark.last_event = 0;
	QTest::keyClick(view, Qt::Key_Return);
	QCOMPARE(p.text("hist_filter_words"), QStringLiteral("The graph does not contain the "
							     "events of episode 2."));
}

void EpisodesTest::bucketOffersItsEpisodes()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();
	QToolButton *go = p.find<QToolButton>("hist_episode");
	const QJsonValue first = reported()[0];
	int with = 0, buckets = 0;

	p.load(QLatin1String(FILE_WITH), 0, 100);
	p.window(17, 19);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const hist_heatmap *map = view->map();
	QVERIFY(map);
	for (int i = 0; i < int(map->nrows * map->ncolumns); i++) {
		const hist_heat_row &row = map->rows[unsigned(i) / map->ncolumns];
		const hist_heat_column &column = map->columns[unsigned(i) % map->ncolumns];
		const qint64 us = number(first, "latency_ns") / 1000, end = number(first, "end_ns");

		if (!view->plot().contains(view->itemRect(i).center()))
			continue;
		QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, view->itemRect(i).center());
		buckets++;
		if (go->isHidden())
			continue;
		with++;
		if (!go->text().contains(QLatin1String("episode 1")))
			continue;
		/* the bucket that holds it */
		QVERIFY(us >= qint64(row.ge) && us <= qint64(row.le));
		QVERIFY(end > qint64(column.from) && end <= qint64(column.to));
		QCOMPARE(p.text("hist_filter_words"), QStringLiteral("1 episode is in this bucket."));
		QCOMPARE(go->text(), QStringLiteral("Go to episode 1: 121 ms"));
		p.shark.asked.clear();
		QTest::mouseClick(go, Qt::LeftButton);
		QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("mark 0 episode-1 %1 %2")
							     .arg(number(first, "start_ns")).arg(end) });
	}
	QVERIFY(buckets > 20);
	QCOMPARE(with, 2);
}

void EpisodesTest::fileWithout()
{
	PanelFixture p(dir_.path());
	EpisodesView *view = p.find<EpisodesView>("hist_episodes");

	p.load(QLatin1String(FILE_WITH), 0, 100);
	QCOMPARE(view->rowCount(), 2);
	p.load("latency");
	p.panel->choose(panelRecording(dir_.path(), "latency"), 0);
	p.panel->setView(HistPanel::Episodes);
	p.wait();
	QCOMPARE(view->rowCount(), 0);
	QCOMPARE(p.panel->view(), HistPanel::Episodes);
}

static const char *const FILE_PAIRS = UTEST_DATA "/pairs.dat";

/* Each bar counts as many latencies as the list has, and they are of its bucket. */
void EpisodesTest::barListsItsPairs()
{
	PanelFixture p(dir_.path());
	PairsView *view = p.find<PairsView>("hist_pairs");
	int bars = 0, all = 0;

	p.load(QLatin1String(FILE_PAIRS), 0, 100);
	p.panel->choose(QLatin1String(FILE_PAIRS), 0);
	p.wait();
	const int n = p.bars()->bars();
	for (int i = 0; i < n; i++) {
		/* only the visible view has figures */
		p.panel->setView(HistPanel::Bars);
		p.wait();
		const hist_heat_row row = p.bars()->figures()->by_axis->rows[i];
		const QString label = p.bars()->label(i);
		const int count = int(p.bars()->count(i));

		if (!count)
			continue;
		QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(i).center());
		p.wait();
		QCOMPARE(p.panel->view(), HistPanel::Pairs);
		QVERIFY2(view->rowCount() == count, qPrintable(QStringLiteral("%1 pairs, bar %2 counts %3: %4")
				 .arg(view->rowCount()).arg(label).arg(count).arg(p.text("hist_filter_words"))));
		for (const latency_pair &pair : view->pairs()) {
			const qint64 us = qint64(pair.end / 1000 - pair.start / 1000);

			QVERIFY(us >= qint64(row.ge) && us <= qint64(row.le));
		}
		bars++;
		all += view->rowCount();
	}
	QCOMPARE(bars, 11);
	QCOMPARE(all, 72);
	/* the last one is the worst: from 24.198439 to 24.351706; a click marks it */
	QCOMPARE(view->rowCount(), 1);
	QCOMPARE(qint64(view->pairs()[0].end / 1000 - view->pairs()[0].start / 1000), qint64(153267));
	p.shark.asked.clear();
	QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier,
			  view->visualItemRect(view->item(0, 0)).center());
	QCOMPARE(p.shark.asked, QStringList{ QStringLiteral("mark 0  %1 %2").arg(view->pairs()[0].start)
						     .arg(view->pairs()[0].end) });
}

void EpisodesTest::doubleClickGoesToTheSlowest()
{
	PanelFixture p(dir_.path());
	HeatmapView *view = p.heatmap();
	qint64 slowest = 0;
	int cells = 0;

	p.load(QLatin1String(FILE_PAIRS), 0, 100);
	p.panel->choose(QLatin1String(FILE_PAIRS), 0);
	p.window(22.9, 24.5);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	const hist_heatmap *map = view->map();
	QVERIFY(map);
	for (int i = 0; i < int(map->nrows * map->ncolumns); i++) {
		const hist_heat_row &row = map->rows[unsigned(i) / map->ncolumns];
		const hist_heat_column &column = map->columns[unsigned(i) % map->ncolumns];

		if (!row.cells || !row.cells[unsigned(i) % map->ncolumns] || row.ge < 1000 ||
		    !view->plot().contains(view->itemRect(i).center()))
			continue;
		p.shark.has_markers = false;
		QTest::mouseDClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, view->itemRect(i).center());
		p.wait();
		QVERIFY2(p.shark.has_markers, qPrintable(p.text("hist_filter_words")));
		QCOMPARE(p.panel->view(), HistPanel::HeatMap);
		/* a snapshot took up to 30 ms in this machine */
		QVERIFY(p.shark.b > qint64(column.from) - 30000000 && p.shark.b <= qint64(column.to) + 30000000);
		const qint64 us = p.shark.b / 1000 - p.shark.a / 1000;
		QVERIFY(us >= qint64(row.ge) && us <= qint64(row.le));
		slowest = qMax(slowest, us);
		cells++;
	}
	QVERIFY(cells >= 5);
	QCOMPARE(slowest, qint64(153267));
}

/* A file whose histogram was recorded without its events, and a latency of unknown keys. */
void EpisodesTest::pairsThatCannotBeFound()
{
	PanelFixture p(dir_.path());
	PairsView *view = p.find<PairsView>("hist_pairs");

	p.load(QStringLiteral("latency"));
	p.panel->setView(HistPanel::Bars);
	p.wait();
	QTest::mouseClick(p.bars()->viewport(), Qt::LeftButton, Qt::NoModifier, p.bars()->itemRect(3).center());
	p.wait();
	QCOMPARE(view->rowCount(), 0);
	QCOMPARE(p.panel->view(), HistPanel::Bars);
}
