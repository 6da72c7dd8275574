// SPDX-License-Identifier: GPL-2.0
/*
 * axis_test.c - the axis of a histogram, its groups, and their distributions
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/axis.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static struct hist_key_desc key(const char *name, enum hist_key_kind kind)
{
	return (struct hist_key_desc){ .name = (char *)name, .kind = kind,
				       .bucket = kind == HIST_KEY_BUCKETS ? 10 : 0 };
}

static const struct {
	const char *names[3];
	enum hist_key_kind kinds[3];
	int axis;
	bool comes_first;
} choices[] = {
	{ { "lat" }, { HIST_KEY_LOG2 }, 0, true },
	{ { "bytes", "lat" }, { HIST_KEY_NUM, HIST_KEY_LOG2 }, 1, true },
	{ { "common_timestamp", "bytes", "n" }, { HIST_KEY_USECS, HIST_KEY_NUM, HIST_KEY_BUCKETS }, 2, true },
	{ { "bytes", "common_timestamp" }, { HIST_KEY_NUM, HIST_KEY_USECS }, 1, true },
	{ { "common_pid", "bytes_req" }, { HIST_KEY_NUM, HIST_KEY_NUM }, 1, true },
	{ { "common_pid", "len" }, { HIST_KEY_NUM, HIST_KEY_NUM }, 1, false },
	{ { "pid", "common_pid" }, { HIST_KEY_LOG2, HIST_KEY_NUM }, 0, true }, /* asked for */
	{ { "bytes_req" }, { HIST_KEY_HEX }, -1, false },
	{ { "comm" }, { HIST_KEY_STRING }, -1, false },
	{ { "id" }, { HIST_KEY_SYSCALL }, -1, false },
	{ { "call_site", "common_stacktrace" }, { HIST_KEY_SYM, HIST_KEY_STACK }, -1, false },
	{ { "lat" }, { HIST_KEY_UNKNOWN }, -1, false },
	{ { "lat", "common_stacktrace" }, { HIST_KEY_LOG2, HIST_KEY_STACK }, 0, false },
	{ { "comm", "lat_us" }, { HIST_KEY_STRING, HIST_KEY_NUM }, 1, true },
	{ { "ret" }, { HIST_KEY_NUM }, 0, true },
};

static void test_axis_key(void)
{
	static const char *const identifiers[] = {
		"common_pid", "common_cpu", "next_pid", "ppid", "tgid", "cpu", "target_cpu", "id",
		"irq", "vec", "dev", "ino", "fd", "nr", "flags", "gfp_flags", "prio", "next_prio",
		"prev_state", "migratetype", "call_site", "ptr", "common_preempt_count", "kvaddr",
		"arg1", "ID", "uid", "sector", "protocol", "skaddr", "errno",
	};
	static const char *const amounts[] = { "bytes_req", "len", "lat_us", "nr_pages", "ret", "delay",
					       "runtime", "count", "size", "usecs", "bytes2", "n" };
	struct hist_schema schema;
	unsigned int i, k;

	for (i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		memset(&schema, 0, sizeof(schema));
		for (k = 0; k < 3 && choices[i].names[k]; k++)
			schema.keys[schema.nkeys++] = key(choices[i].names[k], choices[i].kinds[k]);
		CU_ASSERT_EQUAL(hist_axis_key(&schema), choices[i].axis);
		CU_ASSERT_EQUAL(hist_axis_comes_first(&schema), choices[i].comes_first);
	}
	schema.nkeys = 1;
	for (i = 0; i < sizeof(identifiers) / sizeof(*identifiers); i++) {
		schema.keys[0] = key(identifiers[i], HIST_KEY_NUM);
		if (hist_axis_key(&schema) != -1)
			fprintf(stderr, "\n%s\n", identifiers[i]);
		CU_ASSERT_EQUAL(hist_axis_key(&schema), -1);
	}
	for (i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		schema.keys[0] = key(amounts[i], HIST_KEY_NUM);
		if (hist_axis_key(&schema))
			fprintf(stderr, "\n%s\n", amounts[i]);
		CU_ASSERT_EQUAL(hist_axis_key(&schema), 0);
	}
}

#define TWO63 (UINT64_C(1) << 63)
#define BELOW(n) ((uint64_t)-(int64_t)(n))

static const struct {
	enum hist_key_kind kind;
	bool is_signed;
	uint64_t bucket, num, ge, le;
} bounds_cases[] = {
	{ HIST_KEY_NUM, false, 0, 7, 7, 7 },
	{ HIST_KEY_NUM, true, 0, BELOW(7), BELOW(7), BELOW(7) },
	{ HIST_KEY_USECS, false, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX },
	{ HIST_KEY_LOG2, false, 0, 0, 0, 1 },
	{ HIST_KEY_LOG2, false, 0, 1, 2, 2 },
	{ HIST_KEY_LOG2, false, 0, 6, 33, 64 },
	{ HIST_KEY_LOG2, false, 0, 64, TWO63 + 1, UINT64_MAX },
	{ HIST_KEY_LOG2, false, 0, 65, TWO63 + 1, UINT64_MAX }, /* no kernel's */
	{ HIST_KEY_LOG2, false, 0, UINT64_MAX, TWO63 + 1, UINT64_MAX },
	{ HIST_KEY_LOG2, true, 64, HIST_LOG2_NEGATIVE, BELOW(INT64_MAX), BELOW(1) },
	{ HIST_KEY_LOG2, true, 64, 63, (TWO63 >> 1) + 1, INT64_MAX },
	{ HIST_KEY_BUCKETS, false, 100, 0, 0, 99 },
	{ HIST_KEY_BUCKETS, false, 100, 300, 300, 399 },
	{ HIST_KEY_BUCKETS, false, 100, 333, 300, 399 }, /* no kernel's */
	{ HIST_KEY_BUCKETS, false, 0, 5, 5, 5 },
	{ HIST_KEY_BUCKETS, false, 100, BELOW(16), BELOW(16), UINT64_MAX },
	{ HIST_KEY_BUCKETS, true, 100, BELOW(16), BELOW(16), BELOW(1) },
	{ HIST_KEY_BUCKETS, true, 100, BELOW(216), BELOW(216), BELOW(117) },
	/* around 2^63: 9223372036854775800 to ...5899 */
	{ HIST_KEY_BUCKETS, true, 100, TWO63 - 8, TWO63 - 8, INT64_MAX },
	{ HIST_KEY_BUCKETS, true, 100, TWO63, TWO63 - 8, INT64_MAX },
	{ HIST_KEY_BUCKETS, false, 100, TWO63 - 8, TWO63 - 8, TWO63 + 91 },
	{ HIST_KEY_BUCKETS, false, UINT64_MAX, 12, 0, UINT64_MAX - 1 },
	{ HIST_KEY_BUCKETS, true, UINT64_MAX, 12, 0, INT64_MAX },
};

static void test_bounds(void)
{
	struct hist_bounds b;
	struct hist_key_desc desc;
	unsigned int i;

	for (i = 0; i < sizeof(bounds_cases) / sizeof(*bounds_cases); i++) {
		desc = key("x", bounds_cases[i].kind);
		desc.is_signed = bounds_cases[i].is_signed;
		desc.bucket = bounds_cases[i].bucket;
		hist_axis_get_bounds(&desc, bounds_cases[i].num, &b);
		if (b.ge != bounds_cases[i].ge || b.le != bounds_cases[i].le)
			fprintf(stderr, "\nbounds %u: %llx %llx\n", i, (unsigned long long)b.ge,
				(unsigned long long)b.le);
		CU_ASSERT_EQUAL(b.ge, bounds_cases[i].ge);
		CU_ASSERT_EQUAL(b.le, bounds_cases[i].le);
		CU_ASSERT_EQUAL(b.is_signed, bounds_cases[i].is_signed);
	}
}

/* comm.string, ret.buckets=10 (signed), common_pid.execname: hitcount, bytes, ret */
static struct hist_schema schema = {
	.nkeys = 3,
	.nvalues = 3,
	.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
		  { .name = (char *)"ret", .kind = HIST_KEY_BUCKETS, .is_signed = true, .bucket = 10 },
		  { .name = (char *)"common_pid", .kind = HIST_KEY_EXECNAME } },
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"bytes", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"ret", .kind = HIST_VALUE_SUM, .is_signed = true } },
};

static uint32_t add(struct hist_table *table, const char *comm, int64_t ret, uint64_t pid)
{
	struct hist_cell cells[3] = { { 0 }, { (uint64_t)ret, HIST_NO_STRING }, { pid, 0 } };
	const char *name = ret / 10 % 2 ? "odd" : "even";
	uint32_t entry = HIST_NO_ENTRY;

	CU_ASSERT_EQUAL(hist_table_intern(table, comm, strlen(comm), &cells[0].str), 0);
	/* another name of the same pid is no other group */
	CU_ASSERT_EQUAL(hist_table_intern(table, name, strlen(name), &cells[2].str), 0);
	CU_ASSERT_EQUAL(hist_table_add(table, cells, &entry), 0);
	return entry;
}

static void expect_label(const struct hist_grouping *g, uint32_t group, unsigned int flags,
			 const char *want, unsigned int columns)
{
	struct hist_strbuf b = { 0 };

	CU_ASSERT_EQUAL(hist_grouping_label(&b, g, group, flags), columns);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, want);
	hist_strbuf_free(&b);
}

static void test_groups(void)
{
	struct hist_table *table = hist_table_new(&schema);
	struct hist_grouping *g = hist_grouping_new(table);
	static const uint32_t order[] = { 4, 2, 1, 0 };
	const uint32_t *entries;
	uint32_t n;

	setlocale(LC_CTYPE, "C.UTF-8");
	CU_ASSERT_EQUAL(hist_grouping_axis(g), 1);
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 0);
	add(table, "sh", 30, 7);    /* 0 */
	add(table, "sh", 0, 7);	    /* 1 */
	add(table, "sh", -6, 7);    /* 2 */
	add(table, "\303\274", 0, 7); /* 3 */
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 2);
	add(table, "sh", -16, 7); /* 4 */
	add(table, "sh", 0, 8);	  /* 5 */
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 3);
	CU_ASSERT_EQUAL(hist_grouping_find(g, 4), 0);
	CU_ASSERT_EQUAL(hist_grouping_find(g, 3), 1);
	CU_ASSERT_EQUAL(hist_grouping_find(g, 5), 2);
	entries = hist_grouping_entries(g, 0, &n);
	CU_ASSERT_EQUAL_FATAL(n, 4);
	CU_ASSERT_EQUAL(memcmp(entries, order, sizeof(order)), 0);
	expect_label(g, 0, 0, "sh / odd [7]", 12);
	expect_label(g, 1, 0, "\303\274 / even [7]", 12);
	expect_label(g, 1, HIST_ESCAPE_ASCII, "\\u00fc / even [7]", 17);

	/* as many entries as before, but others */
	hist_table_clear(table);
	for (n = 0; n < 6; n++)
		add(table, "x", 10 * n, n / 3);
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 2);
	CU_ASSERT_EQUAL(hist_grouping_find(g, 5), 1);
	expect_label(g, 1, 0, "x / odd [1]", 11);
	hist_grouping_free(g);
	hist_grouping_free(NULL);
	hist_table_free(table);
}

/* What is kept of groups holds while there are more of them, and no longer. */
static void test_follow(void)
{
	struct hist_table *table = hist_table_new(&schema), *other = hist_table_new(&schema);
	struct hist_grouping *g = NULL;
	uint32_t known = 5;

	add(table, "sh", 30, 7);
	CU_ASSERT_EQUAL(hist_grouping_follow(&g, table, &known), 0);
	CU_ASSERT_EQUAL(known, 0);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 1);
	known = 1;
	add(table, "ls", 30, 7);
	CU_ASSERT_EQUAL(hist_grouping_follow(&g, table, &known), 0);
	CU_ASSERT_EQUAL(known, 1);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 2);
	known = 2;
	hist_table_clear(table);
	add(table, "x", 30, 7);
	CU_ASSERT_EQUAL(hist_grouping_follow(&g, table, &known), 0);
	CU_ASSERT_EQUAL(known, 0);
	expect_label(g, 0, 0, "x / odd [7]", 11);
	known = 1;
	add(other, "y", 30, 7);
	CU_ASSERT_EQUAL(hist_grouping_follow(&g, other, &known), 0);
	CU_ASSERT_EQUAL(known, 0);
	CU_ASSERT_PTR_EQUAL(hist_grouping_table(g), other);
	expect_label(g, 0, 0, "y / odd [7]", 11);
	hist_grouping_free(g);
	hist_table_free(table);
	hist_table_free(other);
}

static void test_one_key(void)
{
	struct hist_schema one = { .nkeys = 1, .nvalues = 1, .keys = { key("lat", HIST_KEY_LOG2) },
				   .values = { schema.values[0] } };
	struct hist_table *table = hist_table_new(&one);
	struct hist_grouping *g = hist_grouping_new(table);
	struct hist_cell cell = { 9, HIST_NO_STRING };
	struct hist_distribution d = { 0 };
	struct hist_snapshot snap = { 0 };
	const uint32_t *entries;
	uint32_t entry, n;

	CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
	cell.num = 3;
	CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 1);
	expect_label(g, 0, 0, "all", 3);
	entries = hist_grouping_entries(g, 0, &n);
	CU_ASSERT(n == 2 && entries[0] == 1 && entries[1] == 0);
	hist_grouping_free(g);
	hist_table_free(table);

	/* no axis: each entry for itself */
	one.keys[0] = key("call_site", HIST_KEY_HEX);
	table = hist_table_new(&one);
	g = hist_grouping_new(table);
	CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
	cell.num = 255;
	CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
	CU_ASSERT_EQUAL(hist_grouping_axis(g), -1);
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	CU_ASSERT_EQUAL(hist_grouping_count(g), 2);
	CU_ASSERT_EQUAL(hist_grouping_find(g, 1), 1);
	entries = hist_grouping_entries(g, 1, &n);
	CU_ASSERT(n == 1 && entries[0] == 1);
	expect_label(g, 1, 0, "ff", 2);
	CU_ASSERT_EQUAL(hist_distribution_make(&d, g, &(uint32_t){ 1 }, 1, &snap, 0), -EINVAL);
	hist_grouping_free(g);
	hist_table_free(table);
}

/* Many groups that grow by and by, against a search through all entries. */
static void test_many(void)
{
	struct hist_table *table = hist_table_new(&schema);
	struct hist_grouping *g = hist_grouping_new(table);
	uint64_t state = 5;
	uint32_t round, i, n, known, seen, step;
	const uint32_t *entries;
	char comm[16];

	for (round = 0; round < 60; round++) {
		if (round == 30)
			hist_table_clear(table);
		step = test_random(&state) % 200;
		for (i = 0; i < step; i++) {
			snprintf(comm, sizeof(comm), "c%u", (unsigned int)(test_random(&state) % 40));
			add(table, comm, (int64_t)(test_random(&state) % 60) * 10 - 306,
			    test_random(&state) % 4);
		}
		CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
		known = hist_table_entries(table);
		seen = 0;
		for (i = 0; i < hist_grouping_count(g); i++) {
			const struct hist_cell *a, *b;
			uint32_t k;

			entries = hist_grouping_entries(g, i, &n);
			CU_ASSERT_FATAL(n > 0);
			seen += n;
			for (k = 0; k < n; k++) {
				CU_ASSERT_EQUAL(hist_grouping_find(g, entries[k]), i);
				a = hist_table_cells(table, entries[k]);
				b = hist_table_cells(table, entries[k ? k - 1 : 0]);
				CU_ASSERT(a[0].str == b[0].str && a[2].num == b[2].num);
				CU_ASSERT(!k || (int64_t)b[1].num < (int64_t)a[1].num);
			}
		}
		/* each once, and no two groups of the same keys: 40 names, 4 pids */
		CU_ASSERT_EQUAL(seen, known);
		CU_ASSERT(hist_grouping_count(g) <= 160);
	}
	CU_ASSERT_EQUAL(hist_grouping_count(g), 160);
	hist_grouping_free(g);
	hist_table_free(table);
}

static struct hist_snapshot snapshot(const uint64_t (*values)[3], uint32_t n)
{
	struct hist_snapshot snap = { 0 };

	CU_ASSERT_EQUAL(hist_snapshot_grow(&snap, &schema, n), 0);
	memcpy(snap.values, values, n * sizeof(*values));
	return snap;
}

static void test_make(void)
{
	struct hist_table *table = hist_table_new(&schema);
	struct hist_grouping *g = hist_grouping_new(table);
	static const uint64_t values[5][3] = {
		{ 4, 100, 132 },	/* 30-39 */
		{ 0, 7, 0 },		/* 0-9 */
		{ 1, 0, BELOW(2) },	/* -6..-1 */
		{ 9, 9, 9 },		/* another group */
		{ 2, 8, 67 },		/* 33: no kernel's; in 30-39 */
	};
	struct hist_snapshot snap = snapshot(values, 5);
	struct hist_distribution d = { 0 };
	double mean = 0;

	add(table, "sh", 30, 7);
	add(table, "sh", 0, 7);
	add(table, "sh", -6, 7);
	add(table, "cat", 0, 7);
	add(table, "sh", 33, 7);
	add(table, "sh", 50, 7); /* came after the snapshot */
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	CU_ASSERT_EQUAL(hist_distribution_make(&d, g, &(uint32_t){ 0 }, 1, &snap, 0), 0);
	CU_ASSERT_EQUAL_FATAL(d.n, 2);
	CU_ASSERT(d.is_signed);
	CU_ASSERT(d.buckets[0].ge == BELOW(6) && d.buckets[0].le == BELOW(1) &&
		  d.buckets[0].count == 1);
	CU_ASSERT(d.buckets[1].ge == 30 && d.buckets[1].le == 39 && d.buckets[1].count == 6);
	CU_ASSERT_EQUAL(d.total, 7);
	CU_ASSERT(d.has_sum && d.sum_is_signed);
	CU_ASSERT_EQUAL(d.sum, 197);
	CU_ASSERT(hist_distribution_mean(&d, &mean));
	CU_ASSERT_DOUBLE_EQUAL(mean, 197.0 / 7, 1e-12);
	/* by bytes: no mean of that; a count of 0 is no bucket */
	CU_ASSERT_EQUAL(hist_distribution_make(&d, g, &(uint32_t){ 0 }, 1, &snap, 1), 0);
	CU_ASSERT_EQUAL_FATAL(d.n, 2);
	CU_ASSERT(d.buckets[0].ge == 0 && d.buckets[0].count == 7 && d.buckets[1].count == 108);
	CU_ASSERT_EQUAL(d.total, 115);
	CU_ASSERT(!d.has_sum && !hist_distribution_mean(&d, &mean));
	/* by a value below zero: no bucket */
	CU_ASSERT_EQUAL(hist_distribution_make(&d, g, &(uint32_t){ 0 }, 1, &snap, 2), 0);
	CU_ASSERT(d.n == 1 && d.buckets[0].ge == 30 && d.total == 199);
	/* sums of counts stop at the end of the numbers */
	snap.values[0] = UINT64_MAX - 1;
	CU_ASSERT_EQUAL(hist_distribution_make(&d, g, &(uint32_t){ 0 }, 1, &snap, 0), 0);
	CU_ASSERT(d.n == 2 && d.buckets[1].count == UINT64_MAX && d.total == UINT64_MAX);
	CU_ASSERT(!hist_distribution_mean(&d, &mean));
	snap.nentries = 0;
	CU_ASSERT_EQUAL(hist_distribution_make(&d, g, &(uint32_t){ 0 }, 1, &snap, 0), 0);
	CU_ASSERT(d.n == 0 && d.total == 0 && !hist_distribution_mean(&d, &mean));
	hist_distribution_free(&d);
	hist_snapshot_clear(&snap);
	hist_grouping_free(g);
	hist_table_free(table);
}

static struct hist_distribution distribution(struct hist_bucket *buckets, uint32_t n)
{
	struct hist_distribution d = { .n = n, .buckets = buckets, .is_signed = true,
				       .has_sum = true, .sum = 10 };
	uint32_t i;

	for (i = 0; i < n; i++)
		d.total += buckets[i].count;
	return d;
}

static void test_add(void)
{
	struct hist_bucket some[] = { { BELOW(10), BELOW(6), 1 }, { 0, 4, 2 }, { 20, 24, 3 } };
	struct hist_bucket others[] = { { BELOW(5), BELOW(1), 10 }, { 0, 4, 20 }, { 30, 34, 30 },
					{ 40, 44, UINT64_MAX } };
	struct hist_bucket overlap[] = { { 0, 4, 1 }, { 24, 28, 1 } };
	struct hist_distribution d = { 0 }, a = distribution(some, 3), b = distribution(others, 3);
	static const struct hist_bucket want[] = { { BELOW(10), BELOW(6), 1 }, { BELOW(5), BELOW(1), 10 },
						   { 0, 4, 22 }, { 20, 24, 3 }, { 30, 34, 30 } };
	uint32_t i;

	CU_ASSERT_EQUAL(hist_distribution_add(&d, &a), 0);
	CU_ASSERT(d.n == 3 && d.total == 6 && d.is_signed && d.has_sum);
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), 0);
	CU_ASSERT_EQUAL_FATAL(d.n, 5);
	for (i = 0; i < 5; i++)
		CU_ASSERT(d.buckets[i].ge == want[i].ge && d.buckets[i].le == want[i].le &&
			  d.buckets[i].count == want[i].count);
	CU_ASSERT(d.total == 66 && d.sum == 20);
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &d), 0);
	CU_ASSERT(d.n == 5 && d.buckets[2].count == 44 && d.total == 132);

	b = distribution(overlap, 2);
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), -EINVAL);
	overlap[1] = (struct hist_bucket){ 19, 30, 1 };
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), -EINVAL);
	overlap[1] = (struct hist_bucket){ 19, 20, 1 };
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), -EINVAL);
	CU_ASSERT(d.n == 5 && d.total == 132 && d.sum == 40);
	b.is_signed = false;
	b.n = 1;
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), -EINVAL);

	b = distribution(others, 4);
	b.total = UINT64_MAX;
	b.has_sum = false;
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), 0);
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), 0);
	CU_ASSERT(d.n == 6 && d.total == UINT64_MAX && d.buckets[5].count == UINT64_MAX);
	CU_ASSERT(!d.has_sum);
	/* nothing more changes nothing */
	b = (struct hist_distribution){ 0 };
	CU_ASSERT_EQUAL(hist_distribution_add(&d, &b), 0);
	CU_ASSERT(d.n == 6 && d.is_signed);
	hist_distribution_free(&d);
	CU_ASSERT(!d.buckets && !d.n);
}

static void test_add_many(void)
{
	struct hist_distribution sum = { 0 }, d;
	struct hist_bucket buckets[50];
	uint64_t counts[1000] = { 0 }, state = 77;
	uint32_t round, at, n, i;

	for (round = 0; round < 200; round++) {
		for (n = 0, at = test_random(&state) % 30; n < 50 && at < 1000; n++) {
			buckets[n] = (struct hist_bucket){ at, at, 1 + test_random(&state) % 9 };
			counts[at] += buckets[n].count;
			at += 1 + test_random(&state) % 40;
		}
		d = distribution(buckets, n);
		CU_ASSERT_EQUAL(hist_distribution_add(&sum, &d), 0);
	}
	for (at = 0, i = 0; at < 1000; at++) {
		if (!counts[at])
			continue;
		CU_ASSERT_FATAL(i < sum.n);
		CU_ASSERT(sum.buckets[i].ge == at && sum.buckets[i].count == counts[at]);
		i++;
	}
	CU_ASSERT_EQUAL(i, sum.n);
	hist_distribution_free(&sum);
}

/* The sum has 64 bits; the buckets tell the rest, or that nobody can. */
static void test_mean(void)
{
	struct hist_bucket b[2] = { { 33, 64, 10 }, { 1025, 2048, 1 } };
	struct hist_distribution d = { .n = 2, .buckets = b, .total = 11, .has_sum = true,
				       .sum = 2000 };
	double mean = -1;

	CU_ASSERT(hist_distribution_mean(&d, &mean));
	CU_ASSERT_DOUBLE_EQUAL(mean, 2000.0 / 11, 1e-9);
	/* read between the two additions of the kernel: a little out of the buckets */
	d.sum = 1300;
	CU_ASSERT(hist_distribution_mean(&d, &mean));
	CU_ASSERT_DOUBLE_EQUAL(mean, 1300.0 / 11, 1e-9);
	d.sum = 2700;
	CU_ASSERT(hist_distribution_mean(&d, &mean));
	CU_ASSERT_DOUBLE_EQUAL(mean, 2700.0 / 11, 1e-9);
	d.sum = 9;
	CU_ASSERT(!hist_distribution_mean(&d, &mean));
	d.sum = 5000;
	CU_ASSERT(!hist_distribution_mean(&d, &mean));
	/* once around: 2^60 * 24 = 2^64 + 2^63 */
	b[0] = (struct hist_bucket){ UINT64_C(1) << 60, UINT64_C(1) << 60, 24 };
	d.n = 1;
	d.total = 24;
	d.sum = TWO63;
	CU_ASSERT(hist_distribution_mean(&d, &mean));
	CU_ASSERT_DOUBLE_EQUAL(mean, 0x1p60, 1);
	/* 2^59 wide, 64 of them: two sums are possible */
	b[0] = (struct hist_bucket){ (UINT64_C(1) << 59) + 1, UINT64_C(1) << 60, 64 };
	d.total = 64;
	CU_ASSERT(!hist_distribution_mean(&d, &mean));
	/* below zero */
	b[0] = (struct hist_bucket){ BELOW(300), BELOW(201), 3 };
	d.is_signed = d.sum_is_signed = true;
	d.total = 3;
	d.sum = BELOW(750);
	CU_ASSERT(hist_distribution_mean(&d, &mean));
	CU_ASSERT_DOUBLE_EQUAL(mean, -250, 1e-9);
	/* log2 of a signed field: the largest may be the smallest */
	d.is_signed = false;
	b[0] = (struct hist_bucket){ (TWO63 >> 1) + 1, TWO63, 1 };
	d.total = 1;
	d.sum = (TWO63 >> 1) + 4096;
	CU_ASSERT(hist_distribution_mean(&d, &mean));
	CU_ASSERT_DOUBLE_EQUAL(mean, 0x1p62 + 4096, 1024);
	d.total = UINT64_C(1) << 62;
	b[0].count = d.total;
	CU_ASSERT(!hist_distribution_mean(&d, &mean));
	d.n = 0;
	d.total = 0;
	CU_ASSERT(!hist_distribution_mean(&d, &mean));
}

static void test_sum(void)
{
	struct hist_schema s = schema;
	unsigned int value = 9;

	CU_ASSERT(hist_axis_find_sum(&s, &value));
	CU_ASSERT_EQUAL(value, 2);
	s.values[2].kind = HIST_VALUE_PERCENT;
	CU_ASSERT(!hist_axis_find_sum(&s, &value));
	s.values[1] = (struct hist_value_desc){ .name = (char *)"ret", .kind = HIST_VALUE_HEX };
	CU_ASSERT(hist_axis_find_sum(&s, &value));
	CU_ASSERT_EQUAL(value, 1);
	s.keys[1].kind = HIST_KEY_HEX;
	CU_ASSERT(!hist_axis_find_sum(&s, &value));
}

UNIT_TESTS(
	{ "the axis is a bucketed key, a time or an amount, and never a name or a plain identifier",
	  test_axis_key },
	{ "each kind of axis key gives the lower and upper bound of its bucket, also around 2^63",
	  test_bounds },
	{ "entries that differ only in the axis form one group, in the order of the axis",
	  test_groups },
	{ "groups stay while their table grows; a clear or another table makes all groups anew",
	  test_follow },
	{ "a histogram with only an axis is one group; without an axis each entry is a group",
	  test_one_key },
	{ "160 groups that grow in steps hold each entry once, in the order of the axis",
	  test_many },
	{ "the sum of an axis is the value of the same field, and never its percentage",
	  test_sum },
	{ "a distribution merges the entries of a group into ordered buckets, without empty ones",
	  test_make },
	{ "distributions add up bucket by bucket, and buckets that overlap are refused",
	  test_add },
	{ "the sum of 200 distributions has the counts of all of them", test_add_many },
	{ "a mean is known if the buckets and the sum of a distribution allow only one value",
	  test_mean });
