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

#include "lib/heatmap/heat_scale.h"
#include "lib/label/number.h"
#include "lib/table/percentiles_table.h"

#define GROUP_LEAST 24 /* columns of the label of a group */

enum percentiles_kind {
	PERCENTILES_GROUP,
	PERCENTILES_RATE,
	PERCENTILES_COUNT,
	PERCENTILES_SHARE,
	PERCENTILES_RANGE,
	PERCENTILES_MEAN,
	PERCENTILES_QUANTILE, /* as many columns as quantiles */
	PERCENTILES_LARGEST,
	PERCENTILES_SHAPE,
	PERCENTILES_KINDS,
};

/* In which tables a column is, by enum percentiles_of. */
#define OF(of) (1u << PERCENTILES_OF_##of)

static const unsigned int percentiles_columns_of[PERCENTILES_KINDS] = {
	[PERCENTILES_GROUP] = OF(ALL) | OF(GROUP) | OF(LIVE) | OF(TIME),
	[PERCENTILES_RATE] = OF(LIVE),
	[PERCENTILES_COUNT] = OF(ALL) | OF(GROUP) | OF(LINE) | OF(LIVE) | OF(TIME),
	[PERCENTILES_SHARE] = OF(ALL),
	[PERCENTILES_RANGE] = OF(ALL),
	[PERCENTILES_MEAN] = OF(ALL) | OF(LINE),
	[PERCENTILES_QUANTILE] = OF(ALL) | OF(GROUP) | OF(LINE) | OF(LIVE) | OF(TIME),
	[PERCENTILES_LARGEST] = OF(GROUP) | OF(LINE) | OF(LIVE) | OF(TIME),
	[PERCENTILES_SHAPE] = OF(GROUP) | OF(LIVE),
};

/* In which order columns are left out of a line that is too short. */
enum { FOLD_QUANTILE = 1, FOLD_SHAPE = 90, FOLD_MEAN = 100, FOLD_RANGE, FOLD_SHARE };

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

/* A character for each place, as high as its amount; blank without hits. */
static void percentiles_table_put_shape(const struct percentiles_table *t,
					const struct hist_percentiles_row *r,
					struct table_cell *cell)
{
	bool ascii = t->flags & HIST_ESCAPE_ASCII;
	unsigned int levels = ascii ? HIST_HEAT_CHAR_LEVELS - 1 : 8, end, i, level;

	for (end = HIST_SHAPE_PLACES; end && !hist_shape_level(&r->shape, end - 1, levels); end--)
		;
	for (i = 0; i < end; i++) {
		level = hist_shape_level(&r->shape, i, levels);
		if (ascii || !level) {
			hist_strbuf_char(&cell->text, HIST_HEAT_CHARS[level]);
		} else {
			/* U+2581 to U+2588: one eighth to all of a block, from below */
			const char block[3] = { '\xe2', '\x96', (char)(0x80 + level) };

			hist_strbuf_add(&cell->text, block, 3);
		}
	}
	cell->width = end;
}

/* The rate of all rows of a group; "-" without an interval. */
static void percentiles_table_put_rate(const struct percentiles_table *t,
				       const struct hist_percentiles_row *r,
				       struct table_cell *cell)
{
	const struct hist_grouping *grouping = t->of->grouping;
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(grouping));
	const uint32_t *entries;
	int64_t sum = 0;
	uint32_t i, n = 0;

	entries = r->group != HIST_NO_ENTRY ? hist_grouping_entries(grouping, r->group, &n) : NULL;
	for (i = 0; i < n && t->added; i++)
		if (entries[i] < t->added->nentries)
			sum += t->added->values[(size_t)entries[i] * schema->nvalues +
						t->of->value];
	table_cell_rate(cell, t->added ? hist_columns_per_second(sum, true, t->added_ns) : 0,
			t->added);
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
	case PERCENTILES_RATE:
		percentiles_table_put_rate(t, r, cell);
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
		q = &r->q[column - t->first_quantile];
		percentiles_table_put_range(t, q->low, q->high, true, cell);
		break;
	case PERCENTILES_LARGEST:
		percentiles_table_put_range(t, r->most.low, r->most.high, true, cell);
		break;
	case PERCENTILES_SHAPE:
		percentiles_table_put_shape(t, r, cell);
		break;
	default:
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

static void percentiles_table_add_quantiles(struct percentiles_table *t)
{
	unsigned int i;

	t->first_quantile = t->base.ncolumns;
	for (i = 0; i < t->of->np; i++) {
		/* the first and the last one stay */
		hist_quantile_name(percentiles_table_add(t, PERCENTILES_QUANTILE,
							 i && i + 1 < t->of->np ?
							 FOLD_QUANTILE + t->of->np - i : 0),
				   t->of->p[i]);
	}
}

static void percentiles_table_add_kind(struct percentiles_table *t, enum percentiles_kind kind)
{
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(t->of->grouping));
	unsigned int sum;
	char *title;

	switch (kind) {
	case PERCENTILES_GROUP:
		percentiles_table_add(t, kind, 0);
		t->columns[0].title = t->group.data;
		t->columns[0].least = GROUP_LEAST;
		break;
	case PERCENTILES_RATE:
		title = percentiles_table_add(t, kind, 0);
		hist_column_format_value(schema, t->of->value, title,
					 HIST_TITLE_MAX - strlen("/s"));
		strcat(title, "/s");
		break;
	case PERCENTILES_COUNT:
		hist_column_format_value(schema, t->of->value, percentiles_table_add(t, kind, 0),
					 HIST_TITLE_MAX);
		break;
	case PERCENTILES_SHARE:
		if (t->of->total && t->of->total != UINT64_MAX)
			strcpy(percentiles_table_add(t, kind, FOLD_SHARE), "share");
		break;
	case PERCENTILES_RANGE:
		hist_column_format_key(schema, t->axis - schema->keys,
				       percentiles_table_add(t, kind, FOLD_RANGE), HIST_TITLE_MAX);
		break;
	case PERCENTILES_MEAN:
		if (hist_axis_find_sum(schema, &sum) && hist_schema_hitcount(schema) >= 0)
			strcpy(percentiles_table_add(t, kind, FOLD_MEAN), "mean");
		break;
	case PERCENTILES_QUANTILE:
		percentiles_table_add_quantiles(t);
		break;
	case PERCENTILES_LARGEST:
		strcpy(percentiles_table_add(t, kind, 0), "max");
		break;
	case PERCENTILES_SHAPE:
		strcpy(percentiles_table_add(t, kind, FOLD_SHAPE), "distribution");
		t->columns[t->base.ncolumns - 1].right = false;
		break;
	default:
		break;
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
			   enum percentiles_of columns, unsigned int flags)
{
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(of->grouping));
	int axis = hist_grouping_axis(of->grouping), ret;
	unsigned int kind;

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
	for (kind = 0; kind < PERCENTILES_KINDS; kind++)
		if (percentiles_columns_of[kind] & 1u << columns)
			percentiles_table_add_kind(t, kind);
	return 0;
}

void percentiles_table_put_lead(const struct percentiles_table *t, struct hist_strbuf *b)
{
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(t->of->grouping));
	const struct hist_shape_range *range = &t->of->range;
	char axis[HIST_TITLE_MAX];
	unsigned int i;

	hist_column_format_key(schema, t->axis - schema->keys, axis, sizeof(axis));
	hist_escape(b, axis, strlen(axis), t->flags);
	hist_strbuf_str(b, " for each ");
	hist_escape(b, t->group.data, strlen(t->group.data), t->flags);
	for (i = 0; i < t->base.ncolumns; i++)
		if (t->kinds[i] == PERCENTILES_SHAPE && t->columns[i].left_out)
			return;
	hist_strbuf_str(b, "; the distribution is over ");
	hist_unit_range(b, range->low, range->high, range->is_signed, t->unit, false);
}

void percentiles_table_free(struct percentiles_table *t)
{
	table_free(&t->base);
	label_details_free(&t->details);
	hist_strbuf_free(&t->group);
}
