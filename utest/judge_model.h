/* SPDX-License-Identifier: GPL-2.0 */
/*
 * judge_model.h - runs of a made-up load, to judge
 *
 * The numbers of a run are lognormal latencies in us.  Runs of one load differ: in
 * their median, and in how many events they have, both lognormal again.  Inside a run the
 * intervals between snapshots drift around its median, as an AR(1) process.
 */
#ifndef UTEST_JUDGE_MODEL_H
#define UTEST_JUDGE_MODEL_H

#include <stdint.h>

#include <tracehist/judge.h>

struct model {
	double median, sigma;	/* of the numbers, sigma of their logarithm */
	double run_sigma;	/* how the medians of runs scatter */
	double rate_sigma;	/* how their numbers of events do */
	double drift_sigma, phi; /* of the intervals of a run */
	unsigned int events;	/* of a run */
	unsigned int width;	/* of buckets; 0 is log2 */
};

/* What is recorded of one run, or of one block of it. */
struct model_run {
	struct hist_distribution d;
	struct hist_replicate rate, mean;
};

/* Evenly in 0 <= x < 1, by test_random(). */
double model_unit(uint64_t *random);
/* A standard normal number (Box and Muller 1958). */
double model_normal(uint64_t *random);

/* One run, all in one. */
void model_run(struct model_run *run, const struct model *m, uint64_t *random);

/*
 * model_blocks - one run of @intervals, cut by hist_blocks()
 * @runs has room for HIST_BLOCKS_MAX.  Returns how many blocks.
 */
unsigned int model_blocks(struct model_run *runs, unsigned int intervals, const struct model *m,
			  uint64_t *random);

void model_free_runs(struct model_run *runs, unsigned int n);

#define MODEL_METRICS 5
/* The changes of rate, mean, p50, p90, p99. */
void model_judge(struct hist_change *changes, const struct model_run *base, unsigned int nbase,
		 const struct model_run *new_, unsigned int nnew,
		 const struct hist_judge_options *options);

#endif
