// SPDX-License-Identifier: GPL-2.0
/* episodes_view.cpp - table of the captured episodes of a file, the worst first */
#include <QHeaderView>

#include "kernelshark-plugin/latencies/episodes_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

EpisodesView::EpisodesView(QWidget *parent)
    : LatencyList({ tr("episode"), tr("latency"), tr("above threshold"), tr("start"), tr("end"),
		    tr("CPU"), tr("key"), tr("histogram"), tr("where the time went") },
		  { "episode", "latency_ns", "excess_ns", "start_ns", "end_ns", "cpu", "key",
		    "histogram", "parts" },
		  tr("This file has no episodes. Record with --threshold to "
		     "keep the events around the worst latencies."),
		  parent)
{
	setObjectName(QStringLiteral("hist_episodes"));
	setAccessibleName(tr("Episodes"));
	horizontalHeader()->setStretchLastSection(true);
	horizontalHeaderItem(Parts)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
	horizontalHeader()->setSortIndicator(Number, Qt::AscendingOrder);
	connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
		emit episodeActivated(item(row, Number)->data(NUMBER_ROLE).toInt());
	});
}

void EpisodesView::setRecording(const RecordingPtr &recording, qint64 offset)
{
	if (recording == recording_ && offset == offset_)
		return;
	recording_ = recording;
	offset_ = offset;
	fill();
	viewport()->update();
}

void EpisodesView::fill()
{
	const int n = recording_ ? int(recording_->episodes.n) : 0;

	/* rows would move while they are filled */
	setSortingEnabled(false);
	setRowCount(n);
	for (int i = 0; i < n; i++) {
		const recorded_episode &e = recording_->episodes.list[i];
		const bool timed = e.what.flags & HIST_EPISODE_TIMED;
		const qint64 start = qint64(e.start) + offset_, end = qint64(e.end) + offset_;

		setNumber(i, Number, i + 1, QString::number(i + 1));
		setNumber(i, Latency, qint64(e.end - e.start),
			  timed ? durationText(e.end - e.start, true) : QString());
		if (e.has_excess)
			setNumber(i, Excess, qint64(e.excess), durationText(e.excess, true));
		else
			setUnknown(i, Excess);
		setNumber(i, Start, start, timeText(uint64_t(start), true));
		setNumber(i, End, end, timeText(uint64_t(end), true));
		setNumber(i, Cpu, e.what.cpu, QString::number(e.what.cpu));
		setText(i, Key, e.what.key);
		setText(i, Event, e.what.event);
		setText(i, Parts, e.parts);
		item(i, Number)->setData(NUMBER_ROLE, i);
	}
	setSortingEnabled(true);
	resizeColumnsToContents();
}

void EpisodesView::select(int episode)
{
	for (int row = 0; row < rowCount(); row++)
		if (item(row, Number)->data(NUMBER_ROLE).toInt() == episode)
			selectRow(row);
}
