/* SPDX-License-Identifier: GPL-2.0 */
/* time_axis.hpp - the time axis of a chart, which can be in line with the graph */
#ifndef KERNELSHARK_PLUGIN_CHARTS_TIME_AXIS_HPP
#define KERNELSHARK_PLUGIN_CHARTS_TIME_AXIS_HPP

#include <QRect>

#include "kernelshark-plugin/charts/chart_style.hpp"

/* The plot shows the time from begin to end, which is later; times are those of the graph. */
struct TimeAxis {
	QRect plot;
	qint64 begin, end;
	bool ns; /* otherwise ticks of another clock */
	bool relative = false; /* ticks count from begin */

	double at(qint64 time) const;
	/* A time outside of the plot is that of its border. */
	qint64 timeOf(double x) const;
};

/* Paint the axis below the plot, with labels inside of 0 to @width. */
void timePaintTicks(QPainter *painter, const ChartStyle &style, const TimeAxis &axis, int width);
/* Paint the markers A and B, in the colours that they have in the graph of KernelShark. */
void timePaintMarkers(QPainter *painter, const ChartStyle &style, const TimeAxis &axis,
		      const qint64 markers[2]);

#endif
