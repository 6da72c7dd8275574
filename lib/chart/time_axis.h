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
	const char *start; /* the text of @from; other ticks have a sign and a unit; NULL: none */
};

/* The position of a time; a time outside of the plot has one, too. */
static inline double chart_time_axis_at(const struct chart_time_axis *t, uint64_t time)
{
	/* exact for times near each other, also far beyond 2^53 */
	double after = time >= t->from ? (double)(time - t->from) : -(double)(t->from - time);

	return t->x + (t->to > t->from ? t->w * (after / (double)(t->to - t->from)) : 0);
}

/*
 * chart_time_axis_draw - add ticks below the axis at @y, with their times
 * Their lines begin at @top: that of the plot, or @y.
 * The last time stays inside of 0 to @width.
 */
void chart_time_axis_draw(const struct chart_time_axis *t, const struct chart_font *font,
			  double top, double y, double width, struct chart_scene *scene);

/*
 * chart_time_axis_step - the smallest step of 1, 2 or 5 times a power of ten ns
 * @range is at most @most steps long.
 */
uint64_t chart_time_axis_step(uint64_t range, unsigned int most);

/*
 * chart_time_axis_put - write a tick of a time axis
 * In seconds, with the decimals that @step needs: "12.50"; or "12,345" if the clock does not
 * count ns.
 */
void chart_time_axis_put(struct hist_strbuf *b, uint64_t time, uint64_t step, bool ns);

#endif
