// SPDX-License-Identifier: GPL-2.0
/* time_axis.cpp - the time axis of a chart, which can be in line with the graph */
#include <cmath>

#include "kernelshark-plugin/charts/scene_paint.hpp"
#include "kernelshark-plugin/charts/time_axis.hpp"

extern "C" {
#include "lib/chart/time_axis.h"
}

double TimeAxis::at(qint64 time) const
{
	return plot.left() + double(plot.width()) * double(time - begin) / double(end - begin);
}

qint64 TimeAxis::timeOf(double x) const
{
	const double part = (x - plot.left()) / plot.width();

	return begin + qint64(std::llround(double(end - begin) * qBound(0.0, part, 1.0)));
}

void timePaintTicks(QPainter *painter, const ChartStyle &style, const TimeAxis &axis, int width)
{
	const QFontMetricsF metrics(style.font);
	const chart_font font = sceneFont(&metrics);
	const double y = axis.plot.top() + axis.plot.height(),
		     right = axis.plot.left() + axis.plot.width();
	/* there are no times before 0 */
	const qint64 begin = qMax(axis.begin, qint64(0));
	const chart_time_axis t = { axis.at(begin), right - axis.at(begin), uint64_t(begin),
				    uint64_t(qMax(axis.end, begin)), axis.ns, axis.relative,
				    axis.relative ? "start" : nullptr };
	Scene scene;

	chart_scene_line(scene, CHART_CLASS_AXIS, axis.plot.left(), y, right, y);
	chart_time_axis_draw(&t, &font, y, y, width, scene);
	scenePaint(painter, style, scene, -1, -1);
}

void timePaintMarkers(QPainter *painter, const ChartStyle &style, const TimeAxis &axis,
		      const qint64 markers[2])
{
	static const char *const names[] = { "A", "B" };
	/* those of KernelShark */
	const QColor colours[] = { Qt::darkGreen, Qt::darkCyan };
	const int line = QFontMetrics(style.title).height();
	int i;

	for (i = 0; i < 2; i++) {
		const double x = std::round(axis.at(markers[i])) + 0.5;
		/* on both sides, so that both names are visible at the same time */
		const QRectF name(i ? x : x - line, axis.plot.top(), line, line);

		if (markers[i] < axis.begin || markers[i] > axis.end)
			continue;
		painter->setPen(QPen(style.ground, 3));
		painter->drawLine(QPointF(x, axis.plot.top()), QPointF(x, axis.plot.bottom() + 1));
		painter->setPen(QPen(colours[i], 1));
		painter->drawLine(QPointF(x, axis.plot.top()), QPointF(x, axis.plot.bottom() + 1));
		painter->fillRect(name, colours[i]);
		painter->setFont(style.title);
		painter->setPen(Qt::white);
		painter->drawText(name, Qt::AlignCenter, QLatin1String(names[i]));
		painter->setFont(style.font);
	}
}
