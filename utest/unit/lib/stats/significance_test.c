// SPDX-License-Identifier: GPL-2.0
/*
 * significance_test.c - changes of rates and means against a second model (data/stats/moderated.py),
 * zeros, verdicts and budgets
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/quantile.h"
#include "lib/stats/significance.h"
#include "lib/stats/student_t.h"
#include "utest/unit/lib/stats/stat_values.h"
#include "utest/unit/tests.h"

static const struct hist_significance_options options = { .threshold = .1, .confidence = .95 };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Replicates without an interval, one for each number up to a negative one. */
static unsigned int points(struct hist_replicate *r, const double *values)
{
	unsigned int n;

	for (n = 0; values[n] >= 0; n++)
		r[n] = (struct hist_replicate){ .low = values[n], .high = values[n] };
	return n;
}

#define VALUES(...) ((const double[]){ __VA_ARGS__, -1 })

/* One key alone, whose variance is its own. */
static struct hist_change judged_all(const struct hist_replicate *b, unsigned int nb,
				     const struct hist_replicate *n, unsigned int nn)
{
	struct hist_change change, *one = &change;

	CU_ASSERT_EQUAL_FATAL(hist_significance_test_change(&change, b, nb, n, nn), 0);
	CU_ASSERT_EQUAL(hist_significance_pool(&one, 1, options.confidence), 0);
	return change;
}

static struct hist_change judged(const double *base, const double *new_)
{
	struct hist_replicate b[16], n[16];
	unsigned int nb = points(b, base), nn = points(n, new_);

	return judged_all(b, nb, n, nn);
}

/* Six keys, whose variances are shrunk together. */
static void check_pool(const struct stat_line *line)
{
	struct hist_change changes[6], *all[6];
	struct hist_replicate r[2][16];
	unsigned int key, s, i;

	for (key = 0; key < 6; key++) {
		for (s = 0; s < 2; s++)
			for (i = 0; i < line->n[2 * key + s]; i++)
				r[s][i] = (struct hist_replicate){
					.low = line->group[2 * key + s][i],
					.high = line->group[2 * key + s][i] };
		CU_ASSERT_EQUAL(hist_significance_test_change(&changes[key], r[0], line->n[2 * key],
							      r[1],
							      line->n[2 * key + 1]), 0);
		all[key] = &changes[key];
	}
	CU_ASSERT_EQUAL(hist_significance_pool(all, 6, .95), 0);
	for (key = 0; key < 6; key++) {
		const double *want = line->want + 4 * key;
		const struct hist_change *c = &changes[key];

		CU_ASSERT(stat_close(c->low, want[0], 1e-9) && c->high == c->low);
		CU_ASSERT(stat_close(c->ci_low, want[1], 1e-7));
		CU_ASSERT(stat_close(c->ci_high, want[2], 1e-7));
		CU_ASSERT(stat_close(c->p, want[3], 1e-7));
		CU_ASSERT_EQUAL(c->p_family, c->p);
		CU_ASSERT_EQUAL(c->direction, want[0] > 0 ? 1 : -1);
		CU_ASSERT(c->tested && c->resolvable && !c->has_edge);
	}
}

static void test_change(void)
{
	struct hist_replicate good = { 1, 1, 0, 0 }, bad[] = {
		{ -1, 1, 0, 0 }, { 2, 1, 0, 0 }, { 1, INFINITY, 0, 0 }, { NAN, 1, 0, 0 },
		{ 1, 1, -2, 0 }, { 1, 1, 0, -2 }, { 1, NAN, 0, 0 },
	};
	struct hist_change change = { .p = 42 };
	size_t i;

	CU_ASSERT_EQUAL(stat_values("pool", check_pool), 3);
	for (i = 0; i < COUNT(bad); i++)
		CU_ASSERT_EQUAL(hist_significance_test_change(&change, &good, 1, &bad[i], 1),
				-EINVAL);
	CU_ASSERT_EQUAL(hist_significance_test_change(&change, &good, 0, &good, 0), -ENODATA);
	CU_ASSERT_EQUAL(change.p, 42);
	/* a side without replicates: the value of the other one, and no change */
	CU_ASSERT_EQUAL(hist_significance_test_change(&change, &good, 0, &good, 1), 0);
	CU_ASSERT(isnan(change.base_low) && change.new_low == 1 && isnan(change.low));
	CU_ASSERT(!change.tested && change.p == 1);

	/* one on each side: its size, and nothing about chance */
	change = judged(VALUES(100), VALUES(150));
	CU_ASSERT(!change.tested);
	CU_ASSERT_EQUAL(change.p, 1);
	CU_ASSERT(stat_close(change.low, .5, 1e-12));
	CU_ASSERT_EQUAL(change.ci_low, -1);
	CU_ASSERT_EQUAL(change.ci_high, INFINITY);
	/* against several, theirs is the scatter: t(2) of ln 1.5 / (0.1 sqrt(1 + 1/3)) is 3.511 */
	change = judged(VALUES(100 * exp(-.1), 100, 100 * exp(.1)), VALUES(150));
	CU_ASSERT(change.tested);
	CU_ASSERT(stat_close(change.p, .07246, 1e-3));

	/* no scatter at all: 3 of 3 above 3 is 2 of 20 ways to deal them */
	change = judged(VALUES(5, 5, 5), VALUES(6, 6, 6));
	CU_ASSERT(stat_close(change.p, .1, 1e-9));
	CU_ASSERT_EQUAL(change.direction, 1);
	change = judged(VALUES(.1, .1, .1), VALUES(.1, .1));
	CU_ASSERT_EQUAL(change.p, 1);
	CU_ASSERT_EQUAL(change.direction, 0);
	CU_ASSERT(change.ci_low == 0 && change.ci_high == 0);
	/* one run in which all took 40 times as long neither makes nor hides a mean of its own */
	change = judged(VALUES(100, 101, 99, 102, 4000), VALUES(100, 99, 101, 98, 102));
	CU_ASSERT(stat_close(change.base_low, pow(100. * 101 * 99 * 102 * 4000, .2), 1e-12));
	CU_ASSERT(change.p > .3);
}

/* What buckets leave open widens the change and its interval. */
static void test_intervals(void)
{
	struct hist_replicate b[4], n[4];
	struct hist_change point, wide;
	unsigned int nb = points(b, VALUES(100, 103, 98, 101));
	unsigned int nn = points(n, VALUES(120, 118, 123, 121)), i;

	point = judged_all(b, nb, n, nn);
	for (i = 0; i < 4; i++) {
		n[i].low -= 8;
		n[i].high += 8;
	}
	wide = judged_all(b, nb, n, nn);
	CU_ASSERT(stat_close(wide.low, (point.low + 1) * 112.5 / 120.5 - 1, 1e-9));
	CU_ASSERT(stat_close(wide.high, (point.high + 1) * 128.5 / 120.5 - 1, 1e-9));
	CU_ASSERT(stat_close((wide.ci_low + 1) / (wide.low + 1),
			     (point.ci_low + 1) / (point.low + 1), 1e-9));
	CU_ASSERT(stat_close((wide.ci_high + 1) / (wide.high + 1),
			     (point.ci_high + 1) / (point.high + 1), 1e-9));
	CU_ASSERT(stat_close(wide.p, point.p, 1e-9));

	/* the same interval on both sides: any change is hidden */
	for (i = 0; i < 4; i++)
		b[i] = (struct hist_replicate){ .low = 33, .high = 64 };
	wide = judged_all(b, nb, b, nb);
	CU_ASSERT_EQUAL(wide.p, 1);
	CU_ASSERT_EQUAL(wide.direction, 0);
	CU_ASSERT(!wide.resolvable);
	CU_ASSERT(stat_close(wide.low, 33 / 64. - 1, 1e-9));
}

static struct hist_change rates(const double *base, const double *new_)
{
	struct hist_replicate r[2][16];
	unsigned int n[2] = { 0 }, s;

	for (s = 0; s < 2; s++) {
		const double *events = s ? new_ : base;

		for (; events[n[s]] >= 0; n[s]++)
			r[s][n[s]] = (struct hist_replicate){ events[n[s]] / 10, events[n[s]] / 10, .05,
							      1 / (events[n[s]] + .5) };
	}
	return judged_all(r[0], n[0], r[1], n[1]);
}

static void test_zeros(void)
{
	struct hist_change c;

	/* out of nothing: half an event stands for none */
	c = rates(VALUES(0, 0, 0, 0, 0), VALUES(40, 38, 42, 41, 39));
	CU_ASSERT(c.tested && c.resolvable);
	CU_ASSERT_EQUAL(c.low, INFINITY);
	CU_ASSERT(c.ci_low > 5 && c.ci_low < 81 && isfinite(c.ci_high));
	CU_ASSERT(c.p < .01);
	CU_ASSERT_EQUAL(c.direction, 1);

	/* one burst in one of five runs is no change of the load */
	c = rates(VALUES(0, 0, 0, 0, 0), VALUES(0, 0, 0, 0, 200));
	CU_ASSERT(c.p > .3);
	/* nor is one event each in five short runs: counts scatter more than these do */
	c = rates(VALUES(0, 0, 0, 0, 0), VALUES(1, 1, 1, 1, 1));
	CU_ASSERT(c.p > .05);
	/* nor are counts that happen to be nearly the same: Poisson's error is 14 % */
	c = rates(VALUES(100, 100, 100), VALUES(111, 111, 110));
	CU_ASSERT(stat_close(c.p, hist_stats_t_p((log(111.5) * 2 + log(110.5) - 3 * log(100.5)) / 3 /
				sqrt((3 / 100.5 + 2 / 111.5 + 1 / 110.5) / 9), 4), 1e-9));
	/* down to nothing */
	c = rates(VALUES(40, 38, 42, 41, 39), VALUES(0, 0, 0, 0, 0));
	CU_ASSERT_EQUAL(c.high, -1);
	CU_ASSERT(c.ci_low > -1 && c.ci_high < -.8);
	CU_ASSERT_EQUAL(c.direction, -1);
	/* nothing at all, twice */
	c = judged(VALUES(0, 0, 0), VALUES(0, 0, 0));
	CU_ASSERT(c.tested && c.resolvable);
	CU_ASSERT_EQUAL(c.p, 1);
	CU_ASSERT(c.low == 0 && c.high == 0 && c.ci_low == 0 && c.ci_high == 0);
	/* zeros among others */
	c = rates(VALUES(0, 10, 20, 10), VALUES(10, 0, 10, 20));
	CU_ASSERT_EQUAL(c.p, 1);
	CU_ASSERT(c.ci_low < -.3 && c.ci_high > .5);
	/* a 0 that nothing stands for has no logarithm: not tested */
	c = judged(VALUES(0, 0, 0), VALUES(4, 4, 4));
	CU_ASSERT(!c.tested && c.low == INFINITY);
}

/* Holm's step-down, against statsmodels. */
static void check_holm(const struct stat_line *line)
{
	struct hist_change c[64] = { 0 }, *all[64];
	unsigned int i;

	for (i = 0; i < line->n[0]; i++) {
		c[i].p = line->group[0][i];
		c[i].tested = true;
		all[i] = &c[i];
	}
	CU_ASSERT_EQUAL(hist_significance_adjust_family(all, line->n[0]), 0);
	for (i = 0; i < line->n[0]; i++)
		CU_ASSERT(stat_close(c[i].p_family, line->want[i], 1e-9));
}

static void test_family(void)
{
	struct hist_change c[4] = {
		{ .p = .01, .tested = true }, { .p = .04, .tested = true },
		{ .p = .0001, .p_family = .0001, .tested = false }, { .p = .015, .tested = true },
	};
	struct hist_change *all[] = { &c[0], &c[1], &c[2], &c[3] };

	CU_ASSERT_EQUAL(stat_values("holm", check_holm), 5);
	CU_ASSERT_EQUAL(hist_significance_adjust_family(all, 4), 0);
	CU_ASSERT_EQUAL(c[0].p_family, .03);
	CU_ASSERT_EQUAL(c[3].p_family, .03);
	CU_ASSERT_EQUAL(c[1].p_family, .04);
	CU_ASSERT_EQUAL(c[2].p_family, 1);
	CU_ASSERT_EQUAL(c[0].p, .01);
	CU_ASSERT_EQUAL(hist_significance_adjust_family(NULL, 0), 0);
	CU_ASSERT_EQUAL(hist_significance_pool(NULL, 0, .95), 0);
	CU_ASSERT_EQUAL(hist_significance_adjust_family(all + 2, 1), 0);
}

/* One row of the rule: a change with its interval, and the verdicts by what is bad. */
static const struct {
	double low, high, ci_low, ci_high, p;
	bool tested;
	enum hist_verdict higher, lower, both;
	const char *why; /* of higher, or the first that is inconclusive */
} rule[] = {
	/* surely more, by the threshold and by less */
	{ .2, .2, .15, .25, .001, true, HIST_REGRESSED, HIST_IMPROVED, HIST_REGRESSED, "" },
	{ .1, .1, .02, .18, .049, true, HIST_REGRESSED, HIST_IMPROVED, HIST_REGRESSED, "" },
	{ .08, .08, .07, .09, .001, true, HIST_PASS, HIST_PASS, HIST_PASS, "" },
	{ .08, .08, .04, .12, .001, true, HIST_INCONCLUSIVE, HIST_PASS, HIST_INCONCLUSIVE,
	  "the change is significant, but its confidence interval includes the threshold\n"
	  "record more runs" },
	/* the size is the near end of what buckets leave open */
	{ .08, .2, .08, .2, .001, true, HIST_INCONCLUSIVE, HIST_PASS, HIST_INCONCLUSIVE,
	  "the change is significant, but may be from +8.0 % to +20 % "
	  "because of the wide buckets\nrecord with smaller buckets, or record the sum of the samples" },
	/* surely less */
	{ -.2, -.2, -.25, -.15, .001, true, HIST_IMPROVED, HIST_REGRESSED, HIST_REGRESSED, "" },
	{ -.2, -.08, -.2, -.08, .001, true, HIST_PASS, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE,
	  "the change is significant, but may be from -20 % to -8.0 % "
	  "because of the wide buckets\nrecord with smaller buckets, or record the sum of the samples" },
	/* by chance */
	{ .2, .2, -.05, .5, .051, true, HIST_INCONCLUSIVE, HIST_PASS, HIST_INCONCLUSIVE,
	  "the change exceeds the threshold, but is not significant (p = 0.051)\nrecord more "
	  "runs" },
	{ .01, .01, -.05, .07, .7, true, HIST_PASS, HIST_PASS, HIST_PASS, "" },
	{ .01, .01, -.05, .1, .7, true, HIST_INCONCLUSIVE, HIST_PASS, HIST_INCONCLUSIVE,
	  "too much noise to exclude a change that exceeds the threshold\nrecord more or longer "
	  "runs" },
	{ -.05, -.05, -.15, .02, .3, true, HIST_PASS, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE,
	  "too much noise to exclude a change that exceeds the threshold\nrecord more or longer "
	  "runs" },
	{ .01, .01, -.3, .4, .9, true, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE,
	  "too much noise to exclude a change that exceeds the threshold\nrecord more or longer "
	  "runs" },
	/* from nothing, to nothing */
	{ INFINITY, INFINITY, 3, INFINITY, .001, true, HIST_REGRESSED, HIST_IMPROVED,
	  HIST_REGRESSED, "" },
	{ -1, -1, -1, -.8, .001, true, HIST_IMPROVED, HIST_REGRESSED, HIST_REGRESSED, "" },
	{ .02, INFINITY, .02, INFINITY, .001, true, HIST_INCONCLUSIVE, HIST_PASS, HIST_INCONCLUSIVE,
	  "the change is significant, but may be from +2.0 % to any size "
	  "because of the wide buckets\nrecord with smaller buckets, or record the sum of the samples" },
	{ -.48, .94, -.5, 1, .6, true, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE,
	  "the change is not significant, but may be from -48 % to +94 % "
	  "because of the wide buckets\nrecord with smaller buckets, or record the sum of the samples" },
	{ .5, .5, -1, INFINITY, 1, false, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE, HIST_INCONCLUSIVE,
	  "too few samples to test\nrecord several runs of each side, or more snapshots" },
};

static void test_rule(void)
{
	size_t i, w;

	for (i = 0; i < COUNT(rule); i++) {
		struct hist_change c = { .low = rule[i].low, .high = rule[i].high,
					 .ci_low = rule[i].ci_low, .ci_high = rule[i].ci_high,
					 .p = rule[i].p / 3, .p_family = rule[i].p,
					 .direction = rule[i].low > 0 ? 1 : -1,
					 .tested = rule[i].tested, .resolvable = true };
		const enum hist_verdict want[] = { rule[i].higher, rule[i].lower, rule[i].both,
						   HIST_PASS };
		bool said = false;
		char why[160];

		for (w = 0; w < COUNT(want); w++) {
			struct hist_significance_options o = { .1, .95, (enum hist_worse)w };

			memset(why, 'x', sizeof(why));
			CU_ASSERT_EQUAL(hist_significance_decide(&c, &o, why, sizeof(why)),
					want[w]);
			CU_ASSERT_EQUAL(hist_significance_decide(&c, &o, NULL, 0), want[w]);
			if (want[w] != HIST_INCONCLUSIVE) {
				CU_ASSERT_STRING_EQUAL(why, "");
			} else if (!said) {
				CU_ASSERT_STRING_EQUAL(why, rule[i].why);
				said = true;
			}
		}
		/* the test says down, whatever the size says: no verdict by it */
		c.direction = -c.direction;
		for (w = 0; w < COUNT(want); w++) {
			struct hist_significance_options o = { .1, .95, (enum hist_worse)w };
			enum hist_verdict v = hist_significance_decide(&c, &o, NULL, 0);

			CU_ASSERT(v == HIST_PASS || v == HIST_INCONCLUSIVE);
		}
	}
	/* a loss cannot reach 200 %, but what is not tested passes nothing */
	CU_ASSERT_EQUAL(hist_significance_decide(&(struct hist_change){ .ci_low = -1,
		.ci_high = INFINITY,
					   .p_family = 1 },
						 &(struct hist_significance_options){ 2, .95,
					   HIST_WORSE_LOWER }, NULL, 0), HIST_INCONCLUSIVE);
	CU_ASSERT_STRING_EQUAL(hist_significance_verdict_name(HIST_PASS), "pass");
	CU_ASSERT_STRING_EQUAL(hist_significance_verdict_name(HIST_INCOMPARABLE), "incomparable");
	CU_ASSERT_EQUAL(hist_significance_worse_verdict(HIST_REGRESSED, HIST_INCONCLUSIVE),
			HIST_REGRESSED);
	CU_ASSERT_EQUAL(hist_significance_worse_verdict(HIST_PASS, HIST_IMPROVED), HIST_IMPROVED);
}

static void test_max(void)
{
	const struct hist_replicate r[] = { { 65, 128, 0, 0 }, { 129, 256, 0, 0 }, { 33, 64, 0, 0 } };
	struct hist_budget b = { .low = 42 };

	CU_ASSERT_EQUAL(hist_budget_check_max(&b, r, 0, 256), -EINVAL);
	CU_ASSERT_EQUAL(b.low, 42);
	CU_ASSERT_EQUAL(hist_budget_check_max(&b, r, 3, 256), 0);
	CU_ASSERT_EQUAL(b.verdict, HIST_PASS);
	CU_ASSERT_STRING_EQUAL(b.why, "");
	CU_ASSERT(b.low == 129 && b.high == 256);
	CU_ASSERT_EQUAL(hist_budget_check_max(&b, r, 3, 129), 0);
	CU_ASSERT_EQUAL(b.verdict, HIST_INCONCLUSIVE);
	CU_ASSERT_PTR_NOT_NULL(strstr(b.why, "inside a bucket"));
	CU_ASSERT_EQUAL(hist_budget_check_max(&b, r, 3, 128), 0);
	CU_ASSERT_EQUAL(b.verdict, HIST_REGRESSED);
}

static enum hist_verdict exceed(struct hist_budget *b, const struct hist_exceed *r, unsigned int n,
				double share)
{
	CU_ASSERT_EQUAL(hist_budget_check_exceed(b, r, n, share, .95), 0);
	CU_ASSERT_EQUAL(*b->why != '\0', b->verdict == HIST_INCONCLUSIVE);
	return b->verdict;
}

static void test_exceed(void)
{
	static const struct hist_exceed none[] = { { 0, 0, 200 } }, few[] = { { 3, 3, 200 } };
	static const struct hist_exceed open[] = { { 3, 12, 1000 } }, bad[] = { { 4, 3, 9 } };
	static const struct hist_exceed past[] = { { 1, 10, 9 } }, empty[] = { { 0, 0, 0 } };
	static const struct hist_exceed even[] = { { 10, 10, 1000 }, { 10, 10, 1000 } };
	static const struct hist_exceed uneven[] = { { 0, 0, 1000 }, { 20, 20, 1000 } };
	static const struct hist_exceed huge[] = { { 0, 0, UINT64_MAX }, { 0, 0, 1 } };
	struct hist_budget b = { .upper = 42 };

	CU_ASSERT_EQUAL(hist_budget_check_exceed(&b, bad, 1, .1, .95), -EINVAL);
	CU_ASSERT_EQUAL(hist_budget_check_exceed(&b, past, 1, .1, .95), -EINVAL);
	CU_ASSERT_EQUAL(hist_budget_check_exceed(&b, none, 0, .1, .95), -EINVAL);
	CU_ASSERT_EQUAL(hist_budget_check_exceed(&b, huge, 2, .1, .95), -EINVAL);
	CU_ASSERT_EQUAL(hist_budget_check_exceed(&b, empty, 1, .1, .95), -ENODATA);
	CU_ASSERT_EQUAL(b.upper, 42);

	/* none of 200 leaves 1.487 % */
	CU_ASSERT_EQUAL(exceed(&b, none, 1, .015), HIST_PASS);
	CU_ASSERT_EQUAL(exceed(&b, none, 1, .0148), HIST_INCONCLUSIVE);
	CU_ASSERT(b.low == 0 && b.high == 0);
	CU_ASSERT(stat_close(b.upper, .014867, 1e-4));
	CU_ASSERT_EQUAL(exceed(&b, few, 1, .0149), HIST_REGRESSED);
	CU_ASSERT_EQUAL(exceed(&b, few, 1, .015), HIST_INCONCLUSIVE);
	CU_ASSERT_EQUAL(exceed(&b, few, 1, .04), HIST_PASS);
	/* the limit inside a bucket */
	CU_ASSERT_EQUAL(exceed(&b, open, 1, .002), HIST_REGRESSED);
	CU_ASSERT_EQUAL(exceed(&b, open, 1, .003), HIST_INCONCLUSIVE);
	CU_ASSERT_EQUAL(exceed(&b, open, 1, .02), HIST_PASS);
	CU_ASSERT(b.low == .003 && b.high == .012);
	CU_ASSERT_EQUAL(b.upper, hist_stats_binomial_upper(12, 1000, .95));
	/* runs that differ tell less than their counts: 1 % + t(0.95; 1) * 1 % */
	CU_ASSERT_EQUAL(exceed(&b, even, 2, .016), HIST_PASS);
	CU_ASSERT_EQUAL(exceed(&b, uneven, 2, .05), HIST_INCONCLUSIVE);
	CU_ASSERT(stat_close(b.upper, .01 + 6.313751515 * .01, 1e-8));
}

UNIT_TESTS(
	{ "changes of rates and means match a second model, and invalid numbers are refused",
	  test_change },
	{ "buckets widen a change and its confidence interval by what the buckets leave open",
	  test_intervals },
	{ "a rate of 0 is tested by its counts, and a mean that rises from 0 is not tested",
	  test_zeros },
	{ "Holm's method adjusts the p-values of a family and leaves untested changes at 1",
	  test_family },
	{ "a verdict follows from the change, its confidence interval and the threshold",
	  test_rule },
	{ "a limit for the largest number is inconclusive only inside the largest bucket",
	  test_max },
	{ "a limit for a share passes above the upper confidence bound and fails below the share",
	  test_exceed });
