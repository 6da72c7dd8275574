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
#include "lib/label/unit.h"
#include "lib/report/disambiguate.h"
#include "lib/report/text/text_view.h"

#define LABEL_MIN 32
/* count, range, mean, and the quantiles */
#define COLUMNS_MAX (3 + HIST_QUANTILES_MAX)

enum { COLUMN_COUNT, COLUMN_RANGE, COLUMN_MEAN, COLUMN_QUANTILE };

struct percentiles_view {
	struct text_view t;
	const struct hist_percentiles *percentiles;
	const struct hist_key_desc *axis;
	enum hist_unit unit;
	unsigned int ncolumns;
	bool has_mean, has_shares;
	unsigned int label_width;
	unsigned int widths[COLUMNS_MAX];
};

/* Write the content of a column of a row into t.text, in ASCII. */
static void view_percentiles_put_cell(struct percentiles_view *v,
				      const struct hist_percentiles_row *row,
				      unsigned int column)
{
	struct hist_quantile q = { row->least.low, row->most.high };
	struct hist_bounds bucket;
	struct hist_strbuf *b = text_clear(&v->t);

	switch (column) {
	case COLUMN_COUNT:
		hist_strbuf_u64(b, row->count);
		return;
	case COLUMN_MEAN:
		if (row->has_mean)
			hist_unit_real(b, row->mean, v->unit);
		else
			hist_strbuf_char(b, '-');
		return;
	case COLUMN_RANGE:
		hist_unit_range(b, q.low, q.high, v->axis->is_signed, v->unit, false);
		return;
	default:
		q = row->q[column - COLUMN_QUANTILE];
	}
	bucket = (struct hist_bounds){ v->axis->is_signed, q.low, q.high };
	hist_label_put_bucket(b, v->axis, &bucket, false);
}

static unsigned int view_percentiles_make_title(struct percentiles_view *v, unsigned int column)
{
	char name[HIST_TITLE_MAX] = "mean";

	if (column == COLUMN_COUNT)
		hist_column_format_value(v->t.schema, v->percentiles->value, name, sizeof(name));
	else if (column == COLUMN_RANGE)
		hist_column_format_key(v->t.schema, v->axis - v->t.schema->keys, name,
				       sizeof(name));
	else if (column != COLUMN_MEAN)
		hist_quantile_name(name, v->percentiles->p[column - COLUMN_QUANTILE]);
	return text_name(&v->t, name);
}

/* The names of the keys that make a group, in the form of its label; nothing for "all". */
static unsigned int view_percentiles_put_label_title(struct percentiles_view *v)
{
	return text_column_keys(text_clear(&v->t), v->t.schema,
				hist_grouping_axis(v->percentiles->grouping), v->t.flags);
}

/* The label of a group, or of the line with the rest of @rest groups. */
static unsigned int view_percentiles_make_label(struct percentiles_view *v,
						const struct hist_percentiles_row *row,
						uint32_t rest)
{
	struct hist_strbuf *b = text_clear(&v->t);

	if (!rest)
		return hist_grouping_label(b, v->percentiles->grouping, row->group, v->t.flags);
	hist_strbuf_u64(b, rest);
	hist_strbuf_str(b, " more");
	return b->len;
}

static bool is_shown(const struct percentiles_view *v, unsigned int column)
{
	return column != COLUMN_MEAN || v->has_mean;
}

static void view_percentiles_measure_row(struct percentiles_view *v,
					 const struct hist_percentiles_row *row,
					 uint32_t rest)
{
	unsigned int i;

	text_widen(&v->label_width, view_percentiles_make_label(v, row, rest));
	for (i = 0; i < v->ncolumns; i++) {
		view_percentiles_put_cell(v, row, i);
		text_widen(&v->widths[i], v->t.text.len);
	}
}

static void view_percentiles_measure_columns(struct percentiles_view *v)
{
	const struct hist_percentiles *s = v->percentiles;
	unsigned int used = 2, i;
	uint32_t n;

	v->label_width = view_percentiles_put_label_title(v);
	for (i = 0; i < v->ncolumns; i++)
		v->widths[i] = view_percentiles_make_title(v, i);
	for (n = 0; n < s->nrows; n++)
		view_percentiles_measure_row(v, &s->rows[n], 0);
	if (s->ncut)
		view_percentiles_measure_row(v, &s->rest, s->ncut);
	for (i = 0; i < v->ncolumns; i++)
		used += is_shown(v, i) ? v->widths[i] + 2 : 0;
	used += v->has_shares ? 9 : 0;
	i = v->t.style->width > used + LABEL_MIN ? v->t.style->width - used : LABEL_MIN;
	if (v->label_width > i)
		v->label_width = i;
}

static void view_percentiles_put_head(struct percentiles_view *v)
{
	unsigned int i, width = view_percentiles_put_label_title(v);

	text_column(&v->t, width, v->label_width, false);
	for (i = 0; i < v->ncolumns; i++) {
		if (!is_shown(v, i))
			continue;
		width = view_percentiles_make_title(v, i);
		text_column(&v->t, width, v->widths[i], true);
		if (i == COLUMN_COUNT && v->has_shares)
			hist_strbuf_str(&v->t.out, "    share");
	}
	text_line(&v->t);
}

static void view_percentiles_put_row(struct percentiles_view *v,
				     const struct hist_percentiles_row *row,
				     uint32_t rest)
{
	unsigned int i, width = view_percentiles_make_label(v, row, rest);

	text_column(&v->t, width, v->label_width, false);
	for (i = 0; i < v->ncolumns; i++) {
		if (!is_shown(v, i))
			continue;
		view_percentiles_put_cell(v, row, i);
		text_column(&v->t, v->t.text.len, v->widths[i], true);
		if (i == COLUMN_COUNT && v->has_shares) {
			hist_strbuf_add(&v->t.out, "  ", 2);
			hist_view_put_share(&v->t.out, row->count, v->percentiles->total);
		}
	}
	text_line(&v->t);
}

static void view_percentiles_print_rows(struct percentiles_view *v)
{
	const struct hist_percentiles *s = v->percentiles;
	uint32_t i;

	if (s->nrows)
		view_percentiles_put_head(v);
	for (i = 0; i < s->nrows && !v->t.out.error; i++)
		view_percentiles_put_row(v, &s->rows[i], 0);
	if (s->ncut)
		view_percentiles_put_row(v, &s->rest, s->ncut);
}

/* Write the header.  Shares refer to the counted value, not to the sort value. */
static void view_percentiles_put_header(struct percentiles_view *v)
{
	unsigned int value = v->percentiles->value;
	uint64_t total = v->percentiles->total;
	struct hist_rows rows = *v->t.view->rows;
	struct hist_view view = *v->t.view;

	v->has_shares = total && total != UINT64_MAX;
	rows.main_value = value;
	rows.has_shares = v->has_shares;
	rows.totals[value] = total;
	view.rows = &rows;
	hist_view_put_header(&v->t.out, &view, v->t.style);
}

int hist_view_percentiles(FILE *f, const struct hist_view *view,
			  const struct hist_view_style *style,
			  struct hist_percentiles *percentiles)
{
	struct percentiles_view v = {
		.t = text_begin(f, view, style),
		.percentiles = percentiles,
	};
	unsigned int value;
	bool ambiguous;
	int ret;

	ret = hist_percentiles_select(percentiles, view->table, view->snap);
	if (ret)
		return ret;
	v.axis = &v.t.schema->keys[hist_grouping_axis(percentiles->grouping)];
	v.unit = hist_unit_from_key(v.axis);
	v.ncolumns = COLUMN_QUANTILE + percentiles->np;
	v.has_mean = hist_axis_find_sum(v.t.schema, &value) &&
		hist_schema_hitcount(v.t.schema) >= 0;
	view_percentiles_put_header(&v);
	ret = disambiguate_groups(&ambiguous, NULL, percentiles);
	v.t.flags |= ambiguous ? HIST_LABEL_ADDRESS : 0;
	if (!ret) {
		view_percentiles_measure_columns(&v);
		view_percentiles_print_rows(&v);
	}
	return text_end(&v.t, ret);
}
