// SPDX-License-Identifier: LGPL-2.1
/*
 * view_percentiles.c - the percentiles view: the table of percentiles_table.h as text; and the
 * summary, which has its columns
 */
#include "lib/report/text/text_table.h"
#include "lib/report/text/text_view.h"
#include "lib/table/percentiles_table.h"

/* The least columns of lines over time: of a time, and of a percentile. */
#define LINES_TIME 12
#define LINES_LEAST 13

/* Shares refer to the counted value, not to the sort value. */
static void view_percentiles_put_header(struct text_view *t, const struct hist_percentiles *s,
					enum percentiles_of columns)
{
	struct hist_rows rows = *t->view->rows;
	struct hist_view view = *t->view;

	rows.main_value = s->value;
	rows.has_shares = columns == PERCENTILES_OF_ALL && s->total && s->total != UINT64_MAX;
	rows.totals[s->value] = s->total;
	view.rows = &rows;
	hist_view_put_header(&t->out, &view, t->style);
}

static void view_percentiles_print_rows(struct text_view *t, const struct table *table)
{
	struct text_table text = { .table = table, .out = &t->out, .style = t->style };
	uint32_t row;

	text_table_put_titles(&text);
	text_line(t);
	for (row = 0; row < table->nrows && !t->out.error; row++) {
		text_table_put_row(&text, row, 0);
		text_line(t);
	}
	text_table_end(&text);
}

static int view_percentiles_print(FILE *f, const struct hist_view *view,
				  const struct hist_view_style *style,
				  const struct hist_percentiles *percentiles,
				  enum percentiles_of columns)
{
	struct text_view t = text_begin(f, view, style);
	struct percentiles_table table = { 0 };
	int ret = percentiles_table_make(&table, percentiles, columns, t.flags);

	if (!ret)
		ret = table_measure(&table.base, 0, table.base.nrows, t.flags | TABLE_TITLES);
	if (!ret)
		ret = table_fit(&table.base, style->width, t.flags);
	view_percentiles_put_header(&t, percentiles, columns);
	text_table_put_left_out(&t.out, &table.base, style->width, t.flags);
	hist_view_end_header(&t.out);
	if (!ret && percentiles->nrows && columns == PERCENTILES_OF_GROUP) {
		percentiles_table_put_lead(&table, &t.out);
		hist_strbuf_str(&t.out, "\n\n");
	}
	if (!ret && percentiles->nrows)
		view_percentiles_print_rows(&t, &table.base);
	percentiles_table_free(&table);
	return text_end(&t, ret);
}

int hist_view_percentiles(FILE *f, const struct hist_view *view,
			  const struct hist_view_style *style,
			  struct hist_percentiles *percentiles)
{
	int ret = hist_percentiles_select_view(percentiles, view);

	return ret ? ret : view_percentiles_print(f, view, style, percentiles, PERCENTILES_OF_ALL);
}

/* The notes about what is missing in an interval; nothing else tells it here. */
static void view_lines_put_notes(struct text_view *t)
{
	struct hist_loss loss = { 0 };

	hist_loss_add(&loss, t->view);
	loss.full_stacks = hist_loss_count_full_stacks(&t->view->info->def, t->view->table,
						       t->view->rows);
	if (t->view->reset) {
		loss.resets = 0;
		hist_view_put_note(&t->out, t->style, HIST_LOSS_CLEARED("this time"));
	}
	hist_view_put_loss(&t->out, t->style, &loss);
}

static void view_lines_put_head(struct text_view *t)
{
	const struct hist_view *view = t->view;

	hist_view_put_title(&t->out, view->name, view->info, t->style);
	hist_view_put_extent(&t->out, view->extent, hist_view_begin(view), view->from_hits);
	hist_strbuf_str(&t->out, "# intervals: each line has the counts of the interval that ended "
				 "at its time\n");
	hist_view_end_header(&t->out);
}

/* Make columns as wide as in the intervals before. */
static int view_lines_measure(struct percentiles_table *table, struct percentile_lines *lines,
			      unsigned int flags)
{
	int ret = table_measure(&table->base, 0, table->base.nrows, flags | TABLE_TITLES);
	unsigned int i;

	for (i = 0; i < table->base.ncolumns && !ret; i++) {
		text_widen(&lines->widths[i], i < table->first_quantile ? 0 : LINES_LEAST);
		text_widen(&lines->widths[i], table->columns[i].width);
		table->columns[i].width = lines->widths[i];
	}
	return ret;
}

static void view_lines_print_rows(struct text_view *t, const struct table *table, bool titles)
{
	struct text_table text = { .table = table, .out = &t->out, .style = t->style };
	bool ns = hist_clock_is_ns(t->view->info->def.clock);
	struct hist_strbuf *time = text_clear(t);
	uint32_t row;

	if (titles) {
		hist_strbuf_pad(&t->out, strlen("until"), LINES_TIME);
		hist_strbuf_str(&t->out, "until");
		text_table_put_titles(&text);
		text_line(t);
	}
	view_lines_put_notes(t);
	hist_label_put_time(time, t->view->snap->time, ns);
	for (row = 0; row < table->nrows && !t->out.error; row++) {
		hist_strbuf_pad(&t->out, time->len, LINES_TIME);
		hist_strbuf_append(&t->out, time);
		text_table_put_row(&text, row, 0);
		text_line(t);
	}
	text_table_end(&text);
}

int hist_view_percentile_lines(FILE *f, const struct hist_view *view,
			       const struct hist_view_style *style,
			       struct hist_percentiles *percentiles,
			       struct percentile_lines *lines)
{
	struct text_view t = text_begin(f, view, style);
	struct percentiles_table table = { 0 };
	int ret;

	ret = hist_percentiles_select_view(percentiles, view);
	if (!ret)
		ret = percentiles_table_make(&table, percentiles, PERCENTILES_OF_TIME, t.flags);
	if (!ret)
		ret = view_lines_measure(&table, lines, t.flags);
	if (!lines->begun)
		view_lines_put_head(&t);
	if (!ret)
		view_lines_print_rows(&t, &table.base, !lines->begun);
	lines->begun = true;
	percentiles_table_free(&table);
	t.view = NULL; /* an interval has no totals of its own */
	return text_end(&t, ret);
}

/* "lat_us: hitcount 337, mean 124 us, p50 33-36 us, ..., max 1.02 ms", and an empty line. */
static int view_summary_put_line(struct hist_strbuf *b, const struct hist_percentiles *percentiles,
				 unsigned int flags)
{
	struct percentiles_table table = { 0 };
	struct table_cell cell = { 0 };
	const char *axis;
	unsigned int i;
	int ret;

	ret = percentiles_table_make(&table, percentiles, PERCENTILES_OF_LINE, flags);
	if (ret)
		goto out;
	axis = table.axis->name;
	hist_escape(b, axis, strlen(axis), flags);
	for (i = 0; i < table.base.ncolumns; i++) {
		table_get(&table.base, 0, i, &cell);
		hist_strbuf_printf(b, "%s %s ", i ? "," : ":", table.columns[i].title);
		hist_strbuf_append(b, &cell.text);
	}
	hist_strbuf_str(b, "\n\n");
	ret = cell.text.error ? cell.text.error : b->error;
out:
	table_cell_free(&cell);
	percentiles_table_free(&table);
	return ret;
}

int hist_view_summary(FILE *f, const struct hist_view *view, const struct hist_view_style *style,
		      struct hist_percentiles *line, struct hist_percentiles *groups)
{
	struct hist_percentiles *percentiles = view->grouped ? groups : line;
	struct hist_strbuf summary = { 0 };
	int ret = 0;

	if (!view->axis_order && !view->grouped)
		return hist_view_table(f, view, style);
	if (hist_percentiles_explain_none(hist_table_schema(view->table), NULL))
		return hist_view_bars(f, view, style, NULL);
	ret = hist_percentiles_select_view(percentiles, view);
	if (ret)
		return ret;
	if (view->grouped)
		return view_percentiles_print(f, view, style, percentiles, PERCENTILES_OF_GROUP);
	if (percentiles->nrows)
		ret = view_summary_put_line(&summary, percentiles, text_flags(style));
	if (!ret)
		ret = hist_view_bars(f, view, style, &summary);
	hist_strbuf_free(&summary);
	return ret;
}
