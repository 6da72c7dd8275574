// SPDX-License-Identifier: GPL-2.0
/*
 * columns_test.c - the columns of a table, in their order
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/columns.h"
#include "utest/unit/tests.h"

static const struct hist_schema schema = {
	.nkeys = 3,
	.keys = {
		{ .name = (char *)"comm", .kind = HIST_KEY_STRING },
		{ .name = (char *)"lat", .kind = HIST_KEY_LOG2 },
		{ .name = (char *)"lat", .kind = HIST_KEY_HEX },
	},
	.nvalues = 3,
	.values = {
		{ .name = (char *)"hitcount" },
		{ .name = (char *)"hitcount", .kind = HIST_VALUE_PERCENT },
		{ .name = (char *)"saved", .kind = HIST_VALUE_SAVED },
	},
};

static void test_columns(void)
{
	static const struct {
		enum hist_column_kind kind;
		unsigned int index;
		bool is_number;
		const char *title;
	} expected[] = {
		{ HIST_COLUMN_KEY, 0, false, "comm" },
		{ HIST_COLUMN_KEY, 1, true, "lat" },
		{ HIST_COLUMN_KEY, 2, false, "lat#2" },
		{ HIST_COLUMN_VALUE, 0, true, "hitcount" },
		{ HIST_COLUMN_VALUE, 1, true, "hitcount.percent" },
		{ HIST_COLUMN_VALUE, 2, false, "saved" },
		{ HIST_COLUMN_SHARE, 0, true, "share" },
	};
	struct hist_columns columns;
	unsigned int i;

	hist_columns_make(&columns, &schema, true);
	CU_ASSERT_EQUAL_FATAL(columns.n, 7);
	CU_ASSERT_EQUAL(columns.nkeys, 3);
	for (i = 0; i < columns.n; i++) {
		CU_ASSERT_EQUAL(columns.list[i].kind, expected[i].kind);
		CU_ASSERT_EQUAL(columns.list[i].index, expected[i].index);
		CU_ASSERT_EQUAL(columns.list[i].is_number, expected[i].is_number);
		CU_ASSERT_STRING_EQUAL(columns.list[i].title, expected[i].title);
	}
	CU_ASSERT_STRING_EQUAL(hist_columns_key(&columns, 2), "lat#2");
	CU_ASSERT_STRING_EQUAL(hist_columns_value(&columns, 1), "hitcount.percent");
	hist_columns_make(&columns, &schema, false);
	CU_ASSERT_EQUAL(columns.n, 6);
}

static void test_rates(void)
{
	static const char *const titles[] = {
		"comm", "lat", "lat#2", "hitcount/s", "hitcount", "hitcount.percent",
	};
	struct hist_columns columns;
	unsigned int i;

	hist_columns_make_rates(&columns, &schema);
	CU_ASSERT_EQUAL_FATAL(columns.n, 6);
	for (i = 0; i < columns.n; i++)
		CU_ASSERT_STRING_EQUAL(columns.list[i].title, titles[i]);
	CU_ASSERT_EQUAL(columns.list[3].kind, HIST_COLUMN_RATE);
	CU_ASSERT_EQUAL(columns.list[5].kind, HIST_COLUMN_VALUE);
	CU_ASSERT_EQUAL(columns.list[5].index, 1);
}

UNIT_TESTS(
	{ "columns are keys, values and the share, with a title each", test_columns },
	{ "each sum has a column for its rate, and text has none", test_rates });
