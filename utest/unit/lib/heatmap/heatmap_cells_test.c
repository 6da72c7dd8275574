// SPDX-License-Identifier: GPL-2.0
/*
 * heatmap_cells_test.c - the cells behind heat maps: narrow, wide, merged
 */
#include <stdint.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/heatmap/heatmap_cells.h"
#include "utest/unit/tests.h"

static void add(struct heatmap_cells *cells, uint32_t row, uint64_t count)
{
	CU_ASSERT_FATAL(!heatmap_cells_add(cells, row, count));
}

static uint32_t room(const struct heatmap_cells *cells)
{
	uint32_t n;

	heatmap_cells_get_narrow(cells, &n);
	return n;
}

/* A column gets wider where a count needs it; the one behind it begins narrow. */
static void test_widths(void)
{
	static const uint64_t most[] = { UINT16_MAX, UINT32_MAX, UINT64_MAX };
	struct heatmap_cells cells = { 0 };
	unsigned int i;

	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	for (i = 0; i < 3; i++) {
		add(&cells, i, most[i] - 1);
		CU_ASSERT_EQUAL(cells.columns[0].width, 2u << i);
		add(&cells, i, 1);
		CU_ASSERT_EQUAL(cells.columns[0].width, 2u << i);
		CU_ASSERT_EQUAL(heatmap_cells_get(&cells, 0, i), most[i]);
		CU_ASSERT_EQUAL(room(&cells) != 0, i == 0);
	}
	/* saturated, and the others as they were */
	add(&cells, 2, 7);
	CU_ASSERT(heatmap_cells_get(&cells, 0, 2) == UINT64_MAX);
	CU_ASSERT(heatmap_cells_get(&cells, 0, 0) == UINT16_MAX);
	CU_ASSERT(heatmap_cells_get(&cells, 0, 1) == UINT32_MAX);
	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	CU_ASSERT_EQUAL(cells.columns[1].width, 2);
	heatmap_cells_free(&cells);
}

/* Rows that come later are 0 in the columns before, also when those are merged. */
static void test_rows(void)
{
	struct heatmap_cells cells = { 0 };
	uint32_t i;

	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	add(&cells, 0, 1);
	CU_ASSERT_EQUAL(heatmap_cells_get(&cells, 0, 5000), 0);
	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	for (i = 0; i < 1000; i++)
		add(&cells, i, i);
	CU_ASSERT(room(&cells) >= 1000 && cells.columns[0].room < 1000);
	CU_ASSERT_FATAL(!heatmap_cells_merge_columns(&cells));
	CU_ASSERT_EQUAL_FATAL(cells.n, 1);
	CU_ASSERT_EQUAL(heatmap_cells_get(&cells, 0, 0), 1);
	CU_ASSERT_EQUAL(heatmap_cells_get(&cells, 0, 999), 999);
	/* and go on */
	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	add(&cells, 999, 1);
	CU_ASSERT(heatmap_cells_get(&cells, 0, 999) == 999 &&
		  heatmap_cells_get(&cells, 1, 999) == 1);
	heatmap_cells_free(&cells);
}

/* Each pair of widths: sums that fit, one that does not, one that saturates. */
static void test_merge(void)
{
	static const uint64_t least[] = { 1, UINT16_MAX + UINT64_C(1), UINT32_MAX + UINT64_C(1) };
	static const uint64_t most[] = { UINT16_MAX, UINT32_MAX, UINT64_MAX };
	unsigned int a, b, pair;
	uint32_t wider;

	for (pair = 0; pair < 9; pair++) {
		struct heatmap_cells cells = { 0 };

		a = pair / 3;
		b = pair % 3;
		wider = a > b ? a : b;
		CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
		add(&cells, 0, least[a]);
		add(&cells, 300, 4);
		CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
		add(&cells, 0, least[b]);
		add(&cells, 300, 5);
		CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
		add(&cells, 1, most[a]);
		CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
		add(&cells, 1, most[b]);
		CU_ASSERT_FATAL(!heatmap_cells_merge_columns(&cells));
		CU_ASSERT_EQUAL_FATAL(cells.n, 2);
		CU_ASSERT_EQUAL(cells.columns[0].width, 2u << wider);
		CU_ASSERT_EQUAL(heatmap_cells_get(&cells, 0, 0), least[a] + least[b]);
		CU_ASSERT_EQUAL(heatmap_cells_get(&cells, 0, 300), 9);
		CU_ASSERT_EQUAL(heatmap_cells_get(&cells, 1, 1),
				wider == 2 ? UINT64_MAX : most[a] + most[b]);
		CU_ASSERT_EQUAL(cells.columns[1].width, wider == 2 ? 8u : 4u << wider);
		heatmap_cells_free(&cells);
	}
}

static void test_sums(void)
{
	struct heatmap_cells cells = { 0 };
	uint64_t totals[130] = { 0 };
	struct hist_wide sum;
	uint32_t i;

	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	for (i = 0; i < 200; i++)
		add(&cells, i, i);
	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	add(&cells, 7, UINT64_MAX);
	add(&cells, 8, UINT32_MAX);
	add(&cells, 129, 1);
	CU_ASSERT_FATAL(!heatmap_cells_next_column(&cells));
	for (i = 0; i < 200; i++)
		add(&cells, i, 1);
	heatmap_cells_add_totals(&cells, totals, 130);
	CU_ASSERT(totals[0] == 1 && totals[6] == 7 && totals[7] == UINT64_MAX);
	CU_ASSERT(totals[8] == UINT64_C(9) + UINT32_MAX && totals[128] == 129 && totals[129] == 131);
	sum = heatmap_cells_sum_column(&cells, 0);
	CU_ASSERT(sum.high == 0 && sum.low == 199 * 200 / 2);
	/* UINT64_MAX + UINT32_MAX + 1 */
	sum = heatmap_cells_sum_column(&cells, 1);
	CU_ASSERT(sum.high == 1 && sum.low == UINT32_MAX);

	/* row 7 to row 129, which saturates, and is empty then */
	CU_ASSERT_FATAL(!heatmap_cells_join_rows(&cells, 129, 7));
	CU_ASSERT(heatmap_cells_get(&cells, 0, 129) == 136 && heatmap_cells_get(&cells, 0, 7) == 0);
	CU_ASSERT(heatmap_cells_get(&cells, 1, 129) == UINT64_MAX &&
		  heatmap_cells_get(&cells, 2, 129) == 2);
	heatmap_cells_free(&cells);
}

UNIT_TESTS(
	{ "a column of cells widens if a count needs more bits, and the next column starts narrow",
	  test_widths },
	{ "a row that first occurs in a later column counts 0 in the earlier columns", test_rows },
	{ "merging columns adds the counts of each pair of cell widths, and saturates",
	  test_merge },
	{ "row totals and joined rows saturate, and the sum of a column has 128 bits", test_sums });
