// SPDX-License-Identifier: GPL-2.0
/*
 * live_merge_test.c - the CPU and the scope of a stream, and the order of the streams
 */
#include <string.h>

#include <CUnit/CUnit.h>

#include "lib/base/bytes.h"
#include "tracecmd/live/live_merge.h"
#include "utest/unit/lib/engine/engine_fixture.h"
#include "utest/unit/tests.h"

#define CPUS 2

/* A START (common_type 1) or an END (2) of the pair @num, at @time. */
struct moment {
	unsigned int type;
	uint64_t time, num;
};

struct merge_fixture {
	struct engine_fixture engine;
	const struct hist_event *start, *end;
	struct live_merge *merge;
};

/* Histograms: 0 all STARTs, 1 START, 2 END, 3 all ENDs, 4 the latencies with the CPU of END. */
static void merge_fixture_init(struct merge_fixture *m, unsigned int streams)
{
	struct engine_fixture *f = &m->engine;
	const struct hist_event *out;

	fixture_init(f, false, 8);
	m->start = fixture_event(f, "t:start", 1, "u64 num:8");
	m->end = fixture_event(f, "t:end", 2, "u64 num:8");
	out = fixture_synth(f, "out u64 num; u64 lat");
	CU_ASSERT_EQUAL_FATAL(fixture_add(f, m->start, "hist:keys=cpu,num"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(f, m->start, "hist:keys=num:ts=common_timestamp"), 1);
	CU_ASSERT_EQUAL_FATAL(fixture_add(f, m->end, "hist:keys=num:lat=common_timestamp-$ts:"
					  "onmatch(t.start).trace(out,num,$lat)"), 2);
	CU_ASSERT_EQUAL_FATAL(fixture_add(f, m->end, "hist:keys=cpu,num"), 3);
	CU_ASSERT_EQUAL_FATAL(fixture_add(f, out, "hist:keys=cpu,num,lat"), 4);
	m->merge = live_merge_new(CPUS, streams);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m->merge);
}

static void merge_fixture_clear(struct merge_fixture *m)
{
	live_merge_free(m->merge);
	fixture_clear(&m->engine);
}

static void put(unsigned char *to, uint64_t value, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[i] = value >> 8 * i;
}

/* A page of @stream with the events of @moments, which end with type 0. */
static void add_page(struct merge_fixture *m, unsigned int stream, const struct moment *moments)
{
	struct engine_fixture *f = &m->engine;
	unsigned char data[4096] = { 0 };
	struct hist_ring_page page;
	uint64_t time = moments->time;
	struct record r;
	size_t at = 16;

	put(data, time, 8);
	for (; moments->type; moments++) {
		record_begin(&r, f, moments->type == 1 ? m->start : m->end, 1);
		record_number(&r, "num", moments->num);
		put(data + at, (moments->time - time) << 5 | r.len / 4, 4);
		memcpy(data + at + 4, r.data, r.len);
		at += 4 + r.len;
		time = moments->time;
	}
	put(data + 8, at - 16, 8);
	CU_ASSERT_EQUAL_FATAL(hist_ring_page_begin(&page, &f->machine.layout, data, at), 0);
	CU_ASSERT_EQUAL_FATAL(live_merge_add(m->merge, stream, &page), 0);
}

#define PAGE(m, stream, ...) add_page(m, stream, (struct moment[]){ __VA_ARGS__, { 0 } })

static void count_until(struct merge_fixture *m, uint64_t until)
{
	if (!m->engine.run)
		CU_ASSERT_EQUAL_FATAL(hist_run_new(&m->engine.run, m->engine.engine), 0);
	CU_ASSERT_EQUAL(live_merge_count(m->merge, m->engine.run, until), 0);
}

/* Without a list of tasks: each CPU has one stream, and all triggers count. */
static void test_cpus(void)
{
	struct merge_fixture m;

	merge_fixture_init(&m, CPUS);
	PAGE(&m, 1, { 1, 100, 7 }, { 1, 300, 8 });
	PAGE(&m, 0, { 2, 250, 7 }, { 2, 320, 8 });
	count_until(&m, 300);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 4), "0 7 150: 1\n= 1 1 0\n");
	count_until(&m, UINT64_MAX);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 0), "1 7: 1\n1 8: 1\n= 2 2 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 3), "0 7: 1\n0 8: 1\n= 2 2 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 4), "0 7 150: 1\n0 8 20: 1\n= 2 2 0\n");
	merge_fixture_clear(&m);
}

/* The ENDs of the tasks are in both ring buffers of their CPU. */
static void test_scopes(void)
{
	struct merge_fixture m;

	merge_fixture_init(&m, 2 * CPUS);
	hist_engine_set_anywhere(m.engine.engine, 2);
	PAGE(&m, 1, { 1, 100, 7 }, { 1, 110, 8 }, { 2, 400, 8 });
	PAGE(&m, CPUS + 0, { 2, 50, 7 }, { 2, 180, 7 });
	PAGE(&m, CPUS + 1, { 1, 20, 9 }, { 2, 401, 8 }, { 2, 402, 9 });
	count_until(&m, UINT64_MAX);
	/* START and all ENDs only by the tasks, on CPU 1 */
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 0), "1 7: 1\n1 8: 1\n= 2 2 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 3), "1 8: 1\n= 1 1 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 4), "0 7 80: 1\n1 8 291: 1\n= 2 2 0\n");
	merge_fixture_clear(&m);
}

/* At the same time END is first, and ends the pair before. */
static void test_same_time(void)
{
	struct merge_fixture m;

	merge_fixture_init(&m, 2 * CPUS);
	hist_engine_set_anywhere(m.engine.engine, 2);
	PAGE(&m, 0, { 1, 100, 7 }, { 1, 130, 7 });
	PAGE(&m, CPUS, { 2, 100, 7 }, { 2, 130, 7 });
	PAGE(&m, CPUS + 1, { 2, 135, 7 });
	count_until(&m, UINT64_MAX);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&m.engine, 4), "0 7 30: 1\n1 7 5: 1\n= 2 2 0\n");
	merge_fixture_clear(&m);
}

UNIT_TESTS(
	{ "the events of all CPUs are counted in the order of their times, up to a time", test_cpus },
	{ "the first streams count for the tasks of a list, the others in any task, each on its CPU",
	  test_scopes },
	{ "at the same time an END in any task comes before a START", test_same_time });
