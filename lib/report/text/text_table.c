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

/* Write the text of t->cell into its column. */
static void text_table_put_cell(struct text_table *t, const struct table_column *c, bool is_last)
{
	unsigned int width = c->width;

	if (t->cell.width > width && !c->least)
		width = t->cell.width;
	if (is_last && !c->right && t->cell.width < width)
		width = t->cell.width;
	if (t->cell.style)
		ansi_begin(t->out, t->style, t->cell.style);
	text_column_put(t->out, &t->cell.text, t->cell.width, width, c->right, !t->style->utf8);
	if (t->cell.style)
		ansi_end(t->out, t->style, t->cell.style);
}

static bool text_table_is_last(const struct table *table, unsigned int column)
{
	for (column++; column < table->ncolumns; column++)
		if (!table->columns[column].left_out)
			return false;
	return true;
}

void text_table_put_titles(struct text_table *t)
{
	const struct table_column *c;
	unsigned int i;

	for (i = 0; i < t->table->ncolumns; i++) {
		c = &t->table->columns[i];
		if (c->left_out)
			continue;
		t->cell.text.len = 0;
		t->cell.style = ANSI_PLAIN;
		table_cell_escape(&t->cell, c->title, strlen(c->title),
				  t->style->utf8 ? 0 : HIST_ESCAPE_ASCII);
		text_table_put_lead(t, c->lead);
		text_table_put_cell(t, c, text_table_is_last(t->table, i));
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
		table_get(t->table, row, i, &t->cell);
		text_table_put_lead(t, c->lead);
		text_table_put_cell(t, c, !c->trail && text_table_is_last(t->table, i));
		if (c->trail)
			hist_strbuf_str(t->out, c->trail);
	}
}

void text_table_put_left_out(struct hist_strbuf *out, const struct table *table,
			     unsigned int line, unsigned int flags)
{
	const char *title;
	unsigned int i;
	bool any = false;

	for (i = 0; i < table->ncolumns; i++) {
		if (!table->columns[i].left_out)
			continue;
		if (any)
			hist_strbuf_str(out, ", ");
		else
			hist_strbuf_printf(out, "# left out to fit %u columns: ", line);
		title = table->columns[i].title;
		hist_escape(out, title, strlen(title), flags & HIST_ESCAPE_ASCII);
		any = true;
	}
	if (any)
		hist_strbuf_char(out, '\n');
}

void text_table_end(struct text_table *t)
{
	hist_strbuf_fail(t->out, t->cell.text.error);
	hist_strbuf_fail(t->out, t->cell.whole.error);
	table_cell_free(&t->cell);
}
