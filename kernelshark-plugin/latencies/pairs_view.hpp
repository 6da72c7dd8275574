/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pairs_view.hpp - table of latencies, with the times of START and END
 *
 * The table has all latencies of the visible window, or those of a row of the histogram. The
 * longest is first, unless the user sorts by another column. A click on a row asks the panel to
 * show the pair in the graph.
 */
#ifndef KERNELSHARK_PLUGIN_LATENCIES_PAIRS_VIEW_HPP
#define KERNELSHARK_PLUGIN_LATENCIES_PAIRS_VIEW_HPP

#include <QVector>

#include "kernelshark-plugin/latencies/latency_list.hpp"

class PairsView : public LatencyList {
	Q_OBJECT
public:
	enum { ROWS_MOST = 10000 };

	explicit PairsView(QWidget *parent = nullptr);

	/*
	 * Show pairs of a file, the longest first; @offset is added to its times. @why: a
	 * sentence if there are none. The table has the ROWS_MOST longest.
	 */
	void setPairs(const QVector<latency_pair> &pairs, qint64 offset, const QString &why);
	const QVector<latency_pair> &pairs() const { return pairs_; }

signals:
	/* The user clicked a row, or pressed Enter on it; times are those of the file. */
	void pairActivated(quint64 start, quint64 end);

private:
	enum Column { Latency, Start, End };

	QVector<latency_pair> pairs_;
};

#endif
