// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_episodes.cpp - from the list of episodes to their events, in the real program
 *
 * data/episodes.dat: two captured waits, in the buffers episode-1 and episode-2
 * (episodes_dat.sh).
 */
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTableView>
#include <QTableWidget>

#include "utest/kernelshark/program/driver_panel.hpp"

/* -i episodes.dat: a click on a row marks START and END, and zooms there. */
SCENARIO(episodes)
{
	QProcess process;
	QTableWidget *table = d.find<QTableWidget>("hist_episodes");
	QJsonArray all;

	process.start(d.work("bin/trace-cmd-hist"), { "report", "--worst", "--format", "json", d.data("episodes.dat") });
	process.waitForFinished(60000);
	all = QJsonDocument::fromJson(process.readAllStandardOutput()).object()["episodes"].toArray();
	d.is("the report has two episodes", all.size(), 2);
	panelSettled(d);
	setView(d, "Episodes");
	if (!table || !d.ok("the panel lists the episodes",
			    d.waitUntil([&] { return table->rowCount() == all.size(); })))
		return;
	for (int i = all.size() - 1; i >= 0; i--) {
		const QJsonObject one = all[i].toObject();
		const qint64 start = qint64(one["start_ns"].toDouble()), end = qint64(one["end_ns"].toDouble());
		const QString which = QString("episode %1").arg(i + 1);
		GraphState graph;

		d.click(table->viewport(), table->visualItemRect(table->item(i, 1)).center());
		panelSettled(d);
		d.waitUntil([&] { return qAbs(markerTexts(d).value(0).toDouble() - start * 1e-9) < 5e-6; });
		/* the latency has whole microseconds, so START is near the begin of the report */
		d.ok(which + ": marker A is near START", qAbs(markerTexts(d).value(0).toDouble() - start * 1e-9) < 5e-6,
		     markerTexts(d).value(0));
		d.is(which + ": marker B is at END", markerTexts(d).value(1), QString::number(end * 1e-9, 'f', 6));
		d.ok(which + ": the markers are apart by the latency",
		     qAbs(markerTexts(d).value(2).toDouble() - (end - start) * 1e-9) < 5e-6,
		     markerTexts(d).value(2));
		graph = graphState(d);
		d.ok(which + ": the graph shows the latency and little more",
		     graph.min <= start && graph.max >= end && graph.max - graph.min < 2 * (end - start),
		     QString("%1 to %2 of %3 to %4").arg(graph.min).arg(graph.max).arg(start).arg(end));
		const int row = d.listView()->selectionModel()->selectedRows().value(0).row();
		d.like(which + ": the selected entry is START", d.column("Event").value(row) + " " +
		       d.column("Info").value(row), "sched_waking .*comm=presetload");
	}
	d.picture("kernelshark-episodes");
}
