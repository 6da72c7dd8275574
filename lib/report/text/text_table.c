// SPDX-License-Identifier: LGPL-2.1
/*
 * text_table.c - a table as lines of text
 */
#include "lib/report/ansi.h"
#include "lib/report/text/text_table.h"
#include "lib/report/text_column.h"

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
	if (!hist_strbuf_reserve(b, n))
		return;
	memmove(b->data + at + n, b->data + at, b->len - at);
	memset(b->data + at, ' ', n);
	b->len += n;
}

/* Cut or pad the text of a cell or title, which is the end of t->cell.text, to its column. */
static void text_table_fit_cell(struct text_table *t, unsigned int column)
{
	const struct table_column *c = &t->table->columns[column];
	struct hist_strbuf cut = { 0 }, *b = &t->cell.text;
	unsigned int width = t->cell.width;
	size_t start = t->cell.start;

	if (width < c->width) {
		if (c->right)
			text_table_indent(b, start, c->width - width);
		else if (c->trail || !text_table_is_last(t->table, column))
			hist_strbuf_fill(b, ' ', c->width - width);
	} else if (width > c->width && c->least) {
		/* a title; cells fit already */
		hist_strbuf_add(&cut, b->data + start, b->len - start);
		b->len = start;
		text_column_put(b, &cut, width, c->width, c->right, !t->style->utf8);
		hist_strbuf_free(&cut);
	}
}

/* Give the end of t->cell.text the style of the cell. */
static void text_table_put_style(struct text_table *t)
{
	struct hist_strbuf text = { 0 }, *b = &t->cell.text;

	hist_strbuf_add(&text, b->data + t->cell.start, b->len - t->cell.start);
	b->len = t->cell.start;
	ansi_begin(b, t->style, t->cell.style);
	hist_strbuf_append(b, &text);
	ansi_end(b, t->style, t->cell.style);
	hist_strbuf_free(&text);
}

/* A line is written in its place: the cell has the buffer of the output until the line ends. */
void text_table_put_titles(struct text_table *t)
{
	const struct table_column *c;
	unsigned int i;

	t->cell.text = *t->out;
	for (i = 0; i < t->table->ncolumns; i++) {
		c = &t->table->columns[i];
		if (c->left_out)
			continue;
		hist_strbuf_add(&t->cell.text, c->lead, c->lead_len);
		t->cell.start = t->cell.text.len;
		table_cell_escape(&t->cell, c->title, strlen(c->title),
				  t->style->utf8 ? 0 : HIST_ESCAPE_ASCII);
		text_table_fit_cell(t, i);
	}
	*t->out = t->cell.text;
}

void text_table_put_row(struct text_table *t, uint32_t row, unsigned int from)
{
	const struct table_column *c;
	unsigned int i;

	t->cell.text = *t->out;
	for (i = from; i < t->table->ncolumns; i++) {
		c = &t->table->columns[i];
		if (c->left_out)
			continue;
		hist_strbuf_add(&t->cell.text, c->lead, c->lead_len);
		t->cell.start = t->cell.text.len;
		table_get(t->table, row, i, &t->cell);
		if (t->cell.width != c->width)
			text_table_fit_cell(t, i);
		if (t->cell.style && t->style->colour)
			text_table_put_style(t);
		hist_strbuf_add(&t->cell.text, c->trail, c->trail_len);
	}
	*t->out = t->cell.text;
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
