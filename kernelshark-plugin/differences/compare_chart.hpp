/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare_chart.hpp - base of the charts that compare figures with those of before
 *
 * The figures of the view are those after. The comparison is made again for each change.
 */
#ifndef KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_CHART_HPP
#define KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_CHART_HPP

#include <memory>

#include "kernelshark-plugin/charts/chart_view.hpp"

extern "C" {
#include "kernelshark-plugin/compare/compare.h"
}

class CompareChart : public ChartView {
	Q_OBJECT
public:
	using ChartView::ChartView;

	/* The figures before; null: none. Call it before setFigures(). */
	void setBefore(const PanelDataPtr &before);
	/* Null: there is no comparison, and emptyText() says why. */
	const compared *comparison() const { return compared_.get(); }
	QString rowLabel(uint32_t row) const;

protected:
	QString whyEmpty() const override;
	void dropMade() override;
	int itemLike(const PanelData &, int) const override { return -1; }
	/* "3.2/s, before 1.6/s: +100 %" */
	QString changeText(double before, double after) const;

private:
	PanelDataPtr before_;
	mutable std::unique_ptr<compared, void (*)(compared *)> compared_{ nullptr, compare_free };
	mutable QString why_; /* "": not tried yet */
};

#endif
