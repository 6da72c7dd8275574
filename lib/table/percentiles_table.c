// SPDX-License-Identifier: LGPL-2.1
/*
 * percentiles_table.c - the percentiles of each group as a table
 *
 * Invariant: an interval is never narrower than its bucket, except for the rounding of unit.h.  A
 * single number is shown only if the bucket is one number.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/table/percentiles_table.h"

#define GROUP_LEAST 24 /* columns of the label of a group */

enum percentiles_kind {
	PERCENTILES_GROUP,
	PERCENTILES_COUNT,
	PERCENTILES_SHARE,
	PERCENTILES_RANGE,
	PERCENTILES_MEAN,
	PERCENTILES_QUANTILE,
};

/* In which order columns are left out of a line that is too short. */
enum { FOLD_QUANTILE = 1, FOLD_MEAN = 100, FOLD_RANGE, FOLD_SHARE };

static const struct hist_percentiles_row *percentiles_table_row(const struct percentiles_table *t,
								uint32_t row)
{
	return row < t->of->nrows ? &t->of->rows[row] : &t->of->rest;
}

static void percentiles_table_put_group(const struct percentiles_table *t, uint32_t row,
					struct table_cell *cell)
{
	const struct hist_grouping *grouping = t->of->grouping;
	const struct hist_table *table = hist_grouping_table(grouping);
	const struct hist_percentiles_row *r = percentiles_table_row(t, row);
	uint32_t n, entry;

	if (row >= t->of->nrows) {
		hist_strbuf_u64(&cell->text, t->of->ncut);
		table_cell_str(cell, " more");
		return;
	}
	entry = hist_grouping_entries(grouping, r->group, &n)[0];
	cell->width = hist_grouping_label(&cell->text, grouping, r->group,
					  t->flags | label_details_group_flags(&t->details, table,
									       entry));
}

/* A rounded range; @cell->whole has all digits.  Rows are ordered by @high. */
static void percentiles_table_put_range(const struct percentiles_table *t, uint64_t low,
					uint64_t high, bool is_bucket, struct table_cell *cell)
{
	const struct hist_bounds bounds = { t->axis->is_signed, low, high };

	cell->is_number = true;
	cell->is_signed = bounds.is_signed;
	cell->number = high;
	cell->width = is_bucket ?
			hist_label_put_bucket(&cell->text, t->axis, &bounds, false) :
			hist_unit_range(&cell->text, low, high, bounds.is_signed, t->unit, false);
	if (t->has_whole)
		hist_unit_range(&cell->whole, low, high, bounds.is_signed, t->unit, true);
}

static void percentiles_table_put_mean(const struct percentiles_table *t,
				       const struct hist_percentiles_row *r,
				       struct table_cell *cell)
{
	if (!r->has_mean) {
		table_cell_str(cell, "-");
		return;
	}
	cell->width = hist_unit_real(&cell->text, r->mean, t->unit);
	if (t->has_whole)
		hist_strbuf_printf(&cell->whole, "%.15g%s%s", r->mean,
				   t->unit != HIST_UNIT_NONE ? " " : "", hist_unit_name(t->unit));
}

static void percentiles_table_put(const struct table *base, uint32_t row, unsigned int column,
				  struct table_cell *cell)
{
	const struct percentiles_table *t = (const struct percentiles_table *)base;
	const struct hist_percentiles_row *r = percentiles_table_row(t, row);
	const struct hist_quantile *q;

	switch ((enum percentiles_kind)t->kinds[column]) {
	case PERCENTILES_GROUP:
		percentiles_table_put_group(t, row, cell);
		break;
	case PERCENTILES_COUNT:
		if (t->digits_grouped)
			table_cell_grouped(cell, r->count, false);
		else
			table_cell_number(cell, r->count, false);
		break;
	case PERCENTILES_SHARE:
		table_cell_share(cell, r->count, t->of->total);
		break;
	case PERCENTILES_RANGE:
		percentiles_table_put_range(t, r->least.low, r->most.high, false, cell);
		break;
	case PERCENTILES_MEAN:
		percentiles_table_put_mean(t, r, cell);
		break;
	case PERCENTILES_QUANTILE:
		q = &r->q[column - (t->base.ncolumns - t->of->np)];
		percentiles_table_put_range(t, q->low, q->high, true, cell);
		break;
	}
}

/* Add a column, and return the memory for its title. */
static char *percentiles_table_add(struct percentiles_table *t, enum percentiles_kind kind,
				   unsigned int fold)
{
	unsigned int at = t->base.ncolumns++;

	t->kinds[at] = kind;
	t->columns[at] = (struct table_column){
		.title = t->titles[at],
		.right = kind != PERCENTILES_GROUP,
		.fold = fold,
	};
	return t->titles[at];
}

static void percentiles_table_add_columns(struct percentiles_table *t)
{
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(t->of->grouping));
	unsigned int i, sum;

	percentiles_table_add(t, PERCENTILES_GROUP, 0);
	t->columns[0].title = t->group.data;
	t->columns[0].least = GROUP_LEAST;
	hist_column_format_value(schema, t->of->value,
				 percentiles_table_add(t, PERCENTILES_COUNT, 0), HIST_TITLE_MAX);
	if (t->of->total && t->of->total != UINT64_MAX)
		strcpy(percentiles_table_add(t, PERCENTILES_SHARE, FOLD_SHARE), "share");
	hist_column_format_key(schema, t->axis - schema->keys,
			       percentiles_table_add(t, PERCENTILES_RANGE, FOLD_RANGE),
			       HIST_TITLE_MAX);
	if (hist_axis_find_sum(schema, &sum) && hist_schema_hitcount(schema) >= 0)
		strcpy(percentiles_table_add(t, PERCENTILES_MEAN, FOLD_MEAN), "mean");
	for (i = 0; i < t->of->np; i++) {
		/* the first and the last one stay */
		hist_quantile_name(percentiles_table_add(t, PERCENTILES_QUANTILE,
							 i && i + 1 < t->of->np ?
							 FOLD_QUANTILE + t->of->np - i : 0),
				   t->of->p[i]);
	}
}

/* The details that the labels of the groups need. */
static int percentiles_table_find_details(struct percentiles_table *t)
{
	const struct hist_grouping *grouping = t->of->grouping;
	uint32_t *entries, i, n;
	int ret;

	entries = malloc(((size_t)t->of->nrows + 1) * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	for (i = 0; i < t->of->nrows; i++)
		entries[i] = hist_grouping_entries(grouping, t->of->rows[i].group, &n)[0];
	ret = label_details_make(&t->details, hist_grouping_table(grouping), entries, t->of->nrows);
	free(entries);
	return ret;
}

int percentiles_table_make(struct percentiles_table *t, const struct hist_percentiles *of,
			   unsigned int flags)
{
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(of->grouping));
	int axis = hist_grouping_axis(of->grouping), ret;

	t->of = of;
	t->axis = &schema->keys[axis];
	t->unit = hist_unit_from_key(t->axis);
	t->flags = flags;
	hist_columns_put_key_titles(&t->group, schema, axis);
	hist_strbuf_char(&t->group, '\0');
	ret = t->group.error;
	if (!ret)
		ret = percentiles_table_find_details(t);
	if (ret)
		return ret;
	t->base.columns = t->columns;
	t->base.put = percentiles_table_put;
	t->base.nrows = of->nrows + (of->ncut != 0);
	percentiles_table_add_columns(t);
	return 0;
}

void percentiles_table_free(struct percentiles_table *t)
{
	table_free(&t->base);
	label_details_free(&t->details);
	hist_strbuf_free(&t->group);
}
