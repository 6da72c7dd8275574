// SPDX-License-Identifier: LGPL-2.1
/*
 * percentiles.c - the distribution of the numbers of each group
 *
 * The first pass adds up the counts of each group, to sort by them.  The second pass computes the
 * quantiles of the kept groups, and of all other groups together.  The grouping is kept from one
 * snapshot to the next.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/percentiles.h"
#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/label/label.h"

static const uint32_t defaults[] = { 500000, 900000, 990000, 999000 };

struct hist_percentiles_item {
	uint64_t count;
	uint32_t group;
};

struct hist_percentiles *hist_percentiles_new(const uint32_t *p, unsigned int n, uint32_t top)
{
	struct hist_percentiles *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	if (!n) {
		p = defaults;
		n = sizeof(defaults) / sizeof(*defaults);
	}
	s->np = n > HIST_QUANTILES_MAX ? HIST_QUANTILES_MAX : n;
	memcpy(s->p, p, s->np * sizeof(*p));
	s->top = top;
	return s;
}

void hist_percentiles_free(struct hist_percentiles *s)
{
	if (!s)
		return;
	hist_grouping_free(s->grouping);
	hist_worst_free(&s->worst);
	hist_distribution_free(&s->distribution);
	free(s->items);
	free(s->cut);
	free(s->rows);
	free(s);
}

bool hist_percentiles_explain_none(const struct hist_schema *schema, struct hist_error *error)
{
	char names[3 * 64] = "";
	unsigned int i, at = 0;
	const char *modifier;

	if (hist_axis_key(schema) < 0) {
		for (i = 0; i < schema->nkeys; i++) {
			modifier = hist_key_traits(&schema->keys[i])->modifier;
			at += snprintf(names + at, sizeof(names) - at, "%s%.40s%s%.12s",
				       i ? ", " : "", schema->keys[i].name, *modifier ? "." : "",
				       modifier);
		}
		hist_error_set(
			error, -EINVAL,
			"percentiles need a key that is a quantity, such as a "
			"duration or a size (keys: %s)\nrecord with a key such as FIELD.log2 or "
			"FIELD.buckets=N",
			names);
		return true;
	}
	if (hist_axis_find_counted(schema) < 0) {
		hist_error_set(error, -EINVAL,
			       "percentiles need the hit count or the sum of a field\n"
			       "record without nohitcount");
		return true;
	}
	return false;
}

static int compare_items(const void *pa, const void *pb)
{
	const struct hist_percentiles_item *a = pa, *b = pb;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return a->group < b->group ? -1 : a->group > b->group;
}

/* Make items of the groups with counts, largest first. */
static int sort_groups(struct hist_percentiles *s, const struct hist_snapshot *snap)
{
	uint32_t i, n = hist_grouping_count(s->grouping);
	const struct hist_distribution *d = &s->distribution;
	int ret;

	ret = array_grow(&s->items, &s->items_room, n, sizeof(*s->items));
	if (ret)
		return ret;
	s->nitems = 0;
	s->total = 0;
	s->range = (struct hist_shape_range){ 0 };
	for (i = 0; i < n; i++) {
		ret = hist_distribution_make(&s->distribution, s->grouping, &i, 1, snap, s->value);
		if (ret)
			return ret;
		if (d->n)
			s->items[s->nitems++] = (struct hist_percentiles_item){ d->total, i };
		s->total = saturating_add(s->total, d->total);
		hist_shape_widen(&s->range, d);
	}
	if (s->nitems)
		qsort(s->items, s->nitems, sizeof(*s->items), compare_items);
	return 0;
}

static const struct hist_key_desc *percentiles_axis(const struct hist_percentiles *s)
{
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(s->grouping));

	return &schema->keys[hist_grouping_axis(s->grouping)];
}

/* The largest number of all @n groups; false: it is not known, or not of the axis. */
static bool percentiles_find_most(const struct hist_percentiles *s,
				  const struct hist_worst_list *worst, const uint32_t *groups,
				  uint32_t n, struct hist_quantile *most)
{
	const struct hist_key_desc *axis = percentiles_axis(s);
	const struct hist_worst *one;
	uint32_t i, place;

	if (!worst || !worst->n || axis->is_signed || strcmp(axis->name, worst->field))
		return false;
	*most = (struct hist_quantile){ 0 };
	for (i = 0; i < n; i++) {
		place = worst->of_group[groups[i]];
		if (!place)
			return false;
		one = &worst->list[place - 1];
		if (one->value > most->high)
			most->high = one->value;
		/* one that is not exact is an upper limit */
		if (one->exact && one->value > most->low)
			most->low = one->value;
	}
	return n;
}

static void percentiles_limit(const struct hist_percentiles *s, struct hist_percentiles_row *row,
			      const struct hist_worst_list *worst, const uint32_t *groups,
			      uint32_t n)
{
	struct hist_quantile most;
	unsigned int i;

	/* the kernel counts a hit before it keeps the maximum */
	if (!percentiles_find_most(s, worst, groups, n, &most) || most.high < row->most.low ||
	    most.high > row->most.high)
		return;
	row->most.high = most.high;
	if (most.low > row->most.low)
		row->most.low = most.low;
	for (i = 0; i < s->np; i++)
		if (row->q[i].high > most.high)
			row->q[i].high = most.high;
}

/* Make @row of the sum of @n groups. */
static int fill_row(struct hist_percentiles *s, struct hist_percentiles_row *row,
		    const uint32_t *groups, uint32_t n, const struct hist_snapshot *snap,
		    const struct hist_worst_list *worst)
{
	const struct hist_distribution *d = &s->distribution;
	unsigned int i;
	int ret;

	ret = hist_distribution_make(&s->distribution, s->grouping, groups, n, snap, s->value);
	if (ret || !n)
		return ret;
	row->group = *groups;
	row->count = d->total;
	hist_quantile(d, 0, &row->least);
	hist_quantile(d, HIST_QUANTILE_ONE, &row->most);
	for (i = 0; i < s->np; i++)
		hist_quantile(d, s->p[i], &row->q[i]);
	row->has_mean = hist_distribution_mean(d, &row->mean);
	if (s->has_shapes)
		hist_shape_make(&row->shape, &s->range, percentiles_axis(s), d);
	percentiles_limit(s, row, worst, groups, n);
	return 0;
}

int hist_percentiles_select(struct hist_percentiles *s, const struct hist_table *table,
			    const struct hist_snapshot *snap, const struct hist_worst_list *worst)
{
	int ret, value = hist_axis_find_counted(hist_table_schema(table));
	uint32_t i, keep, known;

	s->nrows = s->ncut = s->nitems = 0;
	ret = hist_grouping_follow(&s->grouping, table, &known);
	if (ret)
		return ret;
	if (value < 0 || hist_grouping_axis(s->grouping) < 0)
		return -EINVAL;
	s->value = value;
	ret = sort_groups(s, snap);
	if (ret)
		return ret;
	keep = s->top && s->top < s->nitems ? s->top : s->nitems;
	ret = array_grow(&s->rows, &s->rows_room, keep, sizeof(*s->rows));
	if (!ret)
		ret = array_grow(&s->cut, &s->cut_room, s->nitems - keep, sizeof(*s->cut));
	for (i = 0; i < keep && !ret; i++)
		ret = fill_row(s, &s->rows[i], &s->items[i].group, 1, snap, worst);
	if (ret)
		return ret;
	for (; i < s->nitems; i++)
		s->cut[i - keep] = s->items[i].group;
	ret = fill_row(s, &s->rest, s->cut, s->nitems - keep, snap, worst);
	s->rest.group = HIST_NO_ENTRY;
	if (ret)
		return ret;
	s->nrows = keep;
	s->ncut = s->nitems - keep;
	return 0;
}

int hist_percentiles_select_view(struct hist_percentiles *s, const struct hist_view *view)
{
	int ret = hist_worst_select(&s->worst, view);

	return ret ? ret : hist_percentiles_select(s, view->table, view->snap, &s->worst);
}
