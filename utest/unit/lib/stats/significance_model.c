// SPDX-License-Identifier: GPL-2.0
/*
 * significance_model.c - comparisons of made-up loads, to count what judging finds
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/batch_means.h"
#include "lib/stats/significance.h"
#include "utest/unit/lib/stats/significance_model.h"
#include "utest/unit/test_data.h"

#define CELLS 32
#define SIGMA .5 /* of the logarithm of the numbers of a run */
#define MEDIAN 1000.
#define INTERVALS 60

double model_unit(uint64_t *random)
{
	return (test_random(random) >> 11) * 0x1p-53;
}

double model_normal(uint64_t *random)
{
	double radius = sqrt(-2 * log(1 - model_unit(random)));

	return radius * cos(2 * M_PI * model_unit(random));
}

/* Values by entry: hits and sum of each log2 bucket. */
struct run {
	uint64_t values[CELLS][2];
};

static void add_events(struct run *run, double median, double held_up, unsigned int events,
		       uint64_t *random)
{
	unsigned int i, cell;

	for (i = 0; i < events; i++) {
		double number = median * exp(SIGMA * model_normal(random));
		uint64_t us;

		if (held_up && model_unit(random) < held_up)
			number *= 50;
		us = number;
		for (cell = 0; us > 1ull << cell; cell++)
			;
		run->values[cell][0]++;
		run->values[cell][1] += us;
	}
}

/* The sigma of a lognormal number with this CV. */
static double sigma_of(double cv)
{
	return sqrt(log1p(cv * cv));
}

/* One run in @n blocks of the intervals; returns n. */
static unsigned int make_blocks(struct run *runs, const struct model *m, double median, double cv,
				uint64_t *random)
{
	double drift[INTERVALS], keep = sqrt(1 - m->phi * m->phi);
	unsigned int n, block, i;

	for (i = 0; i < INTERVALS; i++)
		drift[i] = i ? m->phi * drift[i - 1] + keep * model_normal(random) :
			       model_normal(random);
	n = hist_batch_count(drift, INTERVALS);
	memset(runs, 0, n * sizeof(*runs));
	for (block = 0; block < n; block++)
		for (i = hist_batch_begin(INTERVALS, n, block);
		     i < hist_batch_begin(INTERVALS, n, block + 1); i++)
			add_events(&runs[block], median * exp(sigma_of(cv) * drift[i]), 0,
				   m->events / INTERVALS, random);
	return n;
}

static unsigned int make_side(struct run *runs, const struct model *m, double median, double cv,
			      const double *common, uint64_t *random)
{
	unsigned int i;

	if (!m->runs)
		return make_blocks(runs, m, median, cv, random);
	memset(runs, 0, m->runs * sizeof(*runs));
	for (i = 0; i < m->runs; i++)
		add_events(&runs[i], median * common[i] * exp(sigma_of(cv) * model_normal(random)),
			   m->held_up * model_unit(random), m->events, random);
	return m->runs;
}

static struct hist_bucket bucket_of(unsigned int cell)
{
	return (struct hist_bucket){ cell ? (1ull << (cell - 1)) + 1 : 0, 1ull << cell, 0 };
}

/* The two metrics of one key; @sides are the runs of both. */
static void measure(struct hist_change *changes, struct run sides[2][HIST_BATCHES_MAX],
		    const unsigned int *n)
{
	struct hist_bucket buckets[2][HIST_BATCHES_MAX][CELLS];
	struct hist_distribution d[2][HIST_BATCHES_MAX] = { 0 };
	struct hist_replicate r[2][HIST_BATCHES_MAX];
	struct trimmed_bucket places[CELLS];
	struct trimmed t = { .nvalues = 2, .sum = 1, .n = CELLS, .buckets = places };
	unsigned int s, i, cell;

	for (cell = 0; cell < CELLS; cell++)
		places[cell] = (struct trimmed_bucket){
			{ false, bucket_of(cell).ge, bucket_of(cell).le }, cell };
	for (s = 0; s < 2; s++) {
		for (i = 0; i < n[s]; i++) {
			trimmed_mean(&r[s][i], &t, &sides[s][i].values[0][0]);
			d[s][i].buckets = buckets[s][i];
			for (cell = 0; cell < CELLS; cell++) {
				uint64_t count = sides[s][i].values[cell][0];

				if (!count)
					continue;
				buckets[s][i][d[s][i].n] = bucket_of(cell);
				buckets[s][i][d[s][i].n++].count = count;
				d[s][i].total += count;
			}
		}
	}
	hist_significance_test_change(&changes[0], r[0], n[0], r[1], n[1]);
	hist_significance_test_quantile(&changes[1], d[0], n[0], d[1], n[1], 990000);
}

static void compare(struct hist_change *changes, const struct model *m, uint64_t *random)
{
	static struct run sides[2][HIST_BATCHES_MAX];
	double common[2][HIST_BATCHES_MAX];
	unsigned int key, s, i, n[2];

	for (s = 0; s < 2; s++)
		for (i = 0; i < HIST_BATCHES_MAX; i++)
			common[s][i] = exp(m->common * model_normal(random));
	for (key = 0; key < m->keys; key++) {
		double cv = m->cv;

		if (m->spread > 0)
			cv *= pow(m->spread, key / (m->keys - 1.));
		for (s = 0; s < 2; s++)
			n[s] = make_side(sides[s], m, MEDIAN * (s && !key ? 1 + m->change : 1), cv,
					 common[s], random);
		measure(changes + 2 * key, sides, n);
	}
}

struct model_counts model_compare(const struct model *m, unsigned int pairs, double threshold,
				  uint64_t seed)
{
	struct hist_significance_options options = { .threshold = threshold, .confidence = .95 };
	struct hist_change *changes = calloc(2 * m->keys, sizeof(*changes));
	struct hist_change **all = calloc(3 * m->keys, sizeof(*all));
	struct model_counts counts = { 0 };
	unsigned int pair, i, metric;

	for (pair = 0; pair < pairs; pair++) {
		bool alarm = false, loud = false, found = false;

		compare(changes, m, &seed);
		for (metric = 0; metric < 2; metric++) {
			for (i = 0; i < m->keys; i++)
				all[2 * m->keys + i] = &changes[2 * i + metric];
			hist_significance_pool(all + 2 * m->keys, m->keys, options.confidence);
		}
		for (i = 0; i < 2 * m->keys; i++)
			all[i] = &changes[i];
		hist_significance_adjust_family(all, 2 * m->keys);
		for (i = 0; i < 2 * m->keys; i++) {
			enum hist_verdict v = hist_significance_decide(all[i], &options, NULL, 0);
			bool changed = i < 2 && m->change;
			double truth = changed ? m->change : 0;

			found |= changed && v == HIST_REGRESSED;
			alarm |= !changed && all[i]->p_family < .05;
			loud |= !changed && (v == HIST_REGRESSED || v == HIST_IMPROVED);
			if (i % 2)
				continue;
			counts.passed += !changed && v == HIST_PASS;
			counts.covered += all[i]->ci_low <= truth && truth <= all[i]->ci_high;
		}
		counts.found += found;
		counts.alarms += alarm;
		counts.loud += loud;
	}
	free(changes);
	free(all);
	return counts;
}
