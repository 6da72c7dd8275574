// SPDX-License-Identifier: GPL-2.0
/*
 * heatmap_test.c - the model of heat maps: rows, columns, and what is merged
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/heatmap/heatmap.h"
#include "utest/unit/tests.h"

#define SEC UINT64_C(1000000000)

/* One histogram that the tests count into, and its intervals. */
static struct {
	struct hist_schema schema;
	struct hist_definition def;
	struct hist_series_info info;
	struct hist_table *table;
	struct hist_snapshot snap;
	struct hist_view view;
	struct hist_heatmap *map;
} t;

static void begin(enum hist_key_kind kind, bool is_signed, uint64_t bucket, unsigned int columns)
{
	memset(&t, 0, sizeof(t));
	t.schema = (struct hist_schema){
		.nkeys = 1, .keys = { { .name = (char *)"size", kind, is_signed, bucket } },
		.nvalues = 1, .values = { { .name = (char *)"hitcount", HIST_VALUE_SUM } },
	};
	t.def.schema = &t.schema;
	t.def.clock = "mono";
	t.info.def = t.def;
	t.table = hist_table_new(&t.schema);
	t.map = hist_heatmap_new(&t.info, columns, 128);
	CU_ASSERT_FATAL(t.table && t.map);
	t.view = (struct hist_view){
		.info = &t.info, .table = t.table, .snap = &t.snap, .whole = &t.snap,
		.difference = true,
	};
}

static void end(void)
{
	hist_heatmap_free(t.map);
	hist_snapshot_clear(&t.snap);
	hist_table_free(t.table);
}

static void count(uint64_t num, const char *name, uint64_t hits)
{
	struct hist_cell cell = { .num = num, .str = HIST_NO_STRING };
	uint32_t entry;

	if (name)
		CU_ASSERT_FATAL(!hist_table_intern(t.table, name, strlen(name), &cell.str));
	CU_ASSERT_FATAL(!hist_table_add(t.table, &cell, &entry));
	CU_ASSERT_FATAL(!hist_snapshot_grow(&t.snap, &t.schema, hist_table_entries(t.table)));
	t.snap.values[entry] += hits;
}

/* What was counted since the last one becomes an interval from @from to @to. */
static void interval(uint64_t from, uint64_t to)
{
	t.view.from_time = from;
	t.snap.time = to;
	CU_ASSERT(!hist_heatmap_begin_interval(t.map, &t.view));
	CU_ASSERT(!hist_heatmap_add(t.map, &t.view, 0, NULL, 0));
	if (t.snap.nentries)
		memset(t.snap.values, 0, t.snap.nentries * sizeof(*t.snap.values));
}

static void test_log2(void)
{
	struct hist_heat heat;
	uint8_t levels[8];

	begin(HIST_KEY_LOG2, false, 0, 8);
	count(3, NULL, 5);
	count(6, NULL, 1);
	interval(SEC, 2 * SEC);
	count(6, NULL, 8);
	interval(2 * SEC, 6 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	/* (4, 8], two empty ones, (32, 64] */
	CU_ASSERT_FATAL(t.map->nrows == 4 && t.map->ncolumns == 2);
	CU_ASSERT(t.map->has_axis && !t.map->merged);
	CU_ASSERT(t.map->rows[0].ge == 5 && t.map->rows[0].le == 8);
	CU_ASSERT(t.map->rows[1].ge == 9 && t.map->rows[1].le == 16 && !t.map->rows[1].cells);
	CU_ASSERT(t.map->rows[2].ge == 17 && t.map->rows[2].le == 32);
	CU_ASSERT(t.map->rows[3].ge == 33 && t.map->rows[3].le == 64);
	CU_ASSERT(t.map->rows[3].total == 9);
	/* thousandths a second: 8 in 4 s are 2, 5 in 1 s are 5 */
	CU_ASSERT(hist_heatmap_rate(t.map, &t.map->rows[3], 1) == 2000);
	CU_ASSERT(hist_heatmap_rate(t.map, &t.map->rows[0], 0) == 5000);
	CU_ASSERT(hist_heatmap_rate(t.map, &t.map->rows[1], 0) == 0);
	hist_heat_make_scale(&heat, 2000, 5000, 3);
	hist_heatmap_find_levels(t.map, &heat, levels);
	CU_ASSERT(levels[0] == 2 && levels[2] == 0 && levels[7] == 1);
	end();
}

/* Numbers below zero are a row below all, with nothing between it and 0. */
static void test_log2_negative(void)
{
	begin(HIST_KEY_LOG2, true, 64, 8);
	count(2, NULL, 5);
	count(HIST_LOG2_NEGATIVE, NULL, 3);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	/* negative, two empty ones, (2, 4] */
	CU_ASSERT_FATAL(t.map->nrows == 4);
	CU_ASSERT(t.map->rows[0].ge == (UINT64_C(1) << 63) + 1 && t.map->rows[0].le == UINT64_MAX);
	CU_ASSERT(t.map->rows[0].total == 3);
	CU_ASSERT(t.map->rows[1].ge == 0 && t.map->rows[1].le == 1 && !t.map->rows[1].cells);
	CU_ASSERT(t.map->rows[2].ge == 2 && t.map->rows[2].le == 2 && !t.map->rows[2].cells);
	CU_ASSERT(t.map->rows[3].ge == 3 && t.map->rows[3].total == 5);
	end();
}

/*
 * (16, 32] has four buckets of four numbers.  A long gap is one row.  Too many rows are merged:
 * K becomes K - 1.
 */
static void test_fine_log2(void)
{
	const struct hist_range_ops *range = hist_key_kinds[HIST_KEY_FINE_LOG2].range;
	uint64_t sum = 0, number;
	unsigned int i;

	begin(HIST_KEY_FINE_LOG2, true, 2, 8);
	count(range->find(&t.schema.keys[0], 17), NULL, 5);
	count(range->find(&t.schema.keys[0], 32), NULL, 1);
	count(range->find(&t.schema.keys[0], UINT64_C(1) << 40), NULL, 7);
	count(HIST_LOG2_NEGATIVE, NULL, 3);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	for (i = 0; i < t.map->nrows && t.map->rows[i].ge != 17; i++)
		;
	CU_ASSERT_FATAL(t.map->nrows == i + 6);
	CU_ASSERT(t.map->rows[0].ge == (UINT64_C(1) << 63) + 1 && t.map->rows[0].le == UINT64_MAX);
	CU_ASSERT(t.map->rows[i].le == 20 && t.map->rows[i].total == 5);
	CU_ASSERT(t.map->rows[i + 1].ge == 21 && t.map->rows[i + 1].le == 24 && !t.map->rows[i + 1].cells);
	CU_ASSERT(t.map->rows[i + 3].ge == 29 && t.map->rows[i + 3].le == 32);
	CU_ASSERT(t.map->rows[i + 4].ge == 33 && t.map->rows[i + 4].empty == 4 * 35 - 1);
	CU_ASSERT(t.map->rows[i + 5].le == UINT64_C(1) << 40 && t.map->rows[i + 5].total == 7);
	end();

	begin(HIST_KEY_FINE_LOG2, false, 5, 8);
	for (i = 1; i < 1920; i++)
		count(i, NULL, i);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	for (i = 0, number = 1; i < t.map->nrows; i++) {
		CU_ASSERT_EQUAL(t.map->rows[i].ge, number);
		number = t.map->rows[i].le + 1;
		sum += t.map->rows[i].total;
	}
	CU_ASSERT_EQUAL(number, 0);
	/* K is 1 */
	CU_ASSERT_EQUAL(t.map->nrows, 128);
	CU_ASSERT_EQUAL(sum, 1919 * 1920 / 2);
	end();

	begin(HIST_KEY_FINE_LOG2, false, 3, 8);
	hist_heatmap_free(t.map);
	t.map = hist_heatmap_new(&t.info, 8, 32);
	CU_ASSERT_FATAL(t.map != NULL);
	for (number = 1; number <= 1024; number++)
		count(range->find(&t.schema.keys[0], number), NULL, 1);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	/* K is 1: 1, 2, 3, 4, and two halves of each octave up to 2^10; those of K = 2 are 36 */
	CU_ASSERT_EQUAL_FATAL(t.map->nrows, 20);
	CU_ASSERT(t.map->rows[4].ge == 5 && t.map->rows[4].le == 6);
	CU_ASSERT(t.map->rows[19].ge == 769 && t.map->rows[19].le == 1024);
	end();
}

/* Columns are merged two and two, and no count is lost. */
static void test_columns(void)
{
	uint64_t sum = 0;
	unsigned int i;

	begin(HIST_KEY_LOG2, false, 0, 7);
	for (i = 0; i < 37; i++) {
		count(1, NULL, i + 1);
		t.view.lost = i == 36;
		interval((i + 1) * SEC, (i + 2) * SEC);
	}
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	/* made even: 8; 37 intervals need columns of 8 */
	CU_ASSERT(t.map->per_column == 8);
	CU_ASSERT_FATAL(t.map->ncolumns == 5 && t.map->nrows == 1);
	for (i = 0; i < 5; i++) {
		CU_ASSERT(t.map->columns[i].from == (8 * i + 1) * SEC);
		CU_ASSERT(t.map->columns[i].intervals == (i < 4 ? 8 : 5));
		sum += t.map->rows[0].cells[i];
	}
	CU_ASSERT(t.map->rows[0].cells[0] == 36);
	CU_ASSERT(sum == 37 * 38 / 2 && t.map->rows[0].total == sum);
	CU_ASSERT(t.map->columns[4].to == 38 * SEC && t.map->columns[4].lost == 1);
	CU_ASSERT(t.map->columns[3].lost == 0);
	end();
}

/* What is to come is known: columns are as long at once as they would become. */
static void test_expected(void)
{
	static const struct {
		uint32_t last, snapshots, come;
		unsigned int first, at_end, ncolumns;
	} cases[] = {
		{ 37, 38, 37, 8, 8, 5 },
		{ 8, 9, 8, 1, 1, 8 },
		{ 9, 10, 9, 2, 2, 5 },
		/* no more than the file has, whatever a damaged header says */
		{ UINT32_MAX, 17, 16, 4, 4, 4 },
		/* and more than was said */
		{ 9, 10, 37, 2, 8, 5 },
		{ 0, 1000, 37, 1, 8, 5 },
	};
	unsigned int i, k;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin(HIST_KEY_LOG2, false, 0, 8);
		t.info.snapshots = cases[i].snapshots;
		t.view.last_seq = cases[i].last;
		for (k = 1; k <= cases[i].come; k++) {
			t.snap.seq = k;
			count(1, NULL, k);
			interval(k * SEC, (k + 1) * SEC);
			CU_ASSERT(k > 1 || t.map->per_column == cases[i].first);
		}
		CU_ASSERT(!hist_heatmap_finish(t.map, 0));
		CU_ASSERT(t.map->per_column == cases[i].at_end);
		CU_ASSERT_FATAL(t.map->ncolumns == cases[i].ncolumns && t.map->nrows == 1);
		CU_ASSERT(t.map->rows[0].total == (uint64_t)cases[i].come * (cases[i].come + 1) / 2);
		CU_ASSERT(t.map->columns[t.map->ncolumns - 1].to == (cases[i].come + 1) * SEC);
		end();
	}
}

/* Entries 0 and 2 are of part 1, entry 1 of part 0, and what comes behind of none. */
static uint32_t part_of(void *data, uint32_t entry)
{
	++*(unsigned int *)data;
	return entry > 2 ? HIST_NO_ENTRY : entry == 1 ? 0 : 1;
}

static uint32_t odd_part(void *data, uint32_t entry)
{
	(void)data;
	return entry % 2;
}

/* Parts count nothing for long, while columns are merged twice, or come late; one is coarser. */
static void test_parts(void)
{
	struct hist_heatmap *early, *late;
	uint64_t totals[2], none, n;
	unsigned int asked = 0, i;

	begin(HIST_KEY_NUM, false, 0, 4);
	hist_heatmap_split(t.map, part_of, &asked);
	count(1, NULL, 5);
	interval(SEC, 2 * SEC);
	count(1, NULL, 7);
	interval(2 * SEC, 3 * SEC);
	for (i = 3; i < 9; i++)
		interval(i * SEC, (i + 1) * SEC);
	count(3, NULL, 30);
	count(4, NULL, 1);
	interval(9 * SEC, 10 * SEC);
	count(1, NULL, 100);
	count(5, NULL, 11);
	interval(10 * SEC, 11 * SEC);
	count(5, NULL, 11);
	for (i = 11; i < 18; i++)
		interval(i * SEC, (i + 1) * SEC);
	/* once for each entry */
	CU_ASSERT(asked == 4);
	CU_ASSERT(!hist_heatmap_sum_parts(t.map, totals, 2, &none));
	CU_ASSERT(totals[0] == 30 && totals[1] == 113 && none == 22);
	CU_ASSERT_FATAL(!hist_heatmap_make_part(&early, t.map, 1));
	CU_ASSERT_FATAL(!hist_heatmap_make_part(&late, t.map, 0));
	/* 17 intervals in columns of 8 */
	CU_ASSERT(early->ncolumns == 3 && late->ncolumns == 3 && early->per_column == 8);
	CU_ASSERT_PTR_EQUAL(early->columns, t.map->columns);
	CU_ASSERT(late->columns[1].from == 9 * SEC && late->columns[2].intervals == 1);
	/* 1, two empty ones, 4 */
	CU_ASSERT_FATAL(early->nrows == 4 && late->nrows == 1);
	CU_ASSERT(early->rows[0].le == 1 && early->rows[0].total == 112);
	CU_ASSERT(early->rows[0].cells[0] == 12 && early->rows[0].cells[1] == 100);
	CU_ASSERT(early->rows[0].cells[2] == 0 && early->rows[3].total == 1);
	CU_ASSERT(late->rows[0].ge == 3 && late->rows[0].total == 30);
	CU_ASSERT(late->rows[0].cells[1] == 30 && late->rows[0].cells[2] == 0);
	hist_heatmap_free(early);
	hist_heatmap_free(late);
	end();

	/* entries 0 and 2 of part 1 stay apart while part 0 is full of numbers */
	begin(HIST_KEY_NUM, false, 0, 4);
	hist_heatmap_split(t.map, odd_part, NULL);
	for (n = 0; n < 1000; n++) {
		count(2 * n, NULL, 1);
		count(2 * n + 1, NULL, n < 100);
	}
	interval(SEC, 2 * SEC);
	/* numbers whose rows were joined to others are counted again */
	for (n = 0; n < 1000; n++)
		count(2 * n, NULL, 1);
	interval(2 * SEC, 3 * SEC);
	CU_ASSERT_FATAL(!hist_heatmap_make_part(&early, t.map, 1));
	CU_ASSERT_FATAL(!hist_heatmap_make_part(&late, t.map, 0));
	CU_ASSERT(late->merged && late->nrows <= 128 + 16 && !early->merged);
	/* 1, 3, 5 to 199, with an empty one between */
	CU_ASSERT_FATAL(early->nrows == 199);
	for (i = 0, n = 0; i < late->nrows; i++) {
		n += late->rows[i].total;
		/* the same twice, in the row that it is in */
		CU_ASSERT(!late->rows[i].cells || late->rows[i].cells[0] == late->rows[i].cells[1]);
	}
	CU_ASSERT(n == 2000);
	CU_ASSERT(early->rows[100].ge == 101 && early->rows[100].total == 1);
	CU_ASSERT(early->rows[101].total == 0 && !early->rows[101].cells);
	hist_heatmap_free(early);
	hist_heatmap_free(late);
	end();
}

/* What lies before the first snapshot has no length; what lies behind a clearing has. */
static void test_from_nothing(void)
{
	begin(HIST_KEY_LOG2, false, 0, 8);
	t.view.from_nothing = true;
	count(1, NULL, 100);
	interval(0, SEC);
	t.view.from_nothing = false;
	count(1, NULL, 10);
	interval(SEC, 2 * SEC);
	t.view.from_nothing = t.view.reset = true;
	count(1, NULL, 1);
	interval(2 * SEC, 3 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	CU_ASSERT(t.map->before == 100);
	CU_ASSERT_FATAL(t.map->ncolumns == 2 && t.map->nrows == 1);
	CU_ASSERT(t.map->rows[0].total == 11);
	CU_ASSERT(!t.map->columns[0].reset && t.map->columns[1].reset);
	end();
}

/* Too many numbers fall into cells of 2^s parts a power of two; each in the right one. */
static void test_many_numbers(void)
{
	const uint64_t step = 3700001; /* up to more than 32 bits */
	uint64_t total = 0, n;
	uint32_t i;

	begin(HIST_KEY_USECS, false, 0, 4);
	for (n = 0; n < 5000; n++)
		count(n * step, NULL, 1);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	CU_ASSERT(t.map->merged && t.map->nrows <= 128 + 16);
	for (i = 0; i < t.map->nrows; i++) {
		const struct hist_heat_row *row = &t.map->rows[i];
		uint64_t first = (row->ge + step - 1) / step, last = row->le / step;

		if (row->empty)
			continue;
		if (last > 4999)
			last = 4999;
		CU_ASSERT(row->total == (last + 1 > first ? last + 1 - first : 0));
		CU_ASSERT(!i || row->ge == t.map->rows[i - 1].le + 1);
		/* 8 parts a power of two are enough */
		CU_ASSERT((row->le - row->ge + 1) * 8 <= row->ge + 8);
		total += row->total;
	}
	CU_ASSERT(total == 5000);
	end();
}

static void test_buckets(void)
{
	begin(HIST_KEY_BUCKETS, true, 10, 4);
	count((uint64_t)-20, NULL, 1);
	count(0, NULL, 2);
	count(1000, NULL, 3);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	/* below zero first; -10 to -1 shown, the many up to 1000 told */
	CU_ASSERT_FATAL(t.map->nrows >= 4);
	CU_ASSERT(t.map->is_signed && (int64_t)t.map->rows[0].ge < 0);
	CU_ASSERT(t.map->rows[0].total == 1);
	CU_ASSERT(t.map->rows[t.map->nrows - 1].ge == 1000);
	CU_ASSERT(t.map->rows[t.map->nrows - 1].le == 1009);
	CU_ASSERT(t.map->rows[t.map->nrows - 2].empty == 99);
	end();

	/* 2^64 is no multiple of 10: [-506, -497], 49 more, [-6, -1], 100 from zero on */
	begin(HIST_KEY_BUCKETS, true, 10, 4);
	count((uint64_t)-506, NULL, 1);
	count(1000, NULL, 1);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 0));
	CU_ASSERT_FATAL(t.map->nrows == 3);
	CU_ASSERT((int64_t)t.map->rows[0].le == -497);
	CU_ASSERT(t.map->rows[1].empty == 150);
	end();
}

static void test_labels(void)
{
	char name[32];
	int i;

	begin(HIST_KEY_STRING, false, 0, 4);
	for (i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "task %d", i);
		count(0, name, 200 - i);
	}
	count(0, "late\n", 1000);
	interval(SEC, 2 * SEC);
	CU_ASSERT(!hist_heatmap_finish(t.map, 3));
	/* 128 have a place of their own; 3 are shown */
	CU_ASSERT_FATAL(t.map->nrows == 4 && !t.map->has_axis);
	CU_ASSERT_STRING_EQUAL(t.map->rows[0].label, "task 0");
	CU_ASSERT_STRING_EQUAL(t.map->rows[2].label, "task 2");
	CU_ASSERT(t.map->rows[0].total == 200 && t.map->rows[2].total == 198);
	CU_ASSERT(t.map->rows[3].others && t.map->others == 198);
	CU_ASSERT(t.map->rows[3].total == 1000 + 200 * 201 / 2 - 200 - 199 - 198);
	end();
}

UNIT_TESTS(
	{ "a heat map of a log2 key shows empty buckets and computes rates per second", test_log2 },
	{ "a heat map of a signed log2 key counts numbers below zero in one row below the others",
	  test_log2_negative },
	{ "the buckets of .log2=K are rows, which are merged if there are too many",
	  test_fine_log2 },
	{ "a heat map with too many intervals merges its columns in pairs and loses no count",
	  test_columns },
	{ "a heat map starts with the column length that the expected snapshots need",
	  test_expected },
	{ "each part of a split heat map counts its own entries in the columns of the whole map",
	  test_parts },
	{ "a heat map excludes hits before the first snapshot and includes hits after a reset",
	  test_from_nothing },
	{ "a heat map merges 5000 numbers into at most 144 rows, each count in the right row",
	  test_many_numbers },
	{ "a heat map of signed buckets starts below zero and folds a long gap into one row",
	  test_buckets },
	{ "a heat map of strings shows the largest of the first 128 names and sums up the others",
	  test_labels });
