// SPDX-License-Identifier: GPL-2.0
/*
 * batch_means_test.c - blocks of one run: how many, where, and how often two runs of the same
 * seem to differ by them; beside a block bootstrap, that they were chosen over
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <CUnit/Basic.h>

#include "lib/stats/batch_means.h"
#include "utest/unit/lib/stats/significance_model.h"
#include "utest/unit/tests.h"

static void autoregressive(double *series, unsigned int n, double phi, uint64_t *random)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		series[i] = i ? phi * series[i - 1] + sqrt(1 - phi * phi) * model_normal(random) :
				model_normal(random);
}

static void test_number(void)
{
	double series[600];
	unsigned int i;

	/* up and down: neighbours are as unlike as can be */
	for (i = 0; i < 600; i++)
		series[i] = i % 2;
	CU_ASSERT_EQUAL(hist_batch_count(series, HIST_BATCHES_INTERVALS - 1), 0);
	CU_ASSERT_EQUAL(hist_batch_count(series, 20), 10);
	CU_ASSERT_EQUAL(hist_batch_count(series, 600), HIST_BATCHES_MAX); /* equal means */
	/* one way: all blocks are like their neighbours, however long */
	for (i = 0; i < 600; i++)
		series[i] = i;
	CU_ASSERT_EQUAL(hist_batch_count(series, 600), HIST_BATCHES_MIN);
	for (i = 0; i < 600; i++)
		series[i] = .1; /* sums of it are rounded */
	CU_ASSERT_EQUAL(hist_batch_count(series, 600), HIST_BATCHES_MAX);
}

/* The estimate of the lag-1 autocorrelation of the means of @nblocks blocks, by its formula. */
static double lag1(const double *series, unsigned int n, unsigned int nblocks)
{
	double mean[HIST_BATCHES_MAX] = { 0 }, all = 0, over = 0, under = 0;
	unsigned int block, i;

	for (i = 0, block = 0; i < n; i++) {
		while (i >= hist_batch_begin(n, nblocks, block + 1))
			block++;
		mean[block] += series[i] / (hist_batch_begin(n, nblocks, block + 1) -
					    hist_batch_begin(n, nblocks, block));
	}
	for (block = 0; block < nblocks; block++)
		all += mean[block] / nblocks;
	for (block = 0; block < nblocks; block++)
		under += pow(mean[block] - all, 2);
	for (block = 1; block < nblocks; block++)
		over += (mean[block] - all) * (mean[block - 1] - all);
	return over / under;
}

static void test_most(void)
{
	uint64_t random = 0x123456789abcdef1;
	unsigned int round, nblocks, more, ends[2] = { 0 };
	double series[100];

	for (round = 0; round < 200; round++) {
		autoregressive(series, 100, .6, &random);
		nblocks = hist_batch_count(series, 100);
		CU_ASSERT(nblocks >= HIST_BATCHES_MIN && nblocks <= HIST_BATCHES_MAX);
		CU_ASSERT(nblocks == HIST_BATCHES_MIN ||
			  lag1(series, 100, nblocks) <= -1 / sqrt(nblocks));
		for (more = nblocks + 1; more <= HIST_BATCHES_MAX; more++)
			CU_ASSERT(lag1(series, 100, more) > -1 / sqrt(more));
		ends[0] += nblocks == HIST_BATCHES_MIN;
		ends[1] += nblocks > HIST_BATCHES_MIN;
	}
	CU_ASSERT(ends[0] > 20 && ends[1] > 20);
}

static void test_place(void)
{
	unsigned int n, nblocks, block;

	for (n = HIST_BATCHES_INTERVALS; n < 200; n += 7) {
		for (nblocks = HIST_BATCHES_MIN; nblocks <= n / 2 && nblocks <= HIST_BATCHES_MAX;
		     nblocks++) {
			CU_ASSERT_EQUAL(hist_batch_begin(n, nblocks, 0), 0);
			CU_ASSERT_EQUAL(hist_batch_begin(n, nblocks, nblocks), n);
			for (block = 0; block < nblocks; block++) {
				unsigned int length = hist_batch_begin(n, nblocks, block + 1) -
						      hist_batch_begin(n, nblocks, block);

				CU_ASSERT(length == n / nblocks || length == n / nblocks + 1);
			}
		}
	}
	CU_ASSERT_EQUAL(hist_batch_begin(4000000000u, 20, 19), 3800000000u);
}

static bool blocks_alarm(double series[2][600], unsigned int n)
{
	struct hist_replicate r[2][HIST_BATCHES_MAX];
	unsigned int s, i, block, nblocks[2];
	struct hist_change change, *one = &change;

	for (s = 0; s < 2; s++) {
		nblocks[s] = hist_batch_count(series[s], n);
		for (block = 0; block < nblocks[s]; block++) {
			unsigned int begin = hist_batch_begin(n, nblocks[s], block);
			unsigned int end = hist_batch_begin(n, nblocks[s], block + 1);
			double sum = 0;

			for (i = begin; i < end; i++)
				sum += 10 + series[s][i];
			r[s][block] = (struct hist_replicate){ .low = sum / (end - begin),
							       .high = sum / (end - begin) };
		}
	}
	CU_ASSERT_EQUAL(hist_significance_test_change(&change, r[0], nblocks[0], r[1], nblocks[1]),
			0);
	CU_ASSERT_EQUAL(hist_significance_pool(&one, 1, .95), 0);
	return change.p < .05;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A mean of whole blocks drawn from a circle of the series: Politis and Romano 1992. */
static double resampled_mean(const double *series, unsigned int n, unsigned int length,
			     uint64_t *random)
{
	unsigned int drawn = 0, i, begin;
	double sum = 0;

	while (drawn < n) {
		begin = model_unit(random) * n;
		for (i = 0; i < length && drawn < n; i++, drawn++)
			sum += series[(begin + i) % n];
	}
	return sum / n;
}

#define ROUNDS 200

static bool bootstrap_alarm(double series[2][600], unsigned int n, uint64_t *random)
{
	/* twice the usual n^(1/3) */
	unsigned int length = 2 * lround(cbrt(n)), i;
	double difference[ROUNDS];

	for (i = 0; i < ROUNDS; i++)
		difference[i] = resampled_mean(series[1], n, length, random) -
				resampled_mean(series[0], n, length, random);
	qsort(difference, ROUNDS, sizeof(*difference), by_size);
	/* 5 of 200 beyond each end */
	return difference[4] > 0 || difference[ROUNDS - 5] < 0;
}

/*
 * Of 400 pairs 5 % are 20, and more than 34 come with a chance of 0.001 (binomial).
 * The bootstrap must be past that, or the header's reason for blocks is gone.
 */
static void test_false_alarms(void)
{
	static const struct {
		unsigned int n;
		double phi;
		bool bootstrap;
	} loads[] = { { 30, .5, false }, { 60, 0, false }, { 60, .5, true }, { 600, .8, false } };
	uint64_t random = 0x9e3779b97f4a7c15;
	static double series[2][600];
	unsigned int load, pair, blocks, bootstrap;

	for (load = 0; load < sizeof(loads) / sizeof(*loads); load++) {
		blocks = bootstrap = 0;
		for (pair = 0; pair < 400; pair++) {
			autoregressive(series[0], loads[load].n, loads[load].phi, &random);
			autoregressive(series[1], loads[load].n, loads[load].phi, &random);
			blocks += blocks_alarm(series, loads[load].n);
			if (loads[load].bootstrap)
				bootstrap += bootstrap_alarm(series, loads[load].n, &random);
		}
		CU_ASSERT(blocks <= 34);
		CU_ASSERT(!loads[load].bootstrap || bootstrap > 34);
	}
}

UNIT_TESTS(
	{ "alternating intervals yield the most blocks, and a steady trend yields the fewest",
	  test_number },
	{ "the number of blocks is the largest whose means look independent", test_most },
	{ "blocks cover all intervals, and their lengths differ by at most one", test_place },
	{ "blocks of equal runs raise no more false alarms than promised, but a bootstrap does",
	  test_false_alarms });
