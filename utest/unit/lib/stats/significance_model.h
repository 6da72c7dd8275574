/* SPDX-License-Identifier: GPL-2.0 */
/*
 * significance_model.h - comparisons of made-up loads, to count what judging finds
 *
 * The numbers of a run are lognormal latencies in us, in log2 buckets with their sums.  Runs
 * of one load differ in their median, which is lognormal again, and in the share of hits that
 * something else on the machine held up.  Inside a run the intervals between snapshots drift
 * around its median, as an AR(1) process.
 */
#ifndef UTEST_UNIT_LIB_STATS_SIGNIFICANCE_MODEL_H
#define UTEST_UNIT_LIB_STATS_SIGNIFICANCE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/stats/significance.h"

struct model {
	unsigned int keys, runs; /* runs a side; 0: one run a side, in blocks of its intervals */
	double cv;		 /* of the medians of runs, in the first key */
	double spread;		 /* the CVs of keys go from cv to spread * cv; 0 is as 1 */
	double held_up;		 /* up to this share of a run's hits takes 50 times as long */
	double common;		 /* sigma of a factor that all keys of a run share */
	double phi;		 /* of intervals */
	unsigned int events;	 /* of a key in a run */
	double change;		 /* of the first key */
};

struct model_counts {
	unsigned int found;  /* the first key regressed */
	unsigned int alarms; /* comparisons with a significant test of an unchanged key */
	unsigned int loud;   /* comparisons with a verdict that is wrong */
	unsigned int passed; /* unchanged keys that pass */
	unsigned int covered; /* keys whose interval of the trimmed mean has the truth in it */
};

/* Evenly in 0 <= x < 1, by test_random(). */
double model_unit(uint64_t *random);
/* A standard normal number (Box and Muller 1958). */
double model_normal(uint64_t *random);

/* @pairs comparisons of @m, with the trimmed mean and p99 of each key. */
struct model_counts model_compare(const struct model *m, unsigned int pairs, double threshold,
				  uint64_t seed);

#endif
