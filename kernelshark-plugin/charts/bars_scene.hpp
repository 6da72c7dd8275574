/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bars_scene.hpp - a bar chart (lib/chart/bars.h) in a view that scrolls
 *
 * Lying bars scroll down, upright ones to the right.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_BARS_SCENE_HPP
#define KERNELSHARK_PLUGIN_CHARTS_BARS_SCENE_HPP

#include <QAbstractScrollArea>

#include "kernelshark-plugin/charts/scene_paint.hpp"

extern "C" {
#include "lib/chart/bars.h"
}

class BarsScene {
public:
	explicit BarsScene(QAbstractScrollArea *view) : view_(view) {}
	~BarsScene() { chart_bars_free(&bars_); }
	BarsScene(const BarsScene &) = delete;
	BarsScene &operator=(const BarsScene &) = delete;

	/* What to show; set it before measure(). */
	chart_bars_figures figures = {};

	/* Lay out the bars below @top, and set the range of the scroll bars. */
	void measure(const ChartStyle &style, int top, bool upright, bool log);
	/* The scroll bar has moved. */
	void draw();
	/* The figures are gone: there is nothing until the next measure(). */
	void drop();

	const chart_bars &layout() const { return bars_; }
	const Scene &shapes() const { return scene_; }
	int itemAt(const QPoint &at) const { return scene_.find(at); }
	QRect slot(int bar) const;
	QRectF bar(int bar, int side) const;
	/* The bar that is so many bars and pages away from @bar. */
	int step(int bar, int by, int pages) const;
	/* Scroll until a bar is visible. */
	void show(int bar);
	/* The height of the view that shows so many lying bars. */
	int heightOf(const ChartStyle &style, int top, int bars) const;

private:
	QScrollBar *scrollBar() const;

	QAbstractScrollArea *view_;
	chart_bars bars_ = {};
	Scene scene_;
	QFontMetricsF metrics_{ QFont() }; /* of bars_ */
};

#endif
