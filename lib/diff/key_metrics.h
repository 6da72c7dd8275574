/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_metrics.h - the metrics of one key of a histogram, on both sides of a comparison
 */
#ifndef LIB_DIFF_KEY_METRICS_H
#define LIB_DIFF_KEY_METRICS_H

#include "lib/diff/diff.h"
#include "lib/base/names.h"
#include "lib/diff/recording_sample.h"
#include "lib/stats/trimmed_mean.h"

/* The replicates of one side: blocks of its samples, in order. */
struct hist_replicates {
	unsigned int n;
	const struct hist_batch **blocks;
	/* the measured key in each replicate: nvalues sums, the hits, the distribution */
	uint64_t *sums, *hits;
	struct hist_distribution *dists;
};

/* One histogram, ready to be measured. */
struct hist_key_metrics {
	const struct hist_compare_options *options;
	const char *name;
	struct hist_grouping *grouping;
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
	/* private: memory for the replicates of one metric, or of one side of a budget */
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

/* hist_key_metrics_init - allocate memory; the fields up to new_ are set.  Returns 0 or -ENOMEM. */
int hist_key_metrics_init(struct hist_key_metrics *s);
void hist_key_metrics_clear(struct hist_key_metrics *s); /* frees blocks, too */

/*
 * hist_key_metrics_set_hits - sum up @n @groups, and set the hits of @key on both sides
 * Without hitcount, the hits are UINT64_MAX on a side that has the key.
 */
void hist_key_metrics_set_hits(struct hist_key_metrics *s, struct hist_key_result *key,
			       const uint32_t *groups, uint32_t n);

/* Add a metric to @key, with the thresholds that apply to it; @gated unless "worse" decides. */
struct hist_metric_result *hist_key_metrics_add(const struct hist_key_metrics *s,
					   struct hist_key_result *key, enum hist_metric_kind kind,
					   bool gated, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/*
 * hist_key_metrics_compute - compute all metrics of @key, except verdicts that need the whole
 * family The label and presence of @key are set, and hist_key_metrics_set_hits() was the last call
 * with @groups.
 * @gated: metrics are judged, not only shown; budgets are always judged.
 * Returns 0 or -ENOMEM.
 */
int hist_key_metrics_compute(struct hist_key_metrics *s, struct hist_key_result *key,
			     const uint32_t *groups,
			     uint32_t n, bool gated);

#endif
