/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * significance.h - test if a metric changed, by how much, and if the change is bad
 *
 * Events of one run depend on each other, so the run is the replicate: a side is an array of
 * numbers, one per run.  If both sides have only one run, blocks of its intervals replace the
 * runs, which is weaker.  Buckets make each replicate an interval [low, high].
 *
 * A verdict needs a practical threshold AND significance.  Budgets are judged by themselves.
 *
 * The test is Student's t on the logarithms of the replicates.  Five runs per side are a bad
 * estimate of the scatter: 8 degrees of freedom need t = 5.0 for 1 of 50 keys.  The keys therefore
 * share their estimates.  A distribution is fitted to the variances of one metric in all keys, and
 * the variance of each key moves towards its centre, as far as the keys agree (moderated t; Smyth
 * 2004, see student_t.h).  Keys that scatter differently keep their own.
 *
 * These rules are for a metric that is worse if higher.  They are mirrored for lower; for both, any
 * change is bad.  The change is `placed` if there is one, and otherwise the end of [low, high] that
 * is nearer to 0.  It is significant if p_family < 1 - confidence.
 *
 *   regressed     significant, upwards, and the change is at least the threshold
 *   improved      significant, downwards, and the change is at least the threshold
 *   pass          the confidence interval ends below the threshold
 *   inconclusive  otherwise
 *
 * Pass therefore excludes a change of the threshold, and a significant change below the threshold
 * passes.  Noise and coarse buckets lead to inconclusive, and `why` has the reason.
 *
 * All functions are pure; student_t.h has the distributions behind them.
 */
#ifndef LIB_STATS_SIGNIFICANCE_H
#define LIB_STATS_SIGNIFICANCE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/axis.h"

enum hist_verdict {
	HIST_PASS,
	HIST_IMPROVED,
	HIST_INCONCLUSIVE, /* too few replicates, too much noise, or inside one bucket */
	HIST_REGRESSED,
	HIST_INCOMPARABLE,
};

/* "pass", "improved", "inconclusive", "regressed", "incomparable" */
const char *hist_significance_verdict_name(enum hist_verdict verdict);
/* The worse of two, in the order of the enum. */
enum hist_verdict hist_significance_worse_verdict(enum hist_verdict a, enum hist_verdict b);

enum hist_worse { HIST_WORSE_HIGHER, HIST_WORSE_LOWER, HIST_WORSE_BOTH, HIST_WORSE_NONE };

/* One replicate of one metric: finite, and not below zero; low == high without buckets. */
struct hist_replicate {
	double low, high;
	double least; /* half of what one hit adds; replaces 0 in the logarithm */
	double noise; /* variance of the logarithm if hits were independent, or 0 */
};

struct hist_significance_options {
	double threshold;  /* practical, as a fraction: 0.1 is 10 % */
	double confidence; /* of the intervals and of the family of tests: 0.95 */
	enum hist_worse worse;
};

/*
 * The change of a metric, as a fraction of base: +0.1 is 10 % more, -1 is nothing left; infinite
 * from 0.  Numbers that do not exist are NAN.
 */
struct hist_change {
	double base_low, base_high; /* the central values of the sides, as bucket intervals */
	double new_low, new_high;
	double low, high;	/* the change; an interval only because of buckets */
	double ci_low, ci_high; /* confidence interval, which includes the bucket intervals */
	double p;		/* two-sided, of this test alone */
	double p_family; /* hist_significance_adjust_family(): as one of many; until then equal to p
			  */
	int direction;		/* of the test: 1 new is higher, -1 lower, 0 no difference */
	bool tested;		/* false: too few replicates; p is 1 */
	bool resolvable;	/* false: both sides are in one bucket, which hides any change */
	bool has_edge; /* hist_significance_test_quantile(): the test is of the shares above @edge
			*/
	double edge;
	double base_share, new_share;
	/*
	 * A quantile in narrow buckets: the change, and its confidence interval, of numbers that
	 * are placed evenly inside their bucket.  Only the verdict uses them.  The interval is NAN
	 * without hist_significance_bound_quantile().
	 */
	bool is_placed;
	double placed, placed_ci_low, placed_ci_high;
	/* from hist_significance_test_change() to hist_significance_pool(), of the logarithms */
	struct hist_test {
		double difference;	     /* of the means */
		double variance, df;	     /* of one replicate, both sides pooled */
		double per_replicate, noise; /* the error of the difference follows from these */
		double certain;		     /* p if nothing scatters */
	} test;
};

/* A change of which nothing is known. */
#define HIST_CHANGE_UNKNOWN								\
	((struct hist_change){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, .p = 1, .p_family = 1,	\
			       .resolvable = true, .placed_ci_low = NAN, .placed_ci_high = NAN })

/*
 * hist_significance_test_change - the change of a rate, a mean or a share
 *
 * The central value of a side is the geometric mean of its replicates.
 * A side without replicates gets no values, and the change is unknown.  Nothing is tested then, or
 * with fewer than three replicates in all.
 * hist_significance_pool() completes @change.
 * -ENODATA: no replicates at all.  -EINVAL: one is below zero, infinite, not a number, or
 * low > high.  @change is unchanged on failure.
 */
int hist_significance_test_change(struct hist_change *change, const struct hist_replicate *base,
				  unsigned int nbase, const struct hist_replicate *new_,
				  unsigned int nnew);

/*
 * hist_significance_test_quantile - the change of the @p millionths quantile, from distributions
 *
 * The sizes are those of the quantiles of all replicates together (quantile.h).
 * The test compares the share of the numbers above a bucket boundary, which is exact however
 * coarse the buckets are.  The boundary is the one whose mean share of both sides is nearest to
 * 1 - p.  The quantile itself does not get a confidence interval, except from
 * hist_significance_bound_quantile().
 * If the buckets of both quantiles are narrow, numbers are placed in them for `placed`.
 *
 * Replicates without counts are skipped, and a side without any is as in
 * hist_significance_test_change().
 * -EINVAL: @p, or buckets that overlap in part, or only one side is signed; -ENODATA: no counts
 * at all; -EDOM: a quantile is below zero, so its ratio is undefined; -ENOMEM.
 */
int hist_significance_test_quantile(struct hist_change *change,
				    const struct hist_distribution *base,
				    unsigned int nbase, const struct hist_distribution *new_,
				    unsigned int nnew, uint32_t p);

/*
 * hist_significance_bound_quantile - set the confidence interval of a tested quantile's change
 *
 * The interval is that of the quantiles of single replicates, by Student's t on their logarithms;
 * the buckets of the quantiles widen it, but not the interval of `placed`.  Call the function
 * between hist_significance_test_quantile(), with the same arguments, and hist_significance_pool().
 * A quantile whose samples are in one bucket on both sides is tested by its replicates.
 * -ENOMEM, or as hist_significance_test_change().
 */
int hist_significance_bound_quantile(struct hist_change *change,
				     const struct hist_distribution *base, unsigned int nbase,
				     const struct hist_distribution *new_, unsigned int nnew,
				     uint32_t p, double confidence);

/*
 * hist_significance_set_sizes - set low, high and resolvable from the central values; -1..inf for
 * the ci
 */
void hist_significance_set_sizes(struct hist_change *change);

/*
 * hist_significance_pool - p and the confidence intervals of one metric in @n keys
 * An error is at least that of independent hits.  Replicates without any scatter are tested
 * by permutation: p is 2 / C(nbase + nnew, nnew).  -ENOMEM.
 */
int hist_significance_pool(struct hist_change *const *changes, size_t n, double confidence);

/*
 * hist_significance_adjust_family - set p_family of all gated tests of a comparison
 * By the step-down of Holm 1979: comparing each with alpha keeps the chance of one false alarm or
 * more in the family at alpha, however the tests depend on each other.  Changes that are not
 * tested do not count.  -ENOMEM.
 */
int hist_significance_adjust_family(struct hist_change *const *changes, size_t n);

/*
 * hist_significance_decide - the gate
 * @why (or NULL) gets the reason of inconclusive, with its hint after a newline, or "".
 */
enum hist_verdict hist_significance_decide(const struct hist_change *change,
					   const struct hist_significance_options *options,
					   char *why,
					   size_t size);

#define HIST_WHY_MAX 160

/* The result of a budget, for one side. */
struct hist_budget {
	double low, high; /* as recorded; they differ if the limit is inside a bucket */
	double upper;	  /* upper confidence bound (one-sided) of a share */
	enum hist_verdict verdict;
	char why[HIST_WHY_MAX]; /* as hist_significance_decide() */
};

/*
 * hist_budget_check_max - check that no number is above @limit
 * regressed: one is; inconclusive: the limit is inside the bucket of the largest.
 * @r is the largest number of each replicate.  -EINVAL: no replicates.
 */
int hist_budget_check_max(struct hist_budget *budget, const struct hist_replicate *r,
			  unsigned int n,
			  double limit);

/* How many numbers of one replicate are above a limit: hist_quantile_exceedance(). */
struct hist_exceed {
	uint64_t at_least, at_most, total;
};

/*
 * hist_budget_check_exceed - check that the share of the numbers above a limit is at most @share
 * @share is a fraction.  regressed: even the lower end of the recorded share is more; pass: the
 * upper bound is not; otherwise inconclusive: 0 of 200 still leaves 1.5 % at 95 %.  The bound is
 * the higher one of Clopper and Pearson's for the counts and of Student's t over replicates.
 * -ENODATA: no counts at all.  -EINVAL: at_least > at_most, at_most > total or no replicates.
 */
int hist_budget_check_exceed(struct hist_budget *budget, const struct hist_exceed *r,
			     unsigned int n,
			     double share, double confidence);

/*
 * trimmed_mean.c - the mean of the lower 90 % of the numbers on an axis, as a replicate
 * A few numbers that are a hundred times as large as all others determine the mean of a run, and
 * differ from run to run.  They hardly change the mean of the lower 90 %.
 */
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
	} * buckets;
};

/*
 * trimmed_mean - compute the mean of one replicate, whose values by entry are @values
 * A bucket counts with the mean of its numbers if their sum was recorded and is possible, otherwise
 * with both its ends.  Returns false if there are no numbers, or if some are below zero.
 */
bool trimmed_mean(struct hist_replicate *r, const struct trimmed *t, const uint64_t *values);

#endif
