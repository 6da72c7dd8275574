// SPDX-License-Identifier: LGPL-2.1
/*
 * html_table.c - the tables of an HTML report
 *
 * A numeric cell has its exact number in the attribute data-v, for the script that sorts
 * and for other programs.  A text that is shown rounded or abbreviated is complete in the
 * title.  A table has at most HTML_ROWS rows, the largest ones, to limit the layout time of
 * a browser.  One more line reports the rest.
 */
#include <errno.h>

#include "lib/label/number.h"
#include "lib/report/html/html.h"
#include "lib/report/xml.h"
#include "lib/table/columns.h"
#include "lib/table/percentiles_table.h"

/* The rows of the total. */
struct rows_table {
	struct table base;
	struct hist_cells cells;
	const struct hist_columns *of;
	struct table_column columns[HIST_COLUMNS_MAX];
};

static void rows_table_put(const struct table *base, uint32_t row, unsigned int column,
			   struct table_cell *cell)
{
	struct rows_table *t = (struct rows_table *)base;

	hist_columns_put(&t->cells, &t->of->list[column], t->cells.rows->entries[row], cell);
}

static void rows_table_make(struct rows_table *t, const struct hist_columns *columns, uint32_t n)
{
	unsigned int i;

	t->of = columns;
	t->base.put = rows_table_put;
	t->base.columns = t->columns;
	t->base.ncolumns = columns->n;
	t->base.nrows = n;
	for (i = 0; i < columns->n; i++) {
		t->columns[i].title = columns->list[i].title;
		t->columns[i].right = columns->list[i].is_number;
	}
}

static void html_put_table_head(struct html *h, const struct table *t)
{
	const char *title;
	unsigned int i;

	html_raw(h, "<thead><tr>");
	for (i = 0; i < t->ncolumns; i++) {
		title = t->columns[i].title;
		html_raw(h, t->columns[i].right ? "<th scope=\"col\" class=\"n\"><span>" :
						  "<th scope=\"col\"><span>");
		html_str(h, *title ? title : "group");
		html_raw(h, "</span></th>");
	}
	html_raw(h, "</tr></thead>\n");
}

static void html_put_cell(struct html *h, const struct table_column *c,
			  const struct table_cell *cell)
{
	struct hist_strbuf *b = &h->base.out;

	html_raw(h, c->right ? "<td class=\"n\"" : "<td");
	if (cell->is_number) {
		html_raw(h, " data-v=\"");
		hist_strbuf_number(b, cell->number, cell->is_signed);
		hist_strbuf_char(b, '"');
	}
	if (cell->whole.len && (cell->whole.len != cell->text.len ||
				memcmp(cell->whole.data, cell->text.data, cell->text.len))) {
		html_raw(h, " title=\"");
		xml_text(b, &cell->whole);
		hist_strbuf_char(b, '"');
	}
	hist_strbuf_char(b, '>');
	xml_text(b, &cell->text);
	html_raw(h, "</td>");
}

/* Write @t; @id and the number of the histogram identify it. */
static void html_put_table(struct html *h, const struct table *t, const char *id,
			   const char *label, bool is_sortable)
{
	struct table_cell cell = { 0 };
	unsigned int i;
	uint32_t row;

	hist_strbuf_printf(&h->base.out,
			   "<div class=\"rows\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">"
			   "<table%s id=\"%s-%u\">\n", label,
			   is_sortable ? " class=\"sortable\"" : "", id, h->hists);
	html_put_table_head(h, t);
	html_raw(h, "<tbody>\n");
	for (row = 0; row < t->nrows && !h->base.out.error; row++) {
		html_raw(h, "<tr>");
		for (i = 0; i < t->ncolumns; i++) {
			table_get(t, row, i, &cell);
			html_put_cell(h, &t->columns[i], &cell);
		}
		html_raw(h, "</tr>\n");
	}
	html_raw(h, "</tbody>\n</table></div>\n");
	hist_strbuf_fail(&h->base.out, cell.whole.error);
	table_cell_free(&cell);
}

static void left_out(struct html *h, uint32_t shown)
{
	const struct chart_data *c = &h->course;
	uint64_t rest = c->value >= 0 ? c->rows.rest[c->value] : 0;
	uint32_t i;

	for (i = shown; i < c->rows.n && c->value >= 0; i++)
		rest += c->total.values[(size_t)c->rows.entries[i] * chart_data_schema(c)->nvalues +
					c->value];
	html_raw(h, "<p class=\"left-out\">");
	hist_number_put_grouped(&h->base.out, shown, false);
	html_raw(h, " of ");
	hist_number_put_grouped(&h->base.out, c->rows.total, false);
	html_raw(h, " rows are in this table");
	if (c->value >= 0 && !(chart_data_schema(c)->values[c->value].is_signed)) {
		html_raw(h, "; the sum of ");
		svg_put_value_title(hist_strbuf_clear(&h->base.text), c);
		html_text(h);
		html_raw(h, " in the other rows is ");
		hist_number_put_grouped(&h->base.out, rest, false);
	}
	html_raw(h, c->top ? " (--top)" : ". Use --format csv or json to get all rows");
	html_raw(h, ".</p>\n");
}

int html_put_rows(struct html *h)
{
	const struct chart_data *c = &h->course;
	uint32_t n = c->rows.n < HTML_ROWS || c->top ? c->rows.n : HTML_ROWS;
	struct hist_columns *columns = &h->base.columns;
	struct label_details details = { 0 };
	struct rows_table t = {
		.cells = {
			.table = c->table, .snap = &c->total, .rows = &c->rows,
			.whole = c->rows.has_shares ? c->rows.totals[c->rows.main_value] : 0,
			.details = &details, .digits_grouped = true, .has_whole = true,
		},
	};
	int ret = 0;

	/* c->table is NULL if there was not a snapshot */
	if (n)
		ret = label_details_make(&details, c->table, c->rows.entries, n);
	if (ret)
		return ret;
	html_raw(h, "<h3>Rows</h3>\n");
	if (c->rows.total > n)
		left_out(h, n);
	hist_columns_make(columns, chart_data_schema(c), HIST_COLUMNS_PAGE, &c->rows);
	rows_table_make(&t, columns, n);
	html_put_table(h, &t.base, "rows", "Rows", true);
	label_details_free(&details);
	return 0;
}

int html_put_percentiles(struct html *h)
{
	struct percentiles_table t = { .digits_grouped = true, .has_whole = true };
	const struct chart_data *c = &h->course;
	struct hist_percentiles *s;
	struct hist_error error = { 0 };
	int ret;

	if (hist_percentiles_explain_none(chart_data_schema(c), &error))
		return 0;
	s = hist_percentiles_new(h->base.o.quantiles, h->base.o.nquantiles,
				 h->base.o.top ? h->base.o.top : HTML_GROUPS);
	if (!s)
		return -ENOMEM;
	ret = hist_percentiles_select(s, c->table, &c->total);
	if (ret || !s->nrows)
		goto out;
	ret = percentiles_table_make(&t, s, 0);
	if (ret)
		goto out;
	html_raw(h, "<h3>Percentiles of the total</h3>\n");
	html_put_table(h, &t.base, "percentiles", "Percentiles", false);
out:
	percentiles_table_free(&t);
	hist_percentiles_free(s);
	return ret;
}
