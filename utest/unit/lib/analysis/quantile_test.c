// SPDX-License-Identifier: GPL-2.0
/*
 * quantile_test.c - percentiles as intervals, against those of numpy
 *
 * data/quantiles.txt has raw numbers and what numpy says of them
 * (data/quantiles.py made it).  Here the numbers go through a table, with a
 * key of each kind, as the kernel would have put them into its buckets.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/quantile.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define NUMBERS_MAX 1024
#define QUANTILES_MAX 16

/* One set of the file. */
struct set {
	char name[32];
	uint64_t bucket;
	uint32_t n, nq;
	int64_t numbers[NUMBERS_MAX];
	uint64_t counts[NUMBERS_MAX];
	struct {
		uint32_t p;
		int64_t number, low2, high2, low, high;
	} q[QUANTILES_MAX];
};

/* From *@at to the next set; false at the end. */
static bool read_set(struct set *set, const char **at)
{
	int used;

	memset(set, 0, sizeof(*set));
	if (sscanf(*at, "set %31s %" SCNu64 "\n%n", set->name, &set->bucket, &used) != 2)
		return false;
	*at += used;
	for (; **at == 'n'; *at += used, set->n++) {
		CU_ASSERT_EQUAL_FATAL(sscanf(*at, "n %" SCNd64 " %" SCNu64 "\n%n",
					     &set->numbers[set->n], &set->counts[set->n], &used), 2);
		CU_ASSERT_FATAL(set->n + 1 < NUMBERS_MAX);
	}
	for (; **at == 'q'; *at += used, set->nq++) {
		CU_ASSERT_EQUAL_FATAL(sscanf(*at, "q %" SCNu32 " %" SCNd64 " %" SCNd64 " %" SCNd64
					     " %" SCNd64 " %" SCNd64 "\n%n", &set->q[set->nq].p,
					     &set->q[set->nq].number, &set->q[set->nq].low2,
					     &set->q[set->nq].high2, &set->q[set->nq].low,
					     &set->q[set->nq].high, &used), 6);
		CU_ASSERT_FATAL(set->nq + 1 < QUANTILES_MAX);
	}
	return true;
}

/* As hist_field_log2() and hist_field_bucket() of the kernel. */
static uint64_t kernel_cell(int64_t number, enum hist_key_kind kind, uint64_t bucket)
{
	uint64_t n = 0;

	if (kind == HIST_KEY_LOG2) {
		while (n < 64 && (UINT64_C(1) << n) < (uint64_t)number)
			n++;
		return n;
	}
	return kind == HIST_KEY_BUCKETS ? (uint64_t)number / bucket * bucket : (uint64_t)number;
}

static void distribute(struct hist_distribution *d, const struct set *set, enum hist_key_kind kind)
{
	struct hist_schema schema = {
		.nkeys = 1, .nvalues = 1,
		.keys = { { .name = (char *)"x", .kind = kind,
			    .is_signed = set->numbers[0] < 0, .bucket = set->bucket } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM } },
	};
	struct hist_table *table = hist_table_new(&schema);
	struct hist_grouping *grouping = hist_grouping_new(table);
	struct hist_snapshot snap = { 0 };
	struct hist_cell cell = { .str = HIST_NO_STRING };
	uint32_t i, entry, group = 0;

	/* the kernel's order is none */
	for (i = 0; i < set->n; i++) {
		uint32_t k = (i * 617) % set->n;

		if (set->n % 617 == 0)
			k = i;
		cell.num = kernel_cell(set->numbers[k], kind, set->bucket);
		CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
		CU_ASSERT_EQUAL(hist_snapshot_grow(&snap, &schema, hist_table_entries(table)), 0);
		snap.values[entry] += set->counts[k];
	}
	CU_ASSERT_EQUAL(hist_grouping_update(grouping), 0);
	CU_ASSERT_EQUAL(hist_grouping_count(grouping), 1);
	CU_ASSERT_EQUAL(hist_distribution_make(d, grouping, &group, 1, &snap, 0), 0);
	hist_snapshot_clear(&snap);
	hist_grouping_free(grouping);
	hist_table_free(table);
}

static void expect(const struct set *set, const struct hist_distribution *d, uint32_t p,
		   int64_t low, int64_t high)
{
	struct hist_quantile q = { 0 };
	int ret = hist_quantile(d, p, &q);

	if (ret || (int64_t)q.low != low || (int64_t)q.high != high)
		fprintf(stderr, "\n%s: %u: %d, %" PRId64 " to %" PRId64 ", not %" PRId64 " to %"
			PRId64 "\n", set->name, p, ret, q.low, q.high, low, high);
	CU_ASSERT(!ret && (int64_t)q.low == low && (int64_t)q.high == high);
}

static void test_numpy(void)
{
	static struct set set;
	struct hist_distribution d = { 0 };
	unsigned int sets = 0;
	const char *at;
	char *text;
	size_t len;
	uint32_t i;

	text = test_read_file(test_data_path("quantiles.txt"), &len);
	for (at = text; read_set(&set, &at); sets++) {
		CU_ASSERT_EQUAL(set.nq, 13);
		distribute(&d, &set, HIST_KEY_NUM);
		for (i = 0; i < set.nq; i++)
			expect(&set, &d, set.q[i].p, set.q[i].number, set.q[i].number);
		distribute(&d, &set, HIST_KEY_BUCKETS);
		for (i = 0; i < set.nq; i++)
			expect(&set, &d, set.q[i].p, set.q[i].low, set.q[i].high);
		if (set.numbers[0] < 0)
			continue;
		distribute(&d, &set, HIST_KEY_LOG2);
		for (i = 0; i < set.nq; i++)
			expect(&set, &d, set.q[i].p, set.q[i].low2, set.q[i].high2);
	}
	CU_ASSERT_EQUAL(sets, 9);
	CU_ASSERT_EQUAL(*at, '\0');
	free(text);
	hist_distribution_free(&d);
}

static void test_edges(void)
{
	static const struct set none = { .name = "edges" };
	struct hist_bucket buckets[] = { { 0, 1, UINT64_MAX }, { 2, 2, UINT64_MAX },
					 { 3, UINT64_MAX, 2 } };
	struct hist_distribution d = { .n = 3, .buckets = buckets, .total = UINT64_MAX };
	struct hist_quantile q = { 7, 8 };

	/* of twice 2^64 and more; the second bucket ends at 2^65 - 2 of 2^65 */
	expect(&none, &d, 0, 0, 1);
	expect(&none, &d, 499999, 0, 1);
	expect(&none, &d, 500000, 2, 2); /* rank 2^64, behind 2^64 - 1 */
	expect(&none, &d, 999999, 2, 2);
	expect(&none, &d, 1000000, 3, -1);
	CU_ASSERT_EQUAL(hist_quantile(&d, 1000001, &q), -EINVAL);
	d.n = 0;
	CU_ASSERT_EQUAL(hist_quantile(&d, 500000, &q), -ENODATA);
	CU_ASSERT_EQUAL(q.low, 7);
	d.n = 1;
	buckets[0].count = 0;
	CU_ASSERT_EQUAL(hist_quantile(&d, 500000, &q), -ENODATA);
}

/* Whole ranks do not go one further, by however little: p of n is exact. */
static void test_ranks(void)
{
	static const struct set none = { .name = "ranks" };
	struct hist_bucket buckets[] = { { 1, 1, 999 }, { 2, 2, 1 } };
	struct hist_distribution d = { .n = 2, .buckets = buckets, .total = 1000 };

	expect(&none, &d, 999000, 1, 1);
	expect(&none, &d, 999001, 2, 2);
	buckets[0].count = 2;
	expect(&none, &d, 666666, 1, 1); /* below 2 of 3, which is rank 2 */
	expect(&none, &d, 666667, 2, 2);
}

static const struct {
	const char *text;
	int n;
	uint32_t p[4];
} lists[] = {
	{ "50", 1, { 500000 } },
	{ "50,90,99.9", 3, { 500000, 900000, 999000 } },
	{ "99.9,50,50.0,90", 3, { 500000, 900000, 999000 } },
	{ "0,100,0.0001,99.9999", 4, { 0, 1, 999999, 1000000 } },
	{ "100.0000,007", 2, { 70000, 1000000 } },
	{ "12.50000000", 1, { 125000 } },
	{ "", -EINVAL, { 0 } },
	{ "50,", -EINVAL, { 0 } },
	{ ",50", -EINVAL, { 0 } },
	{ "50 ,90", -EINVAL, { 0 } },
	{ "50.", -EINVAL, { 0 } },
	{ ".5", -EINVAL, { 0 } },
	{ "-5", -EINVAL, { 0 } },
	{ "+5", -EINVAL, { 0 } },
	{ "p50", -EINVAL, { 0 } },
	{ "50%", -EINVAL, { 0 } },
	{ "5e1", -EINVAL, { 0 } },
	{ "101", -EINVAL, { 0 } },
	{ "100.0001", -EINVAL, { 0 } },
	{ "4294967346", -EINVAL, { 0 } }, /* 50 in 32 bits */
	{ "99.99995", -EINVAL, { 0 } },
	{ "nan", -EINVAL, { 0 } },
};

static void test_parse(void)
{
	uint32_t p[HIST_QUANTILES_MAX], i;
	int n;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		n = hist_quantiles_parse(p, lists[i].text);
		if (n != lists[i].n)
			fprintf(stderr, "\n\"%s\": %d\n", lists[i].text, n);
		CU_ASSERT_EQUAL(n, lists[i].n);
		if (n > 0)
			CU_ASSERT_EQUAL(memcmp(p, lists[i].p, n * sizeof(*p)), 0);
	}
	n = hist_quantiles_parse(p, "16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,16");
	CU_ASSERT_EQUAL(n, 16);
	CU_ASSERT_EQUAL(p[0], 10000);
	CU_ASSERT_EQUAL(p[15], 160000);
	CU_ASSERT_EQUAL(hist_quantiles_parse(p, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"), -EINVAL);
	CU_ASSERT_EQUAL(p[15], 160000);
}

static void test_names(void)
{
	static const struct {
		uint32_t p;
		const char *name;
	} names[] = { { 0, "p0" }, { 1, "p0.0001" }, { 500000, "p50" }, { 999000, "p99.9" },
		      { 10, "p0.001" }, { 999999, "p99.9999" }, { 123456, "p12.3456" },
		      { 90500, "p9.05" }, { HIST_QUANTILE_ONE, "p100" } };
	char name[HIST_QUANTILE_NAME];
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		hist_quantile_name(name, names[i].p);
		CU_ASSERT_STRING_EQUAL(name, names[i].name);
	}
}

static void test_exceedance(void)
{
	struct hist_bucket buckets[] = { { (uint64_t)-10, (uint64_t)-1, 5 }, { 0, 9, 7 },
					 { 10, 19, UINT64_MAX - 3 } };
	struct hist_distribution d = { .n = 3, .buckets = buckets, .is_signed = true };
	static const struct {
		int64_t limit;
		uint64_t at_least, at_most;
	} cases[] = {
		{ -11, UINT64_MAX, UINT64_MAX },     { -10, UINT64_MAX, UINT64_MAX },
		{ -1, UINT64_MAX, UINT64_MAX },	     { 0, UINT64_MAX - 3, UINT64_MAX },
		{ 9, UINT64_MAX - 3, UINT64_MAX - 3 }, { 10, 0, UINT64_MAX - 3 },
		{ 18, 0, UINT64_MAX - 3 },	     { 19, 0, 0 },
		{ INT64_MAX, 0, 0 },
	};
	uint64_t least, most;
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		hist_quantile_exceedance(&d, cases[i].limit, &least, &most);
		CU_ASSERT_EQUAL(least, cases[i].at_least);
		CU_ASSERT_EQUAL(most, cases[i].at_most);
	}
	buckets[2].count = 100;
	hist_quantile_exceedance(&d, (uint64_t)-5, &least, &most);
	CU_ASSERT_EQUAL(least, 107);
	CU_ASSERT_EQUAL(most, 112);
	d = (struct hist_distribution){ .n = 2, .buckets = buckets + 1 };
	hist_quantile_exceedance(&d, (uint64_t)-5, &least, &most);
	CU_ASSERT_EQUAL(least, 0);
	CU_ASSERT_EQUAL(most, 0);
}

UNIT_TESTS(
	{ "percentiles of nine sets of numbers agree with numpy for plain, log2 and bucketed keys",
	  test_numpy },
	{ "percentiles of counts beyond 2^64 are exact; no hits or more than 100 % is an error",
	  test_edges },
	{ "a percentile moves to the next bucket exactly if its rank exceeds the bucket's count",
	  test_ranks },
	{ "the parser sorts up to 16 percentiles, drops duplicates and refuses other text",
	  test_parse },
	{ "the name of a percentile is p and its number without trailing zeros", test_names },
	{ "the number of hits above a limit lies between the two bounds that the buckets give",
	  test_exceedance });
