// SPDX-License-Identifier: GPL-2.0
/*
 * regroup_test.c - merged rows are those that would have been counted with the coarser buckets
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/base/text.h"
#include "lib/hist/regroup.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/tests.h"

#define NUMBERS 600

/* A histogram that is counted here, number by number. */
struct counts {
	struct hist_schema schema;
	struct hist_table *table;
	struct hist_snapshot snap;
};

/* comm, and a number of @kind; hitcount, the sum of the numbers, the largest, and its line. */
static void counts_begin(struct counts *c, enum hist_key_kind kind, uint64_t bucket, bool is_signed)
{
	*c = (struct counts){ .schema = {
				      .nkeys = 2,
				      .keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
						{ .name = (char *)"lat",
						  .kind = kind,
						  .bucket = bucket,
						  .is_signed = is_signed } },
				      .nvalues = 4,
				      .values = { { .name = (char *)"hitcount",
						    .kind = HIST_VALUE_SUM },
						  { .name = (char *)"lat", .kind = HIST_VALUE_SUM },
						  { .name = (char *)"peak",
						    .kind = HIST_VALUE_PEAK },
						  { .name = (char *)"worst",
						    .kind = HIST_VALUE_WORST } },
			      } };
	c->table = hist_table_new(&c->schema);
	CU_ASSERT_FATAL(c->table != NULL);
}

static void counts_end(struct counts *c)
{
	hist_table_free(c->table);
	hist_snapshot_clear(&c->snap);
}

static uint64_t *counts_row(struct counts *c, const char *comm, uint64_t n)
{
	const struct hist_key_desc *key = &c->schema.keys[1];
	const struct hist_range_ops *range = hist_key_traits(key)->range;
	struct hist_cell cells[2] = {
		{ .num = 0 }, { .num = range ? range->find(key, n) : n, .str = HIST_NO_STRING }
	};
	uint32_t entry;

	CU_ASSERT_EQUAL_FATAL(hist_table_intern(c->table, comm, strlen(comm), &cells[0].str), 0);
	CU_ASSERT_EQUAL_FATAL(hist_table_add(c->table, cells, &entry), 0);
	if (entry >= c->snap.nentries) {
		CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&c->snap, &c->schema, entry + 1), 0);
		c->snap.values[entry * 4 + 3] = UINT64_MAX;
	}
	return &c->snap.values[entry * 4];
}

/* The line of the worst names its number, so that no two are alike. */
static void counts_add(struct counts *c, const char *comm, uint64_t n)
{
	uint64_t *row = counts_row(c, comm, n);
	uint32_t line;
	char text[80];

	row[0]++;
	row[1] += n;
	if (row[3] == UINT64_MAX || n > row[2]) {
		snprintf(text, sizeof(text), "max: %10" PRIu64 "  comm: of %" PRIu64, n, n);
		CU_ASSERT_EQUAL_FATAL(hist_table_intern(c->table, text, strlen(text), &line), 0);
		row[3] = line;
	}
	row[2] = n > row[2] ? n : row[2];
	c->snap.hits++;
}

static bool same_text(const struct hist_table *a, uint64_t x, const struct hist_table *b,
		      uint64_t y)
{
	size_t n, m;
	const char *s = hist_table_string(a, x, &n), *t = hist_table_string(b, y, &m);

	return n == m && !memcmp(s, t, n);
}

/* The rows of @r are those of @want, in any order. */
static void check_rows(const struct hist_regroup *r, const struct counts *want)
{
	uint32_t e, i;

	CU_ASSERT_EQUAL(r->snap.nentries, want->snap.nentries);
	CU_ASSERT_EQUAL(r->snap.hits, want->snap.hits);
	for (e = 0; e < want->snap.nentries; e++) {
		const struct hist_cell *a = hist_table_cells(want->table, e), *b;
		const uint64_t *x = &want->snap.values[e * 4], *y;

		for (i = 0; i < r->snap.nentries; i++) {
			b = hist_table_cells(r->table, i);
			if (a[1].num == b[1].num &&
			    same_text(want->table, a[0].str, r->table, b[0].str))
				break;
		}
		CU_ASSERT_FATAL(i < r->snap.nentries);
		y = &r->snap.values[i * 4];
		CU_ASSERT_EQUAL(x[0], y[0]);
		CU_ASSERT_EQUAL(x[1], y[1]);
		CU_ASSERT_EQUAL(x[2], y[2]);
		CU_ASSERT(same_text(want->table, x[3], r->table, y[3]));
	}
}

/* A number of any size, and often one at the end of a bucket. */
static uint64_t random_number(void)
{
	uint64_t n = (uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^ (uint64_t)random();

	n >>= random() % 64;
	return random() % 3 ? n : (UINT64_C(1) << random() % 64) + random() % 5 - 2;
}

static const struct pair_of_buckets {
	enum hist_key_kind from, to;
	uint64_t from_bucket, to_bucket;
	bool is_signed;
	const char *text;
} fitting[] = {
	{ HIST_KEY_NUM, HIST_KEY_LOG2, 0, 0, false, "lat.log2" },
	{ HIST_KEY_NUM, HIST_KEY_LOG2, 0, 0, true, "lat.log2" },
	{ HIST_KEY_NUM, HIST_KEY_FINE_LOG2, 0, 3, false, "lat.log2=3" },
	{ HIST_KEY_NUM, HIST_KEY_FINE_LOG2, 0, 2, true, "lat.log2=2" },
	{ HIST_KEY_HEX, HIST_KEY_FINE_LOG2, 0, 5, false, "lat.log2=5" },
	{ HIST_KEY_USECS, HIST_KEY_LOG2, 0, 0, false, "lat.log2" },
	{ HIST_KEY_NUM, HIST_KEY_BUCKETS, 0, 100, false, "lat.buckets=100" },
	{ HIST_KEY_FINE_LOG2, HIST_KEY_LOG2, 3, 0, false, "lat.log2" },
	{ HIST_KEY_FINE_LOG2, HIST_KEY_LOG2, 1, 0, true, "lat.log2" },
	{ HIST_KEY_FINE_LOG2, HIST_KEY_FINE_LOG2, 5, 3, false, "lat.log2=3" },
	{ HIST_KEY_FINE_LOG2, HIST_KEY_FINE_LOG2, 3, 1, true, "lat.log2=1" },
	{ HIST_KEY_BUCKETS, HIST_KEY_BUCKETS, 7, 7000, false, "lat.buckets=7000" },
	{ HIST_KEY_BUCKETS, HIST_KEY_BUCKETS, 16, 48, false, "lat.buckets=48" },
};

static void check_pair(const struct pair_of_buckets *pair)
{
	static const char *const comms[] = { "sh", "ls", "cat" };
	struct hist_buckets buckets = { 0 };
	struct hist_error error = { 0 };
	struct counts from, want;
	struct hist_schema *schema;
	struct hist_regroup *r;
	unsigned int i;

	counts_begin(&from, pair->from, pair->from_bucket, pair->is_signed);
	counts_begin(&want, pair->to, pair->to_bucket, pair->is_signed);
	schema = hist_schema_copy(&from.schema);
	CU_ASSERT_EQUAL_FATAL(hist_buckets_add(&buckets, pair->text, &error), 0);
	CU_ASSERT_EQUAL(hist_buckets_check(&buckets, "--bucket", &error), -EINVAL);
	CU_ASSERT_EQUAL_FATAL(hist_buckets_set(&buckets, schema, &error), 1);
	CU_ASSERT_EQUAL(hist_buckets_set(&buckets, schema, &error), 0);
	CU_ASSERT_EQUAL(hist_buckets_check(&buckets, "--bucket", &error), 0);
	CU_ASSERT_EQUAL(schema->keys[1].kind, pair->to);
	CU_ASSERT_EQUAL(schema->keys[1].bucket, pair->to_bucket);
	r = hist_regroup_new(schema);
	CU_ASSERT_FATAL(r != NULL);
	for (i = 0; i < NUMBERS; i++) {
		uint64_t n = random_number();
		const char *comm = comms[random() % 3];

		counts_add(&from, comm, n);
		counts_add(&want, comm, n);
		if (i % 100 && i + 1 < NUMBERS)
			continue;
		CU_ASSERT_EQUAL_FATAL(hist_regroup_update(r, from.table, &from.snap), 0);
		check_rows(r, &want);
	}
	CU_ASSERT(want.snap.nentries < from.snap.nentries);
	/* after a clearing other keys have the numbers of the old ones */
	counts_end(&want);
	counts_begin(&want, pair->to, pair->to_bucket, pair->is_signed);
	hist_table_clear(from.table);
	hist_snapshot_clear(&from.snap);
	counts_add(&from, "awk", 1000);
	counts_add(&want, "awk", 1000);
	CU_ASSERT_EQUAL_FATAL(hist_regroup_update(r, from.table, &from.snap), 0);
	check_rows(r, &want);
	hist_regroup_free(r);
	hist_schema_free(schema);
	hist_buckets_clear(&buckets);
	counts_end(&from);
	counts_end(&want);
}

static void test_merge(void)
{
	unsigned int i;

	srandom(40);
	for (i = 0; i < sizeof(fitting) / sizeof(*fitting); i++)
		check_pair(&fitting[i]);
}

static void test_refusals(void)
{
	static const struct {
		enum hist_key_kind from;
		uint64_t bucket;
		const char *text, *why;
	} cases[] = {
		{ HIST_KEY_LOG2, 0, "lat.log2=3",
		  "the buckets of lat.log2 do not fit into those of lat.log2=3" },
		{ HIST_KEY_FINE_LOG2, 3, "lat.log2=4", "the buckets of lat.log2=3 do not fit" },
		{ HIST_KEY_FINE_LOG2, 3, "lat.buckets=10", "the buckets of lat.log2=3 do not fit" },
		{ HIST_KEY_BUCKETS, 10, "lat.log2", "the buckets of lat.buckets=10 do not fit" },
		{ HIST_KEY_BUCKETS, 10, "lat.buckets=25", "into those of lat.buckets=25" },
		{ HIST_KEY_EXECNAME, 0, "lat.log2", "lat.execname does not have numbers" },
		{ HIST_KEY_STRING, 0, "lat.log2", "lat does not have numbers" },
		{ HIST_KEY_SYSCALL, 0, "lat.buckets=5", "lat.syscall does not have numbers" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hist_buckets buckets = { 0 };
		struct hist_error error = { 0 };
		struct counts c;

		counts_begin(&c, cases[i].from, cases[i].bucket, false);
		CU_ASSERT_EQUAL_FATAL(hist_buckets_add(&buckets, cases[i].text, &error), 0);
		CU_ASSERT_EQUAL(hist_buckets_set(&buckets, &c.schema, &error), -EINVAL);
		CU_ASSERT(strstr(error.what, cases[i].why) != NULL);
		CU_ASSERT_EQUAL(c.schema.keys[1].kind, cases[i].from);
		hist_buckets_clear(&buckets);
		counts_end(&c);
	}
}

/* What cannot be added up keeps its buckets. */
static void test_values(void)
{
	static const enum hist_value_kind kinds[] = { HIST_VALUE_PERCENT, HIST_VALUE_GRAPH,
						      HIST_VALUE_SAVED };
	struct hist_buckets buckets = { 0 };
	struct counts c;
	unsigned int i;

	counts_begin(&c, HIST_KEY_NUM, 0, false);
	CU_ASSERT_EQUAL_FATAL(hist_buckets_add(&buckets, "lat.log2", NULL), 0);
	for (i = 0; i < 3; i++) {
		c.schema.values[3].kind = kinds[i];
		CU_ASSERT_EQUAL(hist_buckets_set(&buckets, &c.schema, NULL), -EINVAL);
	}
	hist_buckets_clear(&buckets);
	counts_end(&c);
}

static void test_parse(void)
{
	static const char *const wrong[][2] = {
		{ "lat", "must be FIELD.log2[=K] or FIELD.buckets=N" },
		{ "lat.hex", "must be FIELD." },
		{ "", "" },
		{ "lat.log3", "unknown modifier" },
		{ "lat.buckets", "" },
		{ "lat.log2=9", "" },
		{ "a.log2,b.log2", "must be FIELD." },
		{ "a.log2:size=5", "must be FIELD." },
		{ "lat.buckets=0", "" },
	};
	struct hist_buckets buckets = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct hist_error error = { 0 };

		CU_ASSERT_EQUAL(hist_buckets_add(&buckets, wrong[i][0], &error), -EINVAL);
		CU_ASSERT(strstr(error.what, wrong[i][1]) != NULL && *error.what);
	}
	CU_ASSERT_EQUAL(buckets.n, 0);
	hist_buckets_clear(&buckets);
}

static void test_common(void)
{
	static const struct {
		struct hist_key_desc a, b;
		bool found;
		enum hist_key_kind kind;
		uint64_t bucket;
	} cases[] = {
		{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 3 },
		  { .kind = HIST_KEY_LOG2 },
		  true,
		  HIST_KEY_LOG2,
		  0 },
		{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 3 },
		  { .kind = HIST_KEY_FINE_LOG2, .bucket = 2 },
		  true,
		  HIST_KEY_FINE_LOG2,
		  2 },
		{ { .kind = HIST_KEY_NUM },
		  { .kind = HIST_KEY_BUCKETS, .bucket = 5 },
		  true,
		  HIST_KEY_BUCKETS,
		  5 },
		{ { .kind = HIST_KEY_BUCKETS, .bucket = 6 },
		  { .kind = HIST_KEY_BUCKETS, .bucket = 4 },
		  true,
		  HIST_KEY_BUCKETS,
		  12 },
		{ { .kind = HIST_KEY_BUCKETS, .bucket = UINT64_MAX },
		  { .kind = HIST_KEY_BUCKETS, .bucket = 2 },
		  .found = false },
		{ { .kind = HIST_KEY_BUCKETS, .bucket = 6 },
		  { .kind = HIST_KEY_LOG2 },
		  .found = false },
		{ { .kind = HIST_KEY_NUM }, { .kind = HIST_KEY_HEX }, .found = false },
		{ { .kind = HIST_KEY_STRING }, { .kind = HIST_KEY_LOG2 }, .found = false },
	};
	struct hist_key_desc common;
	unsigned int i, turn;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (turn = 0; turn < 2; turn++) {
			const struct hist_key_desc *a = turn ? &cases[i].b : &cases[i].a;
			const struct hist_key_desc *b = turn ? &cases[i].a : &cases[i].b;

			CU_ASSERT_EQUAL(hist_bucket_find_common(a, b, &common), cases[i].found);
			if (!cases[i].found)
				continue;
			CU_ASSERT_EQUAL(common.kind, cases[i].kind);
			CU_ASSERT_EQUAL(common.bucket, cases[i].bucket);
		}
	}
}

static void test_no_memory(void)
{
	struct hist_buckets buckets = { 0 };
	struct hist_regroup *r;
	struct counts c;
	int ret = -ENOMEM;
	long n;

	counts_begin(&c, HIST_KEY_NUM, 0, false);
	counts_add(&c, "sh", 5);
	for (n = 0; ret; n++) {
		alloc_fail_after(n);
		ret = hist_buckets_add(&buckets, "lat.log2", NULL);
		CU_ASSERT(!ret || ret == -ENOMEM);
	}
	CU_ASSERT_EQUAL(hist_buckets_set(&buckets, hist_table_schema(c.table), NULL), 1);
	for (ret = -ENOMEM, n = 0; ret; n++) {
		alloc_fail_after(n);
		r = hist_regroup_new(hist_table_schema(c.table));
		ret = r ? hist_regroup_update(r, c.table, &c.snap) : -ENOMEM;
		CU_ASSERT(!ret || ret == -ENOMEM);
		hist_regroup_free(r);
	}
	alloc_fail_after(-1);
	hist_buckets_clear(&buckets);
	counts_end(&c);
}

UNIT_TESTS({ "merged rows are those that are counted with the coarser buckets", test_merge },
	   { "buckets that do not fit are refused", test_refusals },
	   { "values that cannot be added up are refused", test_values },
	   { "a bucket that cannot be parsed is refused", test_parse },
	   { "the finest common buckets are found", test_common },
	   { "merging without memory fails", test_no_memory });
