// SPDX-License-Identifier: GPL-2.0
/*
 * key_normalize_test.c - keys of several recordings under common names, and histograms in pairs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/axis.h"
#include "lib/diff/diff_private.h"
#include "lib/diff/key_normalize.h"
#include "lib/hist/key_names.h"
#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* A table of one recording with one key of @kind. */
static struct hist_table *table_of(enum hist_key_kind kind, struct hist_schema *schema)
{
	memset(schema, 0, sizeof(*schema));
	schema->nkeys = schema->nvalues = 1;
	schema->keys[0] = (struct hist_key_desc){ .name = (char *)"key", .kind = kind };
	schema->values[0] = (struct hist_value_desc){ .name = (char *)"hitcount" };
	return hist_table_new(schema);
}

static struct hist_cell cell(struct hist_table *table, uint64_t num, const char *str)
{
	struct hist_cell c = { num, HIST_NO_STRING };

	if (str)
		CU_ASSERT_EQUAL(hist_table_intern(table, str, strlen(str), &c.str), 0);
	return c;
}

/* Are two keys of @kind the same in a comparison, and is the first shown as @label? */
static void check(enum hist_key_kind kind, bool offsets, uint64_t num_a, const char *str_a,
		  uint64_t num_b, const char *str_b, bool same, const char *label)
{
	struct hist_schema schema;
	struct hist_table *table = table_of(kind, &schema);
	struct hist_key_normalizer *m = hist_key_normalize_new(&schema, offsets, 0);
	struct hist_cell a = cell(table, num_a, str_a), b = cell(table, num_b, str_b);
	struct hist_grouping *g = hist_grouping_new(hist_key_normalize_table(m));
	struct hist_strbuf text = { 0 };
	uint32_t ea, eb;

	CU_ASSERT_EQUAL(hist_key_normalize_entry(m, table, &a, &ea), 0);
	CU_ASSERT_EQUAL(hist_key_normalize_entry(m, table, &b, &eb), 0);
	CU_ASSERT_EQUAL(ea == eb, same);
	CU_ASSERT_EQUAL(hist_grouping_update(g), 0);
	hist_grouping_label(&text, g, hist_grouping_find(g, ea), 0);
	hist_strbuf_char(&text, '\0');
	CU_ASSERT_STRING_EQUAL(text.data, label);
	hist_strbuf_free(&text);
	hist_grouping_free(g);
	hist_key_normalize_free(m);
	hist_table_free(table);
}

static void test_names(void)
{
	check(HIST_KEY_SYM, true, 0xffffffff81000000, "kfree", 0xffffffffa1000000, "kfree", true,
	      "kfree");
	check(HIST_KEY_SYM, true, 1, "read [a]", 1, "read [b]", false, "read [a]");
	check(HIST_KEY_SYM, true, 0xffffffffc0001000, "", 0xffffffffc0001000, "", true,
	      "0xffffffffc0001000");
	check(HIST_KEY_SYM_OFFSET, true, 1, "kfree+0x10/0x80", 2, "kfree+0x14/0x80", false,
	      "kfree+0x10/0x80");
	check(HIST_KEY_SYM_OFFSET, true, 1, "kfree+0x10/0x80", 2, "kfree+0x10/0x80", true,
	      "kfree+0x10/0x80");
	check(HIST_KEY_SYM_OFFSET, false, 1, "kfree+0x10/0x80 [m]", 2, "kfree+0x14/0x90 [m]", true,
	      "kfree [m]");
	check(HIST_KEY_STACK, true, 0, "a+0x1/0x9\nb+0x2/0x9", 0, "a+0x3/0x8\nb+0x4/0x8", true,
	      "a <- b");
	check(HIST_KEY_STACK, true, 0, "a+0x1/0x9\nb+0x2/0x9", 0, "a+0x1/0x9\nc+0x2/0x9", false,
	      "a <- b");
	check(HIST_KEY_EXECNAME, true, 100, "sh", 200, "sh", true, "sh");
	check(HIST_KEY_EXECNAME, true, 100, "sh", 100, "bash", false, "sh");
	check(HIST_KEY_SYSCALL, true, 0, "sys_read", 63, "sys_read", true, "sys_read");
	check(HIST_KEY_SYSCALL, true, 900, "unknown_syscall", 901, "unknown_syscall", false,
	      "unknown_syscall [900]");
	check(HIST_KEY_STRING, true, 0, "sda", 0, "sdb", false, "sda");
	check(HIST_KEY_HEX, true, 0xff, NULL, 0xff, NULL, true, "ff");
}

/* Codes of two kernels with other numbers are one key by name, and two by number. */
static void test_code_names(void)
{
	struct hist_schema base, new_;
	struct hist_table *tables[2] = { table_of(HIST_KEY_NUM, &base),
					 table_of(HIST_KEY_NUM, &new_) };
	struct hist_cell cells[2] = { { 4, HIST_NO_STRING }, { 8, HIST_NO_STRING } };
	struct hist_key_normalizer *m;
	struct hist_key_names *names;
	unsigned int by_name, i;
	uint32_t entries[2];

	for (i = 0; i < 2; i++) {
		names = hist_key_names_new(HIST_NAMES_CODE, NULL);
		hist_table_schema(tables[i])->keys[0].names = names;
		CU_ASSERT_EQUAL(hist_key_names_add(names, cells[i].num, "T", 1), 0);
	}
	for (by_name = 0; by_name < 2; by_name++) {
		m = hist_key_normalize_new(&base, true, by_name);
		for (i = 0; i < 2; i++)
			CU_ASSERT_EQUAL(hist_key_normalize_entry(m, tables[i], &cells[i],
								 &entries[i]), 0);
		CU_ASSERT_EQUAL(entries[0] == entries[1], by_name == 1);
		hist_key_normalize_free(m);
	}
	hist_table_free(tables[0]);
	hist_table_free(tables[1]);
}

/* An axis stays one, and its numbers are what they are. */
static void test_axis(void)
{
	struct hist_schema schema;
	struct hist_table *table = table_of(HIST_KEY_LOG2, &schema);
	struct hist_key_normalizer *m = hist_key_normalize_new(&schema, true, 0);
	struct hist_cell a = cell(table, 5, NULL), b = cell(table, 6, NULL);
	uint32_t ea, eb;

	CU_ASSERT_EQUAL(hist_axis_key(hist_table_schema(hist_key_normalize_table(m))), 0);
	CU_ASSERT_EQUAL(hist_key_normalize_entry(m, table, &a, &ea), 0);
	CU_ASSERT_EQUAL(hist_key_normalize_entry(m, table, &b, &eb), 0);
	CU_ASSERT_NOT_EQUAL(ea, eb);
	CU_ASSERT_EQUAL(hist_table_cells(hist_key_normalize_table(m), eb)->num, 6);
	hist_key_normalize_free(m);
	hist_table_free(table);
}

static bool is_address(enum hist_key_kind kind, uint64_t num, const char *str)
{
	struct hist_schema schema;
	struct hist_table *table = table_of(kind, &schema);
	struct hist_key_normalizer *m = hist_key_normalize_new(&schema, true, 0);
	struct hist_cell c = cell(table, num, str);
	uint32_t entry;
	bool is;

	CU_ASSERT_EQUAL(hist_key_normalize_entry(m, table, &c, &entry), 0);
	is = hist_key_normalize_is_address(m, 0,
					   hist_table_cells(hist_key_normalize_table(m), entry));
	hist_key_normalize_free(m);
	hist_table_free(table);
	return is;
}

static void test_addresses(void)
{
	CU_ASSERT_TRUE(is_address(HIST_KEY_HEX, 0xffff888004000000, NULL));
	CU_ASSERT_TRUE(is_address(HIST_KEY_NUM, 0xffffffff81000000, NULL));
	CU_ASSERT_TRUE(is_address(HIST_KEY_SYM, 0xffffffffc0000000, ""));
	CU_ASSERT_FALSE(is_address(HIST_KEY_SYM, 0xffffffff81000000, "kfree"));
	CU_ASSERT_FALSE(is_address(HIST_KEY_HEX, 0x7f0012345678, NULL));
	CU_ASSERT_FALSE(is_address(HIST_KEY_NUM, (uint64_t)-22, NULL));
}

static void check_strip(const char *label, const char *expected)
{
	struct hist_strbuf b = { 0 };

	hist_key_normalize_label(&b, label, strlen(label));
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, expected);
	hist_strbuf_free(&b);
}

static void test_strip(void)
{
	check_strip("do_open.isra.0", "do_open");
	check_strip("do_open.constprop.12.isra.0", "do_open");
	check_strip("f.part.3 [mod]", "f [mod]");
	check_strip("f.cold", "f");
	check_strip("f.cold.7 <- g.llvm.123 <- h", "f <- g <- h");
	check_strip("f.lto_priv.0+0x10/0x20", "f+0x10/0x20");
	/* no suffixes */
	check_strip("f.colder", "f.colder");
	check_strip("f.isra", "f.isra");
	check_strip("f.isra.x", "f.isra.x");
	check_strip("f.part.3b", "f.part.3b");
	check_strip(".cold", ".cold");
	check_strip("kworker/2:1", "kworker/2:*");
	check_strip("kworker/u8:14", "kworker/u8:*");
	check_strip("kworker/0:1H", "kworker/0:*H");
	check_strip("sh / kworker/3:0 / x", "sh / kworker/3:* / x");
	check_strip("kworker/R-rcu", "kworker/R-rcu");
	check_strip("kworker/", "kworker/");
	check_strip("kworker/2:", "kworker/2:");
	check_strip("", "");
}

/* --- pairs --- */

#define PATH_A "match-a.dat"
#define PATH_B "match-b.dat"

/* A file with the histograms of @triggers, all of one event. */
static struct hist_series *file_of(const char *path, const char *const *triggers)
{
	struct run_fixture *f = run_fixture_new(path, "Linux 6.12", "box");
	struct hist_series *series = NULL;
	unsigned int i;
	struct hist_error error = { 0 };

	for (i = 0; triggers[i]; i++)
		run_fixture_snapshot(f, run_fixture_define(f, "a:b", triggers[i], "mono"), 1);
	run_fixture_close(f, true);
	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	return series;
}

/* Pairs of the two sides as "0-1 1-0 2-": numbers in a and b; '!' where it is incomparable. */
static void check_pairs(const char *const *a, const char *const *b, const char *expected,
			const char *why)
{
	struct hist_series *files[] = { file_of(PATH_A, a), file_of(PATH_B, b) };
	struct hist_pairs pairs = { 0 };
	char text[128] = "", one[32];
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(hist_pairs_make(&pairs, files, 2), 0);
	for (i = 0; i < pairs.n; i++) {
		snprintf(one, sizeof(one), "%s%d%s%d", i ? " " : "", pairs.pairs[i].hists[0],
			 *pairs.pairs[i].why ? "!" : "=", pairs.pairs[i].hists[1]);
		strcat(text, one);
		if (*pairs.pairs[i].why)
			CU_ASSERT_STRING_EQUAL(pairs.pairs[i].why, why);
	}
	CU_ASSERT_STRING_EQUAL(text, expected);
	hist_pairs_clear(&pairs);
	hist_series_free(files[0]);
	hist_series_free(files[1]);
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_pairs(void)
{
	check_pairs(LIST("hist:keys=x.log2:vals=y:size=256:sort=y"),
		    LIST("hist:key=x.log2:val=y:name=foo:pause"), "0=0", "");
	check_pairs(LIST("hist:keys=x", "hist:keys=y"), LIST("hist:keys=y", "hist:keys=x"),
		    "0=1 1=0", "");
	check_pairs(LIST("hist:keys=x", "hist:keys=x"), LIST("hist:keys=x", "hist:keys=x"),
		    "0=0 1=1", "");
	check_pairs(LIST("hist:keys=x"), LIST("hist:keys=x", "hist:keys=y"), "0=0 -1=1", "");
	check_pairs(LIST("hist:keys=x if y > 5"), LIST("hist:keys=x if y>5"), "0=0", "");
	check_pairs(LIST("hist:keys=x if y > 5"), LIST("hist:keys=x"), "0!0",
		    "the filters or actions differ: \"if y > 5\" and \"none\"");
	check_pairs(LIST("hist:keys=x.log2"), LIST("hist:keys=x.buckets=8"), "0!0",
		    "the keys differ: \"keys=x.log2\" and \"keys=x.buckets=8\"");
	/* rows can be merged; the same buckets come first */
	check_pairs(LIST("hist:keys=x.buckets=8"), LIST("hist:keys=x.buckets=12"), "0=0", "");
	check_pairs(LIST("hist:keys=x.log2=3", "hist:keys=x.log2"), LIST("hist:keys=x.log2", "hist:keys=x.log2=5"),
		    "0=1 1=0", "");
	check_pairs(LIST("hist:keys=x.log2"), LIST("hist:keys=x.log2=3 if y"), "0!0",
		    "the keys differ: \"keys=x.log2\" and \"keys=x.log2=3\"");
	check_pairs(LIST("hist:keys=x", "hist:keys=z"), LIST("hist:keys=z", "hist:keys=y"),
		    "0!1 1=0", "the keys differ: \"keys=x\" and \"keys=y\"");
}

static void test_name_fits(void)
{
	CU_ASSERT_TRUE(hist_series_name_matches("kmem:kmalloc", "kmalloc"));
	CU_ASSERT_TRUE(hist_series_name_matches("kmem:kmalloc", "kmem:kmalloc"));
	CU_ASSERT_TRUE(hist_series_name_matches("kmem:kmalloc", "kmem/kmalloc"));
	CU_ASSERT_TRUE(hist_series_name_matches("kmem:kmalloc", "kmalloc#0"));
	CU_ASSERT_TRUE(hist_series_name_matches("kmem:kmalloc#1", "kmalloc"));
	CU_ASSERT_TRUE(hist_series_name_matches("kmem:kmalloc#1", "kmem:kmalloc#1"));
	CU_ASSERT_FALSE(hist_series_name_matches("kmem:kmalloc#1", "kmalloc#0"));
	CU_ASSERT_FALSE(hist_series_name_matches("kmem:kmalloc", "kmallo"));
	CU_ASSERT_FALSE(hist_series_name_matches("kmem:kmalloc", "kmem"));
	CU_ASSERT_FALSE(hist_series_name_matches("kmem:kmalloc", "malloc"));
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "keys with the same symbol, task name or system call name are one key in a comparison",
	  test_names },
	{ "codes are matched by name if all recordings have names, otherwise by number",
	  test_code_names },
	{ "the axis of a histogram keeps its numbers in a comparison", test_axis },
	{ "only a kernel address without a symbol counts as an address", test_addresses },
	{ "labels lose the suffixes of compilers and the worker numbers of kworkers", test_strip },
	{ "histograms pair up by trigger; a pair with different keys or filters is incomparable",
	  test_pairs },
	{ "the name of a histogram matches with or without its system and its number",
	  test_name_fits });
