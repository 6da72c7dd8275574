// SPDX-License-Identifier: GPL-2.0
/*
 * diff_test.c - what comes out of made-up recordings, number by number
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/diff/diff.h"
#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define SEC 1000000000ull
#define RUNS 3


static const char *const base_names[RUNS] = { "b0", "b1", "b2" };
static const char *const new_names[RUNS] = { "n0", "n1", "n2" };
static const struct hist_side base = { RUNS, base_names }, new_ = { RUNS, new_names };

static const char rates[] = "hist:keys=call_site.sym:vals=bytes_req";
static const char lat[] = "hist:keys=comm,lat_us.log2:vals=lat_us";

static struct hist_compare_options options(void)
{
	return (struct hist_compare_options){
		.judge = { .confidence = 0.95 }, .gate = { .threshold = 0.05, .min_hits = 50 },
		.nquantiles = 2, .quantiles = { 500000, 990000 }, .max_dropped = 0.001,
	};
}

static struct hist_comparison *compare(const struct hist_compare_options *o)
{
	struct hist_comparison *c = NULL;
	struct hist_error error = { 0 };
	int ret = hist_diff_compare(&c, &base, &new_, o, &error);

	if (ret)
		fprintf(stderr, "compare: %s\n", test_error(&error));
	CU_ASSERT_EQUAL_FATAL(ret, 0);
	return c;
}

static const struct hist_key_result *key_of(const struct hist_hist_result *h, const char *label)
{
	uint32_t k;

	for (k = 0; k < h->nkeys; k++)
		if (!strcmp(h->keys[k].label, label))
			return &h->keys[k];
	fprintf(stderr, "no key %s\n", label);
	CU_ASSERT_FATAL(false);
	return NULL;
}

static bool has_key(const struct hist_hist_result *h, const char *label)
{
	uint32_t k;

	for (k = 0; k < h->nkeys; k++)
		if (!strcmp(h->keys[k].label, label))
			return true;
	return false;
}

static const struct hist_metric_result *metric_of(const struct hist_key_result *key,
						  const char *name)
{
	unsigned int i;

	for (i = 0; i < key->nmetrics; i++)
		if (!strcmp(key->metrics[i].name, name))
			return &key->metrics[i];
	fprintf(stderr, "no metric %s of %s\n", name, key->label);
	CU_ASSERT_FATAL(false);
	return NULL;
}

static void count(struct run_fixture *f, int hist, const char *name, uint64_t address,
		  uint64_t hits, uint64_t sum)
{
	run_fixture_count(f, hist, (struct run_key[]){ { address, name } },
			  (uint64_t[]){ hits, sum });
}

/* --- rates --- */

/* One second's counts. */
static void count_rates(struct run_fixture *f, int hist, bool is_new, unsigned int run,
			unsigned int second)
{
	uint64_t at = is_new ? 0xffffffffa0000000 : 0xffffffff81000000;

	/* what the first snapshot has was counted before, and does not matter */
	count(f, hist, "same", at, second ? 100 + run : 12345, 1000);
	count(f, hist, "more", at + 1, is_new ? 300 + run : 200 + run, 64);
	count(f, hist, "few", at + 2, second == 4, 1);
	count(f, hist, is_new ? "fn.isra.3" : "fn.isra.0", at + 3, 100 + run, 2);
	count(f, hist, is_new ? "kworker/0:7" : "kworker/0:1", at + 4, 50, 0);
	count(f, hist, is_new ? "kworker/0:8" : "kworker/0:2", at + 5, 60, 0);
	count(f, hist, is_new ? "only_new" : "only_base", at + 6, 70, 0);
}

/* Snapshots a second apart; @is_new: the other side; @clear: before that one, or 0. */
static void write_rates(const char *name, bool is_new, unsigned int run, unsigned int snapshots,
			unsigned int clear)
{
	struct run_fixture *f = run_fixture_new(name, "Linux 6.12", "box");
	int hist = run_fixture_define(f, "kmem:kmalloc", rates, "mono");
	unsigned int i;

	for (i = 0; i < snapshots; i++) {
		if (clear && i == clear) {
			run_fixture_clear(f, hist);
			/* entries have other numbers from now on */
			count(f, hist, "kfree", 0xffffffff80000000, 1000, 0);
		}
		count_rates(f, hist, is_new, run, i);
		run_fixture_snapshot(f, hist, (50 + i) * SEC);
	}
	run_fixture_close(f, true);
}

static void write_all_rates(unsigned int snapshots, unsigned int clear)
{
	unsigned int i;

	for (i = 0; i < RUNS; i++) {
		write_rates(base_names[i], false, i, snapshots, 0);
		write_rates(new_names[i], true, i, snapshots, clear);
	}
}

static void test_rates(void)
{
	struct hist_compare_options o = options();
	const struct hist_metric_result *m;
	const struct hist_key_result *key;
	const struct hist_hist_result *h;
	struct hist_comparison *c;

	write_all_rates(11, 0);
	o.gate.threshold = 0.2;
	c = compare(&o);
	h = &c->hists[0];
	CU_ASSERT_EQUAL_FATAL(c->nhists, 1);
	CU_ASSERT_EQUAL(c->verdict, HIST_REGRESSED);
	CU_ASSERT_STRING_EQUAL(h->name, "kmem:kmalloc");
	CU_ASSERT_EQUAL(h->base.runs, 3);
	CU_ASSERT_EQUAL(h->base.replicates, 3);
	CU_ASSERT_FALSE(h->base.blocks);
	CU_ASSERT_DOUBLE_EQUAL(h->base.seconds, 30, 1e-9);
	CU_ASSERT_EQUAL(h->base.hits, 3 * 10 * (101 + 201 + 101 + 50 + 60 + 70) + 3);
	CU_ASSERT_EQUAL(h->keys_total, 7);
	CU_ASSERT_EQUAL(h->few, 1);
	CU_ASSERT_EQUAL(h->appeared, 1);
	CU_ASSERT_EQUAL(h->vanished, 1);
	CU_ASSERT_EQUAL(h->renamed, 2);
	CU_ASSERT_EQUAL(h->counts[HIST_REGRESSED], 1);
	CU_ASSERT_EQUAL(h->counts[HIST_PASS], 3);

	/* all but "few" and the keys of one side */
	CU_ASSERT_DOUBLE_EQUAL(c->decided, 1 - (6 + 2 * 3 * 10 * 70.) / (h->base.hits + h->new_.hits),
			       1e-9);

	CU_ASSERT_TRUE(h->keys[0].whole);
	CU_ASSERT_STRING_EQUAL(h->keys[1].label, "more");
	key = key_of(h, "more");
	CU_ASSERT_EQUAL(key->verdict, HIST_REGRESSED);
	CU_ASSERT_EQUAL(key->base_hits, 3 * 10 * 201);
	m = metric_of(key, "hitcount/s");
	CU_ASSERT_TRUE(m->gated);
	/* the geometric mean of the three runs */
	CU_ASSERT_DOUBLE_EQUAL(m->change.base_low, cbrt(200. * 201 * 202), 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(m->change.new_high, cbrt(300. * 301 * 302), 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(m->change.low, cbrt(300. * 301 * 302 / 200 / 201 / 202) - 1, 1e-9);
	CU_ASSERT_EQUAL(metric_of(key, "bytes_req/s")->verdict, HIST_PASS);
	CU_ASSERT_FALSE(metric_of(key, "mean bytes_req")->gated);

	key = key_of(h, "same");
	CU_ASSERT_EQUAL(key->presence, HIST_BOTH);
	CU_ASSERT_EQUAL(key->verdict, HIST_PASS);
	CU_ASSERT_DOUBLE_EQUAL(metric_of(key, "bytes_req/s")->change.base_low, 1000, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(metric_of(key, "mean bytes_req")->change.new_low,
			       1000 / cbrt(100. * 101 * 102), 1e-9);

	key = key_of(h, "fn.isra.3");
	CU_ASSERT_EQUAL(key->presence, HIST_RENAMED);
	CU_ASSERT_STRING_EQUAL(key->old_label, "fn.isra.0");
	CU_ASSERT_EQUAL(key->verdict, HIST_PASS);
	key = key_of(h, "kworker/0:*");
	CU_ASSERT_EQUAL(key->presence, HIST_RENAMED);
	CU_ASSERT_DOUBLE_EQUAL(metric_of(key, "hitcount/s")->change.new_low, 110, 1e-9);
	key = key_of(h, "only_new");
	CU_ASSERT_EQUAL(key->presence, HIST_NEW);
	CU_ASSERT_FALSE(metric_of(key, "hitcount/s")->gated);
	CU_ASSERT_TRUE(isnan(metric_of(key, "hitcount/s")->change.base_low));
	CU_ASSERT_DOUBLE_EQUAL(metric_of(key, "hitcount/s")->change.new_low, 70, 1e-9);
	key = key_of(h, "only_base");
	CU_ASSERT_EQUAL(key->presence, HIST_VANISHED);
	CU_ASSERT_TRUE(isnan(metric_of(key, "hitcount/s")->change.new_low));
	hist_diff_free(c);

	o.top = 2;
	c = compare(&o);
	CU_ASSERT_EQUAL(c->hists[0].nkeys, 3);
	CU_ASSERT_EQUAL(c->hists[0].keys_total, 7);
	hist_diff_free(c);
}

/* Where it was cleared, counts and time of that interval are left out: rates stay true. */
static void test_cleared(void)
{
	struct hist_compare_options o = options();
	const struct hist_metric_result *m;
	struct hist_comparison *c;

	/* in the middle of one of the twenty parts that a recording is cut into */
	write_all_rates(61, 32);
	c = compare(&o);
	CU_ASSERT_TRUE(c->hists[0].new_.reset);
	CU_ASSERT_FALSE(c->hists[0].base.reset);
	CU_ASSERT_DOUBLE_EQUAL(c->hists[0].new_.seconds, 3 * 59, 1e-9);
	CU_ASSERT_EQUAL(key_of(&c->hists[0], "more")->new_hits, 3 * 59 * 301);
	m = metric_of(key_of(&c->hists[0], "more"), "hitcount/s");
	CU_ASSERT_DOUBLE_EQUAL(m->change.new_low, cbrt(300. * 301 * 302), 1e-9);
	hist_diff_free(c);
}

static void test_skip(void)
{
	struct hist_compare_options o = options();
	struct hist_comparison *c;

	write_all_rates(11, 0);
	o.skip_ns = 4 * SEC;
	c = compare(&o);
	CU_ASSERT_DOUBLE_EQUAL(c->hists[0].base.seconds, 18, 1e-9);
	CU_ASSERT_EQUAL(key_of(&c->hists[0], "same")->base_hits, 3 * 6 * 101);
	hist_diff_free(c);
	o.skip_ns = 10 * SEC;
	c = compare(&o);
	CU_ASSERT_EQUAL(c->verdict, HIST_INCOMPARABLE);
	hist_diff_free(c);
}

/* Numbers of snapshots that go back and forth neither harm nor count. */
static void test_numbers(void)
{
	static const uint32_t numbers[] = { 7, 4000000000u, 3, 8, 4294967295u, 8, 9, 2, 10 };
	struct hist_compare_options o = options();
	struct run_fixture *f;
	struct hist_comparison *c;
	unsigned int i;
	int hist;

	write_all_rates(11, 0);
	f = run_fixture_new(new_names[0], "Linux 6.12", "box");
	hist = run_fixture_define(f, "kmem:kmalloc", rates, "mono");
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		run_fixture_number(f, hist, numbers[i]);
		count_rates(f, hist, true, 0, i + 1);
		run_fixture_snapshot(f, hist, (50 + i) * SEC);
	}
	run_fixture_close(f, true);
	c = compare(&o);
	CU_ASSERT_DOUBLE_EQUAL(c->hists[0].new_.seconds, 8 + 2 * 10, 1e-9);
	hist_diff_free(c);
}

/* --- an axis --- */

static void sleep_of(struct run_fixture *f, int hist, const char *comm, uint64_t bucket,
		     uint64_t hits, uint64_t sum)
{
	run_fixture_count(f, hist, (struct run_key[]){ { 0, comm }, { bucket, NULL } },
			  (uint64_t[]){ hits, sum });
}

/* "steady": (64, 128] us, mean 100; "late": 3 of 101 are in (512, 1024] on the new side. */
static void write_latency(const char *name, bool is_new, unsigned int run)
{
	struct run_fixture *f = run_fixture_new(name, "Linux 6.12", is_new ? "other" : "box");
	int hist = run_fixture_define(f, "latency:a..b", lat, "mono");
	unsigned int i;

	for (i = 0; i < 11; i++) {
		if (i) {
			sleep_of(f, hist, "steady", 7, 100 + run, (100 + run) * 100);
			sleep_of(f, hist, "late", 7, 98, 98 * 100);
			sleep_of(f, hist, "late", is_new ? 10 : 7, 3, 3 * (is_new ? 900 : 100));
		}
		if (i == 5)
			sleep_of(f, hist, is_new ? "rare" : "rarely", 13, 1, 5000);
		/* enough to judge by on one side only */
		if (i == 5 || !is_new)
			sleep_of(f, hist, "seldom", 5, 10, 10 * 30);
		run_fixture_snapshot(f, hist, (50 + i) * SEC);
	}
	run_fixture_close(f, true);
}

static void write_all_latency(void)
{
	unsigned int i;

	for (i = 0; i < RUNS; i++) {
		write_latency(base_names[i], false, i);
		write_latency(new_names[i], true, i);
	}
}

static void test_axis(void)
{
	struct hist_compare_options o = options();
	const struct hist_metric_result *m;
	const struct hist_key_result *key;
	const struct hist_hist_result *h;
	struct hist_comparison *c;

	write_all_latency();
	c = compare(&o);
	h = &c->hists[0];
	CU_ASSERT_FALSE(c->same_machine);
	CU_ASSERT_STRING_EQUAL(c->new_.host, "other");
	key = key_of(h, "steady");
	CU_ASSERT_EQUAL(key->verdict, HIST_PASS);
	m = metric_of(key, "trimmed mean");
	CU_ASSERT_TRUE(m->gated);
	CU_ASSERT_EQUAL(m->unit, HIST_UNIT_US);
	CU_ASSERT_DOUBLE_EQUAL(m->change.base_low, 100 - 28 * .1, 1e-9);
	/* percentiles within the trimmed mean are shown only */
	m = metric_of(key, "p50");
	CU_ASSERT_FALSE(m->change.resolvable);
	CU_ASSERT_FALSE(m->gated);
	CU_ASSERT_DOUBLE_EQUAL(m->change.new_low, 65, 0);
	CU_ASSERT_DOUBLE_EQUAL(m->change.new_high, 128, 0);
	CU_ASSERT_FALSE(metric_of(key, "hitcount/s")->gated);

	key = key_of(h, "late");
	CU_ASSERT_EQUAL(key->verdict, HIST_REGRESSED);
	m = metric_of(key, "p99");
	CU_ASSERT_EQUAL(m->verdict, HIST_REGRESSED);
	CU_ASSERT_DOUBLE_EQUAL(m->change.new_low, 513, 0);
	CU_ASSERT_DOUBLE_EQUAL(m->change.low, 513. / 128 - 1, 1e-9);

	/* another mix would look like other times */
	CU_ASSERT_TRUE(h->keys[0].whole);
	CU_ASSERT_EQUAL(h->keys[0].verdict, HIST_PASS);
	CU_ASSERT_FALSE(metric_of(&h->keys[0], "trimmed mean")->gated);
	CU_ASSERT_EQUAL(h->few, 3);
	hist_diff_free(c);
}

static void test_budgets(void)
{
	struct hist_compare_options o = options();
	const struct hist_metric_result *m;
	const struct hist_key_result *key;
	struct hist_comparison *c;

	write_all_latency();
	o.gate.worse = HIST_WORSE_NONE;
	o.gate.has_max = true;
	o.gate.max = (struct hist_limit){ 2, HIST_UNIT_MS, 0 };
	c = compare(&o);
	CU_ASSERT_EQUAL(c->verdict, HIST_REGRESSED);
	/* three hits, and only on the new side: a budget is for all */
	key = key_of(&c->hists[0], "rare");
	CU_ASSERT_EQUAL(key->presence, HIST_NEW);
	m = metric_of(key, "max");
	CU_ASSERT_EQUAL(m->verdict, HIST_REGRESSED);
	CU_ASSERT_DOUBLE_EQUAL(m->budget, 2000, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(m->change.new_low, 4097, 0);
	CU_ASSERT_EQUAL(metric_of(key_of(&c->hists[0], "late"), "max")->verdict, HIST_PASS);
	hist_diff_free(c);

	/* inside the bucket of its largest number, that is no pass */
	o.gate.max = (struct hist_limit){ 5, HIST_UNIT_MS, 0 };
	c = compare(&o);
	CU_ASSERT_EQUAL(c->verdict, HIST_INCONCLUSIVE);
	key = key_of(&c->hists[0], "rare");
	CU_ASSERT_TRUE(key->few);
	CU_ASSERT_EQUAL(key->verdict, HIST_INCONCLUSIVE);
	CU_ASSERT_FALSE(metric_of(key, "p50")->gated);
	hist_diff_free(c);
	o.gate.max = (struct hist_limit){ 9, HIST_UNIT_MS, 0 };
	c = compare(&o);
	CU_ASSERT_EQUAL(c->verdict, HIST_PASS);
	CU_ASSERT_FALSE(has_key(&c->hists[0], "rare"));
	hist_diff_free(c);

	o.gate.has_max = false;
	o.gate.nexceed = 1;
	o.gate.exceed[0] = (struct hist_exceed_limit){ { 512, HIST_UNIT_NONE, 1 }, 0.01 };
	c = compare(&o);
	m = metric_of(key_of(&c->hists[0], "late"), "above 512");
	CU_ASSERT_EQUAL(m->verdict, HIST_REGRESSED);
	CU_ASSERT_DOUBLE_EQUAL(m->change.new_low, 3. / 101, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(m->change.base_high, 0, 0);
	hist_diff_free(c);
}

/* --- what cannot be compared --- */

/* Two histograms: one is slower on the new side, the other has other buckets. */
static void write_two(const char *name, bool is_new)
{
	struct run_fixture *f = run_fixture_new(name, "Linux 6.12", "box");
	int hist = run_fixture_define(f, "kmem:kmalloc", rates, "mono");
	int other = run_fixture_define(f, "a:b", is_new ? "hist:keys=x.log2" : "hist:keys=x.buckets=4",
				       "mono");
	unsigned int i;

	for (i = 0; i < 11; i++) {
		count(f, hist, "more", 1, is_new ? 300 : 200, 64);
		run_fixture_count(f, other, (struct run_key[]){ { 4, NULL } }, (uint64_t[]){ 9 });
		run_fixture_snapshot(f, hist, (50 + i) * SEC);
		run_fixture_snapshot(f, other, (50 + i) * SEC);
	}
	run_fixture_close(f, true);
}

static void test_precedence(void)
{
	static const char *const event[] = { "b" };
	struct hist_compare_options o = options();
	struct hist_comparison *c;
	unsigned int i;

	for (i = 0; i < RUNS; i++) {
		write_two(base_names[i], false);
		write_two(new_names[i], true);
	}
	c = compare(&o);
	CU_ASSERT_EQUAL(c->nhists, 2);
	CU_ASSERT_EQUAL(c->hists[0].verdict, HIST_REGRESSED);
	CU_ASSERT_EQUAL(c->hists[1].verdict, HIST_INCOMPARABLE);
	CU_ASSERT_STRING_EQUAL(c->hists[1].why, "the keys differ: \"keys=x.buckets=4\" and \"keys=x.log2\"");
	CU_ASSERT_EQUAL(c->verdict, HIST_REGRESSED);
	hist_diff_free(c);
	o.nevents = 1;
	o.events = event;
	c = compare(&o);
	CU_ASSERT_EQUAL(c->nhists, 1);
	CU_ASSERT_EQUAL(c->verdict, HIST_INCOMPARABLE);
	hist_diff_free(c);
}

/* Nothing that could be judged is not a pass. */
static void test_nothing(void)
{
	struct hist_compare_options o = options();
	struct hist_comparison *c;

	write_all_latency();
	o.gate.min_hits = 1000000;
	c = compare(&o);
	CU_ASSERT_EQUAL(c->verdict, HIST_INCONCLUSIVE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c->hists[0].why, "no key has at least 1000000 hits"));
	CU_ASSERT_EQUAL(c->decided, 0);
	hist_diff_free(c);

	/* what passes is not enough of the whole, and nothing is asked of what is not gated */
	write_all_rates(11, 0);
	o.gate.min_hits = 4000;
	o.gate.threshold = 1;
	o.min_decided = 0.5;
	c = compare(&o);
	CU_ASSERT_EQUAL(c->hists[0].verdict, HIST_PASS);
	CU_ASSERT(c->decided > 0.3 && c->decided < 0.5);
	CU_ASSERT_EQUAL(c->verdict, HIST_INCONCLUSIVE);
	hist_diff_free(c);
	o.gate.worse = HIST_WORSE_NONE;
	c = compare(&o);
	CU_ASSERT_EQUAL(c->decided, 1);
	CU_ASSERT_EQUAL(c->verdict, HIST_PASS);
	hist_diff_free(c);
}

static void test_trouble(void)
{
	static const char *const none[] = { "none" };
	const struct hist_side missing = { 1, none };
	struct hist_compare_options o = options();
	struct hist_comparison *c = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(hist_diff_compare(&c, &base, &missing, &o, &error), -ENOENT);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "none: No such file or directory");
	CU_ASSERT_PTR_NULL(c);
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "diff finds the key with the higher rate, and renamed, new and vanished keys",
	  test_rates },
	{ "diff leaves out the interval in which a histogram is cleared, and rates stay right",
	  test_cleared },
	{ "diff leaves out the warm-up; a recording that is all warm-up is incomparable",
	  test_skip },
	{ "sequence numbers out of order do not change the seconds that diff compares",
	  test_numbers },
	{ "diff finds the regressed p99 of one key of an axis while another key passes",
	  test_axis },
	{ "a budget applies to every key, and is inconclusive inside the bucket of the maximum",
	  test_budgets },
	{ "a regressed histogram decides the verdict over an incomparable one", test_precedence },
	{ "a comparison with too few judged hits is inconclusive, unless nothing is gated",
	  test_nothing },
	{ "a missing recording is reported with its name and the reason", test_trouble });
