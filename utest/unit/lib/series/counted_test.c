// SPDX-License-Identifier: GPL-2.0
/*
 * counted_test.c - counters that do not fall at a clearing, and leave out the set-up
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/series/counted.h"
#include "utest/unit/tests.h"

static const struct hist_schema schema = {
	.nkeys = 1,
	.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING } },
	.nvalues = 2,
	.values = {
		{ .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		{ .name = (char *)"saved", .kind = HIST_VALUE_SAVED },
	},
};

/* A snapshot with "NAME" @n times, and the rows before. */
static void count(struct hist_table *table, struct hist_snapshot *snap, const char *name, uint64_t n)
{
	struct hist_cell cell = { 0 };
	uint32_t entry;

	CU_ASSERT_EQUAL(hist_table_intern(table, name, strlen(name), &cell.str), 0);
	CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
	CU_ASSERT_EQUAL(hist_snapshot_grow(snap, &schema, entry + 1), 0);
	snap->values[entry * 2] += n;
	snap->hits += n;
}

static uint64_t counted(const struct hist_counted *c, const char *name)
{
	struct hist_cell cell = { 0 };
	uint32_t e;

	CU_ASSERT_FATAL(hist_table_find(c->table, name, strlen(name), &cell.str));
	for (e = 0; e < c->sums.nentries; e++)
		if (hist_table_cells(c->table, e)->str == cell.str)
			return c->sums.values[e * 2];
	return UINT64_MAX;
}

static void test_counted(void)
{
	struct hist_table *table = hist_table_new(&schema);
	struct hist_counted *c = hist_counted_new(&schema);
	struct hist_snapshot snap = { .missed = 2 };

	CU_ASSERT_FATAL(table && c);
	count(table, &snap, "sh", 3);
	CU_ASSERT_EQUAL(hist_counted_subtract(c, table, &snap), 0);
	CU_ASSERT_EQUAL(hist_counted_update(c, table, &snap, false), 0);
	CU_ASSERT_EQUAL(c->sums.hits, 0);
	CU_ASSERT_EQUAL(counted(c, "sh"), 0);
	count(table, &snap, "sh", 4);
	count(table, &snap, "ls", 5);
	snap.missed = 7;
	snap.losses[HIST_LOSS_UNMATCHED_ENDS] = 1;
	CU_ASSERT_EQUAL(hist_counted_update(c, table, &snap, false), 0);
	CU_ASSERT_EQUAL(c->sums.hits, 9);
	CU_ASSERT_EQUAL(counted(c, "sh"), 4);
	CU_ASSERT_EQUAL(c->sums.missed, 5);
	/* after a clearing other keys come, under the numbers of the old ones */
	hist_table_clear(table);
	memset(snap.values, 0, snap.nentries * 2 * sizeof(*snap.values));
	snap.hits = snap.nentries = 0;
	count(table, &snap, "cat", 6);
	snap.missed = 8;
	CU_ASSERT_EQUAL(hist_counted_update(c, table, &snap, true), 0);
	CU_ASSERT_EQUAL(c->resets, 1);
	CU_ASSERT_EQUAL(c->sums.hits, 15);
	CU_ASSERT_EQUAL(counted(c, "sh"), 4);
	CU_ASSERT_EQUAL(counted(c, "ls"), 5);
	CU_ASSERT_EQUAL(counted(c, "cat"), 6);
	CU_ASSERT_EQUAL(c->sums.missed, 6);
	CU_ASSERT_EQUAL(c->sums.losses[HIST_LOSS_UNMATCHED_ENDS], 1);
	/* a text is that of one snapshot, and not of counters */
	CU_ASSERT_EQUAL(c->sums.values[1], UINT64_MAX);
	hist_snapshot_clear(&snap);
	hist_counted_free(c);
	hist_table_free(table);
}

UNIT_TESTS({ "counters leave out the set-up, and do not fall if the histogram is cleared",
	     test_counted });
