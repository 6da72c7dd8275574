// SPDX-License-Identifier: LGPL-2.1
/*
 * html_table.c - the tables of an HTML report
 *
 * A numeric cell has its exact number in the attribute data-v, for the script that sorts
 * and for other programs.  A number that is shown rounded or abbreviated is complete in the
 * title.  A table has at most HTML_ROWS rows, the largest ones, to limit the layout time of
 * a browser.  One more line reports the rest.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/percentiles.h"
#include "lib/base/text.h"
#include "lib/hist/key_names.h"
#include "lib/report/disambiguate.h"
#include "lib/report/html/html.h"
#include "lib/report/text_column.h"
#include "lib/report/xml.h"

/* Begin a numeric cell, up to the end of its attributes. */
static void number_begin(struct html *h, uint64_t v, bool is_signed)
{
	html_raw(h, "<td class=\"n\" data-v=\"");
	hist_strbuf_number(&h->base.out, v, is_signed);
	hist_strbuf_char(&h->base.out, '"');
}

/* End a cell whose content is h->base.text. */
static void text_end(struct html *h)
{
	html_text(h);
	html_raw(h, "</td>");
}

static void number_cell(struct html *h, uint64_t v, bool is_signed)
{
	number_begin(h, v, is_signed);
	hist_strbuf_char(&h->base.out, '>');
}

/* A cell of numbers from @bounds->ge to le, sorted by @sort; a rounded range has a title. */
static void range_cell(struct html *h, const struct hist_key_desc *key,
		       const struct hist_bounds *bounds, uint64_t sort, bool exact)
{
	enum hist_unit unit = hist_unit_from_key(key);
	struct hist_strbuf all = { 0 };

	h->base.text.len = 0;
	hist_label_put_bucket(&h->base.text, key, bounds, exact);
	hist_unit_range(&all, bounds->ge, bounds->le, bounds->is_signed, unit, true);
	number_begin(h, sort, bounds->is_signed);
	hist_strbuf_fail(&h->base.out, all.error);
	if (all.len != h->base.text.len || memcmp(all.data, h->base.text.data, all.len)) {
		html_raw(h, " title=\"");
		hist_strbuf_append(&h->base.out, &all);
		hist_strbuf_char(&h->base.out, '"');
	}
	hist_strbuf_char(&h->base.out, '>');
	text_end(h);
	hist_strbuf_free(&all);
}

/* Begin the cell of a stack.  The title has the offsets of the frames. */
static void stack_begin(struct html *h, const struct hist_cell *cell)
{
	const char *s, *frame;
	size_t len, left;

	h->base.text.len = 0;
	for (s = hist_table_string(h->course.table, cell->str, &left);
	     hist_label_next_frame(&s, &left, &frame, &len);) {
		hist_escape(&h->base.text, frame, len, 0);
		hist_strbuf_char(&h->base.text, '\n');
	}
	html_raw(h, "<td title=\"");
	html_text(h);
	html_raw(h, "\">");
}

static void key_cell(struct html *h, unsigned int key, const struct hist_cell *cell,
		     const struct chart_details *details)
{
	const struct chart_data *c = &h->course;
	const struct hist_key_desc *desc = &chart_data_schema(c)->keys[key];
	struct hist_bounds bounds;

	if (hist_key_traits(desc)->axis && !hist_key_shows_names(desc)) {
		hist_axis_get_bounds(desc, cell->num, &bounds);
		range_cell(h, desc, &bounds, bounds.ge, details->exact[key]);
		return;
	}
	if (desc->kind == HIST_KEY_STACK)
		stack_begin(h, cell);
	else
		html_raw(h, "<td>");
	hist_label_put(hist_strbuf_clear(&h->base.text), c->table, key, cell,
		       svg_address_flag(details->ambiguous, chart_data_schema(c), key, cell));
	text_end(h);
}

static void value_cell(struct html *h, unsigned int i, uint64_t v)
{
	const struct hist_value_desc *desc = &chart_data_schema(&h->course)->values[i];
	if (desc->kind == HIST_VALUE_SAVED) {
		html_raw(h, "<td>");
		hist_label_put_value(hist_strbuf_clear(&h->base.text), h->course.table, desc, v);
		html_text(h);
	} else {
		number_cell(h, v, desc->is_signed);
		if (desc->kind == HIST_VALUE_PERCENT) {
			hist_label_put_value(&h->base.out, h->course.table, desc, v);
			hist_strbuf_char(&h->base.out, '%');
		} else if (desc->is_signed && v >> 63) {
			hist_strbuf_s64(&h->base.out, (int64_t)v);
		} else {
			hist_number_put_grouped(&h->base.out, v, false);
		}
	}
	html_raw(h, "</td>");
}

static void head_cell(struct html *h, bool number, const char *title)
{
	html_raw(h, number ? "<th scope=\"col\" class=\"n\"><span>" :
			     "<th scope=\"col\"><span>");
	html_str(h, title);
	html_raw(h, "</span></th>");
}

static void html_put_table_head(struct html *h, const struct hist_columns *columns)
{
	unsigned int i;

	html_raw(h, "<thead><tr>");
	for (i = 0; i < columns->n; i++)
		head_cell(h, columns->list[i].is_number, columns->list[i].title);
	html_raw(h, "</tr></thead>\n");
}

static void share_cell(struct html *h, uint64_t v)
{
	const struct hist_rows *rows = &h->course.rows;
	uint32_t share = hist_number_share(v, rows->totals[rows->main_value]);

	number_cell(h, share, false);
	hist_strbuf_fixed(&h->base.out, share, 2);
	html_raw(h, "%</td>");
}

static void html_put_row(struct html *h, const struct hist_columns *columns, uint32_t entry,
			 const struct chart_details *details)
{
	const struct chart_data *c = &h->course;
	const struct hist_cell *cells = hist_table_cells(c->table, entry);
	const uint64_t *values = c->total.values + (size_t)entry * chart_data_schema(c)->nvalues;
	const struct hist_column *column = columns->list;

	html_raw(h, "<tr>");
	for (; column < columns->list + columns->n; column++) {
		switch (column->kind) {
		case HIST_COLUMN_KEY:
			key_cell(h, column->index, &cells[column->index], details);
			break;
		case HIST_COLUMN_VALUE:
			value_cell(h, column->index, values[column->index]);
			break;
		case HIST_COLUMN_SHARE:
			share_cell(h, values[c->rows.main_value]);
			break;
		case HIST_COLUMN_RATE: /* only in hist_columns_make_rates() */
			break;
		}
	}
	html_raw(h, "</tr>\n");
}

static void left_out(struct html *h, uint32_t shown)
{
	const struct chart_data *c = &h->course;
	uint64_t rest = c->value >= 0 ? c->rows.rest[c->value] : 0;
	uint32_t i;

	for (i = shown; i < c->rows.n && c->value >= 0; i++)
		rest += c->total.values[(size_t)c->rows.entries[i] * chart_data_schema(c)->nvalues + c->value];
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

void html_put_rows(struct html *h)
{
	const struct hist_rows *rows = &h->course.rows;
	uint32_t n = rows->n < HTML_ROWS || h->course.top ? rows->n : HTML_ROWS, i;
	struct hist_columns *columns = &h->base.columns;
	struct chart_details details = { 0 };

	/* c->table is NULL if there was not a snapshot */
	if (n)
		hist_strbuf_fail(&h->base.out, svg_chart_details_make(&details, &h->course, n));
	html_raw(h, "<h3>Rows</h3>\n");
	if (rows->total > n)
		left_out(h, n);
	hist_strbuf_printf(&h->base.out,
			   "<div class=\"rows\" tabindex=\"0\" role=\"group\" aria-label=\"Rows\">"
			   "<table class=\"sortable\" id=\"rows-%u\">\n",
			   h->hists);
	hist_columns_make(columns, chart_data_schema(&h->course), rows->has_shares);
	html_put_table_head(h, columns);
	html_raw(h, "<tbody>\n");
	for (i = 0; i < n && !h->base.out.error; i++)
		html_put_row(h, columns, rows->entries[i], &details);
	html_raw(h, "</tbody>\n</table></div>\n");
	free(details.ambiguous);
}

static void interval_cell(struct html *h, const struct hist_key_desc *key,
			  const struct hist_quantile *q)
{
	const struct hist_bounds bounds = { key->is_signed, q->low, q->high };

	range_cell(h, key, &bounds, q->high, false);
}

static void mean_cell(struct html *h, const struct hist_percentiles_row *r, enum hist_unit unit)
{
	html_raw(h, "<td class=\"n\"");
	h->base.text.len = 0;
	if (r->has_mean) {
		hist_strbuf_printf(&h->base.out, " title=\"%.15g%s%s\"", r->mean,
				   unit != HIST_UNIT_NONE ? " " : "", hist_unit_name(unit));
		hist_unit_real(&h->base.text, r->mean, unit);
	}
	hist_strbuf_char(&h->base.out, '>');
	text_end(h);
}

static unsigned int group_flags(const struct hist_percentiles *s,
				const struct hist_percentiles_row *r, const bool *ambiguous)
{
	const struct hist_table *table = hist_grouping_table(s->grouping);
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_cell *cells;
	unsigned int i, flags = 0;
	uint32_t n;

	cells = hist_table_cells(table, hist_grouping_entries(s->grouping, r->group, &n)[0]);
	for (i = 0; i < schema->nkeys; i++)
		flags |= svg_address_flag(ambiguous, schema, i, &cells[i]);
	return flags;
}

static void html_put_group(struct html *h, const struct hist_percentiles *s,
			   const struct hist_percentiles_row *r, const char *name, bool means,
			   const bool *ambiguous)
{
	const struct hist_schema *schema = chart_data_schema(&h->course);
	const struct hist_key_desc *key = &schema->keys[hist_axis_key(schema)];
	unsigned int i;

	html_raw(h, "<tr><td>");
	h->base.text.len = 0;
	if (name)
		hist_strbuf_str(&h->base.text, name);
	else
		hist_grouping_label(&h->base.text, s->grouping, r->group,
				    group_flags(s, r, ambiguous));
	text_end(h);
	number_cell(h, r->count, false);
	hist_number_put_grouped(&h->base.out, r->count, false);
	html_raw(h, "</td>");
	for (i = 0; i < s->np; i++)
		interval_cell(h, key, &r->q[i]);
	interval_cell(h, key, &r->most);
	if (means)
		mean_cell(h, r, hist_unit_from_key(key));
	html_raw(h, "</tr>\n");
}

/* The names of the keys that make a group. */
static void html_put_group_head(struct html *h)
{
	const struct hist_schema *schema = chart_data_schema(&h->course);
	struct hist_strbuf *b = hist_strbuf_clear(&h->base.text);

	if (!text_column_keys(b, schema, hist_axis_key(schema), 0))
		hist_strbuf_str(b, "group");
	html_raw(h, "<th scope=\"col\"><span>");
	html_text(h);
	html_raw(h, "</span></th>");
}

static int html_put_percentiles_table(struct html *h, const struct hist_percentiles *s)
{
	bool means = s->ncut && s->rest.has_mean;
	bool any, *ambiguous;
	char title[64];
	uint32_t i;
	int ret = -ENOMEM;

	ambiguous = calloc(hist_table_strings(h->course.table) + 1, 1);
	if (ambiguous)
		ret = disambiguate_groups(&any, ambiguous, s);
	if (ret)
		goto out;
	/* a mean is known only if a sum was recorded */
	for (i = 0; i < s->nrows && !means; i++)
		means = s->rows[i].has_mean;
	hist_strbuf_printf(
		&h->base.out,
		"<h3>Percentiles of the total</h3>\n<div class=\"rows\" tabindex=\"0\" "
		"role=\"group\" aria-label=\"Percentiles\"><table id=\"percentiles-%u\">\n"
		"<thead><tr>",
		h->hists);
	html_put_group_head(h);
	head_cell(h, true, "count");
	for (i = 0; i < s->np; i++) {
		hist_quantile_name(title, s->p[i]);
		head_cell(h, true, title);
	}
	head_cell(h, true, "largest");
	if (means)
		head_cell(h, true, "mean");
	html_raw(h, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < s->nrows; i++)
		html_put_group(h, s, &s->rows[i], NULL, means, ambiguous);
	if (s->ncut) {
		snprintf(title, sizeof(title), "%" PRIu32 " other group%s", s->ncut,
			 text_plural(s->ncut));
		html_put_group(h, s, &s->rest, title, means, ambiguous);
	}
	html_raw(h, "</tbody>\n</table></div>\n");
out:
	free(ambiguous);
	return ret;
}

int html_put_percentiles(struct html *h)
{
	const struct chart_data *c = &h->course;
	struct hist_percentiles *s;
	char why[256];
	int ret;

	if (hist_percentiles_explain_none(chart_data_schema(c), why, sizeof(why)))
		return 0;
	s = hist_percentiles_new(h->base.o.quantiles, h->base.o.nquantiles,
				 h->base.o.top ? h->base.o.top : HTML_GROUPS);
	if (!s)
		return -ENOMEM;
	ret = hist_percentiles_select(s, c->table, &c->total);
	if (!ret && s->nrows)
		ret = html_put_percentiles_table(h, s);
	hist_percentiles_free(s);
	return ret;
}
