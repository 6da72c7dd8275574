// SPDX-License-Identifier: LGPL-2.1
/*
 * view_percentiles.c - the percentiles view: a row for each group, with its percentiles
 *
 *   next_comm    hitcount    share        lat_us       p50        p99
 *   rcu_preempt        89   26.41%  0 us-1.02 ms  33-64 us  65-128 us
 *
 * There are two passes over the rows, as in view_table.c: the first one measures, the
 * second one writes.  Both passes get the content of a column from the same function.
 *
 * Invariant: an interval is never narrower than its bucket, except for the rounding of
 * unit.h.  A single number is shown only if the bucket is one number.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/analysis/percentiles.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/report/disambiguate.h"
#include "lib/report/text_column.h"

#define FLUSH_AT (64u << 10)
#define LABEL_MIN 32
/* count, range, mean, and the quantiles */
#define COLUMNS_MAX (3 + HIST_QUANTILES_MAX)

enum { COLUMN_COUNT, COLUMN_RANGE, COLUMN_MEAN, COLUMN_QUANTILE };

struct percentiles_view {
	FILE *f;
	const struct hist_view *view;
	const struct hist_view_style *style;
	const struct hist_schema *schema;
	const struct hist_percentiles *percentiles;
	const struct hist_grouping *grouping;
	const struct hist_key_desc *axis;
	enum hist_unit unit;
	unsigned int flags;
	const uint32_t *p;
	unsigned int ncolumns;
	bool has_mean, has_shares;
	unsigned int label_width;
	unsigned int widths[COLUMNS_MAX];
	struct hist_strbuf out, text;
};

static void put_range(struct percentiles_view *v, uint64_t low, uint64_t high)
{
	hist_unit_range(&v->text, low, high, v->axis->is_signed, v->unit);
}

/* Write the content of a column of a row into v->text, in ASCII. */
static void cell(struct percentiles_view *v, const struct hist_percentiles_row *row,
		 unsigned int column)
{
	const struct hist_quantile *q;

	v->text.len = 0;
	switch (column) {
	case COLUMN_COUNT:
		hist_strbuf_u64(&v->text, row->count);
		return;
	case COLUMN_RANGE:
		put_range(v, row->least.low, row->most.high);
		return;
	case COLUMN_MEAN:
		if (row->has_mean)
			hist_unit_real(&v->text, row->mean, v->unit);
		else
			hist_strbuf_char(&v->text, '-');
		return;
	}
	q = &row->q[column - COLUMN_QUANTILE];
	put_range(v, q->low, q->high);
}

static unsigned int title(struct percentiles_view *v, unsigned int column)
{
	char name[300];

	v->text.len = 0;
	switch (column) {
	case COLUMN_COUNT:
		hist_value_title(v->schema, hist_percentiles_value(v->percentiles), name,
				 sizeof(name));
		break;
	case COLUMN_RANGE:
		hist_key_title(v->schema, v->axis - v->schema->keys, name, sizeof(name));
		break;
	case COLUMN_MEAN:
		snprintf(name, sizeof(name), "mean");
		break;
	default:
		hist_quantile_name(name, v->p[column - COLUMN_QUANTILE]);
	}
	return hist_escape(&v->text, name, strlen(name), v->flags & HIST_ESCAPE_ASCII);
}

/* The names of the keys that make a group, in the form of its label; nothing for "all". */
static unsigned int label_title(struct percentiles_view *v)
{
	unsigned int i, width = 0;
	char name[300];

	v->text.len = 0;
	for (i = 0; i < v->schema->nkeys; i++) {
		if (&v->schema->keys[i] == v->axis)
			continue;
		if (width) {
			hist_strbuf_str(&v->text, " / ");
			width += 3;
		}
		hist_key_title(v->schema, i, name, sizeof(name));
		width += hist_escape(&v->text, name, strlen(name), v->flags & HIST_ESCAPE_ASCII);
	}
	return width;
}

static unsigned int label(struct percentiles_view *v, const struct hist_percentiles_row *row)
{
	v->text.len = 0;
	return hist_grouping_label(&v->text, v->grouping, row->group, v->flags);
}

/* The label of the line with the rest. */
static unsigned int rest_label(struct percentiles_view *v, uint32_t groups)
{
	v->text.len = 0;
	hist_strbuf_u64(&v->text, groups);
	hist_strbuf_str(&v->text, " more");
	return v->text.len;
}

static void widen(unsigned int *width, unsigned int to)
{
	if (*width < to)
		*width = to;
}

static void measure_row(struct percentiles_view *v, const struct hist_percentiles_row *row)
{
	unsigned int i;

	for (i = 0; i < v->ncolumns; i++) {
		cell(v, row, i);
		widen(&v->widths[i], v->text.len);
	}
}

static void measure(struct percentiles_view *v)
{
	const struct hist_percentiles_row *rest, *row;
	unsigned int used = 2, i;
	uint32_t n, groups;

	v->label_width = label_title(v);
	for (i = 0; i < v->ncolumns; i++)
		v->widths[i] = title(v, i);
	for (n = 0; n < hist_percentiles_count(v->percentiles); n++) {
		row = hist_percentiles_row(v->percentiles, n);
		widen(&v->label_width, label(v, row));
		measure_row(v, row);
	}
	rest = hist_percentiles_rest(v->percentiles, &groups);
	if (rest) {
		measure_row(v, rest);
		widen(&v->label_width, rest_label(v, groups));
	}
	for (i = 0; i < v->ncolumns; i++)
		if (i != COLUMN_MEAN || v->has_mean)
			used += v->widths[i] + 2;
	used += v->has_shares ? 9 : 0;
	i = v->style->width > used + LABEL_MIN ? v->style->width - used : LABEL_MIN;
	if (v->label_width > i)
		v->label_width = i;
}

static void put(struct percentiles_view *v, unsigned int width, unsigned int column, bool right)
{
	hist_strbuf_add(&v->out, "  ", 2);
	column_put(&v->out, &v->text, width, column, right, !v->style->utf8);
}

static void head(struct percentiles_view *v)
{
	unsigned int i, width;

	width = label_title(v);
	put(v, width, v->label_width, false);
	for (i = 0; i < v->ncolumns; i++) {
		if (i == COLUMN_MEAN && !v->has_mean)
			continue;
		width = title(v, i);
		put(v, width, v->widths[i], true);
		if (i == COLUMN_COUNT && v->has_shares)
			hist_strbuf_str(&v->out, "    share");
	}
	hist_strbuf_char(&v->out, '\n');
}

/* Write the columns after the label. */
static void put_row(struct percentiles_view *v, const struct hist_percentiles_row *row)
{
	unsigned int i;

	for (i = 0; i < v->ncolumns; i++) {
		if (i == COLUMN_MEAN && !v->has_mean)
			continue;
		cell(v, row, i);
		put(v, v->text.len, v->widths[i], true);
		if (i == COLUMN_COUNT && v->has_shares) {
			hist_strbuf_add(&v->out, "  ", 2);
			hist_view_share(&v->out, row->count,
					hist_percentiles_total(v->percentiles));
		}
	}
	hist_strbuf_char(&v->out, '\n');
	if (v->out.len >= FLUSH_AT)
		hist_strbuf_flush(&v->out, v->f);
}

static void print_rows(struct percentiles_view *v)
{
	const struct hist_percentiles_row *row;
	unsigned int width;
	uint32_t i, groups;

	if (hist_percentiles_count(v->percentiles))
		head(v);
	for (i = 0; i < hist_percentiles_count(v->percentiles) && !v->out.error; i++) {
		row = hist_percentiles_row(v->percentiles, i);
		width = label(v, row);
		put(v, width, v->label_width, false);
		put_row(v, row);
	}
	row = hist_percentiles_rest(v->percentiles, &groups);
	if (row) {
		width = rest_label(v, groups);
		put(v, width, v->label_width, false);
		put_row(v, row);
	}
}

/* Write the header.  Shares refer to the counted value, not to the sort value. */
static void header(struct percentiles_view *v)
{
	unsigned int value = hist_percentiles_value(v->percentiles);
	uint64_t total = hist_percentiles_total(v->percentiles);
	struct hist_rows rows = *v->view->rows;
	struct hist_view view = *v->view;

	v->has_shares = total && total != UINT64_MAX;
	rows.main_value = value;
	rows.has_shares = v->has_shares;
	rows.totals[value] = total;
	view.rows = &rows;
	hist_view_header(&v->out, &view, v->style);
}

int hist_view_percentiles(FILE *f, const struct hist_view *view,
			  const struct hist_view_style *style,
			  struct hist_percentiles *percentiles)
{
	struct percentiles_view v = {
		.f = f,
		.view = view,
		.style = style,
		.schema = hist_table_schema(view->table),
		.percentiles = percentiles,
		.flags = style->utf8 ? 0 : HIST_ESCAPE_ASCII,
	};
	unsigned int value;
	bool ambiguous;
	int ret;

	ret = hist_percentiles_select(percentiles, view->table, view->snap);
	if (ret)
		return ret;
	v.grouping = hist_percentiles_grouping(percentiles);
	v.axis = &v.schema->keys[hist_grouping_axis(v.grouping)];
	v.unit = hist_unit_of_key(v.axis);
	v.ncolumns = COLUMN_QUANTILE + hist_percentiles_quantiles(percentiles, &v.p);
	v.has_mean = hist_axis_sum(v.schema, &value) && hist_schema_hitcount(v.schema) >= 0;
	header(&v);
	ret = distinct_groups(&ambiguous, NULL, percentiles);
	v.flags |= ambiguous ? HIST_LABEL_ADDRESS : 0;
	if (!ret) {
		measure(&v);
		print_rows(&v);
		hist_view_totals(&v.out, view);
		ret = hist_strbuf_flush(&v.out, f);
		if (!ret)
			ret = v.text.error;
	}
	hist_strbuf_free(&v.out);
	hist_strbuf_free(&v.text);
	return ret;
}
