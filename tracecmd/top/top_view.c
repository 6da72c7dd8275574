// SPDX-License-Identifier: GPL-2.0
/*
 * top_view.c - the frame around the views, and what they have in common
 *
 * Widths are made from the lines that are shown, before any is drawn, so that
 * columns stand straight however long a name is.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/label/label.h"
#include "tracecmd/top/top_view.h"

#define KEY_LEAST 8
/* Rows that text output is drawn in at a time. */
#define PRINT_ROWS 256

const struct top_view_ops *top_view_ops(enum top_view view)
{
	static const struct top_view_ops *const views[TOP_VIEWS] = {
		[TOP_TABLE] = &top_table_view,
		[TOP_BARS] = &top_bars_view,
		[TOP_HEAT] = &top_heat_view,
	};

	return views[view];
}

/* Into p->text; returns its columns. */
static unsigned int key_text(struct top_page *p, unsigned int key, const struct top_line *line)
{
	struct hist_cell empty = { .num = line->num, .str = HIST_NO_STRING };
	const struct hist_cell *cell = &empty;

	p->text.len = 0;
	if (line->more) {
		hist_strbuf_str(&p->text, "...");
		return 3;
	}
	if (line->entry != HIST_NO_ENTRY)
		cell = &hist_table_cells(p->h->table, line->entry)[key];
	return hist_label(&p->text, p->h->table, key, cell, p->flags);
}

static unsigned int title_text(struct top_page *p, const struct top_column *column)
{
	char title[256];

	top_column_title(p->h, column, title, sizeof(title));
	p->text.len = 0;
	return hist_escape(&p->text, title, strlen(title), p->flags);
}

void top_measure_keys(struct top_page *p, unsigned int limit)
{
	unsigned int i, width, widest, sum = 0;
	uint32_t line;

	for (i = 0; i < p->schema->nkeys; i++) {
		p->key[i] = title_text(p, &p->columns[i]);
		for (line = p->from; line < p->to; line++) {
			width = key_text(p, i, &p->h->lines[line]);
			if (width > p->key[i])
				p->key[i] = width;
		}
		sum += p->key[i] + 2;
	}
	while (sum > limit) {
		widest = 0;
		for (i = 1; i < p->schema->nkeys; i++)
			if (p->key[i] > p->key[widest])
				widest = i;
		if (p->key[widest] <= KEY_LEAST)
			break;
		p->key[widest]--;
		sum--;
	}
}

unsigned int top_keys_width(const struct top_page *p)
{
	unsigned int i, sum = 0;

	for (i = 0; i < p->schema->nkeys; i++)
		sum += p->key[i] + 2;
	return sum;
}

bool top_is_sorted(const struct top_page *p, const struct top_column *column)
{
	return column->kind == p->sorted.kind && column->index == p->sorted.index;
}

static bool aligns_right(const struct top_page *p, unsigned int key)
{
	return !hist_key_has_string(p->schema->keys[key].kind);
}

void top_keys_head(struct top_page *p, unsigned int row)
{
	unsigned int i, at = 0;

	canvas_style(p->c, row, 0, p->c->columns, CANVAS_HEAD);
	for (i = 0; i < p->schema->nkeys; i++) {
		title_text(p, &p->columns[i]);
		canvas_text(p->c, row, at, p->key[i],
			    top_is_sorted(p, &p->columns[i]) ? CANVAS_HEAD_SORT : CANVAS_HEAD,
			    aligns_right(p, i), p->text.data, p->text.len);
		at += p->key[i] + 2;
	}
}

void top_keys_line(struct top_page *p, unsigned int row, const struct top_line *line)
{
	enum canvas_style style = line->entry == HIST_NO_ENTRY ? CANVAS_DIM : CANVAS_PLAIN;
	unsigned int i, at = 0;

	for (i = 0; i < p->schema->nkeys; i++) {
		key_text(p, i, line);
		canvas_text(p->c, row, at, p->key[i], style, aligns_right(p, i), p->text.data,
			    p->text.len);
		at += p->key[i] + 2;
	}
}

static void total_text(const struct hist_value_desc *value, uint64_t v, char *buf, size_t len)
{
	if (value->kind == HIST_VALUE_PERCENT)
		snprintf(buf, len, "%" PRIu64 ".%02u%%", v / 100, (unsigned int)(v % 100));
	else if (value->is_signed)
		snprintf(buf, len, "%" PRId64, (int64_t)v);
	else
		snprintf(buf, len, "%" PRIu64, v);
}

void top_cell_text(struct top_page *p, const struct top_column *column,
		   const struct top_line *line, char *buf, size_t len)
{
	const struct top_interval *interval = top_interval(p->h, 0);
	const struct hist_value_desc *value = &p->schema->values[column->index];
	const uint64_t *values = p->h->total.values;

	if (line->entry == HIST_NO_ENTRY)
		snprintf(buf, len, "0");
	else if (column->kind == TOP_TOTAL)
		total_text(value, values[(size_t)line->entry * p->schema->nvalues + column->index],
			   buf, len);
	else if (!interval)
		snprintf(buf, len, "-"); /* nothing to subtract from yet */
	else
		hist_rate_text(top_rate(p->schema, column->index, interval, line->entry), buf, len);
}

static void page_begin(struct top_page *p, struct top_model *m, struct canvas *c)
{
	bool descending;

	memset(p, 0, sizeof(*p));
	p->m = m;
	p->h = &m->hists[m->current];
	p->schema = hist_table_schema(p->h->table);
	p->c = c;
	p->flags = m->flags;
	p->ncolumns = top_columns(p->h, p->columns);
	p->sorted = top_sorted_by(p->h, &descending);
	p->value = top_drawn_value(p->h);
	p->drawn = p->sorted.kind == TOP_KEY ?
		   (struct top_column){ TOP_RATE, p->value < 0 ? 0 : p->value } : p->sorted;
}

static void draw_title(struct top_page *p)
{
	const struct top_model *m = p->m;
	uint64_t tenths = m->elapsed_ns / 100000000;
	unsigned int columns = p->c->columns, used;
	char right[96];
	int n;

	canvas_style(p->c, 0, 0, columns, CANVAS_TITLE);
	n = snprintf(right, sizeof(right), "%s%" PRIu64 ".%" PRIu64 " s  every %.6g s",
		     m->paused ? "PAUSED  " : "", tenths / 10, tenths % 10, m->interval_ns / 1e9);
	p->text.len = 0;
	if (m->nhists > 1)
		hist_strbuf_printf(&p->text, "%u/%u ", m->current + 1, m->nhists);
	hist_escape(&p->text, p->h->name, strlen(p->h->name), p->flags);
	hist_strbuf_str(&p->text, "  ");
	hist_escape(&p->text, p->h->trigger, strlen(p->h->trigger), p->flags);
	if (p->print) {
		hist_strbuf_str(&p->text, "  ");
		hist_strbuf_add(&p->text, right, n);
		canvas_text(p->c, 0, 0, columns, CANVAS_TITLE, false, p->text.data, p->text.len);
		return;
	}
	used = columns > (unsigned int)n + 2 ? columns - n - 2 : 0;
	canvas_text(p->c, 0, 0, used, CANVAS_TITLE, false, p->text.data, p->text.len);
	canvas_text(p->c, 0, used ? used + 2 : 0, columns - (used ? used + 2 : 0), CANVAS_TITLE,
		    true, right, n);
}

static void draw_summary(struct top_page *p)
{
	const struct top_hist *h = p->h;
	const struct top_interval *interval = top_interval(h, 0);
	struct hist_strbuf *b = &p->text;
	char rate[32] = "-", title[256];
	bool descending;

	if (interval)
		hist_rate_text(top_hits_rate(interval), rate, sizeof(rate));
	b->len = 0;
	if (p->m->filter[0]) {
		hist_strbuf_str(b, "filter \"");
		hist_escape(b, p->m->filter, strlen(p->m->filter), p->flags);
		hist_strbuf_printf(b, "\": %" PRIu32 " rows hidden  ", h->hidden);
	}
	hist_strbuf_printf(b, "hits %" PRIu64 "  %s/s  entries %" PRIu64 "  dropped %" PRIu64,
			   h->total.hits, rate, h->total.entries, h->total.dropped);
	top_sorted_by(h, &descending);
	top_column_title(h, &p->sorted, title, sizeof(title));
	hist_strbuf_str(b, "  by ");
	hist_escape(b, title, strlen(title), p->flags);
	hist_strbuf_str(b, descending ? " down" : " up");
	if (h->base.hits)
		hist_strbuf_printf(b, "  before %" PRIu64, h->base.hits);
	canvas_text(p->c, 1, 0, p->c->columns, CANVAS_PLAIN, false, b->data, b->len);
}

static void draw_notes(struct top_page *p)
{
	char notes[512];

	top_notes(p->m, p->h, notes, sizeof(notes));
	canvas_text(p->c, 2, 0, p->c->columns, CANVAS_WARN, false, notes, strlen(notes));
}

static void draw_bottom(struct top_page *p)
{
	static const char *const keys[] = {
		"q quit  h help  space pause  v view  <> sort  r reverse  / filter  Tab next",
		"q quit  h help  space pause  v view",
	};
	unsigned int row = p->c->rows - 1;

	canvas_style(p->c, row, 0, p->c->columns, CANVAS_TITLE);
	p->text.len = 0;
	if (p->m->editing) {
		hist_strbuf_str(&p->text, "filter: ");
		hist_escape(&p->text, p->m->filter, strlen(p->m->filter), p->flags);
		hist_strbuf_char(&p->text, '_');
	} else {
		hist_strbuf_str(&p->text, keys[p->c->columns < strlen(keys[0])]);
	}
	canvas_text(p->c, row, 0, p->c->columns, CANVAS_TITLE, false, p->text.data, p->text.len);
}

/* The keys, in a box over the rows. */
static void draw_help(struct top_page *p)
{
	unsigned int i, row = TOP_FRAME_ROWS, column = 2, width = p->c->columns;

	for (i = 0; top_keys_help[i][0] && row < p->c->rows - 1; i++, row++) {
		canvas_text(p->c, row, 0, width, CANVAS_PLAIN, false, "", 0);
		for (column = 0; column < width; column++)
			canvas_text(p->c, row, column, 1, CANVAS_PLAIN, false, " ", 1);
		canvas_str(p->c, row, 2, CANVAS_HEAD, top_keys_help[i][0]);
		if (width > 32)
			canvas_str(p->c, row, 29, CANVAS_PLAIN, top_keys_help[i][1]);
	}
	if (row < p->c->rows - 1)
		for (column = 0; column < width; column++)
			canvas_text(p->c, row, column, 1, CANVAS_PLAIN, false, " ", 1);
}

unsigned int top_page_rows(const struct top_model *m, const struct canvas *c)
{
	unsigned int taken = TOP_FRAME_ROWS + top_view_ops(m->view)->head_rows + 1;

	return c->rows > taken ? c->rows - taken : 1;
}

static int draw_page(struct top_page *p, struct top_hist *h)
{
	const struct top_view_ops *view = top_view_ops(p->m->view);
	unsigned int rows = top_page_rows(p->m, p->c), row = TOP_FRAME_ROWS + view->head_rows;
	uint32_t line;

	if (h->scroll + rows > h->nlines)
		h->scroll = h->nlines > rows ? h->nlines - rows : 0;
	p->from = h->scroll;
	p->to = h->nlines - p->from < rows ? h->nlines : p->from + rows;
	draw_title(p);
	draw_summary(p);
	draw_notes(p);
	view->measure(p);
	view->head(p, TOP_FRAME_ROWS);
	for (line = p->from; line < p->to; line++)
		view->line(p, row++, &h->lines[line]);
	if (p->m->help)
		draw_help(p);
	draw_bottom(p);
	return p->text.error;
}

int top_draw(struct top_model *m, struct canvas *c)
{
	struct top_hist *h = &m->hists[m->current];
	struct top_page page;
	int ret;

	canvas_erase(c);
	if (c->rows < TOP_LEAST_ROWS || c->columns < TOP_LEAST_COLUMNS) {
		canvas_str(c, 0, 0, CANVAS_PLAIN, "terminal too small (q quits)");
		return 0;
	}
	ret = top_arrange(m, h);
	if (ret)
		return ret;
	page_begin(&page, m, c);
	ret = draw_page(&page, h);
	hist_strbuf_free(&page.text);
	return ret;
}

/* All rows, PRINT_ROWS at a time on one small canvas. */
static int print_lines(struct top_page *p, const struct top_hist *h, FILE *f)
{
	const struct top_view_ops *view = top_view_ops(p->m->view);
	unsigned int row;
	uint32_t line;
	int ret;

	p->from = 0;
	p->to = h->nlines;
	draw_title(p);
	draw_summary(p);
	draw_notes(p);
	view->measure(p);
	view->head(p, TOP_FRAME_ROWS);
	ret = canvas_print(p->c, f, 0, TOP_FRAME_ROWS + view->head_rows);
	for (line = 0; line < h->nlines && !ret;) {
		canvas_erase(p->c);
		for (row = 0; row < p->c->rows && line < h->nlines; row++)
			view->line(p, row, &h->lines[line++]);
		ret = canvas_print(p->c, f, 0, row);
	}
	return ret ? ret : p->text.error;
}

int top_print(struct top_model *m, FILE *f, unsigned int columns, bool utf8)
{
	struct top_hist *h = &m->hists[m->current];
	struct canvas c = { .utf8 = utf8 };
	struct top_page page;
	int ret;

	ret = top_arrange(m, h);
	if (!ret)
		ret = canvas_resize(&c, PRINT_ROWS, columns);
	if (ret)
		return ret;
	page_begin(&page, m, &c);
	page.print = true;
	ret = print_lines(&page, h, f);
	hist_strbuf_free(&page.text);
	canvas_clear(&c);
	return ret;
}
