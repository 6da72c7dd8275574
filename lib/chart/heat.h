/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heat.h - the scene of a map: rows of coloured boxes over time
 *
 * Labels of the rows are at the left.  The caller draws the axis below the plot (time_axis.h) and
 * the legend (legend.h).
 *
 * Order of calls: measure, then draw for each position of the scroll bar, free.  Each scene that
 * was drawn needs the map, until the scene is cleared.
 */
#ifndef LIB_CHART_HEAT_H
#define LIB_CHART_HEAT_H

#include "lib/chart/scene.h"

/* What a map shows.  It must stay valid until chart_heat_free(). */
struct chart_heat_figures {
	void *data; /* of the functions */
	uint32_t rows, columns;
	bool upward;	       /* row 0 is the lowest, as on an axis; otherwise it is the highest */
	enum chart_class look; /* of the boxes */
	const uint8_t *levels; /* of the boxes, row by row */
	/* Level 0 is as unknown as a time without a column; otherwise it is the ground. */
	bool zero_is_unknown;
	/* Where a column is: the plot is from 0 to 1.  Columns ascend. */
	struct chart_span (*column)(void *data, uint32_t column);
	/* Append the label of a row, without newlines. */
	void (*label)(void *data, uint32_t row, struct hist_strbuf *b);
	/* The optional functions: NULL is allowed. */
	/* Append a shorter label for a row whose label does not fit, or nothing. */
	void (*brief)(void *data, uint32_t row, struct hist_strbuf *b);
	bool (*is_gap)(void *data, uint32_t row); /* the row replaces others */
	bool (*is_marked)(void *data, uint32_t column);
	void (*title)(void *data, uint32_t row, uint32_t column, struct hist_strbuf *b);
	const char *key_title; /* above the labels; NULL: none */
};

struct chart_heat_options {
	double width, height; /* @height: 0 is that of all rows */
	double top, margin;   /* what the map leaves free above, and at the left */
	double left, right;   /* forced ends of the plot; left >= right: none */
	double row_most;      /* the height of a row, at most */
	double size_least;    /* of labels before they are cut, in parts of the font; 0: 1 */
	bool aligned;	      /* labels take all that they may, as in other maps of this width */
	struct chart_font font;
};

struct chart_heat {
	const struct chart_heat_figures *f;
	struct chart_heat_options o;
	struct chart_box plot;
	double all;	      /* of all rows, to scroll in */
	double size;	      /* of the labels, in parts of the font */
	bool has_unknown;     /* not all of the plot is known */
	struct chart_cells cells;
	struct chart_span *spans; /* of cells */
	struct hist_cut labels;
};

/* chart_heat_measure - compute the layout.  Returns 0 or -ENOMEM; call free in any case. */
int chart_heat_measure(struct chart_heat *v, const struct chart_heat_figures *f,
		       const struct chart_heat_options *o);
void chart_heat_free(struct chart_heat *v); /* not the struct */

/*
 * chart_heat_draw - add the shapes to @scene, and set its size
 * @scroll: so many pixels of the rows are above the plot.  Items are row * columns + column.
 */
void chart_heat_draw(const struct chart_heat *v, double scroll, struct chart_scene *scene);

/* The box of a cell, also if it is not visible. */
struct chart_box chart_heat_cell(const struct chart_heat *v, double scroll, uint32_t row,
				 uint32_t column);

#endif
