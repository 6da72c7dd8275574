/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * legend.h - the legend of a chart: a sample of each level with its text, in lines
 *
 * A brief legend has all samples without space between them, and only the texts of both ends.
 */
#ifndef LIB_CHART_LEGEND_H
#define LIB_CHART_LEGEND_H

#include "lib/chart/scene.h"

#define CHART_LEGEND_STEP 8 /* from line to line, besides the height of a line */

struct chart_legend {
	void *data;	   /* of the function */
	const char *title; /* before the samples; NULL: none */
	enum chart_class look;
	uint8_t first, last; /* levels */
	/* Append the text of a level; nothing: a legend that is not brief leaves the level out. */
	void (*text)(void *data, uint8_t level, struct hist_strbuf *b);
	bool brief;
	bool lines; /* samples are lines, otherwise they are boxes */
	struct chart_font font;
};

/* Set *@width to that of the legend in one line.  0, or -ENOMEM, and *@width is 0. */
int chart_legend_width(const struct chart_legend *l, double *width);

/*
 * chart_legend_draw - add the legend from @x on, in lines of @width
 * @y: the middle of the first line.  Returns the middle of the line after the last one.  An error
 * is that of the scene.
 */
double chart_legend_draw(const struct chart_legend *l, double x, double y, double width,
			 struct chart_scene *scene);

#endif
