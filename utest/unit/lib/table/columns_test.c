// SPDX-License-Identifier: GPL-2.0
/*
 * columns_test.c - the columns of a table, in their order
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/table/columns.h"
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
		{ HIST_COLUMN_SHARE, 1, true, "share" },
	};
	const struct hist_rows rows = { .main_value = 1, .has_shares = true };
	struct hist_columns columns;
	unsigned int i;

	hist_columns_make(&columns, &schema, HIST_COLUMNS_PAGE, &rows);
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
	hist_columns_make(&columns, &schema, HIST_COLUMNS_DATA, &rows);
	CU_ASSERT_EQUAL(columns.n, 6);
	hist_columns_make(&columns, &schema, HIST_COLUMNS_PAGE, NULL);
	CU_ASSERT_EQUAL(columns.n, 6);
	hist_columns_make(&columns, &schema, HIST_COLUMNS_TEXT, &rows);
	CU_ASSERT_EQUAL_FATAL(columns.n, 8);
	CU_ASSERT_STRING_EQUAL(columns.list[7].title, "cum");
	CU_ASSERT_EQUAL(columns.list[7].index, 1);
}

static void test_titles(void)
{
	static const struct hist_schema twice = {
		.nkeys = 2,
		.keys = { { .name = (char *)"pid" }, { .name = (char *)"delta" } },
		.nvalues = 4,
		.values = { { .name = (char *)"hitcount" }, { .name = (char *)"bytes" },
			    { .name = (char *)"bytes", .kind = HIST_VALUE_PERCENT },
			    { .name = (char *)"bytes" } },
	};
	struct hist_strbuf b = { 0 };
	char title[32];

	hist_column_format_value(&twice, 0, title, sizeof(title));
	CU_ASSERT_STRING_EQUAL(title, "hitcount");
	hist_column_format_value(&twice, 1, title, sizeof(title));
	CU_ASSERT_STRING_EQUAL(title, "bytes");
	hist_column_format_value(&twice, 2, title, sizeof(title));
	CU_ASSERT_STRING_EQUAL(title, "bytes.percent");
	hist_column_format_value(&twice, 3, title, sizeof(title));
	CU_ASSERT_STRING_EQUAL(title, "bytes#2");
	hist_column_format_value(&twice, 2, title, 8);
	CU_ASSERT_STRING_EQUAL(title, "bytes.p");
	hist_column_format_key(&twice, 1, title, sizeof(title));
	CU_ASSERT_STRING_EQUAL(title, "delta");

	hist_columns_put_key_titles(&b, &schema, 1);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, "comm / lat#2");
	hist_strbuf_free(&b);
}

static void test_cells(void)
{
	static const struct hist_schema small = {
		.nkeys = 1,
		.keys = { { .name = (char *)"lat_us", .unit = (char *)"us" } },
		.nvalues = 3,
		.values = { { .name = (char *)"hitcount" },
			    { .name = (char *)"part", .kind = HIST_VALUE_PERCENT },
			    { .name = (char *)"mask", .kind = HIST_VALUE_HEX } },
	};
	static const char *const texts[2][6] = {
		{ "1.5 ms", "12,000", "12.34%", "1f", "75.00%", "75.00%" },
		{ "2 ms", "4,000", "0.05%", "ff", "25.00%", "100.00%" },
	};
	uint64_t values[] = { 12000, 1234, 31, 4000, 5, 255 };
	struct hist_table *table = hist_table_new(&small);
	struct hist_snapshot snap = { .nentries = 2, .values = values };
	struct hist_rows rows = { .has_shares = true, .rest = { 0 } };
	struct label_details details = { 0 };
	struct hist_cell keys[] = { { 1500, HIST_NO_STRING }, { 2000, HIST_NO_STRING } };
	struct hist_cells cells = {
		.table = table, .snap = &snap, .rows = &rows, .whole = 16000,
		.details = &details, .digits_grouped = true, .has_whole = true,
	};
	struct table_cell cell = { 0 };
	struct hist_columns columns;
	unsigned int i;
	uint32_t entry, at;

	for (entry = 0; entry < 2; entry++)
		CU_ASSERT_EQUAL(hist_table_add(table, &keys[entry], &at), 0);
	hist_columns_make(&columns, &small, HIST_COLUMNS_TEXT, &rows);
	CU_ASSERT_EQUAL_FATAL(columns.n, 6);
	for (entry = 0; entry < 2; entry++) {
		for (i = 0; i < columns.n; i++) {
			cell.text.len = cell.whole.len = 0;
			hist_columns_put(&cells, &columns.list[i], entry, &cell);
			CU_ASSERT_EQUAL(cell.width, cell.text.len);
			hist_strbuf_char(&cell.text, '\0');
			CU_ASSERT_STRING_EQUAL(cell.text.data, texts[entry][i]);
			if (i)
				continue;
			hist_strbuf_char(&cell.whole, '\0');
			CU_ASSERT_STRING_EQUAL(cell.whole.data, entry ? "2000 us" : "1500 us");
			CU_ASSERT_EQUAL(cell.number, keys[entry].num);
		}
	}
	/* the rest completes the sum of the shares */
	cells.sum = 12000;
	rows.rest[0] = 4000;
	cell.text.len = 0;
	hist_columns_put_rest(&cells, &columns.list[5], &cell);
	CU_ASSERT_EQUAL(cell.number, 10000);
	cell.text.len = 0;
	hist_columns_put_rest(&cells, &columns.list[0], &cell);
	CU_ASSERT_EQUAL(cell.text.len, 0);
	table_cell_free(&cell);
	hist_table_free(table);
}

static void test_rates(void)
{
	static const char *const titles[] = {
		"comm", "lat", "lat#2", "hitcount/s", "hitcount", "hitcount.percent",
	};
	struct hist_columns columns;
	unsigned int i;

	hist_columns_make(&columns, &schema, HIST_COLUMNS_OVER_TIME, NULL);
	CU_ASSERT_EQUAL_FATAL(columns.n, 6);
	for (i = 0; i < columns.n; i++)
		CU_ASSERT_STRING_EQUAL(columns.list[i].title, titles[i]);
	CU_ASSERT_EQUAL(columns.list[3].kind, HIST_COLUMN_RATE);
	CU_ASSERT_EQUAL(columns.list[5].kind, HIST_COLUMN_VALUE);
	CU_ASSERT_EQUAL(columns.list[5].index, 1);
}

UNIT_TESTS(
	{ "columns are keys, values and the share, with a title each", test_columns },
	{ "the title of a column names the field and its modifier, and numbers a repeated field",
	  test_titles },
	{ "cells have the text and the number of each kind of column, and the rest of the rows",
	  test_cells },
	{ "each sum has a column for its rate, and text has none", test_rates });
