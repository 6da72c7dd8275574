// SPDX-License-Identifier: GPL-2.0
/*
 * significance_quantile_test.c - changes of quantiles: their sizes, the edge of the test, and what
 * buckets hide
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <CUnit/Basic.h>

#include "lib/analysis/quantile.h"
#include "lib/stats/significance.h"
#include "lib/stats/student_t.h"
#include "utest/unit/lib/stats/significance_model.h"
#include "utest/unit/lib/stats/stat_values.h"
#include "utest/unit/tests.h"

/* Runs with the same counts in the log2 buckets from (16, 32] on, but for a small wobble. */
static void log2_runs(struct hist_distribution *d, struct hist_bucket (*buckets)[4], unsigned int n,
		      const unsigned int *counts)
{
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		d[i] = (struct hist_distribution){ .n = 4, .room = 4, .buckets = buckets[i] };
		for (k = 0; k < 4; k++)
			buckets[i][k] = (struct hist_bucket){ (16u << k) + 1, 32u << k,
							      counts[k] + (i * 7 + k * 3) % 5 };
		for (k = 0; k < 4; k++)
			d[i].total += buckets[i][k].count;
	}
}

static enum hist_verdict log2_verdict(struct hist_change *c, const unsigned int *base,
				      const unsigned int *new_, double threshold)
{
	struct hist_significance_options o = { .threshold = threshold, .confidence = .95 };
	struct hist_bucket buckets[2][5][4];
	struct hist_distribution b[5], n[5];

	log2_runs(b, buckets[0], 5, base);
	log2_runs(n, buckets[1], 5, new_);
	CU_ASSERT_EQUAL_FATAL(hist_significance_test_quantile(c, b, 5, n, 5, 500000), 0);
	CU_ASSERT_EQUAL(hist_significance_pool(&c, 1, o.confidence), 0);
	CU_ASSERT(isnan(c->ci_low) && isnan(c->ci_high));
	return hist_significance_decide(c, &o, NULL, 0);
}

#define COUNTS(...) ((const unsigned int[4]){ __VA_ARGS__ })

static void test_log2(void)
{
	struct hist_change c;

	/* one bucket on: surely, but by 1.6 % or by 288 % */
	CU_ASSERT_NOT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 100, 900, 10), .1),
			    HIST_REGRESSED);
	CU_ASSERT(c.p < 1e-6 && c.direction == 1 && c.resolvable);
	CU_ASSERT_EQUAL(c.edge, 64);
	CU_ASSERT(stat_close(c.low, 65 / 64. - 1, 1e-12) && stat_close(c.high, 128 / 33. - 1, 1e-12));
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 100, 900, 10), .01),
			HIST_REGRESSED);
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 100, 900, 10), COUNTS(100, 900, 100, 10), .01),
			HIST_IMPROVED);

	/* two buckets on is at least double */
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 100, 10, 900), 1),
			HIST_REGRESSED);
	CU_ASSERT(stat_close(c.low, 129 / 64. - 1, 1e-12));

	/* the same bucket: not resolvable, also if the shares show a move */
	log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 900, 100, 10), .1);
	CU_ASSERT(!c.resolvable);
	CU_ASSERT_EQUAL(c.p, 1);
	log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 900, 300, 10), .1);
	CU_ASSERT(!c.resolvable && c.p < 1e-6);
}

/* The test by the definition: shares above the edge of each run, their logarithms, Student's t. */
static void test_shares(void)
{
	static const unsigned int below[2][3] = { { 9800, 9850, 9820 }, { 9500, 9600, 9450 } };
	struct hist_distribution d[2][3];
	struct hist_bucket buckets[2][3][2];
	double log_share[2][3], mean[2] = { 0 }, squares = 0;
	struct hist_change c, *one = &c;
	unsigned int s, i;

	for (s = 0; s < 2; s++) {
		for (i = 0; i < 3; i++) {
			buckets[s][i][0] = (struct hist_bucket){ 0, 9, below[s][i] };
			buckets[s][i][1] = (struct hist_bucket){ 10, 19, 10000 - below[s][i] };
			d[s][i] = (struct hist_distribution){ .n = 2, .buckets = buckets[s][i],
							      .total = 10000 };
			log_share[s][i] = log((10000.5 - below[s][i]) / 10000);
			mean[s] += log_share[s][i] / 3;
		}
		for (i = 0; i < 3; i++)
			squares += pow(log_share[s][i] - mean[s], 2);
	}
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, d[0], 3, d[1], 3, 990000), 0);
	CU_ASSERT_EQUAL(hist_significance_pool(&one, 1, .95), 0);
	CU_ASSERT_EQUAL(c.edge, 9);
	CU_ASSERT(stat_close(c.base_share, 530 / 30000., 1e-9));
	CU_ASSERT(stat_close(c.new_share, 1450 / 30000., 1e-9));
	CU_ASSERT(stat_close(c.p, hist_stats_t_p((mean[1] - mean[0]) / sqrt(squares / 4 * 2 / 3), 4),
			     1e-9));
}

/* BUCKETS({ ge, le, count }, ...) */
#define BUCKETS(...) { .n = sizeof((struct hist_bucket[]){ __VA_ARGS__ }) / sizeof(struct hist_bucket), \
		       .buckets = (struct hist_bucket[]){ __VA_ARGS__ } }

static struct hist_distribution counted(struct hist_distribution d)
{
	uint32_t i;

	for (i = 0; i < d.n; i++)
		d.total += d.buckets[i].count;
	return d;
}

static int quantile(struct hist_change *c, struct hist_distribution base,
		    struct hist_distribution new_, uint32_t p)
{
	struct hist_distribution b[] = { counted(base), counted(base) };
	struct hist_distribution n[] = { counted(new_), counted(new_) };

	return hist_significance_test_quantile(c, b, 2, n, 2, p);
}

static void test_quantile_refused(void)
{
	struct hist_distribution d = BUCKETS({ 10, 19, 50 }, { 20, 29, 50 }), empty = { 0 };
	struct hist_distribution across = BUCKETS({ 15, 24, 50 }), longer = BUCKETS({ 10, 24, 50 });
	struct hist_distribution shorter = BUCKETS({ 15, 19, 50 });
	struct hist_distribution minus = BUCKETS({ -20ull, -11ull, 60 }, { 10, 19, 50 });
	struct hist_distribution plus = BUCKETS({ 10, 19, 50 });
	struct hist_distribution wider = BUCKETS({ -20ull, -5ull, 5 }, { 10, 19, 50 });
	struct hist_change c = { .p = 42 };

	minus.is_signed = plus.is_signed = wider.is_signed = true;
	CU_ASSERT_EQUAL(quantile(&c, d, d, 1000001), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, across, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, longer, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, shorter, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, minus, wider, 900000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, minus, 900000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, plus, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, empty, empty, 500000), -ENODATA);
	CU_ASSERT_EQUAL(quantile(&c, plus, minus, 500000), -EDOM);
	CU_ASSERT_EQUAL(quantile(&c, minus, plus, 500000), -EDOM);
	CU_ASSERT_EQUAL(c.p, 42);
	/* only the least numbers are below zero */
	CU_ASSERT_EQUAL(quantile(&c, plus, minus, 900000), 0);
	CU_ASSERT(c.base_low == 10 && c.new_low == 10);
	/* a side without counts: the quantile of the other one, and no change */
	CU_ASSERT_EQUAL(quantile(&c, d, empty, 500000), 0);
	CU_ASSERT(c.base_low == 10 && c.base_high == 19 && isnan(c.new_low) && isnan(c.low));
	CU_ASSERT(!c.tested && !c.has_edge && c.p == 1);
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, NULL, 0, &plus, 1, 500000), 0);
	CU_ASSERT(isnan(c.base_low) && c.new_low == 10);
}

static void test_quantile_limits(void)
{
	struct hist_distribution one = counted((struct hist_distribution)BUCKETS({ 10, 19, 50 }));
	struct hist_distribution two = counted((struct hist_distribution)BUCKETS({ 10, 19, 50 },
										 { 20, 29, 50 }));
	struct hist_distribution zero = BUCKETS({ 0, 0, 900 }, { 1, 1, 10 });
	struct hist_distribution some = BUCKETS({ 0, 0, 5 }, { 1, 1, 6 });
	struct hist_distribution hardly = BUCKETS({ 0, 0, 6 }, { 1, 1, 5 });
	struct hist_distribution only = BUCKETS({ 0, 0, 900 }), tail = BUCKETS({ 17, 32, 9000 },
		{ 33, 64, 820 }, { 65, 128, 150 }, { 129, 256, 30 });
	struct hist_distribution sides[4] = { one, { 0 }, one, two };
	struct hist_change c;

	/* a run without counts is not a replicate */
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, sides, 2, sides + 3, 1, 500000), 0);
	CU_ASSERT(!c.tested && c.has_edge);
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, sides, 3, sides + 3, 1, 500000), 0);
	CU_ASSERT(c.tested);
	/* all in one bucket: no edge has anything above it */
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, &one, 1, &one, 1, 500000), 0);
	CU_ASSERT(!c.tested && !c.has_edge && !c.resolvable && c.p == 1);

	/* a median of exactly 0 on both sides did not change; from 0, and to 0 */
	CU_ASSERT_EQUAL(quantile(&c, zero, zero, 500000), 0);
	CU_ASSERT(c.low == 0 && c.high == 0 && c.resolvable);
	CU_ASSERT_EQUAL(quantile(&c, only, some, 500000), 0);
	CU_ASSERT(c.low == INFINITY && c.direction == 1);
	CU_ASSERT_EQUAL(quantile(&c, some, hardly, 500000), 0);
	CU_ASSERT(c.high == -1);

	/* 0.3 % are nearer to 1 % than 1.8 % by subtraction, but not by odds */
	CU_ASSERT_EQUAL(quantile(&c, tail, tail, 990000), 0);
	CU_ASSERT_EQUAL(c.edge, 64);
}

/* The interval by the definition: the medians of the runs, their logarithms, Student's t. */
static void test_bound(void)
{
	struct hist_bucket values[6] = { { 10, 10, 9 }, { 11, 11, 9 }, { 12, 12, 9 },
					 { 20, 20, 9 }, { 21, 21, 9 }, { 22, 22, 9 } };
	double base = (log(10) + log(11) + log(12)) / 3, new_ = (log(20) + log(21) + log(22)) / 3;
	struct hist_distribution d[6], wide = BUCKETS({ 65, 128, 9 });
	double squares = 0, away, reach;
	struct hist_change c;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		d[i] = (struct hist_distribution){ .n = 1, .buckets = &values[i], .total = 9 };
		away = log(values[i].ge) - (i < 3 ? base : new_);
		squares += away * away;
	}
	reach = hist_stats_t_quantile(.975, 4) * sqrt(squares / 4 * 2 / 3);
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, d, 3, d + 3, 3, 500000), 0);
	CU_ASSERT_EQUAL(hist_significance_bound_quantile(&c, d, 3, d + 3, 3, 500000, .95), 0);
	CU_ASSERT(stat_close(c.ci_low, exp(new_ - base - reach) - 1, 1e-9));
	CU_ASSERT(stat_close(c.ci_high, exp(new_ - base + reach) - 1, 1e-9));

	/* equal runs in one bucket can have doubled, or halved */
	for (i = 0; i < 6; i++)
		d[i] = wide;
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, d, 3, d + 3, 3, 500000), 0);
	CU_ASSERT_FALSE(c.tested);
	CU_ASSERT_EQUAL(hist_significance_bound_quantile(&c, d, 3, d + 3, 3, 500000, .95), 0);
	CU_ASSERT_TRUE(c.tested);
	CU_ASSERT(stat_close(c.ci_low, 65 / 128. - 1, 1e-9));
	CU_ASSERT(stat_close(c.ci_high, 128 / 65. - 1, 1e-9));

	/* without new samples nothing is known */
	CU_ASSERT_EQUAL(hist_significance_test_quantile(&c, d, 3, d, 0, 500000), 0);
	CU_ASSERT_EQUAL(hist_significance_bound_quantile(&c, d, 3, d, 0, 500000, .95), 0);
	CU_ASSERT_FALSE(c.tested);
}

/* --- power --- */

#define RUNS 5
#define FINE 512 /* buckets of .log2=3 up to 2^64 */

/* A run whose numbers are log-normal around @median, counted with .log2=3. */
static void fine_run(struct hist_distribution *d, struct hist_bucket *buckets, double median,
		     unsigned int events, uint64_t *random)
{
	static const struct hist_key_desc key = { .kind = HIST_KEY_FINE_LOG2, .bucket = 3 };
	unsigned int counts[FINE] = { 0 }, i;
	struct hist_bounds bounds;

	for (i = 0; i < events; i++)
		counts[hist_log2_find_bucket(3, lround(median * exp(.5 * model_normal(random))),
					     false)]++;
	*d = (struct hist_distribution){ .buckets = buckets, .total = events };
	for (i = 0; i < FINE; i++) {
		if (!counts[i])
			continue;
		hist_key_bounds(&key, i, &bounds);
		buckets[d->n++] = (struct hist_bucket){ bounds.ge, bounds.le, counts[i] };
	}
}

/*
 * How many of @pairs with five runs a side, which scatter by 3 %, get the verdict regressed;
 * @shift: of the numbers of the new side.  Quantile @p alone is judged.
 */
static unsigned int fine_regressed(unsigned int pairs, double shift, uint32_t p,
				   const struct hist_significance_options *o)
{
	static struct hist_bucket buckets[2][RUNS][FINE];
	struct hist_distribution d[2][RUNS];
	uint64_t random = 40 + p;
	unsigned int i, side, run, found = 0;
	struct hist_change c, *one = &c;

	for (i = 0; i < pairs; i++) {
		/* buckets lie anywhere below the numbers */
		double median = 500 * exp2(model_unit(&random));

		for (side = 0; side < 2; side++)
			for (run = 0; run < RUNS; run++)
				fine_run(&d[side][run], buckets[side][run],
					 median * (side ? 1 + shift : 1) *
						 exp(.03 * model_normal(&random)),
					 3000, &random);
		CU_ASSERT_EQUAL_FATAL(
			hist_significance_test_quantile(&c, d[0], RUNS, d[1], RUNS, p), 0);
		CU_ASSERT_EQUAL(hist_significance_bound_quantile(&c, d[0], RUNS, d[1], RUNS, p,
								 o->confidence),
				0);
		CU_ASSERT_EQUAL(hist_significance_pool(&one, 1, o->confidence), 0);
		/* what is shown holds wherever the numbers are in their buckets */
		CU_ASSERT(c.low <= c.placed && c.placed <= c.high);
		CU_ASSERT(c.ci_low <= c.placed_ci_low && c.placed_ci_high <= c.ci_high);
		found += hist_significance_decide(&c, o, NULL, 0) == HIST_REGRESSED;
	}
	return found;
}

/* Narrow buckets hide no change of 10 %, and make none. */
static void test_power(void)
{
	const struct hist_significance_options usual = { .threshold = .05, .confidence = .95 };
	const struct hist_significance_options strict = { .threshold = .05,
							  .confidence = .99,
							  .worse = HIST_WORSE_BOTH };
	unsigned int p50 = fine_regressed(200, .1, 500000, &usual),
		     p99 = fine_regressed(200, .1, 990000, &usual);

	printf("p50 %u, p99 %u of 200; ", p50, p99);
	CU_ASSERT(p50 >= 160);
	CU_ASSERT(p99 >= 100);
	CU_ASSERT(fine_regressed(200, 0, 500000, &strict) <= 6);
	CU_ASSERT(fine_regressed(200, 0, 990000, &strict) <= 6);
}

UNIT_TESTS(
	{ "the interval of a quantile is Student's t of the runs, widened by their buckets",
	  test_bound },
	{ "of 200 pairs with .log2=3, 10 % more is found in 80 % for p50 and in 50 % for p99",
	  test_power },
	{ "the quantile test equals Student's t of the logarithms of the shares above the boundary",
	  test_shares },
	{ "a change across log2 buckets is found, and a change inside a bucket is not resolvable",
	  test_log2 },
	{ "quantiles of different buckets, or of numbers below zero, are refused",
	  test_quantile_refused },
	{ "a quantile with too few counts is not tested, and a change from 0 is infinite",
	  test_quantile_limits });
