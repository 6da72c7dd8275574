// SPDX-License-Identifier: GPL-2.0
/*
 * top_bars.c - a bar for each row: the rate or the total that rows are sorted by
 *
 * The longest bar of all rows, also of rows that do not fit on the screen, fills the room after
 * keys and number.
 */
#include "lib/base/wide.h"
#include "tracecmd/top/top_view.h"

static void top_bars_choose(struct top_page *p)
{
	p->drawn = p->sorted->kind == HIST_COLUMN_VALUE ? p->sorted : top_rate_column(p->h);
}

/* Thousandths per second, or the total.  Numbers below zero have no bar. */
static uint64_t top_bars_line_amount(const struct top_page *p, const struct top_line *line)
{
	const struct hist_value_desc *value = &p->schema->values[p->drawn->index];
	uint64_t total;

	if (p->drawn->kind == HIST_COLUMN_RATE || line->entry == HIST_NO_ENTRY)
		return top_line_rate(p, line, 0);
	total = p->h->total.values[(size_t)line->entry * p->schema->nvalues + p->drawn->index];
	return value->is_signed && total >> 63 ? 0 : total;
}

static void top_bars_measure_columns(struct top_page *p)
{
	uint64_t size;
	uint32_t line;

	for (line = 0; line < p->h->nlines; line++) {
		size = top_bars_line_amount(p, &p->h->lines[line]);
		if (size > p->most)
			p->most = size;
	}
}

static void top_bars_draw_head(struct top_page *p, unsigned int row)
{
	if (!p->drawn)
		top_canvas_put_str(p->c, row, p->numbers_at, CANVAS_DIM, "no value to draw");
}

static void top_bars_draw_line(struct top_page *p, unsigned int row, const struct top_line *line)
{
	uint64_t size = top_bars_line_amount(p, line);

	if (size && p->room)
		top_canvas_put_bar(p->c, row, p->at, hist_mul_div(size, p->room * 8, 0, p->most));
}

const struct top_view_ops top_bars_view = {
	.head_rows = 1,
	.least = 8,
	.keys_sixths = 4,
	.choose = top_bars_choose,
	.measure = top_bars_measure_columns,
	.head = top_bars_draw_head,
	.line = top_bars_draw_line,
};
