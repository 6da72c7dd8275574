// SPDX-License-Identifier: GPL-2.0
/*
 * judge_quantile_test.c - changes of quantiles against NumPy and SciPy
 * (data/stats/make.py), and what buckets hide
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <tracehist/judge.h>
#include <tracehist/quantile.h>
#include <tracehist/stats.h>

#include "stat_values.h"
#include "tests.h"

static const struct hist_judge_options options = { .threshold = .1, .confidence = .95 };

/* A distribution of sorted or unsorted whole numbers in buckets of @width. */
static struct hist_distribution bucketed(const double *numbers, unsigned int n, unsigned int width)
{
	struct hist_distribution d = { .exact = width == 1 };
	unsigned int i;
	uint32_t k;

	d.buckets = calloc(n, sizeof(*d.buckets));
	for (i = 0; i < n; i++) {
		uint64_t ge = (uint64_t)numbers[i] / width * width;

		for (k = 0; k < d.n && d.buckets[k].ge < ge; k++)
			;
		if (k == d.n || d.buckets[k].ge != ge) {
			memmove(&d.buckets[k + 1], &d.buckets[k], (d.n - k) * sizeof(*d.buckets));
			d.buckets[k] = (struct hist_bucket){ ge, ge + width - 1, 0 };
			d.n++;
		}
		d.buckets[k].count++;
		d.total++;
	}
	return d;
}

static void check_quantile(const struct stat_line *line)
{
	unsigned int p = lround(line->group[0][0] * HIST_QUANTILE_ONE), width = line->group[0][1];
	unsigned int nbase = line->group[0][2], nnew = line->group[0][3], i;
	struct hist_distribution runs[STAT_GROUPS] = { 0 };
	const double *want = line->want;
	struct hist_change c;

	for (i = 0; i < nbase + nnew; i++)
		runs[i] = bucketed(line->group[1 + i], line->n[1 + i], width);
	CU_ASSERT_EQUAL(hist_judge_quantile(&c, runs, nbase, runs + nbase, nnew, p, &options), 0);
	CU_ASSERT_EQUAL(c.base_low, want[0]);
	CU_ASSERT_EQUAL(c.base_high, want[1]);
	CU_ASSERT_EQUAL(c.new_low, want[2]);
	CU_ASSERT_EQUAL(c.new_high, want[3]);
	CU_ASSERT(stat_close(c.low, want[2] / want[1] - 1, 1e-12));
	CU_ASSERT(stat_close(c.high, want[3] / want[0] - 1, 1e-12));
	CU_ASSERT(stat_close(c.ci_low, want[4], 1e-8));
	CU_ASSERT(stat_close(c.ci_high, want[5], 1e-8));
	CU_ASSERT(c.has_edge && c.tested);
	CU_ASSERT_EQUAL(c.edge, want[6]);
	CU_ASSERT(stat_close(c.base_share, want[7], 1e-9));
	CU_ASSERT(stat_close(c.new_share, want[8], 1e-9));
	CU_ASSERT(stat_close(c.p, want[9], 1e-9));
	CU_ASSERT_EQUAL(c.direction, want[8] > want[7] ? 1 : -1);
	for (i = 0; i < nbase + nnew; i++)
		free(runs[i].buckets);
}

static void test_quantile(void)
{
	CU_ASSERT_EQUAL(stat_values("quantile", check_quantile), 6);
}

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
	}
}

static enum hist_verdict log2_verdict(struct hist_change *c, const unsigned int *base,
				      const unsigned int *new_, double threshold, char *why)
{
	struct hist_judge_options o = { .threshold = threshold, .confidence = .95 };
	struct hist_distribution b[5], n[5];
	struct hist_bucket buckets[2][5][4];

	log2_runs(b, buckets[0], 5, base);
	log2_runs(n, buckets[1], 5, new_);
	CU_ASSERT_EQUAL_FATAL(hist_judge_quantile(c, b, 5, n, 5, 500000, &o), 0);
	return hist_judge_verdict(c, &o, why, 160);
}

#define COUNTS(...) ((const unsigned int[4]){ __VA_ARGS__ })

static void test_log2(void)
{
	struct hist_change c;
	char why[160];

	/* one bucket on: surely, but by 1.6 % or by 288 % */
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 100, 900, 10), .1,
				     why), HIST_INCONCLUSIVE);
	CU_ASSERT(c.p < 1e-6 && c.direction == 1 && c.resolvable);
	CU_ASSERT_EQUAL(c.edge, 64);
	CU_ASSERT(stat_close(c.low, 65 / 64. - 1, 1e-12) && stat_close(c.high, 128 / 33. - 1, 1e-12));
	/* the shares leave no doubt about the buckets: the interval is theirs */
	CU_ASSERT(stat_close(c.ci_low, c.low, 1e-12) && stat_close(c.ci_high, c.high, 1e-12));
	CU_ASSERT_STRING_EQUAL(why, "it moved to another bucket, by +1.6 % to +288 %: record finer "
			       "buckets, or the sum for the mean");
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 100, 900, 10), .01,
				     why), HIST_REGRESSED);
	CU_ASSERT_STRING_EQUAL(why, "");
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 100, 900, 10), COUNTS(100, 900, 100, 10), .01,
				     why), HIST_IMPROVED);

	/* two buckets on is at least double */
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 100, 10, 900), 1,
				     why), HIST_REGRESSED);
	CU_ASSERT(stat_close(c.low, 129 / 64. - 1, 1e-12));

	/* the same bucket: not resolvable, also where the shares tell of a move */
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 900, 100, 10), .1,
				     why), HIST_INCONCLUSIVE);
	CU_ASSERT(!c.resolvable);
	CU_ASSERT_EQUAL(c.p, 1);
	CU_ASSERT_STRING_EQUAL(why, "in one bucket on both sides, which hides -48 % to +94 %: record "
			       "finer buckets, or the sum for the mean");
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 900, 300, 10), .1,
				     why), HIST_INCONCLUSIVE);
	CU_ASSERT(!c.resolvable && c.p < 1e-6);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "the share above its edge rose (p = "));
	/* a bucket narrower than the threshold hides nothing that matters */
	CU_ASSERT_EQUAL(log2_verdict(&c, COUNTS(100, 900, 100, 10), COUNTS(100, 900, 100, 10), 1,
				     why), HIST_PASS);
}

/* BUCKETS({ ge, le, count }, ...) */
#define BUCKETS(...) { .n = sizeof((struct hist_bucket[]){ __VA_ARGS__ }) / sizeof(struct hist_bucket), \
		       .buckets = (struct hist_bucket[]){ __VA_ARGS__ } }

static int quantile(struct hist_change *c, struct hist_distribution base,
		    struct hist_distribution new_, uint32_t p)
{
	struct hist_distribution b[] = { base, base }, n[] = { new_, new_ };

	return hist_judge_quantile(c, b, 2, n, 2, p, &options);
}

static void test_quantile_refused(void)
{
	struct hist_distribution d = BUCKETS({ 10, 19, 50 }, { 20, 29, 50 }), empty = { 0 };
	struct hist_distribution across = BUCKETS({ 15, 24, 50 }), longer = BUCKETS({ 10, 24, 50 });
	struct hist_distribution shorter = BUCKETS({ 15, 19, 50 });
	struct hist_distribution minus = BUCKETS({ -20ull, -11ull, 60 }, { 10, 19, 50 });
	struct hist_distribution plus = BUCKETS({ 10, 19, 50 });
	struct hist_distribution around = BUCKETS({ -20ull, -11ull, 5 }, { 10, 19, 6 });
	struct hist_distribution wider = BUCKETS({ -20ull, -5ull, 50 });
	struct hist_change c = { .p = 42 };

	minus.is_signed = plus.is_signed = wider.is_signed = around.is_signed = true;
	CU_ASSERT_EQUAL(quantile(&c, d, d, 1000001), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, across, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, longer, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, shorter, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, minus, wider, 900000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, minus, 900000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, plus, 500000), -EINVAL);
	CU_ASSERT_EQUAL(quantile(&c, d, empty, 500000), -ENODATA);
	CU_ASSERT_EQUAL(hist_judge_quantile(&c, &d, 1, NULL, 0, 500000, &options), -ENODATA);
	CU_ASSERT_EQUAL(quantile(&c, plus, minus, 500000), -EDOM);
	CU_ASSERT_EQUAL(quantile(&c, minus, plus, 500000), -EDOM);
	CU_ASSERT_EQUAL(c.p, 42);
	/* only the least numbers are below zero */
	CU_ASSERT_EQUAL(quantile(&c, plus, minus, 900000), 0);
	CU_ASSERT(c.base_low == 10 && c.new_low == 10);
	/* the quantile is not, but its interval */
	CU_ASSERT_EQUAL(quantile(&c, plus, around, 500000), 0);
	CU_ASSERT(c.new_low == 10 && c.ci_low == -1 && c.ci_high == 19 / 10. - 1);
}

static void test_quantile_limits(void)
{
	struct hist_distribution one = BUCKETS({ 10, 19, 50 }), empty = { 0 };
	struct hist_distribution two = BUCKETS({ 10, 19, 50 }, { 20, 29, 50 });
	struct hist_distribution few = BUCKETS({ 10, 19, 5 }, { 20, 29, 6 });
	struct hist_distribution zero = BUCKETS({ 0, 0, 900 }, { 1, 1, 10 });
	struct hist_distribution some = BUCKETS({ 0, 0, 5 }, { 1, 1, 6 });
	struct hist_distribution hardly = BUCKETS({ 0, 0, 6 }, { 1, 1, 5 });
	struct hist_distribution only = BUCKETS({ 0, 0, 900 }), tail = BUCKETS({ 17, 32, 9000 },
		{ 33, 64, 820 }, { 65, 128, 150 }, { 129, 256, 30 });
	struct hist_distribution huge[] = {
		BUCKETS({ 1, 1, 1 }, { 2, 2, 1 }, { 3, 3, 1 }, { 4, 4, 1 }, { 5, UINT64_MAX, 1ull << 53 }),
		BUCKETS({ 0, 0, 1ull << 53 }),
	};
	struct hist_distribution sides[4] = { one, empty, one, two };
	struct hist_change c;

	/* a run without counts is no replicate */
	CU_ASSERT_EQUAL(hist_judge_quantile(&c, sides, 2, sides + 2, 2, 500000, &options), 0);
	CU_ASSERT(!c.tested);
	CU_ASSERT_EQUAL(hist_judge_quantile(&c, sides, 3, sides + 1, 3, 500000, &options), 0);
	CU_ASSERT(c.tested);
	/* all in one bucket: no edge has anything above it */
	CU_ASSERT_EQUAL(quantile(&c, one, one, 500000), 0);
	CU_ASSERT(c.tested && !c.has_edge && !c.resolvable && c.p == 1);
	/* the largest number of 100 does not bound the largest there may be */
	CU_ASSERT_EQUAL(c.ci_high, 19 / 10. - 1);
	CU_ASSERT_EQUAL(quantile(&c, one, one, 1000000), 0);
	CU_ASSERT_EQUAL(c.ci_high, INFINITY);
	/* equal runs, but of 22 numbers: the median may well be one bucket lower */
	CU_ASSERT_EQUAL(quantile(&c, few, few, 500000), 0);
	CU_ASSERT_EQUAL(c.base_low, 20);
	CU_ASSERT(stat_close(c.ci_low, 20 / 29. * 10 / 20 - 1, 1e-9));

	/* a median of exactly 0 on both sides did not change */
	CU_ASSERT_EQUAL(quantile(&c, zero, zero, 500000), 0);
	CU_ASSERT(c.low == 0 && c.high == 0 && c.ci_low == 0 && c.ci_high == 0 && c.resolvable);
	/* from 0, and to 0, where the other may be 0 as well */
	CU_ASSERT_EQUAL(quantile(&c, only, some, 500000), 0);
	CU_ASSERT(c.low == INFINITY && c.ci_low == -1 && c.ci_high == INFINITY);
	CU_ASSERT_EQUAL(quantile(&c, some, hardly, 500000), 0);
	CU_ASSERT(c.high == -1 && c.ci_low == -1 && c.ci_high == INFINITY);

	/* 0.3 % are nearer to 1 % than 1.8 % by subtraction, but not by odds */
	CU_ASSERT_EQUAL(quantile(&c, tail, tail, 990000), 0);
	CU_ASSERT_EQUAL(c.edge, 64);
	/* counts that no double holds, whose sum depends on the order */
	CU_ASSERT_EQUAL(hist_judge_quantile(&c, huge, 2, huge, 2, 1000000, &options), 0);
	CU_ASSERT_EQUAL(c.base_low, 5);
	CU_ASSERT_EQUAL(c.base_high, (double)UINT64_MAX);
}

int judge_quantile_tests(void)
{
	CU_pSuite suite = CU_add_suite("judge_quantile", NULL, NULL);

	if (!suite || !CU_add_test(suite, "changes of quantiles", test_quantile) ||
	    !CU_add_test(suite, "log2 buckets", test_log2) ||
	    !CU_add_test(suite, "quantiles without a ratio", test_quantile_refused) ||
	    !CU_add_test(suite, "limits of quantiles", test_quantile_limits))
		return CU_get_error();
	return 0;
}
