// SPDX-License-Identifier: GPL-2.0
/* difference_map.cpp - heat map of the rates after minus the rates before */
#include <cerrno>
#include <cmath>

#include <QPainter>

#include "kernelshark-plugin/differences/difference_map.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define LEVELS ChartStyle::DIFFERENCE_LEVELS
#define BOX 13

DifferenceMap::DifferenceMap(QWidget *parent) : CompareChart(parent)
{
	setObjectName(QStringLiteral("hist_difference_map"));
	setAccessibleName(tr("Difference over time"));
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void DifferenceMap::dropMade()
{
	map_.reset();
	why_.clear();
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
	const QFontMetrics metrics(look().font);
	const int line = metrics.height();
	const int top = stripHeight() + 4, bottom = viewport()->height() - line - 8;

	label_ = 40;
	for (uint32_t i = 0; i < comparison()->n; i++)
		label_ = qMax(label_, metrics.horizontalAdvance(rowLabel(i)));
	label_ = qMin(label_, viewport()->width() * 3 / 10);
	plot_ = QRectF(label_ + 18, top, qMax(viewport()->width() - label_ - 30, 20),
		       qMax(bottom - top, 16));
	row_ = plot_.height() / qMax(1u, map()->nrows);
	column_ = plot_.width() / COLUMNS;
}

/* The largest number is at the top. */
QRect DifferenceMap::itemRect(int item) const
{
	if (!hasChart() || item < 0 || rowOf(item) >= map()->nrows)
		return QRect();
	const double x = plot_.left() + column_ * columnOf(item);
	const double y = plot_.top() + row_ * (map()->nrows - 1 - rowOf(item));
	const int x1 = int(std::lround(x)), y1 = int(std::lround(y));

	return QRect(x1, y1, qMax(1, int(std::lround(x + column_)) - x1),
		     qMax(1, int(std::lround(y + row_)) - y1));
}

int DifferenceMap::itemAt(const QPoint &at) const
{
	if (!plot_.contains(at))
		return -1;
	const int place = int((at.y() - plot_.top()) / row_),
		  column = int((at.x() - plot_.left()) / column_);

	if (place >= int(map()->nrows) || column >= COLUMNS)
		return -1;
	return (int(map()->nrows) - 1 - place) * COLUMNS + column;
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

/* The width of the legend, which is drawn at the right of the strip. */
int DifferenceMap::paintLegend(QPainter *painter)
{
	const ChartStyle &s = look();
	const QFontMetrics metrics(s.font);
	const QString ends[] = { tr("-%1/s").arg(shortText(map()->most)),
				 tr("+%1/s").arg(shortText(map()->most)) };
	const int width = metrics.horizontalAdvance(ends[0]) + metrics.horizontalAdvance(ends[1]) +
			  (2 * LEVELS + 1) * BOX + 12;
	int x = viewport()->width() - 12 - width;

	painter->setFont(s.font);
	painter->setPen(s.muted);
	painter->drawText(QRect(x, 0, width, stripHeight()), Qt::AlignLeft | Qt::AlignVCenter,
			  ends[0]);
	painter->drawText(QRect(x, 0, width, stripHeight()), Qt::AlignRight | Qt::AlignVCenter,
			  ends[1]);
	x += metrics.horizontalAdvance(ends[0]) + 6;
	for (int level = -LEVELS; level <= LEVELS; level++, x += BOX)
		painter->fillRect(QRect(x, (stripHeight() - BOX) / 2, BOX, BOX),
				  s.difference(level));
	return width + 16;
}

void DifferenceMap::paintAxes(QPainter *painter)
{
	const ChartStyle &s = look();
	const int line = QFontMetrics(s.font).height();
	QStringList labels;
	int last = -1000;

	for (uint32_t row = 0; row < map()->nrows; row++)
		labels << rowLabel(row);
	labels = cutLabels(labels, s.font, label_ + 4);
	for (uint32_t row = map()->nrows; row-- > 0;) {
		const QRect cell = itemRect(int(row) * COLUMNS);

		if (cell.center().y() - last < line - 1)
			continue;
		last = cell.center().y();
		painter->setPen(s.text);
		drawElided(painter, QRectF(6, last - line / 2.0, label_ + 4, line),
			   Qt::AlignRight | Qt::AlignVCenter, labels[int(row)]);
	}
	painter->setPen(s.muted);
	for (int i = 0; i <= 4; i++) {
		const double x = plot_.left() + plot_.width() * i / 4;
		const QString text = durationText(map()->step * COLUMNS / 4 * uint64_t(i), true);
		QRectF where(x - 60, plot_.bottom() + 4, 120, line);

		where.moveRight(qMin(where.right(),
				     viewport()->width() + 60.0 -
					     QFontMetrics(s.font).horizontalAdvance(text) / 2.0 -
					     4));
		painter->drawLine(QPointF(x, plot_.bottom()), QPointF(x, plot_.bottom() + 3));
		painter->drawText(where, Qt::AlignCenter,
				  i ? QLatin1Char('+') + text : tr("start"));
	}
}

void DifferenceMap::paintChart(QPainter *painter)
{
	const ChartStyle &s = look();
	const int item = pointed();

	paintStrip(painter, tr("after minus before, by %1").arg(keyTitle(figures()->axis)),
		   QString(), paintLegend(painter));
	painter->setFont(s.font);
	painter->fillRect(plot_, QBrush(s.unknown, Qt::BDiagPattern));
	for (uint32_t row = 0; row < map()->nrows; row++)
		for (unsigned int column = 0; column < COLUMNS; column++)
			if (isKnown(row, column))
				painter->fillRect(itemRect(int(row * COLUMNS + column)),
						  s.difference(level(row, column)));
	paintAxes(painter);
	if (item < 0)
		return;
	painter->setBrush(Qt::NoBrush);
	painter->setPen(QPen(s.ground, 3));
	painter->drawRect(itemRect(item));
	painter->setPen(QPen(s.text, 1));
	painter->drawRect(itemRect(item));
}

int DifferenceMap::step(int item, int across, int down, int pages) const
{
	const int rows = int(map()->nrows);

	if (item < 0)
		return (rows - 1) * COLUMNS;
	return qBound(0, int(rowOf(item)) - down - pages * 10, rows - 1) * COLUMNS +
	       qBound(0, int(columnOf(item)) + across, COLUMNS - 1);
}
