// SPDX-License-Identifier: LGPL-2.1
/*
 * text_table.c - a table as lines of text
 */
#include "lib/report/ansi.h"
#include "lib/report/text/text_table.h"
#include "lib/report/text_column.h"

static void text_table_put_lead(struct text_table *t, const char *lead)
{
	if (lead)
		hist_strbuf_str(t->out, lead);
	else
		hist_strbuf_add(t->out, "  ", 2);
}

static bool text_table_is_last(const struct table *table, unsigned int column)
{
	for (column++; column < table->ncolumns; column++)
		if (!table->columns[column].left_out)
			return false;
	return true;
}

/* Insert @n blanks at @at. */
static void text_table_indent(struct hist_strbuf *b, size_t at, unsigned int n)
{
	size_t len = b->len - at;

	hist_strbuf_fill(b, ' ', n);
	if (b->error)
		return;
	memmove(b->data + at + n, b->data + at, len);
	memset(b->data + at, ' ', n);
}

/* Write the cell of @row, or the title, into its column. */
static void text_table_put_cell(struct text_table *t, unsigned int column, uint32_t row, bool title)
{
	const struct table_column *c = &t->table->columns[column];
	struct hist_strbuf cut = { 0 };
	struct table_cell *cell = &t->cell;

	/* the text is written in its place */
	cell->text = *t->out;
	cell->start = cell->text.len;
	cell->style = ANSI_PLAIN;
	if (title)
		table_cell_escape(cell, c->title, strlen(c->title),
				  t->style->utf8 ? 0 : HIST_ESCAPE_ASCII);
	else
		table_get(t->table, row, column, cell);
	*t->out = cell->text;
	/* a title; cells fit already */
	if (cell->width > c->width && c->least) {
		hist_strbuf_add(&cut, t->out->data + cell->start, t->out->len - cell->start);
		t->out->len = cell->start;
		text_column_put(t->out, &cut, cell->width, c->width, c->right, !t->style->utf8);
		hist_strbuf_free(&cut);
		return;
	}
	if (cell->width >= c->width)
		return;
	if (c->right)
		text_table_indent(t->out, cell->start, c->width - cell->width);
	else if (c->trail || !text_table_is_last(t->table, column))
		hist_strbuf_fill(t->out, ' ', c->width - cell->width);
}

static void text_table_put_styled(struct text_table *t, unsigned int column, uint32_t row)
{
	struct hist_strbuf text = { 0 };
	size_t start = t->out->len;

	text_table_put_cell(t, column, row, false);
	if (!t->cell.style || !t->style->colour)
		return;
	hist_strbuf_add(&text, t->out->data + start, t->out->len - start);
	t->out->len = start;
	ansi_begin(t->out, t->style, t->cell.style);
	hist_strbuf_append(t->out, &text);
	ansi_end(t->out, t->style, t->cell.style);
	hist_strbuf_free(&text);
}

void text_table_put_titles(struct text_table *t)
{
	unsigned int i;

	for (i = 0; i < t->table->ncolumns; i++) {
		if (t->table->columns[i].left_out)
			continue;
		text_table_put_lead(t, t->table->columns[i].lead);
		text_table_put_cell(t, i, 0, true);
	}
}

void text_table_put_row(struct text_table *t, uint32_t row, unsigned int from)
{
	const struct table_column *c;
	unsigned int i;

	for (i = from; i < t->table->ncolumns; i++) {
		c = &t->table->columns[i];
		if (c->left_out)
			continue;
		text_table_put_lead(t, c->lead);
		text_table_put_styled(t, i, row);
		if (c->trail)
			hist_strbuf_str(t->out, c->trail);
	}
}

void text_table_put_left_out(struct hist_strbuf *out, const struct table *table,
			     unsigned int line, unsigned int flags)
{
	char lead[64];

	snprintf(lead, sizeof(lead), "# left out to fit %u columns: ", line);
	if (table_put_left_out(out, table, lead, flags))
		hist_strbuf_char(out, '\n');
}

void text_table_end(struct text_table *t)
{
	hist_strbuf_fail(t->out, t->cell.whole.error);
	hist_strbuf_free(&t->cell.whole);
}
