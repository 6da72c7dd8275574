// SPDX-License-Identifier: LGPL-2.1
/*
 * trimmed_mean.c - the mean of the lower 90 % of the numbers on an axis
 *
 * Buckets are added from the lowest up.  Only a part of the last bucket counts.  Its numbers are
 * assumed to be uniform around their mean, up to the nearer end of the bucket.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/stats/trimmed_mean.h"

void trimmed_clear(struct trimmed *t)
{
	free(t->buckets);
	memset(t, 0, sizeof(*t));
}

static int trimmed_mean_by_place(const void *pa, const void *pb)
{
	const struct trimmed_bucket *a = pa, *b = pb;

	return (a->bounds.ge > b->bounds.ge) - (a->bounds.ge < b->bounds.ge);
}

int trimmed_set(struct trimmed *t, const struct hist_grouping *grouping, const uint32_t *groups,
		uint32_t n)
{
	const struct hist_table *table = hist_grouping_table(grouping);
	const struct hist_schema *schema = hist_table_schema(table);
	int axis = hist_grouping_axis(grouping);
	struct trimmed_bucket *p;
	const uint32_t *entries;
	unsigned int sum;
	uint32_t g, e, count;

	t->is_signed = schema->keys[axis].is_signed;
	t->nvalues = schema->nvalues;
	t->hitcount = hist_schema_hitcount(schema);
	t->sum = hist_axis_find_sum(schema, &sum) ? (int)sum : -1;
	t->n = 0;
	for (g = 0; g < n; g++) {
		entries = hist_grouping_entries(grouping, groups[g], &count);
		if (array_grow(&t->buckets, &t->room, (size_t)t->n + count, sizeof(*p)))
			return -ENOMEM;
		for (e = 0; e < count; e++) {
			p = &t->buckets[t->n++];
			p->entry = entries[e];
			hist_axis_get_bounds(&schema->keys[axis],
					     hist_table_cells(table, entries[e])[axis].num,
					     &p->bounds);
		}
	}
	/* numbers below zero do not have a mean, so that their order does not matter */
	if (n > 1)
		qsort(t->buckets, t->n, sizeof(*t->buckets), trimmed_mean_by_place);
	return 0;
}

/* The mean of the lowest @part of the numbers in one bucket, or its ends. */
static void bucket_mean(const struct trimmed *t, const struct hist_bounds *bounds,
			const uint64_t *values, double part, double *low, double *high)
{
	double count = values[t->hitcount], sum, mean;

	*low = bounds->ge;
	*high = bounds->le;
	if (t->sum < 0)
		return;
	sum = values[t->sum];
	/* count and sum are not read together: a number may be in only one of them */
	if (sum < *low * (count - 1) || sum > *high * (count + 1))
		return;
	mean = fmin(fmax(sum / count, *low), *high);
	*low = *high = mean - fmin(mean - *low, *high - mean) * (1 - part / count);
}

bool trimmed_mean(struct hist_replicate *r, const struct trimmed *t, const uint64_t *values)
{
	double all = 0, left, low = 0, high = 0, squares = 0, mean, l, h, part;
	const uint64_t *v;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		v = values + (size_t)t->buckets[i].entry * t->nvalues;
		if (v[t->hitcount] && t->is_signed && t->buckets[i].bounds.ge >> 63)
			return false;
		all += v[t->hitcount];
	}
	if (!(all > 0))
		return false;
	all *= TRIMMED_KEPT;
	left = all;
	for (i = 0; i < t->n && left > 0; i++) {
		v = values + (size_t)t->buckets[i].entry * t->nvalues;
		if (!v[t->hitcount])
			continue;
		part = fmin(left, v[t->hitcount]);
		bucket_mean(t, &t->buckets[i].bounds, v, part, &l, &h);
		low += l * part;
		high += h * part;
		squares += (l + h) / 2 * (l + h) / 2 * part;
		left -= part;
	}
	mean = (low + high) / 2 / all;
	*r = (struct hist_replicate){ .low = low / all, .high = high / all, .least = .5 / all };
	if (mean > 0)
		r->noise = fmax(0, squares / all / mean / mean - 1) / all;
	return true;
}
