// SPDX-License-Identifier: GPL-2.0
/*
 * key_names_test.c - names of numbers go into a file, come back, and make labels and axes
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/analysis/axis.h"
#include "lib/expr/expr.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/series/series.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/tests.h"

static char path[] = "/tmp/trace-cmd-hist-key-names.XXXXXX";

/* A recording of softirq vectors in two snapshots; the second one has a new number. */
static void write_file(void)
{
	static const uint64_t vecs[] = { 1, 200, 9 };
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_NONE);
	struct hist_event *event = format_event("irq:6.12/events/irq/softirq_entry/format");
	struct hist_definition def = { .event = "irq:softirq_entry", .trigger = "hist:keys=vec",
				       .engine = "kernel", .clock = "mono", .instance = "i",
				       .uname = "Linux", .host = "box" };
	struct hist_series_writer *writer;
	struct tracedat_writer *dat;
	struct hist_snapshot snap = { 0 };
	struct hist_schema *schema;
	struct hist_table *table;
	struct hist_expr *expr;
	uint32_t entry;
	unsigned int i;
	int fd = open(path, O_RDWR | O_TRUNC);

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, def.trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, event), 0);
	hist_event_free(event);
	table = hist_table_new(schema);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&dat, fd, &contents), 0);
	CU_ASSERT_EQUAL_FATAL(hist_series_writer_new(&writer, dat), 0);
	CU_ASSERT_EQUAL_FATAL(hist_series_define(writer, &def, table), 0);
	for (i = 0; i < 3; i++) {
		struct hist_cell cell = { vecs[i], HIST_NO_STRING };

		CU_ASSERT_EQUAL_FATAL(hist_table_add(table, &cell, &entry), 0);
		CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&snap, schema, entry + 1), 0);
		snap.values[entry] = 5;
		snap.hits += 5;
		snap.entries = snap.nentries;
		snap.time += 1000;
		if (i) {
			CU_ASSERT_EQUAL(hist_series_add(writer, 0, &snap), 0);
			snap.seq++;
		}
	}
	CU_ASSERT_EQUAL(hist_series_finish(writer), 0);
	hist_series_writer_free(writer);
	tracedat_writer_free(dat);
	hist_snapshot_clear(&snap);
	hist_table_free(table);
	hist_schema_free(schema);
	hist_expr_free(expr);
	close(fd);
}

static void expect_label(const struct hist_table *table, uint32_t entry, const char *wanted)
{
	struct hist_strbuf b = { 0 };
	unsigned int width = hist_label_put(&b, table, 0, hist_table_cells(table, entry), 0);

	CU_ASSERT_EQUAL(width, strlen(wanted));
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, wanted);
	hist_strbuf_free(&b);
}

static void test_file(void)
{
	const struct hist_snapshot *snap;
	const struct hist_schema *schema;
	struct hist_cursor *cursor;
	struct hist_series *series;
	struct hist_error error = { 0 };
	int fd = mkstemp(path), raw;

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	write_file();
	for (raw = 0; raw < 2; raw++) {
		CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
		if (raw)
			hist_series_show_numbers(series);
		CU_ASSERT_EQUAL(hist_series_damage(series)->bad_sections, 0);
		schema = hist_series_info(series, 0)->def.schema;
		CU_ASSERT_EQUAL(hist_key_names_flags(schema->keys[0].names), HIST_NAMES_CODE);
		/* 200 does not have a name; 9 came with the second snapshot */
		CU_ASSERT_EQUAL(hist_key_names_count(schema->keys[0].names), 2);
		CU_ASSERT_EQUAL(hist_axis_key(schema), -1);
		CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, 0), 0);
		while (hist_cursor_next(cursor, &snap) == 1)
			;
		expect_label(hist_cursor_table(cursor), 0, raw ? "1" : "TIMER [1]");
		expect_label(hist_cursor_table(cursor), 1, "200");
		expect_label(hist_cursor_table(cursor), 2, raw ? "9" : "RCU [9]");
		hist_cursor_free(cursor);
		hist_series_free(series);
	}
	unlink(path);
}

static void test_list(void)
{
	struct hist_key_names *names = hist_key_names_new(HIST_NAMES_WHOLE, NULL);
	struct hist_key_desc key = { .names = names };
	char name[16];
	uint64_t i;
	size_t len;

	CU_ASSERT_PTR_NOT_NULL_FATAL(names);
	CU_ASSERT_FALSE(hist_key_shows_names(&key));
	for (i = 0; i < HIST_KEY_NAMES_MAX + 10; i++) {
		snprintf(name, sizeof(name), "n%d", (int)i);
		CU_ASSERT_EQUAL(hist_key_names_add(names, i * 7919 % 8191, name, strlen(name)), 0);
		/* the first name stays */
		CU_ASSERT_EQUAL(hist_key_names_add(names, i * 7919 % 8191, "x", 1), 0);
	}
	CU_ASSERT_EQUAL(hist_key_names_count(names), HIST_KEY_NAMES_MAX);
	CU_ASSERT(hist_key_shows_names(&key));
	for (i = 0; i < HIST_KEY_NAMES_MAX; i++) {
		const char *found = hist_key_find_name(&key, i * 7919 % 8191, &len);

		snprintf(name, sizeof(name), "n%d", (int)i);
		CU_ASSERT(found && len == strlen(name) && !memcmp(found, name, len));
	}
	CU_ASSERT_PTR_NULL(hist_key_find_name(&key, 1 << 20, &len));
	key.shows_numbers = true;
	CU_ASSERT_PTR_NULL(hist_key_find_name(&key, 0, &len));
	hist_key_names_put(names);
}

static void test_calls(void)
{
	struct hist_schema schema = { .nkeys = 1, .keys = { { .name = (char *)"id" } } };
	struct hist_cell cell = { .num = 20 };
	struct hist_table *table;
	uint32_t entry;

	schema.keys[0].kind = HIST_KEY_SYSCALL;
	schema.keys[0].names = hist_key_names_new(0, NULL);
	table = hist_table_new(&schema);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL(hist_table_intern(table, "sys_writev", 10, &cell.str), 0);
	CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
	expect_label(table, entry, "sys_writev [20]");
	CU_ASSERT_EQUAL(hist_key_names_set(schema.keys[0].names, 20, "sys_getpid", 10), 0);
	expect_label(table, entry, "sys_getpid [20]");
	CU_ASSERT_EQUAL(hist_key_names_set(schema.keys[0].names, 20, "both", 4), 0);
	CU_ASSERT_EQUAL(hist_key_names_set(schema.keys[0].names, 19, "other", 5), 0);
	expect_label(table, entry, "both [20]");
	CU_ASSERT_EQUAL(hist_key_names_count(schema.keys[0].names), 3);
	hist_table_schema(table)->keys[0].shows_numbers = true;
	expect_label(table, entry, "20");
	hist_table_free(table);
	hist_key_names_put(schema.keys[0].names);
}

UNIT_TESTS(
	{ "names of numbers are in the file, and a report shows them or the numbers", test_file },
	{ "a number keeps its first name, and a key has a limited number of names", test_list },
	{ "a system call has its last name instead of that of the kernel", test_calls });
