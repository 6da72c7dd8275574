/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * scale.h - map numbers to positions, and select the ticks of an axis
 *
 * All charts have their ticks from here: at 1, 2 or 5 times a power of ten, or at powers of two.
 */
#ifndef LIB_CHART_SCALE_H
#define LIB_CHART_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

enum chart_scale_kind {
	CHART_LINEAR,
	CHART_LOG,     /* only for numbers above 0 */
	CHART_LOG_ONE, /* log of 1 + number, which includes 0 */
};

struct chart_scale {
	enum chart_scale_kind kind;
	double low, high; /* numbers; low < high */
	double from, to;  /* their positions */
	bool binary;	  /* ticks at powers of two, for sizes in bytes */
};

#define CHART_TICKS_MAX 64

struct chart_ticks {
	unsigned int n;
	double at[CHART_TICKS_MAX]; /* numbers, ascending */
};

/*
 * chart_scale_make - map the numbers @low to @high to the positions @from to @to, which may descend
 * A range that is empty, or that the kind cannot show, is widened.
 */
struct chart_scale chart_scale_make(enum chart_scale_kind kind, double low, double high,
				    double from, double to);

/* The position of a number; numbers out of range are at the ends. */
double chart_scale_at(const struct chart_scale *s, double number);

/*
 * chart_scale_ticks - at most @most ticks that are at least @apart from each other
 * A linear scale has steps of 1, 2 or 5 times a power of ten.  A log scale has powers of ten, all
 * or every second and so on, and if these are few, also 2 and 5 times them.  Only the ends of a
 * range may add one more tick.  A binary scale has powers of two instead.  @whole: integers only.
 */
struct chart_ticks chart_scale_ticks(const struct chart_scale *s, unsigned int most, double apart,
				     bool whole);

#endif
