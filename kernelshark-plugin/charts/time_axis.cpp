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

/* A step of 1, 2 or 5 times a power of ten ns that leaves space for labels. */
static qint64 timeStep(qint64 range, int most)
{
	static const int parts[] = { 1, 2, 5 };
	qint64 ten;
	int i;

	for (ten = 1; ten <= INT64_MAX / 100; ten *= 10)
		for (i = 0; i < 3; i++)
			if (range / (ten * parts[i]) <= most)
				return ten * parts[i];
	return INT64_MAX / 2;
}

/* @digits: after the point */
static QString tickText(qint64 time, int digits, bool ns)
{
	QString text = ns ? QString::number(time / 1000000000) : countText(uint64_t(time));

	if (ns && digits)
		text += QStringLiteral(".%1").arg(time % 1000000000, 9, 10, QLatin1Char('0')).left(digits + 1);
	return ns ? text + QLatin1String(" s") : text;
}

void timePaintTicks(QPainter *painter, const ChartStyle &style, const TimeAxis &axis, int width)
{
	const QFontMetrics metrics(style.font);
	const int line = metrics.height(), y = axis.plot.top() + axis.plot.height();
	const qint64 step = timeStep(axis.end - axis.begin, qMax(1, axis.plot.width() / LABEL));
	qint64 t, unit;
	int digits = 9;

	for (unit = step; digits > 0 && unit % 10 == 0; unit /= 10)
		digits--;
	painter->setPen(style.axis);
	painter->drawLine(QPointF(axis.plot.left(), y + 0.5),
			  QPointF(axis.plot.left() + axis.plot.width(), y + 0.5));
	for (t = axis.begin - axis.begin % step; t <= axis.end; t += step) {
		const double x = axis.at(t);

		if (t < axis.begin)
			continue;
		const QString text = tickText(t, digits, axis.ns);
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
