/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * trimmed_mean.h - the mean of the lower 90 % of the numbers on an axis
 *
 * A few numbers that are a hundred times as large as all others determine the mean of a run, and
 * differ from run to run.  They hardly change the mean of the lower 90 %.
 */
#ifndef LIB_STATS_TRIMMED_MEAN_H
#define LIB_STATS_TRIMMED_MEAN_H

#include "lib/analysis/axis.h"
#include "lib/stats/significance.h"

#define TRIMMED_KEPT .9 /* share of the numbers */

/* The buckets of one key, ascending, with their entries. */
struct trimmed {
	bool is_signed;
	unsigned int nvalues, hitcount;
	int sum; /* the number of the value with the sum of the numbers, or -1 */
	uint32_t n, room;
	struct trimmed_bucket {
		struct hist_bounds bounds;
		uint32_t entry;
	} *buckets;
};

/* trimmed_set - set the buckets of the key of @groups; memory is used again.  0 or -ENOMEM. */
int trimmed_set(struct trimmed *t, const struct hist_grouping *grouping, const uint32_t *groups,
		uint32_t n);
void trimmed_clear(struct trimmed *t); /* not the struct */

/*
 * trimmed_mean - compute the mean of one replicate, whose values by entry are @values
 * A bucket counts with the mean of its numbers if their sum was recorded and is possible, otherwise
 * with both its ends.  Returns false if there are no numbers, or if some are below zero.
 */
bool trimmed_mean(struct hist_replicate *r, const struct trimmed *t, const uint64_t *values);

#endif
