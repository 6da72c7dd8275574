// SPDX-License-Identifier: GPL-2.0
/* pairs_view.cpp - table of the START and END events behind a bar of a latency */
#include "kernelshark-plugin/charts/pairs_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

PairsView::PairsView(QWidget *parent)
	: LatencyList({ tr("latency"), tr("START"), tr("END") }, { "latency_ns", "start_ns", "end_ns" },
		      tr("Click a bar of a latency that was recorded with --events "
			 "to list its START and END events."),
		      parent)
{
	setObjectName(QStringLiteral("hist_pairs"));
	setAccessibleName(tr("Pairs"));
	/* the longest is first */
	setSortingEnabled(false);
	connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
		if (row < pairs_.size())
			emit pairActivated(pairs_[row].start, pairs_[row].end);
	});
}

void PairsView::setPairs(const QVector<latency_pair> &pairs, qint64 offset)
{
	const int n = qMin<int>(pairs.size(), ROWS_MOST);

	pairs_ = pairs;
	setRowCount(n);
	for (int i = 0; i < n; i++) {
		const qint64 start = qint64(pairs[i].start) + offset, end = qint64(pairs[i].end) + offset;

		setNumber(i, Latency, end - start, durationText(pairs[i].end - pairs[i].start, true));
		setNumber(i, Start, start, timeText(uint64_t(start), true));
		setNumber(i, End, end, timeText(uint64_t(end), true));
	}
	resizeColumnsToContents();
	viewport()->update();
}
