/* SPDX-License-Identifier: GPL-2.0 */
/*
 * heat_scene.hpp - a map of cells (lib/chart/heat.h) in a view that scrolls down
 *
 * The legend is at the right end of the line above the map, brief in a narrow view.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_HEAT_SCENE_HPP
#define KERNELSHARK_PLUGIN_CHARTS_HEAT_SCENE_HPP

#include <QAbstractScrollArea>

#include "kernelshark-plugin/charts/scene_paint.hpp"

extern "C" {
#include "lib/chart/heat.h"
#include "lib/chart/legend.h"
}

class HeatScene {
public:
	explicit HeatScene(QAbstractScrollArea *view) : view_(view) {}
	~HeatScene() { chart_heat_free(&map_); }
	HeatScene(const HeatScene &) = delete;
	HeatScene &operator=(const HeatScene &) = delete;

	/* What to show; set them before measure(). The font of the legend is set by measure(). */
	chart_heat_figures figures = {};
	chart_legend legend = {};
	bool always_brief = false;

	/*
	 * Lay out the map below @top, the height of the line above it. @left and @right: ends of
	 * the plot in the viewport; left >= right: its own.
	 */
	void measure(const ChartStyle &style, int top, int left, int right);
	/* The scroll bar has moved. */
	void draw();
	/* The figures are gone: there is nothing until the next measure(). */
	void drop();

	const Scene &shapes() const { return scene_; }
	/* From the begin of the legend to the right end of the view. */
	int legendWidth() const { return legend_width_; }
	QRect plot() const { return map_.spans ? sceneRect(map_.plot).toRect() : QRect(); }
	int itemAt(const QPoint &at) const { return scene_.find(at); }
	QRect cell(int item) const;
	/* The item that is so many columns, rows and pages of ten rows away. */
	int step(int item, int across, int down, int pages) const;
	/* Scroll until an item is visible. */
	void show(int item);

private:
	QAbstractScrollArea *view_;
	chart_heat map_ = {};
	Scene scene_;
	int top_ = 0, legend_width_ = 0;
	QFontMetricsF metrics_{ QFont() }; /* of map_ and legend */
};

#endif
