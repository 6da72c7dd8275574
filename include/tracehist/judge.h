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
#include <stdint.h>

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
	double p;		/* two-sided, before hist_judge_family() */
	bool tested;		/* false: too few replicates for an interval */
	bool resolvable;	/* false: both sides in one bucket, any change is hidden in it */
};

#endif
