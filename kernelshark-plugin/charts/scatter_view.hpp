/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scatter_view.hpp - each latency as a dot, over the time of its END
 *
 * The chart has the time axis of the graph above it if the panel knows the position of the
 * graph. An item is a latency that the panel set with setPairs().
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_SCATTER_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_SCATTER_VIEW_HPP

#include <QVector>

#include "kernelshark-plugin/charts/chart_view.hpp"
#include "kernelshark-plugin/charts/scene_paint.hpp"
#include "kernelshark-plugin/charts/time_axis.hpp"

extern "C" {
#include "lib/chart/course.h"
}

class ScatterView : public ChartView {
	Q_OBJECT
public:
	explicit ScatterView(QWidget *parent = nullptr);

	/*
	 * Show pairs of a file; @offset is added to its times. @why: a sentence if there are none.
	 */
	void setPairs(const QVector<latency_pair> &pairs, qint64 offset, const QString &why);
	const QVector<latency_pair> &pairs() const { return pairs_; }

	/* As HeatmapView::setTime(). */
	void setTime(qint64 from, qint64 to, int left = 0, int right = 0);
	void setMarkers(bool are, qint64 a, qint64 b);

	/* The latencies that are visible, in the order of time. */
	QByteArray csv() const override;

	QRect plot() const { return plot_; }
	/* The middle of a dot; outside of plot() if the graph does not show its time. */
	QPointF dot(int item) const;
	int itemAt(const QPoint &at) const override { return scene_.find(at); }
	QRect itemRect(int item) const override;
	QString itemText(int item) const override;

protected:
	void measure() override;
	QString whyEmpty() const override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int item) const override;
	int itemLike(const PanelData &, int) const override { return -1; }
	void dropMade() override { scene_.clear(); }
	int step(int item, int across, int down, int pages) const override;
	void showItem(int) override {}

private:
	TimeAxis timeAxis() const { return { plot_, begin_, end_, true }; }
	qint64 start(int item) const { return qint64(pairs_[item].start) + offset_; }
	qint64 end(int item) const { return qint64(pairs_[item].end) + offset_; }
	bool isIn(int item) const { return end(item) >= begin_ && end(item) <= end_; }

	QVector<latency_pair> pairs_;
	QVector<int> order_; /* items in the order of time */
	QString why_;
	qint64 offset_ = 0, from_ = 0, to_ = 0, begin_ = 0, end_ = 1;
	int left_ = 0, right_ = 0;
	bool has_markers_ = false;
	qint64 marker_[2] = { 0, 0 };
	QRect plot_;
	chart_dots_figures dots_ = {};
	chart_scale scale_ = {};
	Scene scene_;
};

#endif
