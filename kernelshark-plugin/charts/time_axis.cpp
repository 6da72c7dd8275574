// SPDX-License-Identifier: GPL-2.0
/* time_axis.cpp - the time axis of a chart, which can be in line with the graph */
#include <cmath>

#include "kernelshark-plugin/charts/time_axis.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define LABEL 110 /* width of a tick with its label */

double TimeAxis::at(qint64 time) const
{
	return plot.left() + double(plot.width()) * double(time - begin) / double(end - begin);
}

qint64 TimeAxis::timeOf(double x) const
{
	const double part = (x - plot.left()) / plot.width();

	return begin + qint64(std::llround(double(end - begin) * qBound(0.0, part, 1.0)));
}

static QString tickText(qint64 time, qint64 step, bool ns)
{
	TextBuffer b;

	chart_scale_put_time(b, uint64_t(time), uint64_t(step), ns);
	return ns ? b.text() + QLatin1String(" s") : b.text();
}

void timePaintTicks(QPainter *painter, const ChartStyle &style, const TimeAxis &axis, int width)
{
	const QFontMetrics metrics(style.font);
	const int line = metrics.height(), y = axis.plot.top() + axis.plot.height();
	const qint64 step = qint64(chart_scale_time_step(uint64_t(axis.end - axis.begin), unsigned(axis.plot.width()) / LABEL));
	qint64 t;

	painter->setPen(style.axis);
	painter->drawLine(QPointF(axis.plot.left(), y + 0.5),
			  QPointF(axis.plot.left() + axis.plot.width(), y + 0.5));
	for (t = axis.begin - axis.begin % step; t <= axis.end; t += step) {
		const double x = axis.at(t);

		if (t < axis.begin)
			continue;
		const QString text = tickText(t, step, axis.ns);
		const double half = metrics.horizontalAdvance(text) / 2.0 + 2;
		QRectF where(x - 60, y + 4, 120, line);

		painter->setPen(style.axis);
		painter->drawLine(QPointF(x, y + 1), QPointF(x, y + 4));
		painter->setPen(style.muted);
		/* the last label stays inside */
		if (x + half > width)
			where.moveLeft(width - half - 60);
		painter->drawText(where, Qt::AlignCenter, text);
	}
}

void timePaintMarkers(QPainter *painter, const ChartStyle &style, const TimeAxis &axis, const qint64 markers[2])
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
