/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pairs_view.hpp - table of the START and END events behind a bar of a latency
 *
 * The slowest pair is first. A click on a row asks the panel to show the pair in the graph.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_PAIRS_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_PAIRS_VIEW_HPP

#include <QTableWidget>
#include <QVector>

#include "kernelshark-plugin/charts/panel_view.hpp"

class PairsView : public QTableWidget, public PanelView {
	Q_OBJECT
public:
	enum { ROWS_MOST = 10000 };

	explicit PairsView(QWidget *parent = nullptr);

	/* Show pairs of a file, the slowest first; @offset is added to its times. */
	void setPairs(const QVector<latency_pair> &pairs, qint64 offset);
	const QVector<latency_pair> &pairs() const { return pairs_; }
	/* The table does not depend on the figures. */
	void setFigures(const PanelDataPtr &, const QString &) override {}
	QByteArray csv() const override;

signals:
	/* The user clicked a row, or pressed Enter on it; times are those of the file. */
	void pairActivated(quint64 start, quint64 end);

protected:
	void keyPressEvent(QKeyEvent *event) override;
	void paintEvent(QPaintEvent *event) override;

private:
	QVector<latency_pair> pairs_;
};

#endif
