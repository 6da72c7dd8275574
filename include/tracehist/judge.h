/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * judge.h - did one metric change, by how much, and is that bad?
 *
 * Events inside one run depend on each other, so the run is the replicate: a
 * side is a vector of numbers, one for each run, or, where a side has one run
 * only, one for each block of its snapshots (the weaker form).  What bucketed data leave open is
 * carried through as an interval [low, high] for each replicate.
 *
 * A gate is a practical threshold AND significance.  Budgets gate alone.
 *
 * All functions are pure; lib/stats.h has the distributions behind them.
 */
#ifndef TRACEHIST_JUDGE_H
#define TRACEHIST_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tracehist/axis.h>

enum hist_verdict {
	HIST_PASS,
	HIST_IMPROVED,
	HIST_INCONCLUSIVE, /* too few replicates, too much noise, or inside one bucket */
	HIST_REGRESSED,
	HIST_INCOMPARABLE,
};

/* "pass", "improved", "inconclusive", "regressed", "incomparable" */
const char *hist_verdict_name(enum hist_verdict verdict);
/* The graver of two, in the order of the enum. */
enum hist_verdict hist_verdict_worse(enum hist_verdict a, enum hist_verdict b);

enum hist_worse { HIST_WORSE_HIGHER, HIST_WORSE_LOWER, HIST_WORSE_BOTH, HIST_WORSE_NONE };

/* One replicate of one metric; a point has low == high.  Not below zero. */
struct hist_replicate {
	double low, high;
	double events; /* hits it was counted from, for a rate; 0: another kind of number */
};

struct hist_judge_options {
	double threshold;  /* practical, as a fraction: 0.1 is 10 % */
	double confidence; /* of the intervals and of the family of tests: 0.95 */
	enum hist_worse worse;
};

/* A change is a fraction of base: +0.1 is 10 % more, -1 is nothing left; infinite from 0. */
struct hist_change {
	double base_low, base_high; /* the sides' central values, as bucket intervals */
	double new_low, new_high;
	double low, high;	/* the change itself: a point but for the buckets */
	double ci_low, ci_high; /* confidence interval, bucket intervals included */
	double p;		/* two-sided, of this test alone */
	double p_family;	/* hist_judge_family(): as one of many; until then equal to p */
	int direction;		/* of the test: 1 new is higher, -1 lower, 0 no difference */
	bool tested;		/* false: too few replicates for an interval; p is 1 */
	bool resolvable;	/* false: both sides in one bucket, any change is hidden in it */
	bool has_edge;		/* hist_judge_quantile(): the test is of the share above an edge */
	double edge;
	double base_share, new_share;
};

/*
 * hist_judge_change - of a rate or a mean: Welch's t on the logarithms of the replicates
 * With fewer than two replicates on a side nothing is tested.
 * 0, or -EINVAL: no replicates, one below zero or no number.
 */
int hist_judge_change(struct hist_change *change, const struct hist_replicate *base,
		      unsigned int nbase, const struct hist_replicate *new_, unsigned int nnew,
		      const struct hist_judge_options *options);

/*
 * hist_judge_quantile - of the @p millionths quantile, from the replicates' distributions
 * Replicates without counts are passed over.  -EINVAL: @p; -ENODATA: a side without
 * counts; -EDOM: numbers below zero, that have no ratio; -ENOMEM.
 */
int hist_judge_quantile(struct hist_change *change, const struct hist_distribution *base,
			unsigned int nbase, const struct hist_distribution *new_,
			unsigned int nnew, uint32_t p, const struct hist_judge_options *options);

/*
 * hist_judge_family - set p_family of all gated tests of a comparison (Holm's step-down)
 * Those not tested do not count.  -ENOMEM.
 */
int hist_judge_family(struct hist_change *const *changes, size_t n);

/*
 * hist_judge_verdict - the gate; @why (may be NULL) gets a sentence about what is not
 * plain from the numbers, or ""
 */
enum hist_verdict hist_judge_verdict(const struct hist_change *change,
				     const struct hist_judge_options *options, char *why,
				     size_t size);

/* What a budget was held against. */
struct hist_budget {
	double low, high; /* as recorded; they differ where a bucket straddles the limit */
	double upper;	  /* upper confidence bound (one-sided); of a maximum: high */
};

/*
 * hist_judge_max - no number of the new side is above @limit
 * @new_ is the largest number of each replicate.  -EINVAL: no replicates.
 */
int hist_judge_max(struct hist_budget *budget, const struct hist_replicate *new_,
		   unsigned int nnew, double limit, enum hist_verdict *verdict, char *why,
		   size_t size);

/* How many numbers of one replicate are above a limit: hist_exceedance(). */
struct hist_exceed {
	uint64_t at_least, at_most, total;
};

/*
 * hist_judge_exceed - the share of numbers above a limit is at most @share (a fraction)
 * -ENODATA: no counts at all.  -EINVAL: at_least > at_most or at_most > total.
 */
int hist_judge_exceed(struct hist_budget *budget, const struct hist_exceed *new_,
		      unsigned int nnew, double share, double confidence,
		      enum hist_verdict *verdict, char *why, size_t size);

#endif
