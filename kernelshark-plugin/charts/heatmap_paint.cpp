// SPDX-License-Identifier: GPL-2.0
/* heatmap_paint.cpp - painting of the heat map, and over it what depends on the mouse */
#include <cmath>

#include <QPainter>

#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void HeatmapView::paintChart(QPainter *painter)
{
	const ChartStyle &s = look();
	QString title = valueTitle();
	QString more;

	if (map()->has_axis)
		title += QLatin1String(" by ") + keyTitle(figures()->axis);
	title += tr(" over time");
	if (figures()->query.group)
		more = tr("of %1").arg(QString::fromUtf8(figures()->query.group));
	else if (map()->per_column > 1)
		more = tr("%1 intervals per column").arg(map()->per_column);
	if (map()->before)
		more += (more.isEmpty() ? QString() : QStringLiteral("; ")) +
			tr("a total of %1 is not in the heat map, because it was counted before "
			   "the "
			   "first snapshot, at unknown times")
				.arg(countText(map()->before));
	paintStrip(painter, title, more, scene_.legendWidth());
	scenePaint(painter, s, scene_.shapes(), banding_ ? -1 : pointed(), -1);
	timePaintTicks(painter, s, timeAxis(), viewport()->width());
	if (has_markers_ && map()->ns)
		timePaintMarkers(painter, s, timeAxis(), marker_);
	paintCross(painter);
	paintBand(painter);
}

/* The time under the mouse. */
void HeatmapView::paintCross(QPainter *painter)
{
	const ChartStyle &s = look();
	const QRect plot = this->plot();
	const int bottom = plot.top() + plot.height();

	if (hover_ < 0 || banding_)
		return;
	const double x = mouse_.x() + 0.5, y = itemRect(hover_).center().y() + 0.5;
	const QFontMetrics metrics(s.font);
	const uint64_t time = uint64_t(timeOf(mouse_.x()));
	const QString text = map()->ns ? timeText(time, true) : countText(time);
	const int width = metrics.horizontalAdvance(text) + 10;
	QRectF where(x - width / 2.0, bottom + 3, width, metrics.height() + 1);

	painter->setPen(QPen(s.text, 1, Qt::DotLine));
	painter->drawLine(QPointF(x, plot.top()), QPointF(x, bottom));
	painter->drawLine(QPointF(plot.left(), y), QPointF(plot.left() + plot.width(), y));
	where.moveLeft(qBound(0.0, where.left(), viewport()->width() - where.width()));
	painter->fillRect(where, s.text);
	painter->setPen(s.ground);
	painter->drawText(where, Qt::AlignCenter, text);
}

void HeatmapView::paintBand(QPainter *painter)
{
	const ChartStyle &s = look();
	const QRect plot = this->plot();
	const qint64 begin = qMin(band_from_, band_to_), end = qMax(band_from_, band_to_);
	const int last = plot.left() + plot.width();
	const int from = int(qBound(double(plot.left()), std::round(xOf(begin)), double(last)));
	const int to = int(qBound(double(plot.left()), std::round(xOf(end)), double(last)));
	const QFontMetrics metrics(s.font);
	QColor veil = s.ground;

	if (!banding_)
		return;
	veil.setAlphaF(0.6);
	painter->fillRect(QRect(plot.left(), plot.top(), from - plot.left(), plot.height()), veil);
	painter->fillRect(QRect(to, plot.top(), last - to, plot.height()), veil);
	painter->setPen(s.select);
	for (int x : { from, to })
		painter->drawLine(QPointF(x + 0.5, plot.top()),
				  QPointF(x + 0.5, plot.bottom() + 1));
	const QString text = tr("zoom to %1").arg(durationText(uint64_t(end - begin), true));
	QRectF where(0, 0, metrics.horizontalAdvance(text) + 14, metrics.height() + 6);

	where.moveCenter(QPointF((from + to) / 2.0, plot.center().y()));
	where.moveLeft(qBound(0.0, where.left(), viewport()->width() - where.width()));
	painter->fillRect(where, s.select);
	painter->setPen(ChartStyle::on(s.select));
	painter->drawText(where, Qt::AlignCenter, text);
}
