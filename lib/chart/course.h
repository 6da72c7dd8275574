/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * course.h - numbers over time: ranges as bands, or single numbers as dots
 *
 * The caller says where the plot is, and first draws its ground and the axis below it.
 * These functions add the axis of the numbers, and return its scale, which shows all of them.
 * Items are dots.
 */
#ifndef LIB_CHART_COURSE_H
#define LIB_CHART_COURSE_H

#include "lib/chart/palette.h"
#include "lib/chart/scale.h"
#include "lib/chart/scene.h"

struct chart_bands_figures {
	void *data; /* of the functions */
	uint32_t columns;
	unsigned int n; /* bands */
	/* Where a column is: the plot is from 0 to 1. */
	struct chart_span (*column)(void *data, uint32_t column);
	/* The range of a band in a column; false: the column has no numbers. */
	bool (*range)(void *data, uint32_t column, unsigned int i, struct chart_span *range);
	/* Write a tick of the numbers. */
	void (*tick)(void *data, double number, struct hist_strbuf *b);
	bool binary; /* see struct chart_scale */
};

/*
 * chart_bands_draw - a band from the lower to the upper ends of the ranges, and a line at the upper
 * The scale is logarithmic if the numbers are far from each other.
 */
struct chart_scale chart_bands_draw(const struct chart_bands_figures *f,
				    const struct chart_box *plot, const struct chart_font *font,
				    struct chart_scene *scene);

/* The level of a band, of CHART_CLASS_BAND and CHART_CLASS_EDGE. */
static inline uint8_t chart_bands_level(unsigned int i)
{
	return 1 + i % CHART_QUANTILES;
}

struct chart_dots_figures {
	void *data; /* of the functions */
	uint32_t n;
	/* The number of a dot, and where it is: the plot is from 0 to 1.  Others are not seen. */
	double (*number)(void *data, uint32_t item, double *at);
	void (*tick)(void *data, double number, struct hist_strbuf *b);
	bool log;
};

/* chart_dots_draw - a dot for each number; many dots are small */
struct chart_scale chart_dots_draw(const struct chart_dots_figures *f,
				   const struct chart_box *plot, const struct chart_font *font,
				   struct chart_scene *scene);

#endif
