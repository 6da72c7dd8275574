/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_view.h - the model drawn on a canvas
 *
 *   row 0     name of the histogram, its trigger, time
 *   row 1     hits, entries, dropped, rows, order
 *   row 2     what was lost; empty when all is well
 *   then      the head of the view and its rows
 *   last row  keys, or the filter that is being typed (screen only)
 */
#ifndef TRACECMD_TOP_TOP_VIEW_H
#define TRACECMD_TOP_TOP_VIEW_H

#include "lib/heatmap/heat_scale.h"
#include "tracecmd/top/top_canvas.h"
#include "tracecmd/top/top_model.h"

/* Rows above the view's own, and the least that is drawn on. */
#define TOP_FRAME_ROWS 3
#define TOP_LEAST_ROWS 7
#define TOP_LEAST_COLUMNS 30

/* One drawing of one histogram; the widths are made by measure(). */
struct top_page {
	const struct top_model *m;
	const struct top_hist *h;
	const struct hist_schema *schema;
	struct canvas *c;
	bool print; /* not for a screen: nothing stands at the right end */
	uint32_t from, to; /* lines that the widths are made for */
	unsigned int flags; /* of hist_label() */
	struct hist_strbuf text;

	unsigned int key[HIST_KEYS_MAX]; /* widths */
	struct top_column columns[TOP_COLUMNS_MAX], sorted;
	unsigned int ncolumns;
	unsigned int width[TOP_COLUMNS_MAX]; /* table */
	int value; /* bars and heat map: the one that is drawn, or -1 */
	struct top_column drawn;
	unsigned int number, bar;
	int64_t most;
	struct hist_heat heat;
	unsigned int intervals; /* columns of the heat map */
};

struct top_view_ops {
	const char *name;
	unsigned int head_rows;
	void (*measure)(struct top_page *p);
	void (*head)(struct top_page *p, unsigned int row);
	void (*line)(struct top_page *p, unsigned int row, const struct top_line *line);
};

extern const struct top_view_ops top_table_view, top_bars_view, top_heat_view;
const struct top_view_ops *top_view_ops(enum top_view view);

/*
 * top_draw - the current histogram, to fill the canvas, with a line of help
 * Sorts and filters it first.  -ENOMEM.
 */
int top_draw(struct top_model *m, struct canvas *c);

/* Lines of the current histogram that top_draw() shows at a time. */
unsigned int top_page_rows(const struct top_model *m, const struct canvas *c);

/*
 * top_print - the current histogram with all its rows, as text
 * @columns: width of the lines.  -ENOMEM, or what the stream gave.
 */
int top_print(struct top_model *m, FILE *f, unsigned int columns, bool utf8);

/* For the views. */

/* Makes p->key, so that all fits into @limit columns with two between. */
void top_measure_keys(struct top_page *p, unsigned int limit);
/* Columns of the keys, with two behind each. */
unsigned int top_keys_width(const struct top_page *p);
void top_keys_head(struct top_page *p, unsigned int row);
void top_keys_line(struct top_page *p, unsigned int row, const struct top_line *line);
bool top_is_sorted(const struct top_page *p, const struct top_column *column);
/* What stands in @column of @line, without blanks around it. */
void top_cell_text(struct top_page *p, const struct top_column *column,
		   const struct top_line *line, char *buf, size_t len);

#endif
