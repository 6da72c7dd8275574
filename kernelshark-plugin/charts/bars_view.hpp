/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bars_view.hpp - bar chart with a bar for each bucket of an axis, or for each key
 *
 * A histogram with an axis has vertical bars: all buckets, including empty ones, in
 * order from left to right, with their ranges below. Other histograms have horizontal
 * bars: one for each key, largest first, with its count and its share of the total.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_BARS_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_BARS_VIEW_HPP

#include "kernelshark-plugin/charts/bars_scene.hpp"
#include "kernelshark-plugin/charts/chart_view.hpp"

class BarsView : public ChartView {
	Q_OBJECT
public:
	explicit BarsView(QWidget *parent = nullptr);

	/*
	 * True for vertical bars: items are rows of by_axis. Otherwise items are rows
	 * of the histogram.
	 */
	bool upright() const;
	int bars() const;
	/*
	 * The count of bar @i. A gap does not have a count: gap() is the number of
	 * empty buckets in it.
	 */
	uint64_t count(int i) const;
	uint64_t gap(int i) const;
	QString label(int i) const;
	/* The bar in viewport coordinates, without its background; empty if the count is 0. */
	QRectF barRect(int i) const { return scene_.bar(i, 0); }
	const chart_scale &scale() const { return scene_.layout().scale; }
	/* The height of the view that shows so many horizontal bars. */
	int heightOf(int bars) const;

	/*
	 * The whole height (or width) of the bar's slot is clickable, so that small
	 * bars can be hit.
	 */
	int itemAt(const QPoint &at) const override { return scene_.itemAt(at); }
	QRect itemRect(int item) const override { return scene_.slot(item); }
	QString itemText(int item) const override;

protected:
	void measure() override;
	QString whyEmpty() const override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int item) const override;
	int itemLike(const PanelData &old, int item) const override;
	int step(int item, int across, int down, int pages) const override
	{
		return scene_.step(item, across + down, pages);
	}
	void showItem(int item) override { scene_.show(item); }
	void dropMade() override;
	void scrollContentsBy(int dx, int dy) override;

private:
	void putLabel(int i, hist_strbuf *b) const;
	QString title() const;
	QString more() const;
	QString shareOf(int i) const;
	QString upTo(int i) const;

	BarsScene scene_;
	QVector<uint64_t> below_; /* with an axis: total count of all earlier buckets */
};

#endif
