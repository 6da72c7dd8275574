// SPDX-License-Identifier: GPL-2.0
/*
 * engine_stack_test.c - keys and variables that are kernel stacks
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/engine/engine_fixture.h"
#include "utest/unit/tests.h"

#define STACK_ID 4
#define HARDIRQ 0x08

static struct hist_event *stack_event;

#define SYNTHETIC_ID 303

static int synthetic_id(void *data, unsigned int i)
{
	(void)data;
	return i ? -1 : SYNTHETIC_ID;
}

static void init(struct engine_fixture *f, bool big_endian, unsigned int long_size,
		 const char *uname)
{
	char fields[64], format[1024];

	fixture_init(f, big_endian, long_size);
	hist_engine_free(f->engine);
	snprintf(fields, sizeof(fields), "int size:-4%s;unsigned long caller[]:0",
		 long_size == 8 ? ";int pad:-4" : "");
	stack_event =
		(struct hist_event *)fixture_event(f, "ftrace:kernel_stack", STACK_ID, fields);
	f->machine.uname = uname;
	f->machine.synthetic_id = synthetic_id;
	f->machine.stack_format = format;
	f->machine.stack_format_len = fixture_format(format, sizeof(format), "ftrace:kernel_stack",
						     STACK_ID, fields);
	CU_ASSERT_EQUAL_FATAL(hist_engine_new(&f->engine, &f->machine), 0);
	/* the engine keeps no text */
	memset(format, 'x', sizeof(format));
}

static void event(struct engine_fixture *f, const struct hist_event *event, unsigned int cpu,
		  uint32_t pid, unsigned char flags, uint64_t q)
{
	struct record r;

	record_begin(&r, f, event, pid);
	r.data[2] = flags;
	record_number(&r, "q", q);
	fixture_hit(f, cpu, q, &r);
}

/* A kernel_stack of @n addresses from @first on. */
static void whole_stack(struct engine_fixture *f, unsigned int cpu, uint32_t pid,
			unsigned char flags, uint64_t first, unsigned int n)
{
	unsigned int i, j, size = f->machine.layout.long_size;
	struct record r;

	record_begin(&r, f, stack_event, pid);
	r.data[2] = flags;
	record_number(&r, "size", n);
	for (i = 0; i < n; i++, r.len += size)
		for (j = 0; j < size; j++)
			r.data[r.len + (f->machine.layout.big_endian ? size - 1 - j : j)] =
				j < 8 ? (first + i) >> 8 * j : 0;
	fixture_hit(f, cpu, 0, &r);
}

/* The stack of a hist trigger: the machine's kernel_stack has one address more. */
static void stack(struct engine_fixture *f, unsigned int cpu, uint32_t pid, unsigned char flags,
		  uint64_t first, unsigned int n)
{
	whole_stack(f, cpu, pid, flags, first - 1, n + 1);
}

static void rows(struct engine_fixture *f, unsigned int hist, const char *expected)
{
	CU_ASSERT_STRING_EQUAL(fixture_rows(f, hist), expected);
	if (strcmp(f->text, expected))
		printf("\n%s", f->text);
}

static void keys_of(bool big_endian, unsigned int long_size)
{
	struct engine_fixture f;
	const struct hist_event *ev, *other;

	init(&f, big_endian, long_size, NULL);
	ev = fixture_event(&f, "t:ev", 300, "u64 q:8");
	other = fixture_event(&f, "t:other", 301, "u64 q:8");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=common_stacktrace"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=q,common_stacktrace"), 1);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=cpu"), 2);
	event(&f, ev, 0, 1, 0, 5);
	stack(&f, 0, 1, 0, 0x100, 2);
	event(&f, ev, 1, 1, 0, 6);
	event(&f, ev, 0, 1, 0, 7); /* of another CPU */
	stack(&f, 1, 1, 0, 0x100, 2);
	stack(&f, 0, 1, 0, 0x200, 3);
	/* an interrupt comes between an event and its stack */
	event(&f, ev, 0, 1, 0, 5);
	event(&f, ev, 0, 1, HARDIRQ, 8);
	stack(&f, 0, 1, HARDIRQ, 0x300, 1);
	stack(&f, 0, 1, 0, 0x100, 2);
	/* one whose stack was lost: what needs none is counted */
	event(&f, ev, 0, 1, 0, 9);
	event(&f, other, 0, 1, 0, 9);
	stack(&f, 0, 1, 0, 0x100, 2);
	event(&f, ev, 0, 1, 0, 9);
	hist_run_end(f.run, 0);
	rows(&f, 0, "0x100/0x101: 3\n0x200/0x201/0x202: 1\n0x300: 1\n= 5 3 0\n");
	rows(&f, 1,
	     "5 0x100/0x101: 2\n6 0x100/0x101: 1\n7 0x200/0x201/0x202: 1\n8 0x300: 1\n= 5 4 0\n");
	rows(&f, 2, "0: 6\n1: 1\n= 7 2 0\n");
	fixture_clear(&f);
}

/* Two ring buffers of one CPU: the stacks of the one do not belong to the events of the other. */
static void test_scopes(void)
{
	const struct hist_event *tasks, *any;
	struct engine_fixture f;

	init(&f, false, 8, NULL);
	tasks = fixture_event(&f, "t:tasks", 300, "u64 q:8");
	any = fixture_event(&f, "t:any", 301, "u64 q:8");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, tasks, "hist:keys=cpu,q,common_stacktrace"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, any, "hist:keys=cpu,q,common_stacktrace"), 1);
	hist_engine_set_anywhere(f.engine, 1);
	f.scope = HIST_RUN_TASKS;
	event(&f, tasks, 3, 1, 0, 5);
	f.scope = HIST_RUN_ANYWHERE;
	event(&f, any, 3, 1, 0, 6);
	f.scope = HIST_RUN_TASKS;
	stack(&f, 3, 1, 0, 0x100, 2);
	f.scope = HIST_RUN_ANYWHERE;
	stack(&f, 3, 1, 0, 0x200, 2);
	rows(&f, 0, "3 5 0x100/0x101: 1\n= 1 1 0\n");
	rows(&f, 1, "3 6 0x200/0x201: 1\n= 1 1 0\n");
	fixture_clear(&f);
}

static void test_keys(void)
{
	keys_of(false, 8);
	keys_of(true, 8);
	keys_of(false, 4);
	keys_of(true, 4);
}

static void skip_one(const char *uname)
{
	struct engine_fixture f;
	const struct hist_event *ev;

	init(&f, false, 8, uname);
	ev = fixture_event(&f, "t:ev", 300, "u64 q:8");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=common_stacktrace"), 0);
	event(&f, ev, 0, 1, 0, 5);
	whole_stack(&f, 0, 1, 0, 0x100, 3);
	rows(&f, 0, "0x101/0x102: 1\n= 1 1 0\n");
	fixture_clear(&f);
}

/* The innermost are those of the way to where the stack is taken. */
static void test_skip(void)
{
	struct engine_fixture f;
	const struct hist_event *ev, *probe;

	skip_one(NULL);
	skip_one("Linux host 6.12.1 aarch64");
	init(&f, false, 8, "Linux host 6.12.1 x86_64");
	ev = fixture_event(&f, "t:ev", 300, "u64 q:8");
	probe = fixture_event(&f, "kprobes:p", 301, "unsigned long __probe_ip:8");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=common_stacktrace"), 0);
	event(&f, ev, 0, 1, 0, 5);
	whole_stack(&f, 0, 1, 0, 0x100, 3);
	event(&f, ev, 0, 1, 0, 5);
	whole_stack(&f, 0, 1, 0, 0x101, 2);
	event(&f, ev, 0, 1, 0, 5);
	whole_stack(&f, 0, 1, 0, 0x101, 1);
	event(&f, ev, 0, 1, 0, 5);
	whole_stack(&f, 0, 1, 0, 0x100, 30);
	fixture_rows(&f, 0);
	CU_ASSERT_EQUAL(strncmp(f.text, "0x102: 1\n: 2\n0x102/0x103/", 25), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(f.text, "/0x111: 1\n"));
	CU_ASSERT_EQUAL(fixture_add(&f, probe, "hist:keys=common_stacktrace"), -EOPNOTSUPP);
	fixture_clear(&f);
}

/* 16 addresses are in a key; of one that is passed on in an event, 15. */
static void test_depth(void)
{
	const struct hist_event *ev, *synth;
	struct engine_fixture f;
	const char *last;

	init(&f, false, 8, NULL);
	ev = fixture_event(&f, "t:ev", 300, "u64 q:8");
	synth = fixture_synth(&f, "out u64 num; unsigned long[] st");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=common_stacktrace"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev,
					  "hist:keys=common_pid:n=q,s=common_stacktrace:"
					  "onchange($n).trace(out,$n,$s)"),
			      1);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, synth, "hist:keys=num,st.stacktrace"), 2);
	event(&f, ev, 0, 1, 0, 5);
	stack(&f, 0, 1, 0, 0x100, 20);
	event(&f, ev, 0, 1, 0, 6);
	stack(&f, 0, 1, 0, 0x200, 2);
	fixture_rows(&f, 0);
	last = strchr(f.text, ':');
	CU_ASSERT_EQUAL(strncmp(last - 6, "/0x10f: 1", 9), 0);
	fixture_rows(&f, 2);
	last = strchr(f.text, ':');
	CU_ASSERT_EQUAL(strncmp(f.text, "5 0x100/0x101/", 14), 0);
	CU_ASSERT_EQUAL(strncmp(last - 6, "/0x10e: 1", 9), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(f.text, "6 0x200/0x201: 1\n= 2 2 0\n"));
	CU_ASSERT_EQUAL(fixture_add(&f, synth, "hist:keys=common_stacktrace"), -EOPNOTSUPP);
	fixture_clear(&f);
}

/* The trace() of a trigger on the event records another one, and its stack, before the stack. */
static void test_synthetic(void)
{
	const struct hist_event *ev, *made;
	struct hist_run_counts counts;
	struct engine_fixture f;

	init(&f, false, 8, NULL);
	ev = fixture_event(&f, "t:ev", 300, "u64 q:8");
	made = fixture_event(&f, "synthetic:made", SYNTHETIC_ID, "u64 q:8");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=q,common_stacktrace"), 0);
	event(&f, ev, 0, 1, 0, 5);
	event(&f, made, 0, 1, 0, 50);
	stack(&f, 0, 1, 0, 0x200, 2);
	event(&f, made, 0, 1, 0, 51);
	stack(&f, 0, 1, 0, 0x300, 2);
	stack(&f, 0, 1, 0, 0x100, 2);
	/* in each context that interrupts the one before, and one more before the end */
	event(&f, ev, 0, 1, 0, 6);
	event(&f, made, 0, 1, 0, 60);
	event(&f, ev, 0, 1, 0x10, 7);
	event(&f, made, 0, 1, 0x10, 70);
	event(&f, ev, 0, 1, HARDIRQ, 8);
	event(&f, made, 0, 1, HARDIRQ, 80);
	event(&f, ev, 0, 1, 0x40, 9);
	event(&f, made, 0, 1, 0x40, 90);
	stack(&f, 0, 1, 0x40, 0x200, 1);
	stack(&f, 0, 1, 0x40, 0x109, 1);
	stack(&f, 0, 1, HARDIRQ, 0x200, 1);
	stack(&f, 0, 1, HARDIRQ, 0x108, 1);
	stack(&f, 0, 1, 0x10, 0x200, 1);
	stack(&f, 0, 1, 0x10, 0x107, 1);
	stack(&f, 0, 1, 0, 0x200, 1);
	stack(&f, 0, 1, 0, 0x106, 1);
	event(&f, made, 0, 1, 0, 99); /* nothing waits */
	stack(&f, 0, 1, 0, 0x200, 1);
	hist_run_end(f.run, 0);
	hist_run_get_counts(f.run, &counts);
	CU_ASSERT_EQUAL(counts.no_stack, 0);
	rows(&f, 0, "5 0x100/0x101: 1\n9 0x109: 1\n8 0x108: 1\n7 0x107: 1\n6 0x106: 1\n= 5 5 0\n");
	fixture_clear(&f);
}

static void test_lost(void)
{
	struct hist_run_counts counts;
	struct engine_fixture f;
	const struct hist_event *ev;

	init(&f, false, 8, NULL);
	ev = fixture_event(&f, "t:ev", 300, "u64 q:8");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, ev, "hist:keys=common_stacktrace"), 0);
	event(&f, ev, 0, 1, 0, 5);
	event(&f, ev, 0, 2, 0, 5);
	stack(&f, 0, 1, 0, 0x100, 2); /* of another task than the last */
	hist_run_end(f.run, 0);
	hist_run_get_counts(f.run, &counts);
	CU_ASSERT_EQUAL(counts.no_stack, 2);
	CU_ASSERT_EQUAL(counts.matched, 2);
	rows(&f, 0, "= 0 0 0\n");
	fixture_clear(&f);
}

UNIT_TESTS(
	{ "each event gets its own kernel stack, also across CPUs, interrupts and lost stacks",
	  test_keys },
	{ "an event gets its own kernel stack if another ring buffer of its CPU has events between",
	  test_scopes },
	{ "an event gets its own kernel stack if synthetic events and their stacks are between",
	  test_synthetic },
	{ "a stack key leaves out the innermost addresses: two on x86_64, one elsewhere",
	  test_skip },
	{ "a stack key has 16 addresses, and a stack from a synthetic event has 15", test_depth },
	{ "an event is counted as without a stack if its stack is missing or of another task",
	  test_lost });
