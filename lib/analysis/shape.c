// SPDX-License-Identifier: LGPL-2.1
/*
 * shape.c - a distribution as a few amounts over a range that several distributions share
 *
 * A number x takes the space from f(x) to f(x + 1), so that neighbouring buckets touch.
 * f(x) = log2(1 + x) has a place for 0.  Numbers below zero have no logarithm: they are at 0.
 */
#include <math.h>
#include <string.h>

#include "lib/analysis/axis.h"

void hist_shape_widen(struct hist_shape_range *range, const struct hist_distribution *d)
{
	/* the order of two's complement is that of unsigned numbers with the top bit inverted */
	uint64_t flip = d->is_signed ? UINT64_C(1) << 63 : 0;

	if (!d->n)
		return;
	if (!range->any || (d->buckets[0].ge ^ flip) < (range->low ^ flip))
		range->low = d->buckets[0].ge;
	if (!range->any || (d->buckets[d->n - 1].le ^ flip) > (range->high ^ flip))
		range->high = d->buckets[d->n - 1].le;
	range->any = true;
	range->is_signed = d->is_signed;
}

/* f(@number + @next) */
static double shape_place(uint64_t number, unsigned int next, bool is_signed, bool power)
{
	double x = (is_signed ? (double)(int64_t)number : (double)number) + next;

	if (!power)
		return x;
	return x > 0 ? log2(1 + x) : 0;
}

void hist_shape_make(struct hist_shape *shape, const struct hist_shape_range *range,
		     const struct hist_key_desc *axis, const struct hist_distribution *d)
{
	bool power = axis->kind != HIST_KEY_BUCKETS;
	double from = shape_place(range->low, 0, range->is_signed, power);
	double width = shape_place(range->high, 1, range->is_signed, power) - from;
	double low, high, part;
	int i, first, last;
	uint32_t b;

	memset(shape, 0, sizeof(*shape));
	for (b = 0; b < d->n; b++) {
		const struct hist_bucket *bucket = &d->buckets[b];

		low = high = 0;
		if (width > 0) {
			low = HIST_SHAPE_PLACES *
			      (shape_place(bucket->ge, 0, d->is_signed, power) - from) / width;
			high = HIST_SHAPE_PLACES *
			       (shape_place(bucket->le, 1, d->is_signed, power) - from) / width;
		}
		first = fmin(fmax(low, 0), HIST_SHAPE_PLACES - 1);
		last = fmin(fmax(high, 0), HIST_SHAPE_PLACES - 1);
		if (first == last || high - low <= 0) {
			shape->amounts[first] += bucket->count;
			continue;
		}
		for (i = first; i <= last; i++) {
			part = fmin(high, i + 1) - fmax(low, i);
			shape->amounts[i] += bucket->count * part / (high - low);
		}
	}
	for (i = 0; i < HIST_SHAPE_PLACES; i++)
		shape->most = fmax(shape->most, shape->amounts[i]);
}

unsigned int hist_shape_level(const struct hist_shape *shape, unsigned int place,
			      unsigned int levels)
{
	return shape->most > 0 ? ceil(shape->amounts[place] / shape->most * levels) : 0;
}
