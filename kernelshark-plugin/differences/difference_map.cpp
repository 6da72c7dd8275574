// SPDX-License-Identifier: GPL-2.0
/* difference_map.cpp - heat map of the rates after minus the rates before */
#include <cerrno>
#include <cmath>

#include <QPainter>

#include "kernelshark-plugin/charts/time_axis.hpp"
#include "kernelshark-plugin/differences/difference_map.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define LEVELS ChartStyle::DIFFERENCE_LEVELS

DifferenceMap::DifferenceMap(QWidget *parent) : CompareChart(parent), scene_(this)
{
	chart_heat_figures *f = &scene_.figures;
	chart_legend *l = &scene_.legend;

	setObjectName(QStringLiteral("hist_difference_map"));
	setAccessibleName(tr("Difference over time"));
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	f->data = l->data = this;
	f->look = l->look = CHART_CLASS_DIFFERENCE;
	f->columns = COLUMNS;
	f->upward = true;
	f->zero_is_unknown = true;
	f->column = [](void *, uint32_t i) {
		return chart_span{ double(i) / COLUMNS, double(i + 1) / COLUMNS };
	};
	f->label = [](void *map, uint32_t row, hist_strbuf *b) {
		hist_strbuf_str(
			b, static_cast<DifferenceMap *>(map)->rowLabel(row).toUtf8().constData());
	};
	l->first = 1;
	l->last = 2 * LEVELS + 1;
	scene_.always_brief = true;
	l->text = [](void *map, uint8_t level, hist_strbuf *b) {
		hist_strbuf_char(b, level > LEVELS ? '+' : '-');
		hist_number_put_short(b, static_cast<DifferenceMap *>(map)->map()->most);
		hist_strbuf_str(b, "/s");
	};
}

void DifferenceMap::dropMade()
{
	map_.reset();
	why_.clear();
	scene_.drop();
	CompareChart::dropMade();
}

QString DifferenceMap::whyEmpty() const
{
	const QString why = CompareChart::whyEmpty();
	compared_map *made = nullptr;
	hist_error error = {};

	if (!why.isEmpty() || map_ || !why_.isEmpty())
		return why.isEmpty() ? why_ : why;
	if (compare_make_map(&made, comparison(), COLUMNS, &error))
		why_ = tr("Cannot show how the difference changes over time: %1.")
			       .arg(QString::fromUtf8(hist_error_what(&error, -ENOMEM)));
	map_.reset(made);
	return why_;
}

bool DifferenceMap::isKnown(uint32_t row, unsigned int column) const
{
	return !std::isnan(compare_map_difference(map(), row, column));
}

int DifferenceMap::level(uint32_t row, unsigned int column) const
{
	return isKnown(row, column) ? compare_level(compare_map_difference(map(), row, column),
						    map()->most, LEVELS)
				    : 0;
}

void DifferenceMap::measure()
{
	levels_.resize(int(map()->nrows) * COLUMNS);
	for (int i = 0; i < levels_.size(); i++)
		levels_[i] = isKnown(rowOf(i), columnOf(i)) ?
				     uint8_t(level(rowOf(i), columnOf(i)) + LEVELS + 1) : 0;
	scene_.figures.rows = map()->nrows;
	scene_.figures.levels = levels_.constData();
	scene_.measure(look(), stripHeight(), 0, 0);
}

void DifferenceMap::scrollContentsBy(int dx, int dy)
{
	scene_.draw();
	CompareChart::scrollContentsBy(dx, dy);
}

QString DifferenceMap::itemLine(int item) const
{
	const size_t at = size_t(item);
	const QString when = durationText(uint64_t(columnOf(item)) * map()->step, true);

	if (!isKnown(rowOf(item), columnOf(item)))
		return tr("%1 after the start: one of the two recordings has no data").arg(when);
	return tr("%1:  %2   %3 after the start")
		.arg(rowLabel(rowOf(item)),
		     changeText(map()->rate[BEFORE][at], map()->rate[AFTER][at]), when);
}

QString DifferenceMap::itemText(int item) const
{
	return itemLine(item);
}

void DifferenceMap::paintChart(QPainter *painter)
{
	const qint64 all = qint64(map()->step) * COLUMNS;

	paintStrip(painter, tr("after minus before, by %1").arg(keyTitle(figures()->axis)),
		   QString(), scene_.legendWidth());
	scenePaint(painter, look(), scene_.shapes(), pointed(), -1);
	timePaintTicks(painter, look(), { scene_.plot(), 0, all, true, true }, viewport()->width());
}
