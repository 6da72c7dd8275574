// SPDX-License-Identifier: LGPL-2.1
/*
 * view_percentiles.c - the percentiles view: the table of percentiles_table.h as text
 */
#include "lib/report/text/text_table.h"
#include "lib/report/text/text_view.h"
#include "lib/table/percentiles_table.h"

/* Shares refer to the counted value, not to the sort value. */
static void view_percentiles_put_header(struct text_view *t, const struct hist_percentiles *s)
{
	struct hist_rows rows = *t->view->rows;
	struct hist_view view = *t->view;

	rows.main_value = s->value;
	rows.has_shares = s->total && s->total != UINT64_MAX;
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

int hist_view_percentiles(FILE *f, const struct hist_view *view,
			  const struct hist_view_style *style,
			  struct hist_percentiles *percentiles)
{
	struct text_view t = text_begin(f, view, style);
	struct percentiles_table table = { 0 };
	struct hist_worst_list worst = { 0 };
	int ret = hist_worst_select(&worst, view);

	if (!ret)
		ret = hist_percentiles_select(percentiles, view->table, view->snap, &worst);
	hist_worst_free(&worst);
	if (ret)
		return ret;
	ret = percentiles_table_make(&table, percentiles, t.flags);
	if (!ret)
		ret = table_measure(&table.base, 0, table.base.nrows, t.flags | TABLE_TITLES);
	if (!ret)
		ret = table_fit(&table.base, style->width, t.flags);
	view_percentiles_put_header(&t, percentiles);
	text_table_put_left_out(&t.out, &table.base, style->width, t.flags);
	hist_view_end_header(&t.out);
	if (!ret && percentiles->nrows)
		view_percentiles_print_rows(&t, &table.base);
	percentiles_table_free(&table);
	return text_end(&t, ret);
}
