// SPDX-License-Identifier: GPL-2.0
/*
 * disambiguate_test.c - what has to be shown so that no two rows read the same
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/table/disambiguate.h"
#include "utest/unit/tests.h"

/* Entries of keys lat_us and call_site.sym, in this order. */
static const struct {
	uint64_t lat, address;
	const char *symbol;
} entries[] = {
	{ 2000, 0x10, "kfree" },  /* 2 ms */
	{ 70, 0x20, "kmalloc" },
	{ 1536, 0x20, "kmalloc" }, /* 1.54 ms */
	{ 90, 0x30, "kfree" },
	{ 1537, 0x40, "" },	   /* 1.54 ms as well */
	{ 70, 0x40, "" },
};

#define ENTRIES (sizeof(entries) / sizeof(*entries))

static struct hist_table *make_table(enum hist_key_kind lat, const char *name)
{
	const struct hist_schema schema = {
		.nkeys = 2, .nvalues = 1,
		.keys = { { .name = (char *)name, .kind = lat },
			  { .name = (char *)"call_site", .kind = HIST_KEY_SYM } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM } },
	};
	struct hist_table *table = hist_table_new(&schema);
	uint32_t entry;
	size_t i;

	CU_ASSERT_FATAL(table != NULL);
	for (i = 0; i < ENTRIES; i++) {
		struct hist_cell cells[2] = { { entries[i].lat, HIST_NO_STRING },
					      { entries[i].address, HIST_NO_STRING } };

		CU_ASSERT_FATAL(!hist_table_intern(table, entries[i].symbol,
						   strlen(entries[i].symbol), &cells[1].str));
		CU_ASSERT_FATAL(!hist_table_add(table, cells, &entry));
		CU_ASSERT_EQUAL(entry, i);
	}
	return table;
}

static bool exact(const struct hist_table *table, const uint32_t *picked, uint32_t n)
{
	bool result = true;

	CU_ASSERT_EQUAL(disambiguate_durations(&result, table, 0, picked, n), 0);
	return result;
}

static bool ambiguous(const struct hist_table *table, const uint32_t *picked, uint32_t n)
{
	bool result = true;

	CU_ASSERT_EQUAL(disambiguate_symbols(&result, NULL, table, 1, picked, n), 0);
	return result;
}

#define PICK(...) (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4

static void test_durations(void)
{
	struct hist_table *table = make_table(HIST_KEY_NUM, "lat_us");
	bool result = true;

	CU_ASSERT_FALSE(exact(table, PICK(0, 1, 2, 3)));
	/* not only of neighbours in the order of the rows */
	CU_ASSERT_TRUE(exact(table, PICK(4, 0, 1, 2)));
	/* one number twice is no two */
	CU_ASSERT_FALSE(exact(table, PICK(1, 5, 1)));
	CU_ASSERT_FALSE(exact(table, NULL, 0));
	/* no duration, nor plain */
	CU_ASSERT_EQUAL(disambiguate_durations(&result, table, 1, PICK(4, 2)), 0);
	CU_ASSERT_FALSE(result);
	hist_table_free(table);
	table = make_table(HIST_KEY_NUM, "size");
	CU_ASSERT_FALSE(exact(table, PICK(4, 2)));
	hist_table_free(table);
	table = make_table(HIST_KEY_LOG2, "lat_us");
	CU_ASSERT_FALSE(exact(table, PICK(4, 2)));
	hist_table_free(table);
}

static void test_symbols(void)
{
	struct hist_table *table = make_table(HIST_KEY_NUM, "lat_us");
	bool result = true, which[3] = { false };

	CU_ASSERT_TRUE(ambiguous(table, PICK(1, 3, 2, 0)));
	CU_ASSERT_FALSE(ambiguous(table, PICK(1, 2, 3, 4, 5)));
	CU_ASSERT_FALSE(ambiguous(table, NULL, 0));
	CU_ASSERT_EQUAL(disambiguate_symbols(&result, NULL, table, 0, PICK(0, 3)), 0);
	CU_ASSERT_FALSE(result);
	/* only those that need it: strings are numbered as they came */
	CU_ASSERT_EQUAL(disambiguate_symbols(&result, which, table, 1, PICK(0, 1, 2, 3, 4)), 0);
	CU_ASSERT_TRUE(result && which[0] && !which[1] && !which[2]);
	hist_table_free(table);
}

static void test_rows(void)
{
	const struct hist_key_desc key = { .name = (char *)"lat_us", .kind = HIST_KEY_NUM };
	const struct hist_key_desc size = { .name = (char *)"size", .kind = HIST_KEY_NUM };
	struct hist_heat_row rows[] = {
		{ .ge = 70, .le = 70 }, { .ge = 71, .le = 1535, .empty = 1465 },
		{ .ge = 1536, .le = 1536 }, { .ge = 1537, .le = 1537 },
	};
	struct hist_heatmap map = { .has_axis = true, .rows = rows, .nrows = 4 };

	CU_ASSERT_TRUE(disambiguate_rows(&map, &key));
	CU_ASSERT_FALSE(disambiguate_rows(&map, &size));
	map.nrows = 3;
	CU_ASSERT_FALSE(disambiguate_rows(&map, &key));
}

UNIT_TESTS(
	{ "durations are printed exactly if two different numbers would read the same",
	  test_durations },
	{ "a symbol is ambiguous only if two addresses of the shown rows share its name",
	  test_symbols },
	{ "rows of a heat map are printed exactly if two durations would read the same",
	  test_rows });
