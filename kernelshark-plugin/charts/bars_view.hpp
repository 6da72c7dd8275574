/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bars_view.hpp - a bar for each bucket of an axis, or for each key
 *
 * A histogram with an axis stands upright: its buckets in order from left to right,
 * the empty ones too, with the range of each below.  Any other lies: a bar for each
 * key, largest first, with its count and its share of all.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_BARS_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_BARS_VIEW_HPP

#include "kernelshark-plugin/charts/chart_scale.hpp"
#include "kernelshark-plugin/charts/chart_view.hpp"

class BarsView : public ChartView {
	Q_OBJECT
public:
	explicit BarsView(QWidget *parent = nullptr);

	/* Upright: items are rows of by_axis; else they are rows. */
	bool upright() const;
	int bars() const;
	/* What bar @i counts; a gap has no count and tells how many empty buckets it stands for. */
	uint64_t count(int i) const;
	uint64_t gap(int i) const;
	QString label(int i) const;
	/* The bar itself, in the viewport, without its ground; empty where it has no count. */
	QRectF barRect(int i) const;
	const ChartScale &scale() const { return scale_; }

	/* The whole height (or width) of the bar's slot counts, so that small bars can be hit. */
	int itemAt(const QPoint &at) const override;
	QRect itemRect(int item) const override;
	QString itemText(int item) const override;

protected:
	void measure() override;
	QString whyEmpty() const override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int item) const override;
	int itemLike(const Figures &old, int item) const override;
	int step(int item, int key) const override;
	void showItem(int item) override;

private:
	void measureUpright();
	void measureLying();
	void paintUpright(QPainter *painter);
	void paintLying(QPainter *painter);
	void paintBar(QPainter *painter, int i);
	void paintBucketLabels(QPainter *painter, int first, int last);
	void paintRow(QPainter *painter, int i);
	QString title() const;
	QString more() const;
	QString shareOf(int i) const;
	QString upTo(int i) const;

	ChartScale scale_;
	QRectF plot_;	 /* where bars are; without scrolling */
	double slot_ = 1; /* of one bar with what is around it */
	int lines_ = 1;	 /* of the labels of buckets */
	int label_ = 0;	 /* width of the labels of keys, or of the widest bucket */
	QVector<uint64_t> below_; /* of an axis: counts of all buckets before it */
};

#endif
