// SPDX-License-Identifier: GPL-2.0
/*
 * view_diff_test.c - a comparison in each format of `diff`, byte by byte
 *
 * One comparison has everything that a format must write: each verdict, each
 * presence, budgets, changes that have no number, losses, and names that
 * try to be structure.  The expected text is in data/diff/; after a change that is
 * meant, look at what is written to UTEST_DIFF_OUT and copy it there.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/diff/view_diff.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define CHANGE(bl, bh, nl, nh, l, h, cl, ch, prob, is_tested, is_resolvable)                        \
	{                                                                                           \
		.base_low = bl, .base_high = bh, .new_low = nl, .new_high = nh, .low = l,           \
		.high = h, .ci_low = cl, .ci_high = ch, .p = prob, .p_family = 2 * (prob),          \
		.tested = is_tested, .resolvable = is_resolvable                                    \
	}

static struct hist_metric_result slow[] = {
	{
		.kind = HIST_METRIC_QUANTILE, .name = "p99", .p = 990000, .unit = HIST_UNIT_US,
		.change = CHANGE(33, 64, 129, 256, 1.015625, 6.7575757575757578, 0.98, 6.9, 0.00025, true, true),
		.gated = true, .threshold = 0.05, .verdict = HIST_REGRESSED,
		.why = "slower by at least 98 %",
	},
	{
		.kind = HIST_METRIC_QUANTILE, .name = "p90", .p = 900000, .unit = HIST_UNIT_US,
		.change = { .base_low = 17, .base_high = 32, .new_low = 33, .new_high = 64,
			    .low = 0.03125, .high = 2.7647, .ci_low = NAN, .ci_high = NAN,
			    .p = 0.001, .p_family = 0.004, .direction = 1, .tested = true,
			    .resolvable = true, .has_edge = true, .edge = 32,
			    .base_share = 0.08, .new_share = 0.31 },
		.gated = true, .threshold = 0.05, .verdict = HIST_INCONCLUSIVE,
		.why = "moved by one bucket\nuse smaller <buckets>",
	},
	{
		.kind = HIST_METRIC_QUANTILE, .name = "p50", .p = 500000, .unit = HIST_UNIT_US,
		.change = CHANGE(17, 32, 17, 32, 0, 0, 0, 0, 1, true, false),
		.gated = true, .threshold = 0.05, .verdict = HIST_PASS,
	},
	{
		.kind = HIST_METRIC_MEAN, .name = "trimmed mean", .unit = HIST_UNIT_US,
		.change = CHANGE(20.25, 20.25, 999.6, 999.6, 48.36, 48.36, 40, 60, 1e-9, true, true),
		.gated = true, .threshold = 0.05, .verdict = HIST_REGRESSED,
	},
	{
		.kind = HIST_METRIC_MAX, .name = "max", .unit = HIST_UNIT_US,
		.change = { .base_low = 33, .base_high = 64, .new_low = 4097, .new_high = 8192 },
		.gated = true, .has_budget = true, .budget = 1000, .verdict = HIST_REGRESSED,
	},
	{
		.kind = HIST_METRIC_EXCEED, .name = "above 1 ms",
		.change = { .base_low = 0, .base_high = 0, .new_low = 0.0005, .new_high = 0.0125 },
		.gated = true, .has_budget = true, .budget = 0.01, .verdict = HIST_INCONCLUSIVE,
	},
	{
		.kind = HIST_METRIC_RATE, .name = "hitcount/s",
		.change = CHANGE(12345, 12345, 12300, 12300, -0.0036, -0.0036, -0.02, 0.013, 0.6, true, true),
		.threshold = 0.05,
	},
};

static struct hist_metric_result fresh[] = {
	{
		.kind = HIST_METRIC_RATE, .name = "hitcount/s",
		.change = { .base_low = NAN, .base_high = NAN, .new_low = 3, .new_high = 3,
			    .low = INFINITY, .high = INFINITY, .resolvable = true },
		.threshold = 0.05,
	},
};

static struct hist_metric_result gone[] = {
	{
		.kind = HIST_METRIC_RATE, .name = "hitcount/s",
		.change = { .base_low = 2.5, .base_high = 2.5, .new_low = NAN, .new_high = NAN,
			    .low = -1, .high = -1, .resolvable = true },
		.threshold = 0.05,
	},
};

static struct hist_metric_result few[] = {
	{
		.kind = HIST_METRIC_RATE, .name = "hitcount/s",
		.change = CHANGE(0, 0, 7, 7, INFINITY, INFINITY, NAN, NAN, NAN, false, true),
		.gated = true, .threshold = 0.05, .verdict = HIST_INCONCLUSIVE,
		.why = "too few runs\nrecord several runs",
	},
};

static struct hist_metric_result better[] = {
	{
		.kind = HIST_METRIC_RATE, .name = "bytes_req/s",
		.change = CHANGE(2500000, 2500000, 1000000, 1000000, -0.6, -0.6, -0.7, -0.5, 0.001, true, true),
		.gated = true, .threshold = 0.05, .verdict = HIST_IMPROVED,
	},
};

#define METRICS(a) .nmetrics = sizeof(a) / sizeof(*(a)), .metrics = a

static struct hist_key_result keys[] = {
	{ .label = "sh|\"</system-out><b>&]]>` @all # TODO", METRICS(slow), .base_hits = 10,
	  .new_hits = 1ull << 60, .verdict = HIST_REGRESSED },
	{ .label = "few_#1", METRICS(few), .verdict = HIST_INCONCLUSIVE },
	{ .label = "foo.isra.1", .old_label = "foo.isra.0 *a*", .presence = HIST_RENAMED,
	  METRICS(better), .verdict = HIST_IMPROVED },
	{ .label = "fresh", .presence = HIST_NEW, METRICS(fresh) },
	{ .label = "gone", .presence = HIST_VANISHED, METRICS(gone) },
	{ .label = "fine", METRICS(better), .verdict = HIST_PASS },
};

static struct hist_hist_result hists[] = {
	{
		.name = "sched:sched_switch#1", .trigger = "hist:keys=next_comm,lat.log2 if a < \"b\"",
		.base = { .runs = 5, .replicates = 5, .seconds = 50.5, .hits = 1234567 },
		.new_ = { .runs = 1, .replicates = 20, .blocks = true, .seconds = 10.125,
			  .hits = 999, .dropped = 5, .missed = 2, .reset = true },
		.nkeys = 6, .keys = keys, .keys_total = 9,
		.counts = { 1, 1, 1, 1, 0 }, .appeared = 1, .vanished = 1, .renamed = 1,
		.verdict = HIST_REGRESSED, .why = "pids differ; names too\nuse .execname",
	},
	{
		.name = "kmem:kmalloc", .trigger = "hist:keys=bytes_req.log2",
		.base = { .runs = 5, .replicates = 5 }, .new_ = { .runs = 1 },
		.verdict = HIST_INCOMPARABLE, .why = "the keys differ: bytes_req.log2 and bytes_req\n"
						     "record both with <one> key",
	},
	{
		.name = "irq:irq_handler_entry", .trigger = "hist:keys=irq",
		.presence = HIST_VANISHED, .verdict = HIST_PASS,
	},
};

static char *base_files[] = { "a|1.dat", "a2.dat" }, *new_files[] = { "b.dat" };
static char *notes[] = { "b.dat: was not ended in order <killed>",
			 "few keys have a verdict\nrecord more runs" };

static const struct hist_comparison comparison = {
	.base = { 2, base_files, "Linux 6.1", "board-1", false },
	.new_ = { 1, new_files, "Linux 6.12 #1 SMP", "board-1", false },
	.judge = { 0.05, 0.95, HIST_WORSE_HIGHER },
	.nhists = 3, .hists = hists, .verdict = HIST_INCOMPARABLE, .decided = 0.4, .min_decided = 0.5,
	.nnotes = 2, .notes = notes,
};

/* What @write writes is data/diff/@name. */
static void check(int (*write)(FILE *f, const struct hist_comparison *c), const char *name)
{
	const char *dir = getenv("UTEST_DIFF_OUT");
	char *text, *expected, path[512];
	size_t len;
	FILE *f = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(write(f, &comparison), 0);
	fclose(f);
	if (dir) {
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		f = fopen(path, "w");
		CU_ASSERT_PTR_NOT_NULL_FATAL(f);
		fwrite(text, 1, len, f);
		fclose(f);
	}
	snprintf(path, sizeof(path), "diff/%s", name);
	expected = test_read_file(test_data_path(path), &len);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(expected);
	free(text);
}

static void test_json(void)
{
	check(hist_diff_write_json, "all.json");
}

static void test_markdown(void)
{
	check(hist_diff_write_markdown, "all.md");
}

static void test_junit(void)
{
	check(hist_diff_write_junit, "all.xml");
}

static void test_ktap(void)
{
	check(hist_diff_write_ktap, "all.ktap");
}

/* A full disk is told by every format. */
static void test_full(void)
{
	FILE *f = fopen("/dev/full", "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	setvbuf(f, NULL, _IONBF, 0);
	CU_ASSERT_EQUAL(hist_diff_write_json(f, &comparison), -ENOSPC);
	CU_ASSERT_EQUAL(hist_diff_write_markdown(f, &comparison), -ENOSPC);
	CU_ASSERT_EQUAL(hist_diff_write_junit(f, &comparison), -ENOSPC);
	CU_ASSERT_EQUAL(hist_diff_write_ktap(f, &comparison), -ENOSPC);
	fclose(f);
}

UNIT_TESTS(
	{ "the JSON of a comparison is the expected file, byte for byte", test_json },
	{ "the Markdown of a comparison is the expected file, byte for byte", test_markdown },
	{ "the JUnit XML of a comparison is the expected file, byte for byte", test_junit },
	{ "the KTAP of a comparison is the expected file, byte for byte", test_ktap },
	{ "every format of diff reports a full disk", test_full });
