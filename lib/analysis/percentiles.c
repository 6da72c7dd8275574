// SPDX-License-Identifier: LGPL-2.1
/*
 * percentiles.c - how the numbers of each group are distributed
 *
 * Two passes: the first adds up the counts of each group, to sort by them; the
 * second takes the quantiles of those that are kept, and adds up the rest.
 * Groups are divided once a table and then only added to.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/percentiles.h"
#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/label/label.h"

static const uint32_t usual[] = { 500000, 900000, 990000, 999000 };

/* A group and what it is sorted by. */
struct item {
	uint64_t count;
	uint32_t group;
};

struct hist_percentiles {
	uint32_t p[HIST_QUANTILES_MAX];
	unsigned int np;
	uint32_t top;

	const struct hist_table *table;
	struct hist_grouping *grouping;
	unsigned int value;
	struct hist_distribution one, others;
	struct item *items;
	struct hist_percentiles_row *rows, rest;
	uint32_t nitems, items_room, nrows, rows_room;
	uint64_t total;
};

struct hist_percentiles *hist_percentiles_new(const uint32_t *p, unsigned int n, uint32_t top)
{
	struct hist_percentiles *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	if (!n) {
		p = usual;
		n = sizeof(usual) / sizeof(*usual);
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
	hist_distribution_free(&s->one);
	hist_distribution_free(&s->others);
	free(s->items);
	free(s->rows);
	free(s);
}

bool hist_percentiles_why_not(const struct hist_schema *schema, char *why, size_t len)
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
		snprintf(why, len, "no percentiles: no key is a duration, a size or another "
			 "number with an order (%s): record with a key like FIELD.log2, "
			 "FIELD.buckets=N or a plain number", names);
		return true;
	}
	if (hist_counted_value(schema) < 0) {
		snprintf(why, len, "no percentiles: no value is a sum: record without nohitcount");
		return true;
	}
	return false;
}

static int begin(struct hist_percentiles *s, const struct hist_table *table)
{
	struct hist_grouping *grouping;

	if (s->table == table)
		return 0;
	grouping = hist_grouping_new(table);
	if (!grouping)
		return -ENOMEM;
	hist_grouping_free(s->grouping);
	s->grouping = grouping;
	s->table = table;
	return 0;
}

static int compare_items(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return a->group < b->group ? -1 : a->group > b->group;
}

/* The groups with counts, most first. */
static int sort_groups(struct hist_percentiles *s, const struct hist_snapshot *snap)
{
	uint32_t i, n = hist_grouping_count(s->grouping);
	int ret;

	ret = array_grow(&s->items, &s->items_room, n, sizeof(*s->items));
	if (ret)
		return ret;
	s->nitems = 0;
	s->total = 0;
	for (i = 0; i < n; i++) {
		ret = hist_distribution_make(&s->one, s->grouping, i, snap, s->value);
		if (ret)
			return ret;
		if (s->one.n)
			s->items[s->nitems++] = (struct item){ s->one.total, i };
		s->total = saturating_add(s->total, s->one.total);
	}
	if (s->nitems)
		qsort(s->items, s->nitems, sizeof(*s->items), compare_items);
	return 0;
}

static void fill(const struct hist_percentiles *s, struct hist_percentiles_row *row,
		 const struct hist_distribution *d, uint32_t group)
{
	unsigned int i;

	row->group = group;
	row->count = d->total;
	hist_quantile(d, 0, &row->least);
	hist_quantile(d, HIST_QUANTILE_ONE, &row->most);
	for (i = 0; i < s->np; i++)
		hist_quantile(d, s->p[i], &row->q[i]);
	row->has_mean = hist_distribution_mean(d, &row->mean);
}

/* Distributions of 1, 2, 4, ... groups, as the bits of their number are set. */
struct sums {
	struct hist_distribution part[32];
	uint32_t groups;
};

static int move(struct hist_distribution *to, struct hist_distribution *from)
{
	int ret = hist_distribution_add(to, from);

	from->n = 0;
	from->total = 0;
	from->sum = 0;
	return ret;
}

/* Adding is linear in both: one is only added to one of as many groups, so that all take n log n. */
static int add_group(struct sums *sums, struct hist_distribution *one)
{
	unsigned int k;
	int ret = move(&sums->part[0], one);

	sums->groups++;
	for (k = 0; !ret && k < 31 && !(sums->groups >> k & 1); k++)
		ret = move(&sums->part[k + 1], &sums->part[k]);
	return ret;
}

/* All of @sums, which is freed, into @to. */
static int sum_up(struct sums *sums, struct hist_distribution *to, int ret)
{
	unsigned int k;

	for (k = 0; k < 32; k++) {
		if (!ret)
			ret = hist_distribution_add(to, &sums->part[k]);
		hist_distribution_free(&sums->part[k]);
	}
	return ret;
}

int hist_percentiles_select(struct hist_percentiles *s, const struct hist_table *table,
			    const struct hist_snapshot *snap)
{
	int ret, value = hist_counted_value(hist_table_schema(table));
	struct sums sums = { .groups = 0 };
	uint32_t i, keep;

	s->nrows = 0;
	s->nitems = 0;
	ret = begin(s, table);
	if (!ret)
		ret = hist_grouping_update(s->grouping);
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
	if (ret)
		return ret;
	s->others.n = 0;
	s->others.total = 0;
	s->others.sum = 0;
	for (i = 0; i < s->nitems && !ret; i++) {
		ret = hist_distribution_make(&s->one, s->grouping, s->items[i].group, snap, value);
		if (!ret && i < keep)
			fill(s, &s->rows[i], &s->one, s->items[i].group);
		else if (!ret)
			ret = add_group(&sums, &s->one);
	}
	ret = sum_up(&sums, &s->others, ret);
	if (ret)
		return ret;
	if (s->others.n)
		fill(s, &s->rest, &s->others, HIST_NO_ENTRY);
	s->nrows = keep;
	return 0;
}

uint32_t hist_percentiles_count(const struct hist_percentiles *s)
{
	return s->nrows;
}

const struct hist_percentiles_row *hist_percentiles_row(const struct hist_percentiles *s,
							uint32_t i)
{
	return &s->rows[i];
}

const struct hist_percentiles_row *hist_percentiles_rest(const struct hist_percentiles *s,
							 uint32_t *groups)
{
	*groups = s->nitems - s->nrows;
	return *groups ? &s->rest : NULL;
}

uint64_t hist_percentiles_total(const struct hist_percentiles *s)
{
	return s->total;
}

unsigned int hist_percentiles_value(const struct hist_percentiles *s)
{
	return s->value;
}

const struct hist_grouping *hist_percentiles_grouping(const struct hist_percentiles *s)
{
	return s->grouping;
}

unsigned int hist_percentiles_quantiles(const struct hist_percentiles *s, const uint32_t **p)
{
	*p = s->p;
	return s->np;
}
