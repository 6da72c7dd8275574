/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * quantile.h - percentiles of bucketed data, as intervals
 *
 * A bucket tells that a number lies between its ends, and no more.  So the
 * p-quantile is the interval of the bucket that holds the number of rank
 * ceil(p * n) (the inverse of the empirical distribution function; type 1 of
 * Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996), never a
 * point inside it.  Where buckets are single numbers low == high and exact.
 */
#ifndef LIB_ANALYSIS_QUANTILE_H
#define LIB_ANALYSIS_QUANTILE_H

#include <stdint.h>

#include "lib/analysis/axis.h"

/* In millionths: 500000 is the median, 999000 is p99.9. */
#define HIST_QUANTILE_ONE 1000000u
#define HIST_QUANTILES_MAX 16

struct hist_quantile {
	uint64_t low, high; /* both included; signed where the distribution is */
};

/*
 * hist_quantile - the @p millionths quantile; @p 0 is the least, 1000000 the largest number
 * -ENODATA for a distribution without counts; -EINVAL for a @p beyond that.
 */
int hist_quantile(const struct hist_distribution *d, uint32_t p, struct hist_quantile *q);

/*
 * hist_quantiles_parse - "50,90,99.9" into millionths, ascending
 * In any order, each once; up to four digits behind the point.  Returns how
 * many, at most HIST_QUANTILES_MAX; -EINVAL.
 */
int hist_quantiles_parse(uint32_t *p, const char *text);

/* hist_quantile_name - "p50", "p99.9", "p0.0001"; of at most 12 bytes with the NUL */
#define HIST_QUANTILE_NAME 12
void hist_quantile_name(char *name, uint32_t p);

/*
 * hist_exceedance - how many of the numbers are above @limit: at least, and at most
 * They differ where @limit lies inside a bucket.
 */
void hist_exceedance(const struct hist_distribution *d, uint64_t limit, uint64_t *at_least,
		     uint64_t *at_most);

#endif
