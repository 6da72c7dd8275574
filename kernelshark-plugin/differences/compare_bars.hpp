/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare_bars.hpp - two bars for each bucket or key: before and after
 *
 * The bars are rates, because the two times differ in length. Buckets are in order, from left
 * to right; keys are from top to bottom, the largest change first.
 */
#ifndef KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_BARS_HPP
#define KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_BARS_HPP

#include "kernelshark-plugin/differences/compare_chart.hpp"

class CompareBars : public CompareChart {
	Q_OBJECT
public:
	explicit CompareBars(QWidget *parent = nullptr);

	/* The bar of a side, in viewport coordinates; empty if nothing was counted. */
	QRectF barRect(int row, int side) const;
	int itemAt(const QPoint &at) const override;
	QRect itemRect(int row) const override;
	QString itemText(int row) const override;

protected:
	void measure() override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int row) const override;
	int step(int item, int across, int down, int pages) const override;
	void showItem(int row) override;

private:
	bool upright() const { return comparison()->has_axis; }
	QScrollBar *bar() const;
	void measureRates(double *least, double *most);
	void paintTicks(QPainter *painter);
	void paintLabels(QPainter *painter);
	QString title() const;

	chart_scale scale_ = {};
	QRectF plot_;
	double slot_ = 1; /* of both bars, with their gap */
	int label_ = 0;
	QStringList labels_; /* of the first horizontal bars, cut to label_ */
};

#endif
