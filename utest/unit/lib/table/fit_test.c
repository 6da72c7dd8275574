// SPDX-License-Identifier: GPL-2.0
/*
 * fit_test.c - which columns of a table fit into a line, and how wide they are
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/report/text/text_table.h"
#include "lib/table/table.h"
#include "utest/unit/tests.h"

#define ROWS 3

static const char *const texts[ROWS][4] = {
	{ "a", "1", "10.00%", "x" },
	{ "kworker/u8:0", "12345", "90.00%", "" },
	{ "bb\\n", "7", "0.00%", "longer" },
};

static struct table_column columns[4];
static struct table table;

static void put(const struct table *t, uint32_t row, unsigned int column, struct table_cell *cell)
{
	CU_ASSERT_PTR_EQUAL(t, &table);
	table_cell_str(cell, texts[row][column]);
}

static int set_up(void)
{
	memset(columns, 0, sizeof(columns));
	columns[0] = (struct table_column){ .title = "task", .least = 6 };
	columns[1] = (struct table_column){ .title = "hits", .right = true };
	columns[2] = (struct table_column){ .title = "share", .right = true, .fold = 2 };
	columns[3] = (struct table_column){ .title = "note", .fold = 1 };
	table = (struct table){ .columns = columns, .ncolumns = 4, .nrows = ROWS, .put = put };
	return 0;
}

/* The table in lines of at most @line columns. */
static void check(unsigned int line, bool utf8, const char *want)
{
	struct hist_strbuf b = { 0 };
	const struct hist_view_style style = { .utf8 = utf8 };
	struct text_table text = { .table = &table, .out = &b, .style = &style };
	uint32_t row;

	CU_ASSERT_EQUAL(table_measure(&table, 0, ROWS, TABLE_TITLES), 0);
	CU_ASSERT_EQUAL(table_fit(&table, line, utf8 ? 0 : HIST_ESCAPE_ASCII), 0);
	text_table_put_left_out(&b, &table, line, 0);
	text_table_put_titles(&text);
	hist_strbuf_char(&b, '\n');
	for (row = 0; row < ROWS; row++) {
		text_table_put_row(&text, row, 0);
		hist_strbuf_char(&b, '\n');
	}
	text_table_end(&text);
	table_free(&table);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, want);
	if (strcmp(b.data, want))
		fprintf(stderr, "got:\n%s\n", b.data);
	hist_strbuf_free(&b);
}

static void test_fit(void)
{
	check(37, true, "  task           hits   share  note\n"
			"  a                 1  10.00%  x\n"
			"  kworker/u8:0  12345  90.00%  \n"
			"  bb\\n              7   0.00%  longer\n");
	CU_ASSERT_EQUAL(table_line_width(&table), 37);
}

static void test_cut(void)
{
	check(36, true, "  task          hits   share  note\n"
			"  a                1  10.00%  x\n"
			"  kwork\u2026/u8:0  12345  90.00%  \n"
			"  bb\\n             7   0.00%  longer\n");
	check(31, false, "  task     hits   share  note\n"
			 "  a           1  10.00%  x\n"
			 "  kw~8:0  12345  90.00%  \n"
			 "  bb\\n        7   0.00%  longer\n");
}

/* Two texts that differ in one character in their middle do not become equal. */
static void put_alike(const struct table *t, uint32_t row, unsigned int column,
		      struct table_cell *cell)
{
	(void)t;
	(void)column;
	table_cell_str(cell, row == 1 ? "sys_read_of_a_first_file" :
		       row ? "sys_read_of_b_first_file" : "sh");
}

static void test_alike(void)
{
	struct table_column one = { .title = "call", .least = 4 };
	struct table t = { .columns = &one, .ncolumns = 1, .nrows = 3, .put = put_alike };
	struct table_cell cell = { 0 };
	char texts[3][64];
	uint32_t row;

	CU_ASSERT_EQUAL(table_measure(&t, 0, 3, TABLE_TITLES), 0);
	CU_ASSERT_EQUAL(table_fit(&t, 14, HIST_ESCAPE_ASCII), 0);
	CU_ASSERT_EQUAL(one.width, 12);
	for (row = 0; row < 3; row++) {
		table_get(&t, row, 0, &cell);
		CU_ASSERT_TRUE(cell.width <= 12);
		snprintf(texts[row], sizeof(texts[row]), "%.*s", (int)cell.text.len,
			 cell.text.data);
	}
	CU_ASSERT_STRING_EQUAL(texts[0], "sh");
	CU_ASSERT_STRING_NOT_EQUAL(texts[1], texts[2]);
	CU_ASSERT_PTR_NOT_NULL(strchr(texts[1], 'a'));
	table_cell_free(&cell);
	table_free(&t);
}

static void test_left_out(void)
{
	check(30, true, "# left out to fit 30 columns: share\n"
			"  task           hits  note\n"
			"  a                 1  x\n"
			"  kworker/u8:0  12345  \n"
			"  bb\\n              7  longer\n");
	check(15, true, "# left out to fit 15 columns: share, note\n"
			"  task     hits\n"
			"  a           1\n"
			"  kw\u20268:0  12345\n"
			"  bb\\n        7\n");
}

static void test_deep_cut(void)
{
	check(14, true, "# left out to fit 14 columns: share, note\n"
			"  task    hits\n"
			"  a          1\n"
			"  kw\u2026:0  12345\n"
			"  bb\\n       7\n");
}

/* Leaving out does not help: nothing is left out. */
static void test_impossible(void)
{
	check(12, true, "  task           hits   share  note\n"
			"  a                 1  10.00%  x\n"
			"  kworker/u8:0  12345  90.00%  \n"
			"  bb\\n              7   0.00%  longer\n");
}

static void test_leads(void)
{
	columns[0].lead = "{ ";
	columns[0].trail = " }";
	columns[0].around = 4;
	columns[0].least = 0;
	columns[0].most = 4;
	check(31, true, "{ task   hits   share  note\n"
			"{ a    }      1  10.00%  x\n"
			"{ kworker/u8:0 }  12345  90.00%  \n"
			"{ bb\\n }      7   0.00%  longer\n");
	CU_ASSERT_EQUAL(table_line_width(&table), 31);
}

UNIT_TESTS_WITH(set_up, NULL,
	{ "columns are as wide as their widest cell, and numbers are at the right", test_fit },
	{ "a column that may be cut is cut first, with a mark", test_cut },
	{ "texts that differ are cut so that they do not read alike", test_alike },
	{ "columns are left out in their order, and a line names them", test_left_out },
	{ "texts are cut below their least width if nothing else helps", test_deep_cut },
	{ "a line that cannot fit has all columns", test_impossible },
	{ "a column has its own lead and trail, and a wider cell moves what follows", test_leads });
