/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_view.h - draw the model on a canvas
 *
 *   row 0     name of the histogram, its trigger, time
 *   row 1     hits, entries, dropped, rows, order
 *   row 2     what was lost; empty if nothing was
 *   then      the head of the view and its rows
 *   last row  keys, or the filter that the user types (screen only)
 *
 * A row has the keys, then numbers, and bars or a heat map in the rest of the line.
 */
#ifndef TRACECMD_TOP_TOP_VIEW_H
#define TRACECMD_TOP_TOP_VIEW_H

#include "lib/heatmap/heat_scale.h"
#include "tracecmd/top/top_canvas.h"
#include "tracecmd/top/top_model.h"

/* Rows above the rows of the view, and the smallest canvas. */
#define TOP_FRAME_ROWS 3 /* one more if the histogram keeps its largest latencies */
#define TOP_LEAST_ROWS 7
#define TOP_LEAST_COLUMNS 30

/* One drawing of one histogram, whose lines are the rows of the table. */
struct top_page {
	struct table table; /* keys, then numbers; two blanks after each */
	struct table_column columns[HIST_COLUMNS_MAX]; /* a summary has fewer */
	const struct hist_column *shown[HIST_COLUMNS_MAX]; /* of a column of the table */
	struct hist_cells cells;
	struct table_cell cell; /* one at a time */
	const struct top_model *m;
	const struct top_hist *h;
	const struct hist_schema *schema;
	struct top_canvas *c;
	bool print; /* not for a screen: nothing is aligned to the right end */
	uint32_t from, to; /* the widths fit these lines */
	struct hist_strbuf text; /* for one text at a time */
	const struct hist_column *sorted; /* not of a summary */
	unsigned int nkeys;		  /* columns of keys */
	unsigned int sorted_at;		  /* column that lines are sorted by; UINT_MAX: not shown */
	const char *sorted_title;
	bool descending;
	const struct hist_column *drawn; /* as bars or heat map; NULL: none */

	unsigned int numbers_at; /* columns of all keys */
	unsigned int at, room;	 /* of bars or heat map */
	uint64_t most;		 /* largest rate or total */
	struct hist_heat heat;
	unsigned int intervals; /* columns of the heat map */
};

/* How a view draws the rest of the line.  The table has all numbers, and no such drawing. */
struct top_view_ops {
	unsigned int head_rows;
	unsigned int least;	  /* columns of the drawing; 0: the table */
	unsigned int keys_sixths; /* most of a line that keys get, if the drawing has less */
	void (*choose)(struct top_page *p); /* set p->drawn */
	void (*measure)(struct top_page *p);
	void (*head)(struct top_page *p, unsigned int row);
	void (*line)(struct top_page *p, unsigned int row, const struct top_line *line);
};

extern const struct top_view_ops top_bars_view, top_heat_view;

/*
 * top_draw - draw the current histogram, to fill the canvas, with a line of help
 * Sorts and filters it first.  -ENOMEM.
 */
int top_draw(struct top_model *m, struct top_canvas *c);

/* Lines of the current histogram that top_draw() shows at a time. */
unsigned int top_page_rows(const struct top_model *m, const struct top_canvas *c);

/*
 * top_print - print the current histogram with all its rows, as text
 * @columns: width of the lines.  -ENOMEM, or the error of the stream.
 */
int top_print(struct top_model *m, FILE *f, unsigned int columns, bool utf8);

/* For the views: the rate of @line in the interval @back before the newest; 0 if it fell. */
uint64_t top_line_rate(const struct top_page *p, const struct top_line *line, unsigned int back);

#endif
