// SPDX-License-Identifier: GPL-2.0
/*
 * table_test.c - entries, strings and vectors of values
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/hist/table.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static const struct hist_schema two_keys = {
	.nkeys = 2,
	.nvalues = 3,
	.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
		  { .name = (char *)"common_pid", .kind = HIST_KEY_EXECNAME } },
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"hitcount", .kind = HIST_VALUE_PERCENT },
		    { .name = (char *)"ret", .kind = HIST_VALUE_HEX } },
};

static uint32_t intern(struct hist_table *t, const char *s)
{
	uint32_t id = 12345;

	CU_ASSERT_EQUAL(hist_table_intern(t, s, strlen(s), &id), 0);
	return id;
}

static void test_strings(void)
{
	struct hist_table *t = hist_table_new(&two_keys);
	static const char with_nul[] = "a\0b";
	char name[32];
	uint32_t id, i;
	size_t len;

	CU_ASSERT_EQUAL(intern(t, "sh"), 0);
	CU_ASSERT_EQUAL(intern(t, ""), 1);
	CU_ASSERT_EQUAL(hist_table_intern(t, with_nul, 3, &id), 0);
	CU_ASSERT_EQUAL(id, 2);
	CU_ASSERT_EQUAL(intern(t, "a"), 3);
	CU_ASSERT_EQUAL(intern(t, "sh"), 0);
	CU_ASSERT_EQUAL(memcmp(hist_table_string(t, 2, &len), with_nul, 4), 0);
	CU_ASSERT_EQUAL(len, 3);
	CU_ASSERT_STRING_EQUAL(hist_table_string(t, 1, &len), "");
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_STRING_EQUAL(hist_table_string(t, 4, &len), "");
	CU_ASSERT_STRING_EQUAL(hist_table_string(t, HIST_NO_STRING, NULL), "");

	for (i = 0; i < 50000; i++) {
		snprintf(name, sizeof(name), "name%u", i);
		CU_ASSERT_EQUAL(intern(t, name), i + 4);
	}
	for (i = 0; i < 50000; i += 77) {
		snprintf(name, sizeof(name), "name%u", i);
		CU_ASSERT_EQUAL(intern(t, name), i + 4);
		CU_ASSERT_STRING_EQUAL(hist_table_string(t, i + 4, NULL), name);
	}
	CU_ASSERT_EQUAL(hist_table_strings(t), 50004);
	hist_table_free(t);
}

/* A string is part of the identity only where it is not the name of a number. */
static void test_identity(void)
{
	struct hist_table *t = hist_table_new(&two_keys);
	struct hist_cell cells[2] = { { 0, intern(t, "x") }, { 7, intern(t, "sh") } };
	uint32_t entry = 9;

	CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 0);
	cells[1].str = intern(t, "bash");
	CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 0);
	CU_ASSERT_STRING_EQUAL(hist_table_string(t, hist_table_cells(t, 0)[1].str, NULL), "sh");
	cells[0].str = intern(t, "y");
	CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 1);
	cells[1].num = 8;
	CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 2);
	CU_ASSERT_EQUAL(hist_table_entries(t), 3);

	hist_table_clear(t);
	CU_ASSERT_EQUAL(hist_table_entries(t), 0);
	CU_ASSERT_EQUAL(hist_table_strings(t), 0);
	cells[0].str = intern(t, "y");
	CU_ASSERT_EQUAL(cells[0].str, 0);
	CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 0);
	hist_table_free(t);
}

static void test_many_entries(void)
{
	struct hist_schema one = { .nkeys = 1, .keys = { { .name = (char *)"ptr" } } };
	struct hist_table *t = hist_table_new(&one);
	struct hist_cell cell = { 0, HIST_NO_STRING };
	uint32_t entry, i;

	/* addresses: all low bits alike */
	for (i = 0; i < 200000; i++) {
		cell.num = 0xffff888000000000u + ((uint64_t)i << 12);
		CU_ASSERT_EQUAL_FATAL(hist_table_add(t, &cell, &entry), 0);
		CU_ASSERT_EQUAL_FATAL(entry, i);
	}
	for (i = 0; i < 200000; i++) {
		cell.num = 0xffff888000000000u + ((uint64_t)i << 12);
		CU_ASSERT_EQUAL_FATAL(hist_table_add(t, &cell, &entry), 0);
		CU_ASSERT_EQUAL_FATAL(entry, i);
	}
	hist_table_free(t);
}

static void test_snapshots(void)
{
	struct hist_snapshot a = { .hits = 100, .dropped = 7, .entries = 3, .seq = 4 }, b = { 0 };
	uint64_t *values;
	uint32_t room;

	CU_ASSERT_EQUAL(hist_snapshot_grow(&a, &two_keys, 3), 0);
	CU_ASSERT_EQUAL(a.nentries, 3);
	a.values[0] = 5;
	a.values[1] = 6;
	a.values[2] = 2;
	a.values[8] = 1;
	CU_ASSERT_EQUAL(hist_snapshot_copy(&b, &a, &two_keys), 0);
	CU_ASSERT_PTR_NOT_EQUAL(b.values, a.values);
	CU_ASSERT_EQUAL(b.seq, 4);

	a.values[0] = 3; /* less than before: modulo 2^64 */
	a.values[2] = 12;
	a.hits = 130;
	a.dropped = 8;
	CU_ASSERT_EQUAL(hist_snapshot_grow(&a, &two_keys, 500), 0);
	CU_ASSERT_EQUAL(a.nentries, 500);
	CU_ASSERT_EQUAL(a.values[9], 0);
	CU_ASSERT_EQUAL(a.values[3 * 499 + 2], 0);
	a.values[9] = 77;
	hist_snapshot_subtract(&a, &b, &two_keys);
	CU_ASSERT_EQUAL(a.values[0], UINT64_MAX - 1);
	CU_ASSERT_EQUAL(a.values[1], 6); /* a percentage has no difference */
	CU_ASSERT_EQUAL(a.values[2], 10);
	CU_ASSERT_EQUAL(a.values[8], 0);
	CU_ASSERT_EQUAL(a.values[9], 77);
	CU_ASSERT_EQUAL(a.hits, 30);
	CU_ASSERT_EQUAL(a.dropped, 1);
	CU_ASSERT_EQUAL(a.entries, 3);
	hist_snapshot_subtract(&a, NULL, &two_keys);
	CU_ASSERT_EQUAL(a.hits, 30);

	/* a copy of something smaller keeps the room, and zeroes what is beyond */
	values = a.values;
	room = a.room;
	CU_ASSERT_EQUAL(hist_snapshot_copy(&a, &b, &two_keys), 0);
	CU_ASSERT_PTR_EQUAL(a.values, values);
	CU_ASSERT_EQUAL(a.room, room);
	CU_ASSERT_EQUAL(a.nentries, 3);
	CU_ASSERT_EQUAL(hist_snapshot_grow(&a, &two_keys, 4), 0);
	CU_ASSERT_EQUAL(a.values[9], 0);
	hist_snapshot_clear(&a);
	CU_ASSERT_PTR_NULL(a.values);
	CU_ASSERT_EQUAL(a.hits, 0);
	hist_snapshot_clear(&b);
	hist_snapshot_clear(NULL);
	hist_table_free(NULL);
}

/* What is cut off comes again under the next numbers; what stays keeps its own. */
static void test_cut(void)
{
	struct hist_table *t = hist_table_new(&two_keys), *other = hist_table_new(&two_keys);
	struct hist_cell cells[2] = { { 0, 0 }, { 0, 1 } };
	uint64_t generation = hist_table_generation(t);
	uint32_t entry, i;
	char name[32];

	for (i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "name%u", i);
		cells[0].str = intern(t, name);
		cells[1].num = i;
		CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	}
	hist_table_cut(t, 100, 120);
	CU_ASSERT_EQUAL(hist_table_generation(t), generation);
	CU_ASSERT_EQUAL(hist_table_entries(t), 100);
	CU_ASSERT_EQUAL(hist_table_strings(t), 120);
	CU_ASSERT_EQUAL(intern(t, "name119"), 119);
	CU_ASSERT_EQUAL(intern(t, "name299"), 120);
	CU_ASSERT_STRING_EQUAL(hist_table_string(t, 120, NULL), "name299");
	CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 100);
	cells[0].str = 99;
	cells[1].num = 99;
	CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 99);

	hist_table_move(other, t);
	CU_ASSERT_EQUAL(hist_table_entries(other), 101);
	CU_ASSERT_EQUAL(hist_table_add(other, cells, &entry), 0);
	CU_ASSERT_EQUAL(entry, 99);
	hist_table_free(t);
	hist_table_free(other);
}

static void test_cut_strings(void)
{
	struct hist_schema schema = two_keys;
	uint64_t values[] = { 2, 0, 0, 5, 0, 0, 7, 0, 0, 100, 0, 0 };
	struct hist_snapshot snap = { .values = values, .nentries = 3 };
	static const char *const names[] = { "abc", "ab", "abcd", "late" };
	struct hist_cell cells[2] = { 0 };
	struct hist_table *t;
	unsigned int longest, i;
	uint32_t entry;

	for (longest = 0; longest < 6; longest++) {
		static const uint64_t hits[] = { 0, 14, 14, 9, 7, 0 }, rows[] = { 0, 3, 3, 2, 1, 0 };

		schema.keys[0].longest = longest;
		t = hist_table_new(&schema);
		for (i = 0; i < 4; i++) {
			cells[0].str = intern(t, names[i]);
			CU_ASSERT_EQUAL(hist_table_add(t, cells, &entry), 0);
		}
		CU_ASSERT_EQUAL(hist_snapshot_count_cut(&snap, t), hits[longest]);
		/* without hitcount */
		free(hist_table_schema(t)->values[0].name);
		hist_table_schema(t)->values[0].name = strdup("bytes");
		CU_ASSERT_EQUAL(hist_snapshot_count_cut(&snap, t), rows[longest]);
		hist_table_free(t);
	}
}

UNIT_TESTS(
	{ "hits in rows of strings that may be cut are counted", test_cut_strings },
	{ "interned strings keep their numbers and their bytes, also with a NUL inside",
	  test_strings },
	{ "a string distinguishes entries unless it only names a number", test_identity },
	{ "200,000 addresses with equal low bits get distinct entries and keep them",
	  test_many_entries },
	{ "cutting a table frees its last numbers, and moving a table keeps its entries",
	  test_cut },
	{ "a difference of snapshots subtracts sums but not percentages, and a copy reuses memory",
	  test_snapshots });
