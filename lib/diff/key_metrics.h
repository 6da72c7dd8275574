/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_metrics.h - the metrics of one key of a histogram, on both sides of a comparison
 */
#ifndef LIB_DIFF_KEY_METRICS_H
#define LIB_DIFF_KEY_METRICS_H

#include "lib/diff/diff.h"
#include "lib/diff/recording_sample.h"
#include "lib/stats/trimmed_mean.h"

/* The replicates of one side: blocks of its samples, in order. */
struct hist_replicates {
	unsigned int n;
	const struct hist_block **blocks;
	/* of the key that is measured: nvalues sums, hits, and the distribution, of each */
	uint64_t *sums, *hits;
	struct hist_distribution *dists;
};

/* One histogram, ready to be measured. */
struct hist_subject {
	const struct hist_compare_options *options;
	const char *name;
	struct hist_grouping *grouping;
	const struct hist_schema *schema; /* of the common table */
	int axis;     /* -1: none, or no hitcount to make a distribution of */
	int hitcount; /* -1 for nohitcount */
	int axis_sum; /* value that is the sum over the axis, or -1 */
	enum hist_unit unit; /* of the axis */
	bool is_time; /* the clock counts ns: there are rates */
	bool tested;  /* blocks on one side and a whole run on the other are not */
	struct hist_replicates base, new_;
	/* what has come to light */
	bool applied;	      /* a budget was held against something */
	bool limit_has_unit;  /* one with a unit could not, as the axis has none */
	/* private: room for the replicates of one metric */
	struct hist_replicate *rbase, *rnew;
	struct hist_exceed *exceeds;
	struct trimmed trimmed;
};

/* hist_subject_init - room for what is measured; the fields above are set.  -ENOMEM. */
int hist_subject_init(struct hist_subject *s);
void hist_subject_clear(struct hist_subject *s); /* blocks too */

/*
 * hist_measure_hits - hits of @key, the sum of @n @groups, on both sides
 * Where the histogram has no hitcount all are UINT64_MAX on a side that has the key.
 */
void hist_measure_hits(struct hist_subject *s, struct hist_key_result *key,
		       const uint32_t *groups, uint32_t n);

/*
 * hist_measure_key - all metrics of @key, but for verdicts that need the whole family
 * label, presence and hits are set.  @gated: judged, not only shown; budgets are
 * always.  -ENOMEM.
 */
int hist_measure_key(struct hist_subject *s, struct hist_key_result *key, const uint32_t *groups,
		     uint32_t n, bool gated);

#endif
