// SPDX-License-Identifier: LGPL-2.1
/*
 * trimmed_mean.c - the mean of the lower 90 % of the numbers on an axis
 *
 * Buckets are added from the lowest up.  Only a part of the last bucket counts.  Its numbers are
 * assumed to be uniform around their mean, up to the nearer end of the bucket.
 */
#include <math.h>

#include "lib/stats/significance.h"

/* The mean of the lowest @part of the numbers in one bucket, or its ends. */
static void trimmed_bucket_mean(const struct trimmed *t, const struct hist_bounds *bounds,
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
		trimmed_bucket_mean(t, &t->buckets[i].bounds, v, part, &l, &h);
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
