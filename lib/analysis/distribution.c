// SPDX-License-Identifier: LGPL-2.1
/*
 * distribution.c - counts over an axis, from groups of a snapshot or from other distributions
 *
 * Invariant: buckets ascend (as signed numbers if the axis is signed), are disjoint, and have
 * counts.  Two distributions are therefore added like sorted lists are merged.  The buckets of
 * several groups are collected and sorted once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/base/wide.h"

/* A sum may exceed the bounds that the buckets allow by 1 / OUTSIDE of their magnitudes. */
#define OUTSIDE 8

void hist_distribution_free(struct hist_distribution *d)
{
	free(d->buckets);
	memset(d, 0, sizeof(*d));
}

/* Add @count at the end, or to the last bucket if it has the same bounds. */
static void put_count(struct hist_distribution *d, uint64_t ge, uint64_t le, uint64_t count)
{
	struct hist_bucket *last = d->n ? &d->buckets[d->n - 1] : NULL;

	if (last && last->ge == ge)
		last->count = saturating_add(last->count, count);
	else
		d->buckets[d->n++] = (struct hist_bucket){ ge, le, count };
}

/* Add the counts of one group.  Its entries ascend. */
static int add_group(struct hist_distribution *d, const struct hist_grouping *grouping,
		     uint32_t group, const struct hist_snapshot *snap, unsigned int value,
		     unsigned int sum)
{
	const struct hist_table *table = hist_grouping_table(grouping);
	const struct hist_schema *schema = hist_table_schema(table);
	int axis = hist_grouping_axis(grouping), ret;
	struct hist_bounds bounds;
	const uint64_t *values;
	const uint32_t *entries;
	uint32_t n, i;

	entries = hist_grouping_entries(grouping, group, &n);
	ret = array_grow(&d->buckets, &d->room, (size_t)d->n + n, sizeof(*d->buckets));
	for (i = 0; i < n && !ret; i++) {
		if (entries[i] >= snap->nentries)
			continue;
		values = snap->values + (size_t)entries[i] * schema->nvalues;
		if (d->has_sum)
			d->sum += values[sum];
		if (!values[value] || (schema->values[value].is_signed && values[value] >> 63))
			continue;
		hist_axis_get_bounds(&schema->keys[axis],
				     hist_table_cells(table, entries[i])[axis].num,
				     &bounds);
		d->total = saturating_add(d->total, values[value]);
		put_count(d, bounds.ge, bounds.le, values[value]);
	}
	return ret;
}

static int distribution_by_place(const void *pa, const void *pb, void *d)
{
	const struct hist_bucket *a = pa, *b = pb;
	bool is_signed = ((const struct hist_distribution *)d)->is_signed;

	return hist_number_is_less(a->ge, b->ge, is_signed) ? -1 : a->ge != b->ge;
}

int hist_distribution_make(struct hist_distribution *d, const struct hist_grouping *grouping,
			   const uint32_t *groups, uint32_t ngroups,
			   const struct hist_snapshot *snap, unsigned int value)
{
	const struct hist_schema *schema = hist_table_schema(hist_grouping_table(grouping));
	int axis = hist_grouping_axis(grouping), ret = 0;
	unsigned int sum = 0;
	uint32_t i, n;

	if (axis < 0)
		return -EINVAL;
	d->n = 0;
	d->is_signed = schema->keys[axis].is_signed;
	d->total = 0;
	d->sum = 0;
	d->has_sum = (int)value == hist_schema_hitcount(schema) && hist_axis_find_sum(schema, &sum);
	d->sum_is_signed = d->has_sum && schema->values[sum].is_signed;
	for (i = 0; i < ngroups && !ret; i++)
		ret = add_group(d, grouping, groups[i], snap, value, sum);
	if (ret || ngroups < 2 || !d->n)
		return ret;
	qsort_r(d->buckets, d->n, sizeof(*d->buckets), distribution_by_place, d);
	n = d->n;
	d->n = 0;
	for (i = 0; i < n; i++)
		put_count(d, d->buckets[i].ge, d->buckets[i].le, d->buckets[i].count);
	return 0;
}

int hist_distribution_add(struct hist_distribution *d, const struct hist_distribution *from)
{
	/* C does not allow to add 0 to NULL */
	const struct hist_bucket *a = d->buckets, *a_end = a ? a + d->n : a;
	const struct hist_bucket *b = from->buckets, *b_end = b ? b + from->n : b;
	struct hist_bucket *made;
	bool is_signed = d->n ? d->is_signed : from->is_signed;
	uint32_t n = 0;

	if (d->n && from->n && d->is_signed != from->is_signed)
		return -EINVAL;
	made = reallocarray(NULL, (size_t)d->n + from->n + 1, sizeof(*made));
	if (!made)
		return -ENOMEM;
	while (a < a_end || b < b_end) {
		if (b == b_end || (a < a_end && hist_number_is_less(a->le, b->ge, is_signed))) {
			made[n++] = *a++;
		} else if (a == a_end || hist_number_is_less(b->le, a->ge, is_signed)) {
			made[n++] = *b++;
		} else if (a->ge == b->ge && a->le == b->le) {
			made[n] = *a++;
			made[n].count = saturating_add(made[n].count, b++->count);
			n++;
		} else {
			free(made);
			return -EINVAL;
		}
	}
	if (!d->n) {
		d->is_signed = from->is_signed;
		d->has_sum = from->has_sum;
		d->sum_is_signed = from->sum_is_signed;
	} else if (from->n) {
		d->has_sum &= from->has_sum;
	}
	d->sum += from->sum;
	d->total = saturating_add(d->total, from->total);
	free(d->buckets);
	d->buckets = made;
	d->n = d->room = n;
	return 0;
}

/* --- the mean: 128-bit numbers in two's complement --- */

static struct hist_wide distribution_widen_number(uint64_t v, bool is_signed)
{
	return (struct hist_wide){ is_signed && v >> 63 ? UINT64_MAX : 0, v };
}

static bool distribution_wide_is_negative(struct hist_wide n)
{
	return n.high >> 63;
}

static bool is_lower(struct hist_wide a, struct hist_wide b)
{
	if (distribution_wide_is_negative(a) != distribution_wide_is_negative(b))
		return distribution_wide_is_negative(a);
	return hist_wide_is_less(a, b);
}

static struct hist_wide distribution_wide_magnitude(struct hist_wide n)
{
	return distribution_wide_is_negative(n) ? hist_wide_sub(hist_wide(0), n) : n;
}

/* The bounds of the sum of all numbers, from the buckets. */
static void sum_bounds(const struct hist_distribution *d, bool is_signed, struct hist_wide *low,
		       struct hist_wide *high)
{
	const struct hist_bucket *b;
	struct hist_wide ge, le;
	uint32_t i;

	*low = *high = hist_wide(0);
	for (i = 0; i < d->n; i++) {
		b = &d->buckets[i];
		ge = distribution_widen_number(b->ge, is_signed);
		le = distribution_widen_number(b->le, is_signed);
		/* the last log2 bucket also holds the smallest signed number */
		if (is_lower(le, ge))
			le = hist_wide(INT64_MAX);
		*low = hist_wide_add(*low, hist_wide_scale(ge, b->count));
		*high = hist_wide_add(*high, hist_wide_scale(le, b->count));
	}
}

bool hist_distribution_mean(const struct hist_distribution *d, double *mean)
{
	const struct hist_wide modulus = { 1, 0 };
	struct hist_wide low, high, sum, less, gap = { 0 }, size;
	uint64_t rest;

	/* 128 bits hold the sum of 2^62 numbers of 64 bits */
	if (!d->has_sum || !d->n || d->total >> 62)
		return false;
	sum_bounds(d, d->is_signed || d->sum_is_signed, &low, &high);
	/* the least number that is at least @low and has these lower 64 bits */
	sum = hist_wide_add(low, hist_wide(d->sum - low.low));
	if (!is_lower(high, hist_wide_add(sum, modulus)))
		return false;
	/*
	 * The kernel adds to the count and the sum one after the other, and a reader may come
	 * between.  The sum may therefore be a little outside of its bounds.
	 */
	if (is_lower(high, sum)) {
		gap = hist_wide_sub(sum, high);
		less = hist_wide_sub(low, hist_wide_sub(sum, modulus));
		if (is_lower(less, gap)) {
			sum = hist_wide_sub(sum, modulus);
			gap = less;
		}
	}
	size = hist_wide_add(distribution_wide_magnitude(low), distribution_wide_magnitude(high));
	if (hist_wide_is_less(hist_wide_div(size, OUTSIDE, &rest), gap))
		return false;
	*mean = hist_wide_real(distribution_wide_magnitude(sum), d->total);
	if (distribution_wide_is_negative(sum))
		*mean = -*mean;
	return true;
}
