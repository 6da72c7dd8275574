/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pairs_view.hpp - table of the START and END events behind a bar of a latency
 *
 * The longest pair is first. A click on a row asks the panel to show the pair in the graph.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_PAIRS_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_PAIRS_VIEW_HPP

#include <QVector>

#include "kernelshark-plugin/charts/latency_list.hpp"

class PairsView : public LatencyList {
	Q_OBJECT
public:
	enum { ROWS_MOST = 10000 };

	explicit PairsView(QWidget *parent = nullptr);

	/* Show pairs of a file, the longest first; @offset is added to its times. */
	void setPairs(const QVector<latency_pair> &pairs, qint64 offset);
	const QVector<latency_pair> &pairs() const { return pairs_; }

signals:
	/* The user clicked a row, or pressed Enter on it; times are those of the file. */
	void pairActivated(quint64 start, quint64 end);

private:
	enum Column { Latency, Start, End };

	QVector<latency_pair> pairs_;
};

#endif
