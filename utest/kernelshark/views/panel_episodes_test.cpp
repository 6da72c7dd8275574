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
		QCOMPARE(exact(2).toLongLong(), number(one, "start_ns"));
		QCOMPARE(exact(3).toLongLong(), number(one, "end_ns"));
		QCOMPARE(exact(4).toLongLong(), number(one, "cpu"));
		QCOMPARE(exact(5), one[QStringLiteral("key")].toString());
		QCOMPARE(exact(7).section(QLatin1Char(';'), 0, 0),
			 QStringLiteral("%1 % hog/%2 [49]").arg(qRound(part[QStringLiteral("percent")].toDouble()))
				 .arg(number(part, "pid")));
	}
	QCOMPARE(view->item(0, 1)->text(), QStringLiteral("121 ms"));
	QCOMPARE(view->item(0, 2)->text(), QStringLiteral("18.290116"));
	/* the file of the export is what is seen */
	const QString path = dir_.filePath(QStringLiteral("episodes.csv"));
	QVERIFY(p.exported(path, QStringLiteral("csv")).startsWith(QLatin1String("Written: ")));
	QFile file(path);
	QVERIFY(file.open(QFile::ReadOnly));
	const QList<QByteArray> lines = file.readAll().split('\n');
	QCOMPARE(lines[0], QByteArray("episode,latency_ns,start_ns,end_ns,cpu,key,histogram,parts"));
	QVERIFY(lines[1].startsWith("1," + QByteArray::number(number(all[0], "latency_ns")) + ','));
	QCOMPARE(lines.size(), 4);
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
	QCOMPARE(p.text("hist_filter_words"), QStringLiteral("The graph does not have the events of episode 2."));
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
		QCOMPARE(p.text("hist_filter_words"), QStringLiteral("1 captured episode is in this bucket."));
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
