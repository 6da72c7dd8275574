// SPDX-License-Identifier: GPL-2.0
/*
 * top_table.c - keys, and for each value its rate and its total
 */
#include <string.h>

#include "tracecmd/top/top_view.h"

static void measure(struct top_page *p)
{
	unsigned int i, numbers = 0, columns = p->c->columns;
	char text[256];
	uint32_t line;

	for (i = p->schema->nkeys; i < p->ncolumns; i++) {
		top_column_title(p->h, &p->columns[i], text, sizeof(text));
		p->width[i] = strlen(text);
		for (line = p->from; line < p->to; line++) {
			top_cell_text(p, &p->columns[i], &p->h->lines[line], text, sizeof(text));
			if (strlen(text) > p->width[i])
				p->width[i] = strlen(text);
		}
		numbers += p->width[i] + 2;
	}
	top_measure_keys(p, columns > numbers ? columns - numbers + 2 : 0);
}

static void head(struct top_page *p, unsigned int row)
{
	unsigned int i, at = top_keys_width(p);
	char title[256];

	top_keys_head(p, row);
	for (i = p->schema->nkeys; i < p->ncolumns; i++) {
		top_column_title(p->h, &p->columns[i], title, sizeof(title));
		canvas_text(p->c, row, at, p->width[i],
			    top_is_sorted(p, &p->columns[i]) ? CANVAS_HEAD_SORT : CANVAS_HEAD, true,
			    title, strlen(title));
		at += p->width[i] + 2;
	}
}

static void draw_line(struct top_page *p, unsigned int row, const struct top_line *line)
{
	unsigned int i, at = top_keys_width(p);
	char text[64];

	top_keys_line(p, row, line);
	for (i = p->schema->nkeys; i < p->ncolumns; i++) {
		top_cell_text(p, &p->columns[i], line, text, sizeof(text));
		canvas_text(p->c, row, at, p->width[i], CANVAS_PLAIN, true, text, strlen(text));
		at += p->width[i] + 2;
	}
}

const struct top_view_ops top_table_view = {
	.name = "table",
	.head_rows = 1,
	.measure = measure,
	.head = head,
	.line = draw_line,
};
