/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * lanes.h - ranges in lanes on a common axis: a row of a table, or a time line
 */
#ifndef LIB_CHART_LANES_H
#define LIB_CHART_LANES_H

#include <math.h>

#include "lib/chart/scale.h"
#include "lib/chart/scene.h"

/*
 * A row of a table: each range has a lane and at least some width, and a line is the whole.
 * The axis of all rows is in the header of the table.
 */
#define CHART_LANE 6
#define CHART_LANES_SPACE 7   /* above and below all lanes together */
#define CHART_LANES_MARGIN 14 /* left and right of the axis, for half a label */
#define CHART_LANES_RANGE 3   /* the least width of a range */

struct chart_lanes {
	struct chart_span whole;
	unsigned int n;
	const struct chart_span *ranges;
};

/* The scale of all rows, in a column at @left; a log scale needs numbers from 0 on. */
static inline struct chart_scale chart_lanes_scale(bool log, double low, double high, double left,
						   double width)
{
	return chart_scale_make(log && low >= 0 ? CHART_LOG_ONE : CHART_LINEAR, low, high,
				left + CHART_LANES_MARGIN,
				left + fmax(width, 3 * CHART_LANES_MARGIN) - CHART_LANES_MARGIN);
}

static inline struct chart_ticks chart_lanes_ticks(const struct chart_scale *scale)
{
	return chart_scale_ticks(scale, CHART_TICKS_MAX, 4 * CHART_LANES_MARGIN, true);
}

/* The place of range @i of @n in @cell. */
static inline struct chart_box chart_lanes_range(const struct chart_scale *scale,
						 const struct chart_box *cell, unsigned int n,
						 unsigned int i, const struct chart_span *range)
{
	double from = chart_scale_at(scale, range->from), to = chart_scale_at(scale, range->to);

	return (struct chart_box){ from, cell->y + (cell->h - n * CHART_LANE) / 2 + i * CHART_LANE,
				   fmax(CHART_LANES_RANGE, to - from), CHART_LANE - 1 };
}

/* chart_lanes_draw - add the shapes of a row to @scene; items are ranges */
void chart_lanes_draw(const struct chart_scale *scale, const struct chart_box *cell,
		      const struct chart_lanes *row, struct chart_scene *scene);

/* A time line: a lane with a label for each row, and in it a box for each span. */
struct chart_spans_figures {
	void *data; /* of the functions */
	uint32_t rows, n; /* @n: spans */
	/*
	 * A span and its row: the plot is from 0 to 1.  @merged: it stands for several, and is
	 * lighter.
	 */
	struct chart_span (*span)(void *data, uint32_t i, uint32_t *row, bool *merged);
	void (*label)(void *data, uint32_t row, struct hist_strbuf *b);
	void (*title)(void *data, uint32_t span, struct hist_strbuf *b);
	/* Append the tick @third: 0 is at the begin, 1 in the middle, 2 at the end. */
	void (*tick)(void *data, unsigned int third, struct hist_strbuf *b);
};

/*
 * chart_spans_draw - add the shapes to @scene, and set its size
 * @label: the width of the labels, which are cut to it.  Items are spans; those of a row that does
 * not exist are left out.
 */
void chart_spans_draw(const struct chart_spans_figures *f, double width, double label,
		      const struct chart_font *font, struct chart_scene *scene);

#endif
