// SPDX-License-Identifier: LGPL-2.1
/*
 * table.c - the widths of columns, and which of them fit into a line
 *
 * A first pass measures all cells.  If the lines are too long, columns with @fold are left out
 * until the others fit with their least widths, then the widest columns are cut, at last to
 * CUT_LEAST.  All texts of a column that is cut are cut together (cut.h).
 * Invariant: a column is left out only if the line does not fit with it, and fits without it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/label/number.h"
#include "lib/table/table.h"

#define CUT_LEAST 4 /* columns of a text, if nothing else helps */

void table_replace_text(const struct table *t, uint32_t row, unsigned int column,
			struct table_cell *cell)
{
	const struct table_column *c = &t->columns[column];
	const char *text;

	if (cell->width <= c->width || row < t->from || row >= t->to)
		return;
	text = hist_cut_text(c->cut, row - t->from);
	cell->text.len = cell->start;
	hist_strbuf_str(&cell->text, text);
	cell->width = hist_cut_columns(NULL, text, strlen(text));
}

void table_cell_free(struct table_cell *cell)
{
	hist_strbuf_free(&cell->text);
	hist_strbuf_free(&cell->whole);
}

static void table_cell_set_number(struct table_cell *cell, uint64_t v, bool is_signed)
{
	cell->is_number = true;
	cell->is_signed = is_signed;
	cell->number = v;
}

void table_cell_number(struct table_cell *cell, uint64_t v, bool is_signed)
{
	table_cell_set_number(cell, v, is_signed);
	cell->width = hist_strbuf_number_width(v, is_signed);
	if (!cell->measure)
		hist_strbuf_number(&cell->text, v, is_signed);
}

void table_cell_grouped(struct table_cell *cell, uint64_t v, bool is_signed)
{
	table_cell_set_number(cell, v, is_signed);
	hist_number_put_grouped(&cell->text, v, is_signed);
	table_cell_ascii(cell);
}

void table_cell_hex(struct table_cell *cell, uint64_t v)
{
	table_cell_set_number(cell, v, false);
	cell->width = hist_strbuf_hex_width(v);
	if (!cell->measure)
		hist_strbuf_hex(&cell->text, v);
}

void table_cell_percent(struct table_cell *cell, uint64_t hundredths)
{
	table_cell_set_number(cell, hundredths, false);
	hist_strbuf_fixed(&cell->text, hundredths, 2);
	hist_strbuf_char(&cell->text, '%');
	table_cell_ascii(cell);
}

void table_cell_share(struct table_cell *cell, uint64_t part, uint64_t whole)
{
	if (cell->measure)
		cell->width = strlen("100.00%");
	else
		table_cell_percent(cell, hist_number_share(part, whole));
}

void table_cell_rate(struct table_cell *cell, int64_t rate, bool known)
{
	char text[32] = "-";

	if (known)
		hist_number_format_rate(rate, text, sizeof(text));
	table_cell_str(cell, text);
	cell->is_number = cell->is_signed = true;
	cell->number = rate;
}

void table_cell_str(struct table_cell *cell, const char *ascii)
{
	hist_strbuf_str(&cell->text, ascii);
	table_cell_ascii(cell);
}

void table_cell_escape(struct table_cell *cell, const char *s, size_t len, unsigned int flags)
{
	cell->width = cell->measure ? hist_escape_width(s, len, flags) :
				      hist_escape(&cell->text, s, len, flags);
}

/* The width of a column that is cut as far as it may be; @deep: if nothing else helps. */
static unsigned int table_column_least(const struct table_column *c, bool deep)
{
	unsigned int least = deep && c->least > CUT_LEAST ? CUT_LEAST : c->least;

	return least && least < c->width ? least : c->width;
}

unsigned int table_line_width(const struct table *t)
{
	unsigned int i, width = 0;

	for (i = 0; i < t->ncolumns; i++)
		if (!t->columns[i].left_out)
			width += t->columns[i].around + t->columns[i].width;
	return width;
}

/* What does not depend on the cells. */
static void table_begin_column(struct table_column *c, unsigned int flags)
{
	c->left_out = false;
	c->widest = c->width = 0;
	if (flags & TABLE_TITLES)
		c->width = hist_escape_width(c->title, strlen(c->title), flags & HIST_ESCAPE_ASCII);
	if (!c->lead) {
		c->lead = "  ";
		c->around = strlen(c->lead);
	}
	c->lead_len = strlen(c->lead);
	c->trail_len = c->trail ? strlen(c->trail) : 0;
}

int table_measure(struct table *t, uint32_t from, uint32_t to, unsigned int flags)
{
	struct table_cell cell = { .measure = true };
	struct table_column *c;
	uint32_t row, end;
	int error;

	t->from = from;
	t->to = to;
	for (c = t->columns; c < t->columns + t->ncolumns; c++) {
		table_begin_column(c, flags);
		end = c->even && to > from ? from + 1 : to;
		for (row = from; row < end; row++) {
			table_get(t, row, c - t->columns, &cell);
			if (cell.width > c->widest)
				c->widest = cell.width;
			if (c->most && cell.width > c->most)
				cell.width = c->most;
			if (cell.width > c->width)
				c->width = cell.width;
		}
	}
	error = cell.text.error ? cell.text.error : cell.whole.error;
	table_cell_free(&cell);
	return error;
}

/* The column that is left out next, or NULL. */
static struct table_column *table_find_fold(struct table *t)
{
	struct table_column *c, *found = NULL;

	for (c = t->columns; c < t->columns + t->ncolumns; c++)
		if (!c->left_out && c->fold && (!found || c->fold > found->fold))
			found = c;
	return found;
}

/* Leave columns out until all others fit. */
static void table_fold(struct table *t, unsigned int line)
{
	unsigned int width = table_line_width(t), i;
	struct table_column *c;

	for (i = 0; i < t->ncolumns; i++)
		width -= t->columns[i].width - table_column_least(&t->columns[i], false);
	while (width > line) {
		c = table_find_fold(t);
		if (!c)
			return;
		c->left_out = true;
		width -= c->around + table_column_least(c, false);
	}
}

/* The width of a line without all columns that can be left out, with the others cut. */
static unsigned int table_shortest_line(const struct table *t)
{
	const struct table_column *c;
	unsigned int width = 0;

	for (c = t->columns; c < t->columns + t->ncolumns; c++)
		if (!c->fold)
			width += c->around + table_column_least(c, true);
	return width;
}

/*
 * Make the widest column that may be cut narrower by one, until the line fits, but none narrower
 * than its least width, or than CUT_LEAST if @deep.
 */
static void table_cut(struct table *t, unsigned int line, bool deep)
{
	unsigned int width = table_line_width(t);
	struct table_column *c, *widest;

	for (; width > line; width--) {
		widest = NULL;
		for (c = t->columns; c < t->columns + t->ncolumns; c++)
			if (!c->left_out && c->width > table_column_least(c, deep) &&
			    (!widest || c->width > widest->width))
				widest = c;
		if (!widest)
			return;
		widest->width--;
	}
}

/* Cut the texts of column @c, of all rows, to its width. */
static int table_cut_texts(struct table *t, struct table_column *c, unsigned int flags)
{
	struct table_cell cell = { 0 };
	uint32_t row;
	int ret;

	c->cut = calloc(1, sizeof(*c->cut));
	if (!c->cut)
		return -ENOMEM;
	hist_cut_init(c->cut, hist_cut_columns, NULL,
		      flags & HIST_ESCAPE_ASCII ? HIST_CUT_MARK_ASCII : HIST_CUT_MARK);
	for (row = t->from; row < t->to; row++) {
		cell.text.len = 0;
		t->put(t, row, c - t->columns, &cell);
		hist_cut_add(c->cut, &cell.text);
	}
	ret = hist_cut_fit(c->cut, c->width);
	table_cell_free(&cell);
	return ret;
}

int table_fit(struct table *t, unsigned int line, unsigned int flags)
{
	struct table_column *c;
	int ret = 0;

	if (table_line_width(t) > line && table_shortest_line(t) <= line) {
		table_fold(t, line);
		table_cut(t, line, false);
		table_cut(t, line, true);
	}
	for (c = t->columns; c < t->columns + t->ncolumns && !ret; c++)
		if (!c->left_out && c->least && c->widest > c->width)
			ret = table_cut_texts(t, c, flags);
	return ret;
}

bool table_put_left_out(struct hist_strbuf *b, const struct table *t, const char *lead,
			unsigned int flags)
{
	const struct table_column *c;
	bool any = false;

	for (c = t->columns; c < t->columns + t->ncolumns; c++) {
		if (!c->left_out)
			continue;
		hist_strbuf_str(b, any ? ", " : lead);
		hist_escape(b, c->title, strlen(c->title), flags & HIST_ESCAPE_ASCII);
		any = true;
	}
	return any;
}

void table_free(struct table *t)
{
	unsigned int i;

	for (i = 0; i < t->ncolumns; i++) {
		if (t->columns[i].cut)
			hist_cut_free(t->columns[i].cut);
		free(t->columns[i].cut);
		t->columns[i].cut = NULL;
	}
}
