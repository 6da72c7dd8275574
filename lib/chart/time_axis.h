/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * time_axis.h - the time axis below a plot
 */
#ifndef LIB_CHART_TIME_AXIS_H
#define LIB_CHART_TIME_AXIS_H

#include "lib/chart/scene.h"

/* The plot shows the time from @from to @to, which is later, at @x to @x + @w. */
struct chart_time_axis {
	double x, w;
	uint64_t from, to;
	bool ns;       /* otherwise ticks of another clock */
	bool relative; /* ticks count from @from; otherwise they are times */
};

/* The position of a time; a time outside of the plot has one, too. */
double chart_time_axis_at(const struct chart_time_axis *t, uint64_t time);

/*
 * chart_time_axis_draw - add ticks below the axis at @y, with their times
 * Their lines begin at @top: that of the plot, or @y.
 * The last time stays inside of 0 to @width.
 */
void chart_time_axis_draw(const struct chart_time_axis *t, const struct chart_font *font,
			  double top, double y, double width, struct chart_scene *scene);

#endif
