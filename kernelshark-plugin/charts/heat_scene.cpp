// SPDX-License-Identifier: GPL-2.0
/* heat_scene.cpp - a map of cells in a view that scrolls down */
#include <cmath>

#include <QScrollBar>

#include "kernelshark-plugin/charts/heat_scene.hpp"

#define ROW_MOST 64
#define HEAT_MARGIN 4
#define SIZE_LEAST 0.8 /* of labels */
#define LEGEND_PART 0.45 /* of the width; a wider legend is brief */

void HeatScene::measure(const ChartStyle &style, int top, int left, int right)
{
	QScrollBar *bar = view_->verticalScrollBar();
	chart_heat_options o = {};
	double whole = 0;

	metrics_ = QFontMetricsF(style.font);
	o.width = view_->viewport()->width();
	o.height = view_->viewport()->height();
	o.top = top_ = top;
	o.margin = HEAT_MARGIN;
	o.left = left;
	o.right = right;
	o.row_most = ROW_MOST;
	o.size_least = SIZE_LEAST;
	o.font = legend.font = sceneFont(&metrics_);
	scene_.clear();
	chart_heat_free(&map_);
	chart_heat_measure(&map_, &figures, &o);
	legend.brief = false;
	/* it stays 0 without memory, which draw() finds as well */
	if (!always_brief)
		chart_legend_width(&legend, &whole);
	legend.brief = always_brief || whole > o.width * LEGEND_PART;
	bar->setPageStep(int(map_.plot.h));
	bar->setSingleStep(qMax(1, int(map_.cells.row) * 2));
	bar->setRange(0, qMax(0, int(std::ceil(map_.all - map_.plot.h))));
	draw();
}

void HeatScene::draw()
{
	if (!map_.spans)
		return;
	const double right = qMin(map_.plot.x + map_.plot.w, map_.o.width);
	double width;

	/* an error is that of the scene, too */
	chart_legend_width(&legend, &width);
	scene_.clear();
	chart_heat_draw(&map_, view_->verticalScrollBar()->value(), scene_);
	chart_legend_draw(&legend, right - width, top_ / 2.0, width + 1, scene_);
	legend_width_ = int(std::ceil(map_.o.width - right + width)) + 8;
}

void HeatScene::drop()
{
	scene_.clear();
	chart_heat_free(&map_);
	map_ = {};
}

/* What is far outside of the window after a zoom is no number of pixels. */
static int pixelOf(double x)
{
	const double far = 1 << 20;

	return int(std::lround(qBound(-far, x, far)));
}

QRect HeatScene::cell(int item) const
{
	if (!map_.spans || item < 0 || uint32_t(item) >= figures.rows * figures.columns)
		return QRect();
	const chart_box box = chart_heat_cell(&map_, view_->verticalScrollBar()->value(),
					      uint32_t(item) / figures.columns,
					      uint32_t(item) % figures.columns);
	const int x = pixelOf(box.x);

	return QRect(x, pixelOf(box.y), qMax(pixelOf(box.x + box.w) - x, 1), int(box.h));
}

int HeatScene::step(int item, int across, int down, int pages) const
{
	const int n = int(figures.columns), rows = int(figures.rows);
	const int below = (down + pages * 10) * (figures.upward ? -1 : 1);

	if (item < 0)
		return figures.upward ? (rows - 1) * n : 0;
	return qBound(0, item / n + below, rows - 1) * n + qBound(0, item % n + across, n - 1);
}

void HeatScene::show(int item)
{
	const QRect at = cell(item), plot = this->plot();
	QScrollBar *bar = view_->verticalScrollBar();

	if (at.top() < plot.top())
		bar->setValue(bar->value() - (plot.top() - at.top()));
	else if (at.bottom() > plot.bottom())
		bar->setValue(bar->value() + at.bottom() - plot.bottom());
}
