/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_metrics.h - the keys of one histogram on both sides of a comparison, and their metrics
 *
 * A budget needs numbers: those of the axis or, without an axis, the maximum that the histogram
 * keeps for each row (onmax()).  The maximum also tells where in its bucket the largest number is.
 */
#ifndef LIB_DIFF_KEY_METRICS_H
#define LIB_DIFF_KEY_METRICS_H

#include "lib/diff/diff.h"
#include "lib/base/names.h"
#include "lib/diff/recording_sample.h"
#include "lib/stats/significance.h"

/* The replicates of one side: blocks of its samples, in order. */
struct hist_replicates {
	unsigned int n;
	const struct hist_batch **blocks;
	/* the measured key in each replicate: nvalues sums, the hits, the distribution */
	uint64_t *sums, *hits;
	struct hist_distribution *dists;
};

/* What became of a limit of the options or of the thresholds, in one histogram or in all. */
struct hist_limit_use {
	bool fits;	   /* it applies to a key, and the histogram has numbers of its unit */
	bool misfits;	   /* it applies to a key, and the histogram does not have such numbers */
	bool misfits_unit; /* the histogram has numbers, but they are not a time */
	bool judged;	   /* the samples of a key decided about it */
};

/* One histogram, ready to be measured. */
struct hist_key_metrics {
	const struct hist_compare_options *options;
	const char *name;
	const struct hist_schema *schema; /* of the common table */
	int axis;     /* number of the key; -1 without an axis or without hitcount */
	int hitcount; /* -1 for nohitcount */
	int axis_sum; /* number of the value that is the sum over the axis, or -1 */
	enum hist_unit unit; /* of the axis, or of the maximum that is kept instead */
	bool has_tops;	     /* hist_batch.tops is of the axis or, without an axis, of the rows */
	bool is_time; /* the clock counts ns, so rates exist */
	bool tested;  /* false if one side has blocks and the other a whole run */
	struct hist_replicates base, new_;
	/* what NEW lacks: a sentence, or ""; UINT64_MAX hits: an unknown number */
	char unseen[HIST_WHY_MAX];
	uint64_t unseen_hits;
	struct hist_limit_use *limits; /* by id; results */
	bool *sections; /* of the thresholds: true if a key matches; result */
	/* private; memory for the replicates of one metric, or of one side of a budget */
	struct hist_grouping *grouping;
	struct hist_replicate *rbase, *rnew;
	struct hist_exceed *exceeds;
	struct trimmed trimmed;
};

/*
 * hist_key_metrics_list - append the names of the metrics that histograms with @schema can have
 * @is_time: the clock counts ns.  -ENOMEM.
 */
int hist_key_metrics_list(struct names *names, const struct hist_schema *schema, bool is_time,
			  const uint32_t *quantiles, unsigned int nquantiles);

/*
 * hist_key_metrics_compare - match the keys, and compute h->keys, without verdicts of tests
 * The fields of @s up to unseen_hits are set, the blocks of both sides included.  s->limits and
 * s->sections, which the caller allocates, become results.  0 or -ENOMEM.
 */
int hist_key_metrics_compare(struct hist_key_metrics *s, struct hist_hist_result *h,
			     const struct hist_key_normalizer *match);

#endif
