// SPDX-License-Identifier: GPL-2.0
/* pairs_view.cpp - table of latencies, with the times of START and END */
#include <QHeaderView>

#include "kernelshark-plugin/latencies/pairs_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

/* With three decimals: two latencies look the same only if they almost are. */
static QString exactText(uint64_t ns)
{
	if (ns < 1000)
		return QObject::tr("%1 ns").arg(ns);
	if (ns < 1000000)
		return QObject::tr("%1 us").arg(ns / 1e3, 0, 'f', 3);
	if (ns < 1000000000)
		return QObject::tr("%1 ms").arg(ns / 1e6, 0, 'f', 3);
	return QObject::tr("%1 s").arg(ns / 1e9, 0, 'f', 3);
}

PairsView::PairsView(QWidget *parent)
    : LatencyList({ tr("latency"), tr("START"), tr("END") }, { "latency_ns", "start_ns", "end_ns" },
		  QString(), parent)
{
	setObjectName(QStringLiteral("hist_pairs"));
	setAccessibleName(tr("Latencies"));
	horizontalHeader()->setSortIndicator(Latency, Qt::DescendingOrder);
	connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
		const latency_pair &pair = pairs_[item(row, Latency)->data(NUMBER_ROLE).toInt()];

		emit pairActivated(pair.start, pair.end);
	});
}

void PairsView::setPairs(const QVector<latency_pair> &pairs, qint64 offset, const QString &why)
{
	const int n = qMin<int>(pairs.size(), ROWS_MOST);

	pairs_ = pairs;
	setEmpty(why);
	/* rows would move while they are filled */
	setSortingEnabled(false);
	setRowCount(n);
	for (int i = 0; i < n; i++) {
		const qint64 start = qint64(pairs[i].start) + offset,
			     end = qint64(pairs[i].end) + offset;

		setNumber(i, Latency, end - start, exactText(pairs[i].end - pairs[i].start));
		setNumber(i, Start, start, timeText(uint64_t(start), true));
		setNumber(i, End, end, timeText(uint64_t(end), true));
		item(i, Latency)->setData(NUMBER_ROLE, i);
	}
	setSortingEnabled(true);
	resizeColumnsToContents();
	viewport()->update();
}
