// SPDX-License-Identifier: GPL-2.0
/* bars_scene.cpp - a bar chart in a view that scrolls */
#include <cmath>

#include <QScrollBar>

#include "kernelshark-plugin/charts/bars_scene.hpp"

#define LABELS_MEASURED 300
#define MARGIN 8

QScrollBar *BarsScene::scrollBar() const
{
	return bars_.o.upright ? view_->horizontalScrollBar() : view_->verticalScrollBar();
}

static chart_bars_options optionsOf(const QFontMetricsF *metrics, int top)
{
	chart_bars_options o = {};

	o.top = top;
	o.margin = MARGIN;
	o.measured = LABELS_MEASURED;
	o.font = sceneFont(metrics);
	return o;
}

void BarsScene::measure(const ChartStyle &style, int top, bool upright, bool log)
{
	metrics_ = QFontMetricsF(style.font);
	chart_bars_options o = optionsOf(&metrics_, top);

	o.upright = upright;
	o.log = log;
	o.width = view_->viewport()->width();
	o.height = view_->viewport()->height();
	chart_bars_free(&bars_);
	chart_bars_measure(&bars_, &figures, &o);
	const double page = upright ? bars_.plot.w : bars_.plot.h;

	(upright ? view_->verticalScrollBar() : view_->horizontalScrollBar())->setRange(0, 0);
	scrollBar()->setPageStep(int(page));
	scrollBar()->setSingleStep(int(bars_.slot) * (upright ? 4 : 1));
	scrollBar()->setRange(0, qMax(0, int(std::ceil(bars_.all - page))));
	draw();
}

void BarsScene::draw()
{
	if (!bars_.f)
		return;
	scene_.clear();
	chart_bars_draw(&bars_, scrollBar()->value(), scene_);
}

void BarsScene::drop()
{
	chart_bars_free(&bars_);
	bars_ = {};
	scene_.clear();
}

QRect BarsScene::slot(int bar) const
{
	if (!bars_.f || bar < 0 || uint32_t(bar) >= bars_.f->n)
		return QRect();
	return sceneRect(chart_bars_slot(&bars_, scrollBar()->value(), uint32_t(bar)))
		.toAlignedRect();
}

QRectF BarsScene::bar(int bar, int side) const
{
	if (!bars_.f || bar < 0 || uint32_t(bar) >= bars_.f->n)
		return QRectF();
	return sceneRect(
		chart_bars_bar(&bars_, scrollBar()->value(), uint32_t(bar), unsigned(side)));
}

int BarsScene::step(int bar, int by, int pages) const
{
	const int page = qMax(1, int(scrollBar()->pageStep() / bars_.slot) - 1),
		  last = int(figures.n) - 1;

	return bar < 0 && by == -1 ? last : qBound(0, bar + by + pages * page, last);
}

void BarsScene::show(int bar)
{
	const int from = int(bars_.slot * bar), to = int(std::ceil(bars_.slot * (bar + 1)));

	if (from < scrollBar()->value())
		scrollBar()->setValue(from);
	else if (to > scrollBar()->value() + scrollBar()->pageStep())
		scrollBar()->setValue(to - scrollBar()->pageStep());
}

int BarsScene::heightOf(const ChartStyle &style, int top, int bars) const
{
	const QFontMetricsF metrics(style.font);
	const chart_bars_options o = optionsOf(&metrics, top);

	return int(chart_bars_height(&o, uint32_t(bars)));
}
