/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare_bars.hpp - two bars for each bucket or key: before and after
 *
 * The bars are rates, because the two times differ in length. Buckets are in order, from left
 * to right; keys are from top to bottom, the largest change first.
 */
#ifndef KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_BARS_HPP
#define KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_BARS_HPP

#include "kernelshark-plugin/charts/bars_scene.hpp"
#include "kernelshark-plugin/differences/compare_chart.hpp"

class CompareBars : public CompareChart {
	Q_OBJECT
public:
	explicit CompareBars(QWidget *parent = nullptr);

	/* The bar of a side, in viewport coordinates; empty if nothing was counted. */
	QRectF barRect(int row, int side) const { return scene_.bar(row, side); }
	int itemAt(const QPoint &at) const override { return scene_.itemAt(at); }
	QRect itemRect(int row) const override { return scene_.slot(row); }
	QString itemText(int row) const override;

protected:
	void measure() override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int row) const override;
	int step(int item, int across, int down, int pages) const override
	{
		return scene_.step(item, across + down, pages);
	}
	void showItem(int row) override { scene_.show(row); }
	void dropMade() override;
	void scrollContentsBy(int dx, int dy) override;

private:
	bool upright() const { return comparison()->has_axis; }
	QString title() const;

	BarsScene scene_;
};

#endif
