// SPDX-License-Identifier: GPL-2.0
/*
 * top_bars.c - a bar for each row: the rate or the total that rows are sorted by
 *
 * The longest bar of all rows, also of those that do not fit on the screen,
 * fills what labels and numbers leave of the line.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/wide.h"
#include "tracecmd/top/top_view.h"

#define BAR_LEAST 8

/* What is drawn: thousandths a second, or the total. Below zero: no bar. */
static uint64_t amount(const struct top_page *p, const struct top_line *line)
{
	const struct hist_value_desc *value = &p->schema->values[p->drawn.index];
	uint64_t total;
	int64_t rate;

	if (line->entry == HIST_NO_ENTRY || !p->schema->nvalues)
		return 0;
	if (p->drawn.kind == TOP_RATE) {
		rate = p->value < 0 ? 0 : top_rate(p->schema, p->drawn.index, top_interval(p->h, 0),
						   line->entry);
		return rate < 0 ? 0 : rate;
	}
	total = p->h->total.values[(size_t)line->entry * p->schema->nvalues + p->drawn.index];
	return value->is_signed && total >> 63 ? 0 : total;
}

static bool has_values(const struct top_page *p)
{
	return p->value >= 0 || p->drawn.kind == TOP_TOTAL;
}

static void measure(struct top_page *p)
{
	unsigned int columns = p->c->columns, used;
	uint64_t most = 0, size;
	char text[256];
	uint32_t line;

	if (has_values(p)) {
		top_column_title(p->h, &p->drawn, text, sizeof(text));
		p->number = strlen(text);
	}
	for (line = 0; line < p->h->nlines && has_values(p); line++) {
		size = amount(p, &p->h->lines[line]);
		if (size > most)
			most = size;
		if (line < p->from || line >= p->to)
			continue;
		top_cell_text(p, &p->drawn, &p->h->lines[line], text, sizeof(text));
		if (strlen(text) > p->number)
			p->number = strlen(text);
	}
	p->most = most > INT64_MAX ? INT64_MAX : most;
	used = p->number + 2 + BAR_LEAST;
	/* labels get what they need, up to two thirds of the line */
	top_measure_keys(p, columns > used && columns - used < columns * 2 / 3 ?
				    columns - used : columns * 2 / 3);
	used = top_keys_width(p) + p->number + 2;
	p->bar = columns > used ? columns - used : 0;
}

static void head(struct top_page *p, unsigned int row)
{
	char title[256];

	top_keys_head(p, row);
	if (!has_values(p)) {
		canvas_str(p->c, row, top_keys_width(p), CANVAS_DIM, "no value to draw");
		return;
	}
	top_column_title(p->h, &p->drawn, title, sizeof(title));
	canvas_text(p->c, row, top_keys_width(p), p->number,
		    top_is_sorted(p, &p->drawn) ? CANVAS_HEAD_SORT : CANVAS_HEAD, true, title,
		    strlen(title));
}

static void draw_line(struct top_page *p, unsigned int row, const struct top_line *line)
{
	unsigned int at = top_keys_width(p);
	uint64_t size = amount(p, line);
	char text[64];

	top_keys_line(p, row, line);
	if (line->more) {
		snprintf(text, sizeof(text), "(%" PRIu64 " empty)", line->more);
		canvas_str(p->c, row, at, CANVAS_DIM, text);
		return;
	}
	if (!has_values(p))
		return;
	top_cell_text(p, &p->drawn, line, text, sizeof(text));
	canvas_text(p->c, row, at, p->number,
		    line->entry == HIST_NO_ENTRY ? CANVAS_DIM : CANVAS_PLAIN, true, text,
		    strlen(text));
	if (size > (uint64_t)p->most)
		size = p->most;
	if (size && p->bar)
		canvas_bar(p->c, row, at + p->number + 2,
			   hist_mul_div(size, p->bar * 8, 0, p->most));
}

const struct top_view_ops top_bars_view = {
	.name = "bars",
	.head_rows = 1,
	.measure = measure,
	.head = head,
	.line = draw_line,
};
