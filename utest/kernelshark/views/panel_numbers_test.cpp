// SPDX-License-Identifier: GPL-2.0
/*
 * panel_numbers_test.cpp - every number is the one that `trace-cmd hist report` gives
 */
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSpinBox>

#include "kernelshark-plugin/work/chart_text.hpp"
#include "utest/kernelshark/views/panel_numbers_test.hpp"
#include "utest/kernelshark/views/panel_test.hpp"

static QString escaped(const QString &name)
{
	const QByteArray utf8 = name.toUtf8();
	TextBuffer b;

	hist_escape(b, utf8.constData(), size_t(utf8.size()), 0);
	return b.text();
}

static QString power(qint64 v)
{
	return v < 1024 ? QString::number(v) : v < 1048576 ? QString::number(v / 1024) + QLatin1Char('K') :
							     QString::number(v / 1048576) + QLatin1Char('M');
}

/* A key of the JSON as the table writes it exactly. @unit: "": it is neither a duration nor a size. */
static QString keyOf(const QJsonValue &key, const QJsonValue &id, const QString &unit)
{
	const QJsonObject parts = key.toObject();

	if (key.isDouble())
		return QString::number(qint64(key.toDouble()));
	if (key.isString())
		return escaped(key.toString()) +
		       (id.isDouble() ? QStringLiteral(" [%1]").arg(qint64(id.toDouble())) : QString());
	if (parts.contains(QStringLiteral("pid")))
		return QStringLiteral("%1 [%2]").arg(escaped(parts.value(QStringLiteral("comm")).toString()))
			.arg(parts.value(QStringLiteral("pid")).toInt());
	const qint64 ge = qint64(parts.value(QStringLiteral("ge")).toDouble());
	const qint64 le = qint64(parts.value(QStringLiteral("le")).toDouble());

	if (!unit.isEmpty())
		return (ge == le ? QString::number(le) : QStringLiteral("%1-%2").arg(ge).arg(le)) +
		       QLatin1Char(' ') + unit;
	return QStringLiteral("(%1, %2]").arg(power(ge - 1), power(le));
}

static QJsonObject snapshotOf(const QByteArray &json)
{
	return QJsonDocument::fromJson(json).object().value(QStringLiteral("histograms")).toArray().at(0)
		.toObject().value(QStringLiteral("snapshots")).toArray().at(0).toObject();
}

static QJsonArray namesOf(const QByteArray &json, const char *what)
{
	return QJsonDocument::fromJson(json).object().value(QStringLiteral("histograms")).toArray().at(0)
		.toObject().value(QLatin1String(what)).toArray();
}

/* "key / key: value value", sorted. */
static QStringList linesOf(const QByteArray &json)
{
	const QJsonArray rows = snapshotOf(json).value(QStringLiteral("rows")).toArray();
	const QJsonArray keys = namesOf(json, "keys"), values = namesOf(json, "values");
	QStringList lines;

	for (const QJsonValue &row : rows) {
		QStringList left, right;

		for (const QJsonValue &k : keys) {
			const QString name = k.toObject().value(QStringLiteral("name")).toString();

			/* sizes have no unit in JSON */
			left << keyOf(row[QStringLiteral("key")][name], row[QStringLiteral("key_id")][name],
				      name.startsWith(QLatin1String("bytes")) ? QStringLiteral("B") :
				      k.toObject().value(QStringLiteral("unit")).toString());
		}
		for (const QJsonValue &v : values)
			right << QString::number(qint64(row[QStringLiteral("value")][v.toString()].toDouble()));
		lines << left.join(QLatin1String(" / ")) + QLatin1String(": ") + right.join(QLatin1Char(' '));
	}
	lines.sort();
	return lines;
}

static QStringList linesOf(const HistTableModel *model)
{
	const int keys = int(model->figures()->schema->nkeys), values = int(model->figures()->schema->nvalues);
	QStringList lines;

	for (int row = 0; row < model->rowCount(); row++) {
		QStringList left, right;

		for (int i = 0; i < keys + values; i++)
			(i < keys ? left : right) << model->index(row, i).data(HistTableModel::ExactRole).toString();
		lines << left.join(QLatin1String(" / ")) + QLatin1String(": ") + right.join(QLatin1Char(' '));
	}
	lines.sort();
	return lines;
}

/* "A,B": the last snapshots not after @from and not after @to, or the first, by their times. */
static QString seqsOf(const QString &path, const QString &event, double from, double to)
{
	const QJsonArray all = QJsonDocument::fromJson(
		reportOf({ path, "-e", event, "--snapshot", "all", "--format", "json" })).object()
		.value(QStringLiteral("histograms")).toArray().at(0).toObject()
		.value(QStringLiteral("snapshots")).toArray();
	int a = -1, b = -1;

	for (const QJsonValue &snap : all) {
		const double time = snap[QStringLiteral("time_ns")].toDouble() / 1e9;
		const int seq = snap[QStringLiteral("seq")].toInt();

		if (a < 0 || time <= from)
			a = seq;
		if (time <= to)
			b = seq;
	}
	return QStringLiteral("%1,%2").arg(a).arg(b);
}

void NumbersTest::tableEqualsReport_data()
{
	QTest::addColumn<QString>("kind");
	QTest::addColumn<QString>("event");
	QTest::addColumn<double>("from");
	QTest::addColumn<double>("to");

	const QString shark = QStringLiteral(UTEST_DATA "/shark.dat");

	QTest::newRow("two keys, a part of the recording") << "latency" << "latency" << 104.2 << 109.9;
	QTest::newRow("two keys, the whole recording") << "latency" << "latency" << 1.0 << 1000.0;
	QTest::newRow("one execname key") << "tasks" << "sched_switch" << 104.2 << 109.9;
	QTest::newRow("before a clearing") << "mallocs" << "kmalloc" << 103.0 << 112.0;
	QTest::newRow("across a clearing") << "mallocs" << "kmalloc" << 103.0 << 117.5;
	QTest::newRow("across a gap of snapshots") << "mallocs" << "kmalloc" << 118.0 << 122.0;
	QTest::newRow("string key of a real recording") << shark << "sched_switch" << 1.0 << 100.0;
	QTest::newRow("log2 key of a real recording") << shark << "sched_stat_runtime" << 6.8 << 7.1;
	QTest::newRow("system calls of a real recording") << shark << "sys_enter" << 6.8 << 7.1;
}

void NumbersTest::tableEqualsReport()
{
	QFETCH(QString, kind);
	QFETCH(QString, event);
	QFETCH(double, from);
	QFETCH(double, to);
	PanelFixture p(dir_.path());
	const QString path = p.load(kind, from, to);
	const QString between = seqsOf(path, event, from, to);
	unsigned int hist = 0;
	QByteArray json;

	if (event == QLatin1String("sched_stat_runtime"))
		hist = 1;
	else if (event == QLatin1String("sys_enter"))
		hist = 2;
	p.panel->choose(path, hist);
	p.panel->setView(HistPanel::Table);
	p.wait();
	json = reportOf({ path, "-e", event, "--between", between, "--format", "json" });
	QVERIFY(!linesOf(json).isEmpty());
	QCOMPARE(linesOf(p.table()->histModel()), linesOf(json));
	QVERIFY2(p.text("hist_from").startsWith(QStringLiteral("snapshots %1 (").arg(between.section(',', 0, 0))),
		 qPrintable(p.text("hist_from")));
	QVERIFY2(p.text("hist_from").contains(QStringLiteral(" to %1 (").arg(between.section(',', 1, 1))),
		 qPrintable(p.text("hist_from")));
}

void NumbersTest::oneSnapshotEqualsReport()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("latency");

	p.panel->setView(HistPanel::Table);
	p.panel->setSource(PanelChoices::OneSnapshot);
	p.find<QSpinBox>("hist_snapshot")->setValue(17);
	p.wait();
	QCOMPARE(linesOf(p.table()->histModel()),
		 linesOf(reportOf({ path, "--snapshot", "17", "--format", "json" })));
	QCOMPARE(p.text("hist_from").left(24), QStringLiteral("snapshot 17 (108.500000)"));
	/* a mark of the timeline, double-clicked */
	QVERIFY(p.panel->showSnapshot(path, 0, 30));
	p.wait();
	QCOMPARE(linesOf(p.table()->histModel()),
		 linesOf(reportOf({ path, "--snapshot", "30", "--format", "json" })));
	QVERIFY(!p.panel->showSnapshot(path, 0, 61));
	QVERIFY(!p.panel->showSnapshot(path, 1, 0));
}

/* Four files are open, six histograms: each of them, of each source. */
void NumbersTest::everySourceEqualsReport_data()
{
	static const struct {
		const char *kind, *event;
		unsigned int hist;
		double from, to;
		unsigned int seq;
	} of[] = {
		{ "latency", "latency", 0, 104.2, 109.9, 23 },
		{ "tasks", "sched_switch", 0, 102.5, 107.1, 4 },
		{ "mallocs", "kmalloc", 0, 103.0, 112.0, 18 },
		{ UTEST_DATA "/shark.dat", "sched_switch", 0, 6.75, 7.15, 9 },
		{ UTEST_DATA "/shark.dat", "sched_stat_runtime", 1, 6.8, 7.1, 12 },
		{ UTEST_DATA "/shark.dat", "sys_enter", 2, 6.7, 6.9, 3 },
	};
	static const char *const sources[] = { "window", "markers", "snapshot", "whole" };

	QTest::addColumn<QString>("kind");
	QTest::addColumn<QString>("event");
	QTest::addColumn<uint>("hist");
	QTest::addColumn<double>("from");
	QTest::addColumn<double>("to");
	QTest::addColumn<uint>("seq");
	QTest::addColumn<int>("source");
	for (const auto &o : of)
		for (int i = 0; i < 4; i++)
			QTest::addRow("%s, %s", o.event, sources[i])
				<< o.kind << o.event << o.hist << o.from << o.to << o.seq << i;
}

void NumbersTest::everySourceEqualsReport()
{
	QFETCH(QString, kind);
	QFETCH(QString, event);
	QFETCH(uint, hist);
	QFETCH(double, from);
	QFETCH(double, to);
	QFETCH(uint, seq);
	QFETCH(int, source);
	PanelFixture p(dir_.path());
	QStringList arguments{ QString(), "-e", event, "--format", "json" };
	QStringList expected;

	for (const char *name : { "latency", "tasks", "mallocs", UTEST_DATA "/shark.dat" })
		p.load(name);
	QCOMPARE(p.find<QComboBox>("hist_choose")->count(), 6);
	arguments[0] = kind.startsWith('/') ? kind : panelRecording(dir_.path(), kind);
	QVERIFY(p.panel->choose(arguments[0], hist));
	p.panel->setView(HistPanel::Table);
	p.panel->setSource(PanelChoices::Source(source));
	if (source == PanelChoices::OneSnapshot) {
		p.find<QSpinBox>("hist_snapshot")->setValue(int(seq));
		arguments << "--snapshot" << QString::number(seq);
	} else if (source == PanelChoices::WholeRecording) {
		/* regardless of the graph */
		p.window(from, to);
	} else {
		/* markers in the other order, and a window that does not matter then */
		if (source == PanelChoices::MarkersAB)
			p.shark.setMarkers(qint64(to * 1e9), qint64(from * 1e9));
		else
			p.window(from, to);
		arguments << "--between" << seqsOf(arguments[0], event, from, to);
	}
	p.wait();
	expected = linesOf(reportOf(arguments));
	QVERIFY(expected.size() > 2);
	QCOMPARE(linesOf(p.table()->histModel()), expected);
}

/* "sys_read [0]: 7200 0-1 17-32 33-64 ...", without units. */
static QStringList percentilesOf(const QByteArray &json)
{
	static const char *const names[] = { "min", "p50", "p90", "p99", "p99.9", "max" };
	const QJsonArray rows = snapshotOf(json).value(QStringLiteral("percentiles")).toArray();
	QStringList lines;

	for (const QJsonValue &row : rows) {
		QStringList line{ QString::number(qint64(row[QStringLiteral("count")].toDouble())) };

		for (const char *name : names) {
			QJsonValue q = row[QLatin1String(name)];

			if (q.isUndefined())
				q = row[QStringLiteral("percentiles")][QLatin1String(name)];
			line << QStringLiteral("%1-%2").arg(qint64(q[QStringLiteral("ge")].toDouble()))
					.arg(qint64(q[QStringLiteral("le")].toDouble()));
		}
		lines << line.join(QLatin1Char(' '));
	}
	return lines;
}

/* The events begin later and end earlier than the snapshots: the graph cannot show all hits. */
void NumbersTest::wholeRecording()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("latency", 104.2, 109.9);
	const QJsonObject whole = snapshotOf(reportOf({ path, "--format", "json" }));
	const uint64_t hits = uint64_t(whole.value(QStringLiteral("hits")).toDouble());
	const auto shown = [&p] { return p.table()->histModel()->figures()->view.snap->hits; };

	p.panel->setView(HistPanel::Table);
	p.wait();
	QVERIFY(shown() < hits);
	QCOMPARE(p.text("hist_notes"), QString());
	/* zoomed out, the panel says what is missing, and where it is */
	p.shark.zoomed_out = true;
	p.window(104.2, 110.0);
	QCOMPARE(p.text("hist_notes"), QStringLiteral("Note: %1 hits are before the first or after the last event "
						      "of the graph; \"Whole recording\" shows them")
					       .arg(countText(hits - shown())));
	p.find<QComboBox>("hist_source")->setCurrentText(QStringLiteral("Whole recording"));
	p.wait();
	QCOMPARE(shown(), hits);
	QCOMPARE(p.text("hist_notes"), QString());
	QVERIFY2(p.text("hist_from").startsWith(QStringLiteral("snapshots 0 (100.000000) to 60 (130.000000): ")),
		 qPrintable(p.text("hist_from")));
	/* the heat map has all intervals, also those outside of the graph */
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	QCOMPARE(p.heatmap()->map()->ncolumns, 60u);
	/* the graph does not matter */
	p.panel->setView(HistPanel::Table);
	p.window(200, 300);
	QCOMPARE(shown(), hits);
}

/* Without events, or where KernelShark cannot read them, there is no graph. */
void NumbersTest::withoutGraph()
{
	PanelFixture p(dir_.path());
	const QString path = p.load(UTEST_DATA "/shark.dat", 6.75, 7.15);
	const QString intact = p.text("hist_notes");

	QVERIFY(!intact.contains(QStringLiteral("KernelShark")));
	p.shark.has_window = false;
	p.shark.files_[0].streams.clear();
	emit p.shark.filesChanged();
	emit p.shark.windowChanged(0, -1);
	p.panel->setView(HistPanel::Table);
	p.wait();
	QCOMPARE(linesOf(p.table()->histModel()),
		 linesOf(reportOf({ path, "-e", "sched_switch", "--format", "json" })));
	QVERIFY2(p.text("hist_notes").contains(QStringLiteral("KernelShark cannot read the events of this file")),
		 qPrintable(p.text("hist_notes")));
}

void NumbersTest::percentilesEqualReport()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("latency", 104.2, 109.9);
	const PercentilesModel *model = p.percentiles()->percentilesModel();
	const QStringList expected = percentilesOf(
		reportOf({ path, "--between", "8,19", "--format", "json", "--view", "percentiles" }));
	QStringList lines;

	p.panel->setView(HistPanel::Percentiles);
	p.wait();
	QCOMPARE(model->rowCount(), 3);
	for (int row = 0; row < 3; row++) {
		const struct hist_percentiles_row *r = model->rowOf(row);
		QStringList line{ QString::number(qulonglong(r->count)) };

		line << QStringLiteral("%1-%2").arg(r->least.low).arg(r->least.high);
		for (int i = 0; i < model->quantiles(); i++)
			line << QStringLiteral("%1-%2").arg(r->q[i].low).arg(r->q[i].high);
		line << QStringLiteral("%1-%2").arg(r->most.low).arg(r->most.high);
		lines << line.join(QLatin1Char(' '));
	}
	QCOMPARE(lines, expected);
	QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("sys_read [0]"));
	/* in words it is an interval, with its unit */
	const hist_key_desc *axis = &model->figures()->schema->keys[model->figures()->axis];
	const hist_bounds bounds = { axis->is_signed, model->rowOf(0)->q[0].low, model->rowOf(0)->q[0].high };
	TextBuffer bucket;

	hist_label_put_bucket(bucket, axis, &bounds, false);
	QCOMPARE(model->index(0, model->firstQuantile()).data().toString(), bucket.text());
	QVERIFY(model->index(0, model->firstQuantile()).data().toString().endsWith(QLatin1String("s")));
	QVERIFY(model->rowOf(0)->q[0].low < model->rowOf(0)->q[0].high);
}

void NumbersTest::barsAddUpToTheTotal()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("mallocs", 103, 112);
	const QJsonObject snap = snapshotOf(reportOf({ path, "--between", "3,12", "--format", "json" }));
	uint64_t sum = 0;
	int i, empty = 0;

	QVERIFY(p.bars()->upright());
	for (i = 0; i < p.bars()->bars(); i++) {
		sum += p.bars()->count(i);
		empty += !p.bars()->count(i);
	}
	QCOMPARE(sum, uint64_t(9 * 300));
	QCOMPARE(sum, uint64_t(snap.value(QStringLiteral("hits")).toDouble()));
	/* buckets in which nothing was counted are bars too, in their place */
	QVERIFY(empty > 0);
	for (i = 1; i < p.bars()->bars(); i++)
		QCOMPARE(p.bars()->figures()->by_axis->rows[i].ge,
			 p.bars()->figures()->by_axis->rows[i - 1].le + 1);
	QCOMPARE(p.bars()->label(rowOfNumber(p.bars()->figures()->by_axis, 100)), QStringLiteral("65-128 B"));
}

void NumbersTest::heatmapAddsUpToTheBars()
{
	PanelFixture p(dir_.path());
	const hist_heatmap *map;
	uint32_t row;

	p.load("latency", 104.2, 109.9);
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	map = p.heatmap()->map();
	QCOMPARE(map->ncolumns, 11u);
	for (row = 0; row < map->nrows; row++) {
		uint64_t sum = 0;

		for (unsigned int col = 0; map->rows[row].cells && col < map->ncolumns; col++)
			sum += map->rows[row].cells[col];
		QCOMPARE(sum, map->rows[row].total);
		QCOMPARE(sum, p.heatmap()->figures()->by_axis->rows[row].total);
	}
}

void NumbersTest::heatmapColumnEqualsInterval()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("mallocs", 103, 112);
	const QStringList lines = linesOf(reportOf({ path, "--between", "6,7", "--format", "json" }));
	const hist_heatmap *map;
	qint64 from, to;
	uint64_t sum = 0;

	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	map = p.heatmap()->map();
	p.heatmap()->columnTime(3, &from, &to);
	QCOMPARE(from, 106 * SECOND);
	QCOMPARE(to, 107 * SECOND);
	for (uint32_t row = 0; row < map->nrows; row++) {
		const uint64_t count = map->rows[row].cells ? map->rows[row].cells[3] : 0;
		const QString label = QStringLiteral("%1-%2 B: %3 ").arg(map->rows[row].ge).arg(map->rows[row].le)
						.arg(count);

		sum += count;
		if (count)
			QVERIFY2(!lines.filter(label).isEmpty(), qPrintable(label));
	}
	QCOMPARE(sum, uint64_t(300));
}

void NumbersTest::windowsTakeTheSnapshotsBefore()
{
	PanelFixture p(dir_.path());

	p.load("tasks", 104.2, 109.9);
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 4 (104.000000) to 9 (109.000000): 5 intervals"));
	/* on a snapshot: it is in */
	p.window(104, 109);
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 4 (104.000000) to 9 (109.000000): 5 intervals"));
	/* between two snapshots: the interval around, and that is said */
	p.window(104.2, 104.4);
	QVERIFY2(p.text("hist_from").contains(QStringLiteral("4 (104.000000) to 5 (105.000000)")),
		 qPrintable(p.text("hist_from")));
	QVERIFY(p.text("hist_from") != QStringLiteral("snapshots 4 (104.000000) to 5 (105.000000): 1 interval"));
	QVERIFY(p.bars()->bars() > 0);
	/* beyond the ends there is nothing, in words */
	p.window(20, 30);
	QCOMPARE(p.bars()->bars(), 0);
	QCOMPARE(p.text("hist_from"), QString());
	QVERIFY2(p.bars()->emptyText().startsWith(QStringLiteral("This window is before the first snapshot")),
		 qPrintable(p.bars()->emptyText()));
	QVERIFY(p.bars()->emptyText().contains(QStringLiteral("Zoom out")));
	p.window(200, 300);
	QVERIFY2(p.table()->emptyText().startsWith(QStringLiteral("This window is after the last snapshot")),
		 qPrintable(p.table()->emptyText()));
	p.window(100, 110);
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 0 (100.000000) to 10 (110.000000): 10 intervals"));
}

void NumbersTest::offsetMovesTheSnapshots()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("tasks", 104.2, 109.9);

	p.shark.setOffset(path, 1000 * SECOND);
	p.wait();
	QVERIFY2(p.bars()->emptyText().startsWith(QStringLiteral("This window is before")),
		 qPrintable(p.bars()->emptyText()));
	p.window(1102.5, 1103.5);
	/* the times told are those of the file: what `report --between` takes */
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 2 (102.000000) to 3 (103.000000): 1 interval"));
	p.panel->setView(HistPanel::HeatMap);
	p.wait();
	qint64 from, to;
	p.heatmap()->columnTime(0, &from, &to);
	QCOMPARE(from, 1102 * SECOND);
}

void NumbersTest::markersInAnyOrder()
{
	PanelFixture p(dir_.path());

	p.load("tasks");
	p.panel->setSource(PanelChoices::MarkersAB);
	p.wait();
	QVERIFY(p.bars()->emptyText().contains(QStringLiteral("markers A and B")));
	p.shark.setMarkers(108 * SECOND + 1, 102 * SECOND + 1);
	p.wait();
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 2 (102.000000) to 8 (108.000000): 6 intervals"));
	/* the window does not matter then */
	p.window(100, 101);
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 2 (102.000000) to 8 (108.000000): 6 intervals"));
}

void NumbersTest::searchFindsKeys()
{
	PanelFixture p(dir_.path());
	QLineEdit *search;

	p.load("tasks");
	search = p.find<QLineEdit>("hist_search");
	search->setText("XORG");
	p.wait();
	QCOMPARE(p.bars()->bars(), 4);
	for (int i = 0; i < 4; i++)
		QVERIFY(p.bars()->label(i).startsWith(QStringLiteral("Xorg [")));
	/* shares stay those of all */
	QVERIFY(p.bars()->figures()->whole_total > p.bars()->count(0) + p.bars()->count(1) +
							p.bars()->count(2) + p.bars()->count(3));
	search->setText("no such thing");
	p.wait();
	QCOMPARE(p.bars()->bars(), 0);
	QCOMPARE(p.bars()->emptyText(), QStringLiteral("No key contains the text \"no such thing\"."));
	search->clear();
	p.wait();
	QCOMPARE(p.bars()->bars(), 40);
}

void NumbersTest::groupsAreShownAlone()
{
	PanelFixture p(dir_.path());
	QComboBox *group;
	uint64_t sum = 0;

	p.load("latency");
	group = p.find<QComboBox>("hist_group");
	QVERIFY(group->isVisible());
	QCOMPARE(group->count(), 4);
	QCOMPARE(group->itemText(1), QStringLiteral("sys_read [0]"));
	group->setCurrentIndex(2);
	p.wait();
	for (int i = 0; i < p.bars()->bars(); i++)
		sum += p.bars()->count(i);
	QCOMPARE(sum, uint64_t(60 * 60));
	/* stays when the window moves, even where nothing of it was counted */
	p.window(100, 101);
	QCOMPARE(group->currentText(), QStringLiteral("sys_write [1]"));
	p.panel->setView(HistPanel::Percentiles);
	p.wait();
	p.percentiles()->setFocus();
	p.percentiles()->setCurrentIndex(p.percentiles()->model()->index(0, 0));
	QTest::keyClick(p.percentiles(), Qt::Key_Return);
	p.wait();
	QCOMPARE(group->currentText(), QStringLiteral("sys_read [0]"));
	QCOMPARE(p.panel->view(), HistPanel::Bars);
}

void NumbersTest::otherValue()
{
	PanelFixture p(dir_.path());
	const QString path = p.load("mallocs", 103, 112);
	const QJsonArray rows = snapshotOf(reportOf({ path, "--between", "3,12", "--format", "json" }))
					.value(QStringLiteral("rows")).toArray();
	QComboBox *value = p.find<QComboBox>("hist_value");
	uint64_t sum = 0, expected = 0;

	QVERIFY(value->isVisible());
	value->setCurrentIndex(value->findText("sum of bytes_req (B)"));
	p.wait();
	for (int i = 0; i < p.bars()->bars(); i++)
		sum += p.bars()->count(i);
	for (const QJsonValue &row : rows)
		expected += uint64_t(row[QStringLiteral("value")][QStringLiteral("bytes_req")].toDouble());
	QCOMPARE(sum, expected);
	QVERIFY(sum > 100000);
}

/* The counts of lines, sorted: buckets of .log2=K have labels of their own. */
static QStringList countsOf(const QStringList &lines)
{
	QStringList counts;

	for (const QString &line : lines)
		counts << line.section(QLatin1String(": "), -1);
	counts.sort();
	return counts;
}

/* The bars and the table have the rows of `report --bucket`; the choice comes back. */
void NumbersTest::coarserBuckets()
{
	const QString file = dir_.path() + QStringLiteral("/buckets.ini");
	const auto settings = [&file] { return new QSettings(file, QSettings::IniFormat); };

	for (const char *to : { "args_0.log2=3", "args_0.log2", "" }) {
		PanelFixture p(dir_.path(), settings());
		const QString path = p.load("wide");
		QComboBox *bucket = p.find<QComboBox>("hist_bucket");
		QStringList ask{ path, "--between", "0,1", "--format", "json" };
		uint64_t sum = 0;

		if (*to)
			ask << "--bucket" << to;
		QVERIFY(bucket->isVisible());
		bucket->setCurrentIndex(*to ? bucket->findData(QString::fromUtf8(to)) : 0);
		p.wait();
		for (int i = 0; i < p.bars()->bars(); i++)
			sum += p.bars()->count(i);
		QCOMPARE(sum, uint64_t(snapshotOf(reportOf(ask)).value(QStringLiteral("hits")).toDouble()));
		p.panel->setView(HistPanel::Table);
		p.wait();
		QCOMPARE(countsOf(linesOf(p.table()->histModel())), countsOf(linesOf(reportOf(ask))));
		QCOMPARE(p.table()->histModel()->rowCount() < 200, *to != 0);
		p.panel->setView(HistPanel::Bars);

		PanelFixture again(dir_.path(), settings());

		again.load("wide");
		QCOMPARE(again.find<QComboBox>("hist_bucket")->currentData().toString(), QString::fromUtf8(to));
	}
	PanelFixture p(dir_.path());

	/* nothing is coarser than .log2 */
	p.load("latency");
	QVERIFY(!p.find<QComboBox>("hist_bucket")->isVisible());
}

void NumbersTest::lossIsTold()
{
	PanelFixture p(dir_.path());

	p.load("mallocs");
	QVERIFY(p.find<QLabel>("hist_notes")->isVisible());
	QVERIFY2(p.text("hist_notes").contains(QStringLiteral("42 hits were dropped")), qPrintable(p.text("hist_notes")));
	QVERIFY(p.text("hist_notes").contains(QStringLiteral("cleared")));
	QVERIFY(p.text("hist_notes").contains(QStringLiteral("interrupted")));
	QVERIFY(p.text("hist_from").contains(QStringLiteral("1 snapshot missing")));
	/* and not where there is none */
	p.shark.close(p.shark.files_.first().path);
	p.load("latency");
	QCOMPARE(p.text("hist_notes"), QString());
	QVERIFY(p.find<QLabel>("hist_notes")->isVisible());
}

void NumbersTest::hintIsASentence()
{
	hist_error error = {};

	hist_error_set(&error, -EINVAL, "no axis\nrecord with .log2");
	QCOMPARE(reasonText(error), QStringLiteral("no axis. Record with .log2"));
	hist_error_set(&error, -EINVAL, "no axis");
	QCOMPARE(reasonText(error), QStringLiteral("no axis"));
}

void NumbersTest::clocksWithoutTime()
{
	PanelFixture p(dir_.path());

	p.load("cycles", 100, 101);
	QCOMPARE(p.text("hist_from"), QStringLiteral("snapshots 0 (1000) to 3 (1030): 3 intervals, "
					       "set-up: 5 hits before snapshot 0 are left out"));
	QVERIFY(p.text("hist_notes").contains(QStringLiteral("is not in nanoseconds")));
	p.shark.close(p.shark.files_.first().path);
	p.load("single");
	QVERIFY2(p.bars()->emptyText().contains(QStringLiteral("Select \"One snapshot\" to show it.")),
		 qPrintable(p.bars()->emptyText()));
	p.panel->setSource(PanelChoices::OneSnapshot);
	p.wait();
	QCOMPARE(p.bars()->count(0), uint64_t(3));
}
