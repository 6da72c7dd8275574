// SPDX-License-Identifier: GPL-2.0
/*
 * engine_run_test.c - sizes and drops, several runs together, pages, stacks, and no memory
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/base/bytes.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/engine/engine_fixture.h"
#include "utest/unit/tests.h"

#define FIELDS "u64 q:8;u64 bytes:8;char arr[8]:8"

static void hit_run(struct engine_fixture *f, struct hist_run *run, const struct hist_event *event,
		    uint64_t q)
{
	struct record r;

	record_begin(&r, f, event, 1);
	record_number(&r, "q", q);
	record_number(&r, "bytes", q);
	CU_ASSERT_EQUAL(hist_run_count_event(run, 0, HIST_RUN_ALL, 0, r.data, r.len), 0);
}

/* size=100 is 128; what finds no room is dropped, and what is there goes on. */
static void test_size(void)
{
	struct engine_fixture f;
	const struct hist_event *event;
	char end[32];
	uint64_t i;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 1, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=q:size=100"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=q,arr"), 1);
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&f.run, f.engine), 0);
	for (i = 0; i < 3000; i++)
		hit_run(&f, f.run, event, i * 0x100000001);
	for (i = 0; i < 3000; i += 100)
		hit_run(&f, f.run, event, i * 0x100000001);
	fixture_rows(&f, 0);
	/* 0 and 100 twice */
	snprintf(end, sizeof(end), "= 130 128 2900\n");
	CU_ASSERT_STRING_EQUAL(strchr(f.text, '='), end);
	CU_ASSERT_PTR_NOT_NULL(strstr(f.text, "429496729700: 2\n"));
	CU_ASSERT_PTR_NULL(strstr(f.text, "549755814016: "));
	fixture_clear(&f);
}

static void fill(struct engine_fixture *f, struct hist_run **runs, const struct hist_event *event,
		 unsigned int from, unsigned int to, unsigned int shift)
{
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(hist_run_new(&runs[0], f->engine), 0);
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&runs[1], f->engine), 0);
	hist_run_refuse_overflow(runs[0]);
	hist_run_refuse_overflow(runs[1]);
	for (i = from; i < to; i++) {
		hit_run(f, runs[0], event, i);
		hit_run(f, runs[1], event, i + shift);
	}
}

/* Keys of both are one; more than the size in both together cannot be had this way. */
static void test_together(void)
{
	struct engine_fixture f;
	const struct hist_event *event;
	struct hist_run *runs[2];
	struct record r;
	unsigned int i;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 1, FIELDS);
	CU_ASSERT_EQUAL_FATAL(
		fixture_add(&f, event, "hist:keys=q:vals=bytes,bytes.percent:size=128"), 0);
	CU_ASSERT_FALSE(hist_engine_is_ordered(f.engine));
	fill(&f, runs, event, 1, 4, 2);
	CU_ASSERT_STRING_EQUAL(fixture_rows_of(&f, runs, 2, 0),
			       "1: 1 1 555\n2: 1 2 1111\n3: 2 6 3333\n4: 1 4 2222\n"
			       "5: 1 5 2777\n= 6 5 0\n");
	hist_run_free(runs[0]);
	hist_run_free(runs[1]);
	/* 128 keys fit, 129 do not */
	fill(&f, runs, event, 0, 100, 28);
	CU_ASSERT_STRING_EQUAL(strchr(fixture_rows_of(&f, runs, 2, 0), '='), "= 200 128 0\n");
	hit_run(&f, runs[0], event, 1000);
	CU_ASSERT_STRING_EQUAL(fixture_rows_of(&f, runs, 2, 0), "error -75\n");
	CU_ASSERT_EQUAL(EOVERFLOW, 75);
	hist_run_free(runs[0]);
	hist_run_free(runs[1]);
	/* one that was bound to its size and dropped some */
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&runs[0], f.engine), 0);
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&runs[1], f.engine), 0);
	for (i = 0; i < 129; i++)
		hit_run(&f, runs[0], event, i);
	CU_ASSERT_STRING_EQUAL(fixture_rows_of(&f, runs, 2, 0), "error -75\n");
	CU_ASSERT_STRING_EQUAL(strchr(fixture_rows_of(&f, runs, 1, 0), '='), "= 128 128 1\n");
	hist_run_free(runs[0]);
	hist_run_free(runs[1]);
	/* one run that would go beyond: what has room is another than in order */
	fill(&f, runs, event, 0, 127, 0);
	CU_ASSERT_FALSE(hist_run_is_full(runs[0]));
	hit_run(&f, runs[0], event, 127);
	CU_ASSERT_TRUE(hist_run_is_full(runs[0]));
	record_begin(&r, &f, event, 1);
	record_number(&r, "q", 128);
	CU_ASSERT_EQUAL(hist_run_count_event(runs[0], 0, HIST_RUN_ALL, 0, r.data, r.len), -EOVERFLOW);
	CU_ASSERT_STRING_EQUAL(fixture_rows_of(&f, runs, 1, 0), "error -75\n");
	hist_run_free(runs[0]);
	hist_run_free(runs[1]);
	fixture_clear(&f);
}

/* The second snapshot has what came since, under the same entries; another table begins anew. */
static void test_again(void)
{
	struct hist_snapshot snap = { 0 };
	struct hist_table *tables[2];
	struct engine_fixture f;
	const struct hist_event *event;
	unsigned int i;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 1, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=q"), 0);
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&f.run, f.engine), 0);
	for (i = 0; i < 2; i++)
		tables[i] = hist_table_new(hist_engine_schema(f.engine, 0));
	for (i = 0; i < 3; i++) {
		hit_run(&f, f.run, event, 5);
		hit_run(&f, f.run, event, 100 + i);
		CU_ASSERT_EQUAL_FATAL(hist_engine_snapshot(&f.run, 1, 0, tables[i / 2], &snap), 0);
		CU_ASSERT_EQUAL(snap.nentries, i + 2);
		CU_ASSERT_EQUAL(snap.values[0], i + 1);
		CU_ASSERT_EQUAL(snap.values[1], 1);
		CU_ASSERT_EQUAL(hist_table_cells(tables[i / 2], 0)->num, 5);
		CU_ASSERT_EQUAL(hist_table_cells(tables[i / 2], i + 1)->num, 100 + i);
		CU_ASSERT_EQUAL(snap.hits, 2 * i + 2);
		CU_ASSERT_EQUAL(snap.entries, i + 2);
	}
	hist_snapshot_clear(&snap);
	hist_table_free(tables[0]);
	hist_table_free(tables[1]);
	fixture_clear(&f);
}

/* A page of @n events 10 apart, made as rb_update_event() does. */
static size_t make_page(unsigned char *page, struct engine_fixture *f,
			const struct hist_event *event, unsigned int n)
{
	bool big = f->machine.layout.big_endian;
	struct record r;
	size_t at = 16;
	unsigned int i, j;
	uint32_t head;

	memset(page, 0, 16);
	for (i = 0; i < n; i++) {
		record_begin(&r, f, event, 1);
		record_number(&r, "q", i);
		head = big ? (r.len / 4) << 27 | 10 : 10 << 5 | r.len / 4;
		for (j = 0; j < 4; j++)
			page[at + j] = head >> 8 * (big ? 3 - j : j);
		memcpy(page + at + 4, r.data, r.len);
		at += 4 + r.len;
	}
	for (j = 0; j < 2; j++)
		page[big ? 15 - j : 8 + j] = (at - 16) >> 8 * j;
	return at;
}

static void pages_of(bool big_endian)
{
	struct engine_fixture f;
	const struct hist_event *event, *other;
	struct hist_run_counts counts;
	unsigned char data[4096];
	struct hist_ring_page page;
	bool skips;
	size_t len;

	fixture_init(&f, big_endian, 8);
	skips = !big_endian && !f.machine.layout.swap;
	event = fixture_event(&f, "t:ev", 300, FIELDS);
	other = fixture_event(&f, "t:other", 301, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=q:vals=common_timestamp"), 0);
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&f.run, f.engine), 0);
	len = make_page(data, &f, event, 5);
	CU_ASSERT_EQUAL_FATAL(hist_ring_page_begin(&page, &f.machine.layout, data, len), 0);
	/* 10, 20, 30, 40, 50: stops before the one at 40 */
	CU_ASSERT_EQUAL(hist_run_count_page(f.run, 0, &page, 20, 40), 1);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), "1: 1 20\n2: 1 30\n= 2 2 0\n");
	CU_ASSERT_EQUAL(hist_run_count_page(f.run, 0, &page, 0, UINT64_MAX), 0);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0),
			       "1: 1 20\n2: 1 30\n3: 1 40\n4: 1 50\n= 4 4 0\n");
	/* of others nothing is counted but that they were there */
	len = make_page(data, &f, other, 3);
	CU_ASSERT_EQUAL_FATAL(hist_ring_page_begin(&page, &f.machine.layout, data, len), 0);
	/* 10, 20, 30: the one at 30 is left */
	CU_ASSERT_EQUAL(hist_run_skip_events(f.run, &page, 30), skips);
	CU_ASSERT_EQUAL(page.time, skips ? 20 : 0);
	CU_ASSERT_EQUAL(hist_run_count_page(f.run, 0, &page, 0, UINT64_MAX), 0);
	hist_run_get_counts(f.run, &counts);
	CU_ASSERT_EQUAL(counts.events, 7);
	CU_ASSERT_EQUAL(counts.matched, 4);
	fixture_clear(&f);
}

/* More keys than caches hold are looked for ahead, known ones and new ones. */
static void test_many_keys(void)
{
	enum { KEYS = 5000 };
	struct hist_snapshot snap = { 0 };
	const struct hist_event *event;
	struct engine_fixture f;
	unsigned char data[4096];
	struct hist_table *table;
	struct hist_ring_page page;
	struct record r;
	uint32_t i;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 300, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=q:size=8192"), 0);
	for (i = 0; i < 2 * KEYS; i++) {
		record_begin(&r, &f, event, 1);
		record_number(&r, "q", 3 + i % KEYS);
		fixture_hit(&f, 0, 10 + i, &r);
	}
	/* keys 0 to 4 */
	CU_ASSERT_EQUAL_FATAL(hist_ring_page_begin(&page, &f.machine.layout, data,
						   make_page(data, &f, event, 5)), 0);
	CU_ASSERT_EQUAL(hist_run_count_page(f.run, 0, &page, 0, UINT64_MAX), 0);
	table = hist_table_new(hist_engine_schema(f.engine, 0));
	CU_ASSERT_FATAL(table != NULL);
	CU_ASSERT_EQUAL(hist_engine_snapshot(&f.run, 1, 0, table, &snap), 0);
	CU_ASSERT_EQUAL(snap.hits, 2 * KEYS + 5);
	CU_ASSERT_EQUAL_FATAL(snap.nentries, KEYS + 3);
	for (i = 0; i < KEYS; i++)
		CU_ASSERT_EQUAL(snap.values[i], i < 2 ? 3 : 2);
	for (; i < KEYS + 3; i++)
		CU_ASSERT(hist_table_cells(table, i)->num == i - KEYS && snap.values[i] == 1);
	hist_snapshot_clear(&snap);
	hist_table_free(table);
	fixture_clear(&f);
}

static void test_pages(void)
{
	pages_of(false);
	pages_of(true);
}

static void make_parts(struct engine_fixture *f)
{
	static char format[1024];

	fixture_init(f, false, 8);
	f->machine.uname = "Linux host 6.12.1 x86_64";
	f->machine.stack_format = format;
	f->machine.stack_format_len = fixture_format(format, sizeof(format), "ftrace:kernel_stack",
						     4, "int size:-4;unsigned long caller[]:0");
	fixture_event(f, "t:ev", 300, FIELDS);
	fixture_synth(f, "out u64 num; char[] name");
	hist_expr_parse(&f->exprs[0], "hist:keys=q:v=bytes,who=arr if arr ~ \"*\"", NULL);
	hist_expr_parse(&f->exprs[1],
			"hist:keys=q:d=bytes-$v:onmatch(t.ev).trace(out,$d,t.ev.arr):"
			"onmax($d).save(arr,bytes)",
			NULL);
	hist_expr_parse(&f->exprs[2], "hist:keys=num,name", NULL);
	hist_switch_parse(&f->switches[0], "enable_hist:t:ev", NULL);
	f->nexprs = 3;
	f->nswitches = 1;
}

/* Everything that is made of them, and what comes of that. */
static int all_of_it(const struct engine_fixture *f)
{
	struct hist_snapshot snap = { 0 };
	struct hist_engine *engine = NULL;
	struct hist_table *table = NULL;
	struct hist_run *run = NULL;
	struct record r;
	unsigned int i;
	int ret;

	ret = hist_engine_new(&engine, &f->machine);
	if (!ret)
		ret = hist_engine_add_synth(engine, f->synths[0]);
	if (!ret)
		ret = hist_engine_add(engine, f->events[0], f->exprs[0], NULL);
	if (ret >= 0)
		ret = hist_engine_add(engine, f->events[0], f->exprs[1], NULL);
	if (ret >= 0)
		ret = hist_engine_add(engine, f->events[1], f->exprs[2], NULL);
	if (ret >= 0)
		ret = hist_engine_add_switch(engine, f->events[0], f->switches[0], NULL);
	if (!ret)
		ret = hist_run_new(&run, engine);
	for (i = 0; !ret && i < 200; i++) {
		record_begin(&r, f, f->events[0], 1);
		record_number(&r, "q", i);
		record_string(&r, "arr", "name");
		ret = hist_run_count_event(run, 0, HIST_RUN_ALL, i, r.data, r.len);
	}
	for (i = 0; !ret && i < 3; i++) {
		table = hist_table_new(hist_engine_schema(engine, i));
		ret = table ? hist_engine_snapshot(&run, 1, i, table, &snap) : -ENOMEM;
		if (!ret && (snap.hits != 200 || snap.entries != (i == 2 ? 1 : 200)))
			ret = -EBADMSG;
		hist_snapshot_clear(&snap);
		hist_table_free(table);
	}
	hist_run_free(run);
	hist_engine_free(engine);
	return ret;
}

/* Every allocation fails once: no leak, no crash. */
static void test_no_memory(void)
{
	struct engine_fixture f;
	long i, n;

	make_parts(&f);
	alloc_fail_after(-1);
	CU_ASSERT_EQUAL(all_of_it(&f), 0);
	n = alloc_fail_seen();
	CU_ASSERT(n > 100);
	for (i = 0; i < n; i++) {
		alloc_fail_after(i);
		if (all_of_it(&f) != -ENOMEM) {
			alloc_fail_after(-1);
			printf("\nallocation %ld of %ld\n", i, n);
			CU_FAIL("not -ENOMEM");
		}
	}
	alloc_fail_after(-1);
	fixture_clear(&f);
}

/* Values that were watched, as "1 5 ". */
static int take_watched(void *arg, unsigned int cpu, uint64_t time, const unsigned char *data,
			uint32_t len)
{
	char *text = arg;
	uint64_t q;

	(void)time;
	CU_ASSERT_EQUAL(cpu, 0);
	CU_ASSERT_TRUE(len >= 24);
	q = bytes_u64(false, data + 8);
	sprintf(text + strlen(text), "%d ", (int)q);
	return q == 99 ? -EIO : 0;
}

static void test_watch(void)
{
	struct engine_fixture f;
	const struct hist_event *event;
	struct hist_expr *expr;
	struct hist_error error = { 0 };
	char seen[64] = "";
	struct record r;
	uint64_t i;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 1, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=q"), 0);
	CU_ASSERT_FALSE(hist_engine_is_ordered(f.engine));
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, "hist:keys=common_pid if q >= 3 && q != 4", &error), 0);
	CU_ASSERT_EQUAL(hist_engine_watch(f.engine, event, expr, take_watched, seen, &error), 0);
	CU_ASSERT_TRUE(hist_engine_is_ordered(f.engine));
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&f.run, f.engine), 0);
	for (i = 0; i < 6; i++)
		hit_run(&f, f.run, event, i);
	CU_ASSERT_STRING_EQUAL(seen, "3 5 ");
	/* the histogram counts all of them */
	fixture_rows(&f, 0);
	CU_ASSERT_STRING_EQUAL(strchr(f.text, '='), "= 6 6 0\n");
	/* the error of the receiver ends the count */
	record_begin(&r, &f, event, 1);
	record_number(&r, "q", 99);
	CU_ASSERT_EQUAL(hist_run_count_event(f.run, 0, HIST_RUN_ALL, 0, r.data, r.len), -EIO);
	fixture_clear(&f);
	hist_expr_free(expr);
	/* a field that the event lacks is refused, and the engine remains usable */
	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 1, FIELDS);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, "hist:keys=common_pid if nope > 1", &error), 0);
	CU_ASSERT_EQUAL(hist_engine_watch(f.engine, event, expr, take_watched, seen, &error), -EOPNOTSUPP);
	CU_ASSERT_EQUAL(fixture_add(&f, event, "hist:keys=q"), 0);
	fixture_clear(&f);
	hist_expr_free(expr);
}

UNIT_TESTS(
	{ "a watch passes the events that match its filter, in addition to the histograms", test_watch },
	{ "size=100 holds 128 keys; hits of further keys are dropped, and known keys still count",
	  test_size },
	{ "runs that are merged add equal keys, and fail if their keys exceed the size",
	  test_together },
	{ "later snapshots keep the entries of a table, and another table gets all entries",
	  test_again },
	{ "the events of a page are counted within a time range, in both byte orders",
	  test_pages },
	{ "a page with known and new keys is counted exactly in a table of 5000 keys",
	  test_many_keys },
	{ "each failed allocation of an engine, run or snapshot is reported as -ENOMEM",
	  test_no_memory });
