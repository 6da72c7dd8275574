// SPDX-License-Identifier: GPL-2.0
/*
 * rows_test.c - order, selection and sums of rows
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/rows.h"
#include "lib/expr/expr.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static struct hist_schema schema = {
	.nkeys = 2,
	.nvalues = 4,
	.keys = { { .name = (char *)"common_pid", .kind = HIST_KEY_EXECNAME },
		  { .name = (char *)"delta", .kind = HIST_KEY_NUM, .is_signed = true } },
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"bytes", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"bytes", .kind = HIST_VALUE_PERCENT },
		    { .name = (char *)"bytes", .kind = HIST_VALUE_SUM } },
};

static const struct {
	uint64_t pid;
	const char *comm;
	int64_t delta;
	uint64_t values[4];
} entries[] = {
	{ 30, "sh", -1, { 5, 100, 1000, 0 } },	    /* 0 */
	{ 200, "cat", 5, { 1, 70000, 9000, 0 } },   /* 1 */
	{ 4, "sh", -300, { 5, 0, 0, 0 } },	    /* 2 */
	{ 31, "shy", 0, { 0, 0, 0, 0 } },	    /* 3 */
	{ 5, "", 70000, { 300, 256, 3, 0 } },	    /* 4 */
};

#define NENTRIES (sizeof(entries) / sizeof(*entries))

static struct hist_table *table;
static struct hist_snapshot snap;

static int set_up(void)
{
	struct hist_cell cells[2];
	uint32_t i, entry;

	table = hist_table_new(&schema);
	if (!table)
		return -1;
	memset(&snap, 0, sizeof(snap));
	for (i = 0; i < NENTRIES; i++) {
		cells[0].num = entries[i].pid;
		cells[1].num = (uint64_t)entries[i].delta;
		cells[1].str = HIST_NO_STRING;
		if (hist_table_intern(table, entries[i].comm, strlen(entries[i].comm),
				      &cells[0].str) ||
		    hist_table_add(table, cells, &entry) ||
		    hist_snapshot_grow(&snap, &schema, entry + 1))
			return -1;
		memcpy(snap.values + entry * 4, entries[i].values, sizeof(entries[i].values));
	}
	return 0;
}

static int tear_down(void)
{
	hist_table_free(table);
	hist_snapshot_clear(&snap);
	return 0;
}

/* The chosen entries as "0,4,2". */
static const char *listed(const struct hist_rows *rows)
{
	static char text[64];
	uint32_t i;
	int at = 0;

	text[0] = '\0';
	for (i = 0; i < rows->n; i++)
		at += snprintf(text + at, sizeof(text) - at, "%s%u", i ? "," : "", rows->entries[i]);
	return text;
}

static const struct {
	const char *sort;
	const char *rows;
} orders[] = {
	{ "hitcount", "3,1,0,2,4" },
	{ "hitcount.ascending", "3,1,0,2,4" },
	{ "hitcount.descending", "4,0,2,1,3" },
	{ "hitcount,bytes", "3,1,2,0,4" },
	{ "hitcount.descending,bytes.descending", "4,0,2,1,3" },
	{ "hitcount.descending,common_pid", "4,2,0,1,3" },
	{ "bytes", "2,3,0,4,1" },
	{ "bytes.percent.descending", "1,0,4,2,3" },
	{ "common_pid", "2,4,0,3,1" },
	{ "common_pid.descending", "1,3,0,4,2" },
	{ "common_pid.execname", "4,1,0,2,3" },
	{ "common_pid.execname.descending", "3,0,2,1,4" },
	{ "common_pid.execname,common_pid", "4,1,2,0,3" },
	{ "delta", "2,0,3,1,4" },
	{ "delta.descending", "4,1,3,0,2" },
};

static void test_order(void)
{
	struct hist_rows rows = { 0 };
	struct hist_row_order order;
	struct hist_selection selection = { .order = &order };
	struct hist_error error = { 0 };
	size_t i;

	for (i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_row_order_parse(&order, &schema, orders[i].sort, &error),
				      0);
		CU_ASSERT_EQUAL(hist_rows_select(&rows, table, &snap, &selection), 0);
		if (strcmp(listed(&rows), orders[i].rows))
			fprintf(stderr, "\nsort %s: %s\n", orders[i].sort, listed(&rows));
		CU_ASSERT_STRING_EQUAL(listed(&rows), orders[i].rows);
	}
	selection.order = NULL;
	CU_ASSERT_EQUAL(hist_rows_select(&rows, table, &snap, &selection), 0);
	CU_ASSERT_STRING_EQUAL(listed(&rows), "0,1,2,3,4");
	hist_rows_free(&rows);
	CU_ASSERT_PTR_NULL(rows.entries);
}

static const struct {
	const char *sort;
	const char *why;
} bad_orders[] = {
	{ "", "a field name is empty" },
	{ "hitcount,", "a field name is empty" },
	{ ".descending", "a field name is empty" },
	{ "bites", "no field \"bites\"\nuse one of: hitcount, bytes, common_pid, delta" },
	{ "hitcount.up", "no field \"hitcount.up\"\nuse one of: hitcount, bytes, common_pid, delta" },
	{ "common_pid.sym", "no field \"common_pid.sym\"\n"
			    "use one of: hitcount, bytes, common_pid, delta" },
	{ "hitcount,bytes,bytes,bytes,bytes,bytes,bytes,bytes,bytes,bytes,bytes,bytes",
	  "at most 11 fields are allowed" },
};

static void test_bad_order(void)
{
	struct hist_row_order order = { .n = 7 };
	struct hist_error error = { 0 };
	size_t i;

	for (i = 0; i < sizeof(bad_orders) / sizeof(*bad_orders); i++) {
		CU_ASSERT_EQUAL(hist_row_order_parse(&order, &schema, bad_orders[i].sort, &error),
				-EINVAL);
		CU_ASSERT_STRING_EQUAL(test_error(&error), bad_orders[i].why);
	}
	CU_ASSERT_EQUAL(order.n, 7);
}

/* What the kernel sorts by, from a trigger. */
static void test_order_of_expr(void)
{
	struct hist_row_order order;
	struct hist_expr *expr;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, "hist:keys=common_pid.execname,delta:"
					      "vals=hitcount,bytes:"
					      "sort=bytes.descending,common_pid", NULL), 0);
	CU_ASSERT_TRUE_FATAL(hist_row_order_from_expr(&order, &schema, expr));
	CU_ASSERT_EQUAL(order.n, 2);
	CU_ASSERT(!order.sorts[0].is_key && order.sorts[0].index == 1 && order.sorts[0].descending);
	CU_ASSERT(order.sorts[1].is_key && !order.sorts[1].by_name && !order.sorts[1].descending);
	CU_ASSERT_EQUAL(hist_row_find_main_value(&schema, &order), 1);
	hist_expr_free(expr);

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, "hist:keys=common_pid", NULL), 0);
	CU_ASSERT_FALSE(hist_row_order_from_expr(&order, &schema, expr));
	CU_ASSERT_EQUAL(order.n, 2);
	hist_expr_free(expr);
}

static void test_sums(void)
{
	struct hist_row_order order;
	struct hist_selection selection = { .order = &order, .top = 2 };
	struct hist_rows rows = { 0 };

	hist_row_order_set_largest(&order, hist_row_find_main_value(&schema, NULL));
	CU_ASSERT_EQUAL_FATAL(hist_rows_select(&rows, table, &snap, &selection), 0);
	CU_ASSERT_STRING_EQUAL(listed(&rows), "4,0");
	CU_ASSERT_EQUAL(rows.total, 5);
	CU_ASSERT_EQUAL(rows.main_value, 0);
	CU_ASSERT(rows.has_shares);
	CU_ASSERT_EQUAL(rows.totals[0], 311);
	CU_ASSERT_EQUAL(rows.totals[1], 70356);
	CU_ASSERT_EQUAL(rows.totals[2], 0);
	CU_ASSERT_EQUAL(rows.rest[0], 6);
	CU_ASSERT_EQUAL(rows.rest[1], 70000);
	CU_ASSERT_EQUAL(rows.rest[2], 0);

	/* a total beyond 64 bits, a negative value, or nothing at all has no shares */
	snap.values[0] = UINT64_MAX;
	CU_ASSERT_EQUAL(hist_rows_select(&rows, table, &snap, &selection), 0);
	CU_ASSERT_FALSE(rows.has_shares);
	CU_ASSERT_EQUAL(rows.totals[0], 305);
	hist_table_schema(table)->values[0].is_signed = true;
	CU_ASSERT_EQUAL(hist_rows_select(&rows, table, &snap, &selection), 0);
	CU_ASSERT_FALSE(rows.has_shares);
	CU_ASSERT_STRING_EQUAL(listed(&rows), "4,2");
	hist_table_schema(table)->values[0].is_signed = false;
	snap.values[0] = 5;
	hist_row_order_set_largest(&order, 3);
	CU_ASSERT_EQUAL(hist_rows_select(&rows, table, &snap, &selection), 0);
	CU_ASSERT_EQUAL(rows.main_value, 3);
	CU_ASSERT_FALSE(rows.has_shares);
	hist_rows_free(&rows);
}

/* Of a difference only what changed, and what is new. */
static void test_difference(void)
{
	struct hist_selection selection = { .difference = true, .first_new = 5 };
	struct hist_rows rows = { 0 };

	CU_ASSERT_EQUAL(hist_rows_select(&rows, table, &snap, &selection), 0);
	CU_ASSERT_STRING_EQUAL(listed(&rows), "0,1,2,4");
	selection.first_new = 3;
	CU_ASSERT_EQUAL(hist_rows_select(&rows, table, &snap, &selection), 0);
	CU_ASSERT_STRING_EQUAL(listed(&rows), "0,1,2,3,4");
	hist_rows_free(&rows);
}

/* Against qsort, with many equal keys and all byte positions in use. */
struct pair {
	uint64_t value;
	uint32_t entry;
};

static int by_value(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value < b->value ? 1 : -1;
	return a->entry < b->entry ? -1 : 1;
}

static void test_many(void)
{
	enum { MANY = 5000 };
	struct hist_schema one = {
		.nkeys = 1, .nvalues = 1,
		.keys = { { .name = (char *)"n", .kind = HIST_KEY_NUM } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM } },
	};
	struct hist_table *t = hist_table_new(&one);
	static struct pair pairs[MANY];
	struct hist_snapshot s = { 0 };
	struct hist_rows rows = { 0 };
	struct hist_row_order order;
	struct hist_selection selection = { .order = &order };
	uint64_t random = 88172645463325252u;
	uint32_t i, entry, wrong = 0;

	for (i = 0; i < MANY; i++) {
		struct hist_cell cell = { .num = i, .str = HIST_NO_STRING };

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		hist_table_add(t, &cell, &entry);
		hist_snapshot_grow(&s, &one, entry + 1);
		s.values[entry] = i % 3 ? random % 50 : random >> random % 64;
		pairs[i].value = s.values[entry];
		pairs[i].entry = i;
	}
	qsort(pairs, MANY, sizeof(*pairs), by_value);
	hist_row_order_set_largest(&order, 0);
	CU_ASSERT_EQUAL(hist_rows_select(&rows, t, &s, &selection), 0);
	CU_ASSERT_EQUAL_FATAL(rows.n, MANY);
	for (i = 0; i < MANY; i++)
		wrong += rows.entries[i] != pairs[i].entry;
	CU_ASSERT_EQUAL(wrong, 0);
	hist_rows_free(&rows);
	hist_snapshot_clear(&s);
	hist_table_free(t);
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "rows are sorted by keys and values, ascending or descending, and by several fields",
	  test_order },
	{ "an unknown, empty or twelfth field in a sort order is refused with the reason",
	  test_bad_order },
	{ "the sort order comes from the sort= of a trigger, and is unchanged without one",
	  test_order_of_expr },
	{ "totals and the rest are summed; an overflow, negative value or zero sum has no shares",
	  test_sums },
	{ "a difference selects only the entries that changed or are new", test_difference },
	{ "5000 rows have the order that qsort gives, with equal values in the order of entries",
	  test_many });
