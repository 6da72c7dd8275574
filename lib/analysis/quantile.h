/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * quantile.h - percentiles of bucketed data, as intervals
 *
 * Only the ends of the bucket of a number are known.  The p-quantile is therefore an interval: the
 * bucket that holds the number of rank ceil(p * n).  This is the inverse of the empirical
 * distribution function, type 1 of Hyndman and Fan, "Sample Quantiles in Statistical Packages",
 * 1996.  The quantile is exact (low == high) if buckets are single numbers.
 */
#ifndef LIB_ANALYSIS_QUANTILE_H
#define LIB_ANALYSIS_QUANTILE_H

#include <stdint.h>

#include "lib/analysis/axis.h"

/* In millionths: 500000 is the median, 999000 is p99.9. */
#define HIST_QUANTILE_ONE 1000000u
#define HIST_QUANTILES_MAX 16

struct hist_quantile {
	uint64_t low, high; /* both included; signed if the distribution is */
};

/*
 * hist_quantile - the @p millionths quantile; 0 is the least number, 1000000 the largest
 * -ENODATA: the distribution is empty; -EINVAL: @p is larger.
 */
int hist_quantile(const struct hist_distribution *d, uint32_t p, struct hist_quantile *q);

/*
 * hist_quantiles_parse - parse "50,90,99.9" into millionths, ascending
 * The text may have any order and duplicates, and four digits after the point.  Returns the
 * number of different quantiles, at most HIST_QUANTILES_MAX, or -EINVAL.
 */
int hist_quantiles_parse(uint32_t *p, const char *text);

/* hist_quantile_name - write "p50", "p99.9", "p0.0001"; at most 12 bytes with the NUL */
#define HIST_QUANTILE_NAME 12
void hist_quantile_name(char *name, uint32_t p);

/*
 * hist_quantile_exceedance - count the numbers above @limit: at least, and at most
 * The two differ if @limit is inside a bucket.
 */
void hist_quantile_exceedance(const struct hist_distribution *d, uint64_t limit, uint64_t *at_least,
			      uint64_t *at_most);

#endif
