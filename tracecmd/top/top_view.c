// SPDX-License-Identifier: GPL-2.0
/*
 * top_view.c - draw the frame, the keys and the numbers of all views
 *
 * The widths of all columns are measured from the lines that are shown, before a line is drawn.
 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/report/worst_line.h"
#include "tracecmd/top/top_view.h"

#define KEY_LEAST 8
/* Rows of text output that are drawn at a time. */
#define PRINT_ROWS 256

static void choose_nothing(struct top_page *p)
{
	p->drawn = NULL;
}

static const struct top_view_ops table_view = { .head_rows = 1, .choose = choose_nothing };

static unsigned int frame_rows(const struct top_hist *h)
{
	return TOP_FRAME_ROWS + (hist_schema_worst(hist_table_schema(h->table)) >= 0);
}

static const struct top_view_ops *view_of(const struct top_model *m)
{
	static const struct top_view_ops *const views[TOP_VIEWS] = {
		[TOP_TABLE] = &table_view,
		[TOP_BARS] = &top_bars_view,
		[TOP_HEAT] = &top_heat_view,
		[TOP_SUMMARY] = &table_view,
	};

	return views[top_shown_view(m, &m->hists[m->current])];
}

static bool top_view_has_groups(const struct top_page *p)
{
	return top_shown_view(p->m, p->h) == TOP_SUMMARY;
}

uint64_t top_line_rate(const struct top_page *p, const struct top_line *line, unsigned int back)
{
	const struct top_interval *interval = top_interval(p->h, back);
	int64_t rate = 0;

	if (line->entry != HIST_NO_ENTRY && interval)
		rate = hist_columns_rate(p->schema, p->drawn->index, &interval->diff,
					 interval->length_ns, line->entry);
	return rate < 0 ? 0 : rate;
}

/* The cells of a line without hits: the key, or a gap of several keys, and 0. */
static void top_view_put_empty(const struct top_page *p, const struct hist_column *column,
			       const struct top_line *line, struct table_cell *cell)
{
	const struct hist_cell key = { .num = line->num, .str = HIST_NO_STRING };

	if (column->kind != HIST_COLUMN_KEY)
		table_cell_number(cell, 0, false);
	else if (line->more)
		table_cell_str(cell, "...");
	else
		cell->width = hist_label_put(&cell->text, p->h->table, column->index, &key,
					     p->m->flags);
}

static void top_view_put(const struct table *table, uint32_t row, unsigned int column,
			 struct table_cell *cell)
{
	struct top_page *p = (struct top_page *)table;
	const struct top_line *line = &p->h->lines[row];

	if (top_view_has_groups(p))
		p->h->groups.base.put(&p->h->groups.base, line->entry, column, cell);
	else if (line->entry == HIST_NO_ENTRY)
		top_view_put_empty(p, p->shown[column], line, cell);
	else
		hist_columns_put(&p->cells, p->shown[column], line->entry, cell);
}

/* The columns of the summary are those of its table. */
static void top_view_copy_columns(struct top_page *p)
{
	const struct table *groups = &p->h->groups.base;
	unsigned int i;

	p->table.ncolumns = groups->ncolumns;
	for (i = 0; i < groups->ncolumns; i++)
		p->columns[i] = groups->columns[i];
	p->columns[0].least = KEY_LEAST;
	p->sorted_at = p->h->group_column;
	p->sorted_title = groups->columns[p->sorted_at].title;
	p->descending = (p->sorted_at != 0) != p->h->group_reverse;
	p->nkeys = 1;
}

/* Choose the columns: all, or the keys and the one that is drawn. */
static void top_view_choose_columns(struct top_page *p)
{
	const struct hist_columns *all = &p->h->columns;
	struct table_column *c;
	unsigned int i;

	p->sorted_title = p->sorted->title;
	p->nkeys = p->schema->nkeys;
	for (i = 0; i < all->n; i++) {
		if (i >= all->nkeys && view_of(p->m)->least && &all->list[i] != p->drawn)
			continue;
		p->shown[p->table.ncolumns] = &all->list[i];
		if (&all->list[i] == p->sorted)
			p->sorted_at = p->table.ncolumns;
		c = &p->columns[p->table.ncolumns++];
		c->title = all->list[i].title;
		c->right = all->list[i].is_number;
		if (i < all->nkeys)
			c->least = KEY_LEAST;
		else if (&all->list[i] != p->sorted && i > all->nkeys)
			c->fold = i;
	}
}

static void top_view_make_columns(struct top_page *p)
{
	p->table.columns = p->columns;
	p->table.put = top_view_put;
	p->table.nrows = p->h->nlines;
	p->sorted_at = UINT_MAX;
	if (top_view_has_groups(p))
		top_view_copy_columns(p);
	else
		top_view_choose_columns(p);
}

/* The width of the first @n columns, with two blanks after each. */
static unsigned int top_view_columns_width(const struct top_page *p, unsigned int n)
{
	unsigned int i, width = 0;

	for (i = 0; i < n; i++)
		width += p->columns[i].left_out ? 0 : p->columns[i].width + 2;
	return width;
}

/*
 * Choose the columns, with the widths of their texts.  The widest keys are cut until numbers and
 * drawing fit.
 */
static void top_view_measure(struct top_page *p)
{
	const struct top_view_ops *view = view_of(p->m);
	unsigned int keys, numbers, limit, columns = p->c->columns;

	top_view_make_columns(p);
	keys = p->nkeys;
	hist_strbuf_fail(&p->text, table_measure(&p->table, p->from, p->to,
						 p->m->flags | TABLE_TITLES));
	numbers = table_line_width(&p->table) - top_view_columns_width(p, keys);
	/* nothing follows the last column of a table */
	limit = columns + 2;
	if (view->least) {
		numbers = p->drawn ? numbers : 2;
		limit = columns * view->keys_sixths / 6;
		if (columns > numbers + view->least && columns - numbers - view->least < limit)
			limit = columns - numbers - view->least;
		limit += p->drawn ? numbers : 0;
	}
	hist_strbuf_fail(&p->text, table_fit(&p->table, limit, p->m->flags));
	p->numbers_at = top_view_columns_width(p, keys);
	p->at = p->numbers_at + numbers;
	p->room = columns > p->at ? columns - p->at : 0;
	if (p->drawn)
		view->measure(p);
}

/* Draw p->cell in a column at *@at. */
static void put_cell(struct top_page *p, unsigned int row, unsigned int *at, unsigned int column,
		     enum top_canvas_style style)
{
	const struct table_column *c = &p->columns[column];

	top_canvas_put_text(p->c, row, *at, c->width, style, c->right, p->cell.text.data,
			    p->cell.text.len);
	*at += c->width + 2;
}

static void draw_head(struct top_page *p)
{
	const struct top_view_ops *view = view_of(p->m);
	unsigned int i, at = 0, row = frame_rows(p->h) + view->head_rows - 1;

	top_canvas_set_style(p->c, row, 0, p->c->columns, CANVAS_HEAD);
	for (i = 0; i < p->table.ncolumns; i++) {
		if (p->columns[i].left_out)
			continue;
		p->cell.text.len = 0;
		table_cell_escape(&p->cell, p->columns[i].title, strlen(p->columns[i].title),
				  p->m->flags);
		put_cell(p, row, &at, i,
			 i == p->sorted_at ? CANVAS_HEAD_SORT : CANVAS_HEAD);
	}
	if (view->head)
		view->head(p, frame_rows(p->h));
}

static void draw_line(struct top_page *p, unsigned int row, uint32_t number)
{
	const struct top_line *line = &p->h->lines[number];
	unsigned int i, at = 0, n = line->more ? p->nkeys : p->table.ncolumns;
	char text[64];

	for (i = 0; i < n; i++) {
		if (p->columns[i].left_out)
			continue;
		table_get(&p->table, number, i, &p->cell);
		put_cell(p, row, &at, i, line->entry == HIST_NO_ENTRY ? CANVAS_DIM : CANVAS_PLAIN);
	}
	if (line->more) {
		snprintf(text, sizeof(text), "(%" PRIu64 " empty)", line->more);
		top_canvas_put_str(p->c, row, at, CANVAS_DIM, text);
	} else if (p->drawn) {
		view_of(p->m)->line(p, row, line);
	}
}

static void page_begin(struct top_page *p, struct top_model *m, struct top_canvas *c)
{
	const struct top_interval *interval;

	memset(p, 0, sizeof(*p));
	p->m = m;
	p->h = &m->hists[m->current];
	p->schema = hist_table_schema(p->h->table);
	p->c = c;
	p->sorted = top_sorted_by(p->h, &p->descending);
	interval = top_interval(p->h, 0);
	p->cells = (struct hist_cells){
		.table = p->h->table,
		.snap = &p->h->total,
		.added = interval ? &interval->diff : NULL,
		.added_ns = interval ? interval->length_ns : 0,
		.flags = m->flags,
	};
	view_of(m)->choose(p);
}

static void draw_title(struct top_page *p)
{
	const struct top_model *m = p->m;
	uint64_t tenths = m->elapsed_ns / 100000000;
	unsigned int columns = p->c->columns, used;
	char right[96];
	int n;

	top_canvas_set_style(p->c, 0, 0, columns, CANVAS_TITLE);
	n = snprintf(right, sizeof(right), "%s%" PRIu64 ".%" PRIu64 " s  every %.6g s",
		     m->paused ? "PAUSED  " : "", tenths / 10, tenths % 10, m->interval_ns / 1e9);
	p->text.len = 0;
	if (m->nhists > 1)
		hist_strbuf_printf(&p->text, "%u/%u ", m->current + 1, m->nhists);
	hist_escape(&p->text, p->h->name, strlen(p->h->name), p->m->flags);
	hist_strbuf_str(&p->text, "  ");
	hist_escape(&p->text, p->h->trigger, strlen(p->h->trigger), p->m->flags);
	if (p->print) {
		hist_strbuf_str(&p->text, "  ");
		hist_strbuf_add(&p->text, right, n);
		top_canvas_put_text(p->c, 0, 0, columns, CANVAS_TITLE, false, p->text.data,
				    p->text.len);
		return;
	}
	used = columns > (unsigned int)n + 2 ? columns - n - 2 : 0;
	top_canvas_put_text(p->c, 0, 0, used, CANVAS_TITLE, false, p->text.data, p->text.len);
	top_canvas_put_text(p->c, 0, used ? used + 2 : 0, columns - (used ? used + 2 : 0),
			    CANVAS_TITLE,
			    true, right, n);
}

static void draw_summary(struct top_page *p)
{
	const struct top_hist *h = p->h;
	const struct top_interval *interval = top_interval(h, 0);
	struct hist_strbuf *b = &p->text;
	char rate[32] = "-";

	if (interval)
		hist_number_format_rate(top_hits_rate(interval), rate, sizeof(rate));
	b->len = 0;
	if (p->m->filter[0]) {
		hist_strbuf_str(b, "filter \"");
		hist_escape(b, p->m->filter, strlen(p->m->filter), p->m->flags);
		hist_strbuf_printf(b, "\": %" PRIu32 " row%s hidden  ", h->hidden,
				   text_plural(h->hidden));
	}
	hist_strbuf_printf(b, "hits %" PRIu64 "  %s/s  entries %" PRIu64 "  dropped %" PRIu64,
			   h->total.hits, rate, h->total.entries, h->total.dropped);
	hist_strbuf_str(b, "  by ");
	hist_escape(b, p->sorted_title, strlen(p->sorted_title), p->m->flags);
	hist_strbuf_str(b, p->descending ? " down" : " up");
	if (h->base.hits)
		hist_strbuf_printf(b, "  earlier hits %" PRIu64, h->base.hits);
	top_canvas_put_text(p->c, 1, 0, p->c->columns, CANVAS_PLAIN, false, b->data, b->len);
}

/* Append the largest value since the first snapshot, and what ran then. */
static void put_worst(struct top_page *p)
{
	const struct hist_worst_list *list = &p->h->worst;
	const struct hist_series_info info = top_describe(p->m, p->h);

	if (!list->n)
		return;
	hist_strbuf_str(&p->text, p->text.len ? "  worst: " : "worst: ");
	worst_line_put(&p->text, &info, list, &list->list[0], p->m->flags);
}

/* The newest maximum; false: none since the first snapshot. */
static bool find_newest(const struct top_hist *h, struct hist_worst *newest)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	int value = hist_schema_worst(schema);

	if (h->rose == HIST_NO_ENTRY || !h->worst.n)
		return false;
	newest->entry = h->rose;
	newest->group = hist_grouping_find(h->worst.grouping, h->rose);
	newest->exact = true;
	return hist_worst_read(newest, h->table,
			       h->last.values[(size_t)h->rose * schema->nvalues +
					      (unsigned int)value]);
}

/* A line of its own for the latency that was the largest of its row most recently. */
static void draw_newest(struct top_page *p)
{
	const struct hist_series_info info = top_describe(p->m, p->h);
	struct hist_strbuf *b = hist_strbuf_clear(&p->text);
	struct hist_worst newest;

	if (!find_newest(p->h, &newest))
		return;
	hist_strbuf_str(b, "newest: ");
	worst_line_put(b, &info, &p->h->worst, &newest, p->m->flags);
	top_canvas_put_text(p->c, TOP_FRAME_ROWS, 0, p->c->columns, CANVAS_PLAIN, false, b->data,
			    b->len);
}

static void draw_notes(struct top_page *p)
{
	enum top_canvas_style style;

	p->text.len = 0;
	top_format_notes(p->m, p->h, &p->text);
	style = p->text.len ? CANVAS_WARN : CANVAS_PLAIN;
	table_put_left_out(&p->text, &p->table, p->text.len ? "  left out: " : "left out: ",
			   p->m->flags);
	if (p->m->view == TOP_SUMMARY)
		top_groups_put_line(p->h, &p->text);
	put_worst(p);
	top_canvas_put_text(p->c, 2, 0, p->c->columns, style, false, p->text.data,
			    p->text.len);
}

/* All rows above those of the lines. */
static void draw_top(struct top_page *p)
{
	top_view_measure(p);
	draw_title(p);
	draw_summary(p);
	draw_notes(p);
	draw_newest(p);
	draw_head(p);
}

static void draw_bottom(struct top_page *p)
{
	static const char *const keys[] = {
		"q quit  h help  space pause  v view  <> sort  r reverse  / filter  Tab next",
		"q quit  h help  space pause  v view",
	};
	unsigned int row = p->c->rows - 1;

	top_canvas_set_style(p->c, row, 0, p->c->columns, CANVAS_TITLE);
	p->text.len = 0;
	if (p->m->editing) {
		hist_strbuf_str(&p->text, "filter: ");
		hist_escape(&p->text, p->m->filter, strlen(p->m->filter), p->m->flags);
		hist_strbuf_char(&p->text, '_');
	} else {
		hist_strbuf_str(&p->text, keys[p->c->columns < strlen(keys[0])]);
	}
	top_canvas_put_text(p->c, row, 0, p->c->columns, CANVAS_TITLE, false, p->text.data,
			    p->text.len);
}

/* The keys, in a box over the rows, with an empty row below. */
static void draw_help(struct top_page *p)
{
	unsigned int i, row = frame_rows(p->h), column, width = p->c->columns;

	for (i = 0; row < p->c->rows - 1; i++, row++) {
		for (column = 0; column < width; column++)
			top_canvas_put_text(p->c, row, column, 1, CANVAS_PLAIN, false, " ", 1);
		if (!top_keys_help[i][0])
			return;
		top_canvas_put_str(p->c, row, 2, CANVAS_HEAD, top_keys_help[i][0]);
		if (width > 32)
			top_canvas_put_str(p->c, row, 29, CANVAS_PLAIN, top_keys_help[i][1]);
	}
}

unsigned int top_page_rows(const struct top_model *m, const struct top_canvas *c)
{
	unsigned int taken = frame_rows(&m->hists[m->current]) + view_of(m)->head_rows + 1;

	return c->rows > taken ? c->rows - taken : 1;
}

static int draw_page(struct top_page *p, struct top_hist *h)
{
	unsigned int rows = top_page_rows(p->m, p->c);
	unsigned int row = frame_rows(h) + view_of(p->m)->head_rows;
	uint32_t line;

	if (h->scroll + rows > h->nlines)
		h->scroll = h->nlines > rows ? h->nlines - rows : 0;
	p->from = h->scroll;
	p->to = h->nlines - p->from < rows ? h->nlines : p->from + rows;
	draw_top(p);
	for (line = p->from; line < p->to; line++)
		draw_line(p, row++, line);
	if (p->m->help)
		draw_help(p);
	draw_bottom(p);
	return p->text.error ? p->text.error : p->cell.text.error;
}

static void page_end(struct top_page *p)
{
	hist_strbuf_free(&p->text);
	table_cell_free(&p->cell);
	table_free(&p->table);
}

int top_draw(struct top_model *m, struct top_canvas *c)
{
	struct top_hist *h = &m->hists[m->current];
	struct top_page page;
	int ret;

	top_canvas_erase(c);
	if (c->rows < TOP_LEAST_ROWS || c->columns < TOP_LEAST_COLUMNS) {
		top_canvas_put_str(c, 0, 0, CANVAS_PLAIN, "terminal too small (q quits)");
		return 0;
	}
	ret = top_arrange(m, h);
	if (ret)
		return ret;
	page_begin(&page, m, c);
	ret = draw_page(&page, h);
	page_end(&page);
	return ret;
}

/* All rows, PRINT_ROWS at a time on one small canvas. */
static int top_view_print_lines(struct top_page *p, const struct top_hist *h, FILE *f)
{
	unsigned int row;
	uint32_t line;
	int ret;

	p->from = 0;
	p->to = h->nlines;
	draw_top(p);
	ret = top_canvas_print(p->c, f, 0, frame_rows(h) + view_of(p->m)->head_rows);
	for (line = 0; line < h->nlines && !ret;) {
		top_canvas_erase(p->c);
		for (row = 0; row < p->c->rows && line < h->nlines; row++)
			draw_line(p, row, line++);
		ret = top_canvas_print(p->c, f, 0, row);
	}
	if (ret)
		return ret;
	return p->text.error ? p->text.error : p->cell.text.error;
}

int top_print(struct top_model *m, FILE *f, unsigned int columns, bool utf8)
{
	struct top_hist *h = &m->hists[m->current];
	struct top_canvas c = { .utf8 = utf8 };
	struct top_page page;
	int ret;

	ret = top_arrange(m, h);
	if (!ret)
		ret = top_canvas_resize(&c, PRINT_ROWS, columns);
	if (ret)
		return ret;
	page_begin(&page, m, &c);
	page.print = true;
	ret = top_view_print_lines(&page, h, f);
	page_end(&page);
	top_canvas_clear(&c);
	return ret;
}
