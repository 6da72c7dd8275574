// SPDX-License-Identifier: LGPL-2.1
/*
 * html_table.c - the tables of an HTML report
 *
 * Cells that are numbers have them whole in data-v, for the script that sorts and
 * for others that read the page.  At most HTML_ROWS rows are in a table,
 * the largest, as a browser has to lay them out; the rest is one line that says so.
 */
#include <errno.h>
#include <inttypes.h>

#include <tracehist/percentiles.h>

#include "html.h"
#include "xml.h"

static bool is_number(enum hist_key_kind kind)
{
	switch (kind) {
	case HIST_KEY_NUM:
	case HIST_KEY_USECS:
	case HIST_KEY_LOG2:
	case HIST_KEY_BUCKETS:
		return true;
	default:
		return false;
	}
}

static void number_cell(struct html *h, uint64_t v, bool is_signed)
{
	hist_strbuf_str(&h->out, "<td class=\"n\" data-v=\"");
	if (is_signed)
		hist_strbuf_s64(&h->out, (int64_t)v);
	else
		hist_strbuf_u64(&h->out, v);
	hist_strbuf_str(&h->out, "\">");
}

static void key_cell(struct html *h, unsigned int key, const struct hist_cell *cell)
{
	const struct course *c = &h->course;
	const struct hist_key_desc *desc = &course_schema(c)->keys[key];
	enum hist_unit unit = hist_unit_of_key(desc);
	struct hist_bounds bounds;

	h->text.len = 0;
	if (is_number(desc->kind)) {
		hist_axis_bounds(desc, cell->num, &bounds);
		number_cell(h, bounds.ge, bounds.is_signed);
		hist_unit_range(&h->text, bounds.ge, bounds.le, bounds.is_signed, unit);
	} else {
		hist_strbuf_str(&h->out, "<td>");
		hist_label(&h->text, c->table, key, cell, 0);
	}
	html_text(h);
	hist_strbuf_str(&h->out, "</td>");
}

static void value_cell(struct html *h, unsigned int i, uint64_t v)
{
	const struct hist_value_desc *desc = &course_schema(&h->course)->values[i];
	const char *s;
	size_t len;

	if (desc->kind == HIST_VALUE_SAVED) {
		hist_strbuf_str(&h->out, "<td>");
		s = v < hist_table_strings(h->course.table) ?
			    hist_table_string(h->course.table, (uint32_t)v, &len) : NULL;
		h->text.len = 0;
		if (s)
			hist_escape(&h->text, s, len, 0);
		html_text(h);
	} else {
		number_cell(h, v, desc->is_signed);
		if (desc->kind == HIST_VALUE_PERCENT)
			hist_strbuf_printf(&h->out, "%" PRIu64 ".%02" PRIu64 "%%", v / 100, v % 100);
		else if (desc->is_signed && v >> 63)
			hist_strbuf_s64(&h->out, (int64_t)v);
		else
			chart_count(&h->out, v);
	}
	hist_strbuf_str(&h->out, "</td>");
}

static void head_cell(struct html *h, bool number, const char *title)
{
	hist_strbuf_str(&h->out, number ? "<th scope=\"col\" class=\"n\"><span>" :
					  "<th scope=\"col\"><span>");
	html_str(h, title);
	hist_strbuf_str(&h->out, "</span></th>");
}

static void head(struct html *h)
{
	const struct hist_schema *schema = course_schema(&h->course);
	char title[300];
	unsigned int i;

	hist_strbuf_str(&h->out, "<thead><tr>");
	for (i = 0; i < schema->nkeys; i++) {
		hist_key_title(schema, i, title, sizeof(title));
		head_cell(h, is_number(schema->keys[i].kind), title);
	}
	for (i = 0; i < schema->nvalues; i++) {
		hist_value_title(schema, i, title, sizeof(title));
		head_cell(h, schema->values[i].kind != HIST_VALUE_SAVED, title);
	}
	if (h->course.rows.has_shares)
		head_cell(h, true, "share");
	hist_strbuf_str(&h->out, "</tr></thead>\n");
}

static void row(struct html *h, uint32_t entry)
{
	const struct course *c = &h->course;
	const struct hist_schema *schema = course_schema(c);
	const struct hist_cell *cells = hist_table_cells(c->table, entry);
	const uint64_t *values = c->total.values + (size_t)entry * schema->nvalues;
	unsigned int i;
	uint32_t share;

	hist_strbuf_str(&h->out, "<tr>");
	for (i = 0; i < schema->nkeys; i++)
		key_cell(h, i, &cells[i]);
	for (i = 0; i < schema->nvalues; i++)
		value_cell(h, i, values[i]);
	if (c->rows.has_shares) {
		share = hist_share(values[c->rows.main_value], c->rows.totals[c->rows.main_value]);
		number_cell(h, share, false);
		hist_strbuf_printf(&h->out, "%" PRIu32 ".%02" PRIu32 "%%</td>", share / 100, share % 100);
	}
	hist_strbuf_str(&h->out, "</tr>\n");
}

static void left_out(struct html *h, uint32_t shown)
{
	const struct course *c = &h->course;
	uint64_t rest = c->value >= 0 ? c->rows.rest[c->value] : 0;
	uint32_t i;

	for (i = shown; i < c->rows.n && c->value >= 0; i++)
		rest += c->total.values[(size_t)c->rows.entries[i] * course_schema(c)->nvalues + c->value];
	hist_strbuf_str(&h->out, "<p class=\"left-out\">");
	chart_count(&h->out, shown);
	hist_strbuf_str(&h->out, " of ");
	chart_count(&h->out, c->rows.total);
	hist_strbuf_str(&h->out, " rows are in this table");
	if (c->value >= 0 && !(course_schema(c)->values[c->value].is_signed)) {
		hist_strbuf_str(&h->out, "; the others have ");
		chart_count(&h->out, rest);
		hist_strbuf_str(&h->out, " of ");
		h->text.len = 0;
		chart_value_title(&h->text, c);
		html_text(h);
		hist_strbuf_str(&h->out, " together");
	}
	hist_strbuf_str(&h->out, c->top ? " (--top)" : ". A report with --format csv or json has all");
	hist_strbuf_str(&h->out, ".</p>\n");
}

void html_rows(struct html *h)
{
	const struct hist_rows *rows = &h->course.rows;
	uint32_t n = rows->n < HTML_ROWS || h->course.top ? rows->n : HTML_ROWS, i;

	hist_strbuf_str(&h->out, "<h3>Rows</h3>\n");
	if (rows->total > n)
		left_out(h, n);
	hist_strbuf_printf(&h->out, "<div class=\"rows\" tabindex=\"0\" role=\"group\" aria-label=\"Rows\">"
				    "<table class=\"sortable\" id=\"rows-%u\">\n", h->hists);
	head(h);
	hist_strbuf_str(&h->out, "<tbody>\n");
	for (i = 0; i < n && !h->out.error; i++)
		row(h, rows->entries[i]);
	hist_strbuf_str(&h->out, "</tbody>\n</table></div>\n");
}

static void interval_cell(struct html *h, const struct hist_quantile *q, bool is_signed,
			  enum hist_unit unit)
{
	number_cell(h, q->high, is_signed);
	h->text.len = 0;
	hist_unit_range(&h->text, q->low, q->high, is_signed, unit);
	html_text(h);
	hist_strbuf_str(&h->out, "</td>");
}

static void group(struct html *h, const struct hist_percentiles *s,
		  const struct hist_percentiles_row *r, const char *name, bool means)
{
	const struct hist_schema *schema = course_schema(&h->course);
	const struct hist_key_desc *key = &schema->keys[hist_axis_key(schema)];
	enum hist_unit unit = hist_unit_of_key(key);
	unsigned int i, n;
	const uint32_t *p;

	n = hist_percentiles_quantiles(s, &p);
	hist_strbuf_str(&h->out, "<tr><td>");
	h->text.len = 0;
	if (name)
		hist_strbuf_str(&h->text, name);
	else
		hist_grouping_label(&h->text, hist_percentiles_grouping(s), r->group, 0);
	html_text(h);
	hist_strbuf_str(&h->out, "</td>");
	number_cell(h, r->count, false);
	chart_count(&h->out, r->count);
	hist_strbuf_str(&h->out, "</td>");
	for (i = 0; i < n; i++)
		interval_cell(h, &r->q[i], key->is_signed, unit);
	interval_cell(h, &r->most, key->is_signed, unit);
	if (means) {
		hist_strbuf_str(&h->out, "<td class=\"n\">");
		h->text.len = 0;
		if (r->has_mean)
			hist_unit_real(&h->text, r->mean, unit);
		html_text(h);
		hist_strbuf_str(&h->out, "</td>");
	}
	hist_strbuf_str(&h->out, "</tr>\n");
}

static void percentiles(struct html *h, const struct hist_percentiles *s)
{
	uint32_t groups, i, count = hist_percentiles_count(s);
	const struct hist_percentiles_row *rest = hist_percentiles_rest(s, &groups);
	bool means = rest && rest->has_mean;
	unsigned int n;
	const uint32_t *p;
	char title[64];

	/* a mean is known only where a sum was recorded */
	for (i = 0; i < count && !means; i++)
		means = hist_percentiles_row(s, i)->has_mean;
	n = hist_percentiles_quantiles(s, &p);
	hist_strbuf_printf(&h->out, "<h3>Percentiles of the total</h3>\n<div class=\"rows\" tabindex=\"0\" "
				    "role=\"group\" aria-label=\"Percentiles\"><table id=\"percentiles-%u\">\n"
				    "<thead><tr>", h->hists);
	head_cell(h, false, "group");
	head_cell(h, true, "count");
	for (i = 0; i < n; i++) {
		snprintf(title, sizeof(title), "p%.9g", p[i] / 10000.0);
		head_cell(h, true, title);
	}
	head_cell(h, true, "largest");
	if (means)
		head_cell(h, true, "mean");
	hist_strbuf_str(&h->out, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < count; i++)
		group(h, s, hist_percentiles_row(s, i), NULL, means);
	if (rest) {
		snprintf(title, sizeof(title), "%" PRIu32 " other groups", groups);
		group(h, s, rest, title, means);
	}
	hist_strbuf_str(&h->out, "</tbody>\n</table></div>\n");
}

int html_percentiles(struct html *h)
{
	const struct course *c = &h->course;
	struct hist_percentiles *s;
	char why[256];
	int ret;

	if (hist_percentiles_why_not(course_schema(c), why, sizeof(why)))
		return 0;
	s = hist_percentiles_new(h->o.quantiles, h->o.nquantiles, h->o.top ? h->o.top : HTML_GROUPS);
	if (!s)
		return -ENOMEM;
	ret = hist_percentiles_select(s, c->table, &c->total);
	if (!ret && hist_percentiles_count(s))
		percentiles(h, s);
	hist_percentiles_free(s);
	return ret;
}
