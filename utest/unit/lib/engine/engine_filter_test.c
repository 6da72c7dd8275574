// SPDX-License-Identifier: GPL-2.0
/*
 * engine_filter_test.c - filters as kernels apply them
 *
 * What is expected follows from parse_pred() and the filter_pred_*() functions of
 * kernel/trace/trace_events_filter.c, and glob_match_len() in lib/glob.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/engine/engine_fixture.h"
#include "utest/unit/tests.h"

#define FIELDS                                                                           \
	"u8 b:1;s8 sb:-1;u16 w:2;s16 sw:-2;u16 pad:2;u32 l:4;int sl:-4;u64 q:8;"         \
	"long long sq:-8;char arr[8]:8;__data_loc char[] name:4;__rel_loc char[] rel:4;" \
	"__data_loc cpumask_t mask:4;unsigned long ip:8;char * p:8"

static const struct {
	const char *filter, *field;
	uint64_t value;
	bool passes;
} number_cases[] = {
	{ "b == 255", "b", 255, true },
	{ "b == 256", "b", 0, true }, /* in the width of the field */
	{ "sb == -1", "sb", 255, true },
	{ "sb < 0", "sb", 128, true },
	{ "sb > 0", "sb", 128, false },
	{ "b > 127", "b", 128, true },
	{ "w >= 0x8000", "w", 0x8000, true },
	{ "w <= 0x7fff", "w", 0x8000, false },
	{ "sw < -5", "sw", 0xfffa, true },
	{ "sw <= -6", "sw", 0xfffa, true },
	{ "sw < -6", "sw", 0xfffa, false },
	{ "l == 010", "l", 8, true }, /* octal */
	{ "l != 8", "l", 8, false },
	{ "l > 0x7fffffff", "l", 0x80000000, true },
	{ "sl > 0x7ffffffe", "sl", 0x80000000, false },
	{ "sl == 0xffffffff", "sl", 0xffffffff, true },
	{ "q == 18446744073709551615", "q", UINT64_MAX, true },
	{ "q > 9223372036854775807", "q", UINT64_MAX, true },
	{ "sq < 0", "sq", UINT64_MAX, true },
	{ "sq & 0x10", "sq", 0x30, true },
	{ "sq & 0x10", "sq", 0x20, false },
	{ "b & 1 && w == 0", "b", 3, true },
	{ "b & 1 && w == 1", "b", 3, false },
	{ "b & 1 || w == 1", "b", 3, true },
	{ "!(b & 1 || w == 1)", "b", 3, false },
	{ "!(b & 4) && !(w == 1)", "b", 3, true },
	{ "w == 1 || b == 3 && q == 1", "b", 3, false },
	{ "common_pid == 7", "b", 0, true },
	{ "common_type != 310", "b", 0, false },
	/* the CPU is 3 */
	{ "cpu == 3", "b", 0, true },
	{ "common_cpu > 3", "b", 0, false },
	{ "CPU & 1", "b", 0, false }, /* filter_pred_cpu() knows no & */
	{ "cpu == CPUS{3}", "b", 0, true },
	{ "cpu & CPUS{3}", "b", 0, true }, /* one CPU: == in place of & */
	{ "cpu & CPUS{0-2,4}", "b", 0, false },
	{ "cpu & CPUS{0-3}", "b", 0, true },
	{ "cpu == CPUS{2-3}", "b", 0, false }, /* one is never several */
	{ "cpu != CPUS{2-3}", "b", 0, true },
	{ "cpu & CPUS{0-7:1/2}", "b", 0, false }, /* 0, 2, 4, 6 */
	{ "cpu & CPUS{1-7:1/2}", "b", 0, true },
	{ "cpu & CPUS{all}", "b", 0, true },
	{ "cpu & CPUS{0-N}", "b", 0, true },
	{ "l == CPUS{5}", "l", 5, true },
	{ "l & CPUS{5}", "l", 7, false },
	{ "l & CPUS{4-5}", "l", 5, true },
	{ "l != CPUS{4-5}", "l", 6, true },
	{ "l != CPUS{4-5}", "l", 8, false }, /* the machine has 8 */
};

static const struct {
	const char *filter, *field, *value;
	bool passes;
} string_cases[] = {
	{ "arr == \"ab\"", "arr", "ab", true },
	{ "arr == \"ab\"", "arr", "abc", false },
	{ "arr == \"abcdefgh\"", "arr", "abcdefgh", true }, /* no NUL behind it */
	{ "arr == \"abcdefghi\"", "arr", "abcdefgh", false },
	{ "arr != 'ab'", "arr", "ab", false },
	{ "arr ~ \"ab\"", "arr", "ab", true },
	{ "arr ~ \"a*\"", "arr", "ab", true },
	{ "arr ~ \"b*\"", "arr", "ab", false },
	{ "arr ~ \"*b*\"", "arr", "abc", true },
	/* looks at the end of the array, not of the string */
	{ "arr ~ \"*c\"", "arr", "abc", false },
	{ "arr ~ \"*g\"", "arr", "abcdefg", true },
	{ "name ~ \"*c\"", "name", "abc", true },
	{ "name ~ \"*abc\"", "name", "abc", true },
	{ "name ~ \"*xabc\"", "name", "abc", false },
	{ "name ~ \"!*c\"", "name", "abc", false },
	{ "name ~ \"!*d\"", "name", "abc", true },
	/* what begins with a digit is no pattern */
	{ "name ~ \"1*\"", "name", "12", false },
	{ "name ~ \"1*\"", "name", "1*", true },
	{ "name ~ \"a*c\"", "name", "abbc", true },
	{ "name ~ \"a*c\"", "name", "abbcd", false },
	{ "name ~ \"a*bc*d\"", "name", "abbcxbcd", true },
	{ "name ~ \"a?c\"", "name", "abc", true },
	{ "name ~ \"a?c\"", "name", "ac", false },
	{ "name ~ \"[a-c]x\"", "name", "bx", true },
	{ "name ~ \"[!a-c]x\"", "name", "bx", false },
	{ "name ~ \"[]a]x\"", "name", "]x", true },
	{ "name ~ \"[ax\"", "name", "[ax", true }, /* no class */
	{ "name ~ \"a\\*\"", "name", "a*", true },
	{ "name ~ \"a\\*\"", "name", "ab", false },
	{ "name ~ \"?*\"", "name", "", false },
	{ "name ~ \"*\"", "name", "", true },
	{ "name == \"\"", "name", "", true },
	{ "rel == \"behind\"", "rel", "behind", true },
	{ "rel ~ \"*hin*\"", "rel", "behind", true },
	{ "comm == \"seven\"", "arr", "", true },
	{ "COMM ~ \"s*n\"", "arr", "", true },
	{ "comm != \"eight\"", "arr", "", true },
};

static const char *comm(void *data, uint32_t pid)
{
	(void)data;
	return pid == 7 ? "seven" : NULL;
}

static int symbol(void *data, uint64_t address, struct hist_symbol *symbol)
{
	(void)data;
	if (address < 0x100 || address >= 0x300)
		return -ENOENT;
	*symbol = (struct hist_symbol){ .name = address < 0x200 ? "one" : "two [mod]",
					.offset = address & 0xff, .size = 0x100 };
	return 0;
}

static const struct hist_event *begin(struct engine_fixture *f, bool big_endian)
{
	fixture_init(f, big_endian, 8);
	hist_engine_free(f->engine);
	f->machine.comm = comm;
	f->machine.symbol = symbol;
	f->machine.cpus = 8;
	CU_ASSERT_EQUAL_FATAL(hist_engine_new(&f->engine, &f->machine), 0);
	return fixture_event(f, "t:ev", 310, FIELDS);
}

static int add(struct engine_fixture *f, const struct hist_event *event, const char *filter)
{
	char trigger[256];

	snprintf(trigger, sizeof(trigger), "hist:keys=common_pid if %s", filter);
	return fixture_add(f, event, trigger);
}

/* common_comm: the name of the task that the event is of, as filters see it. */
static void test_comm_key(void)
{
	static const uint32_t pids[] = { 7, 8, 7, 0, 7 };
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;
	unsigned int i, order;

	for (order = 0; order < 2; order++) {
		event = begin(&f, order);
		CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=common_comm"), 0);
		CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=comm,b if COMM == \"seven\""), 1);
		for (i = 0; i < sizeof(pids) / sizeof(*pids); i++) {
			record_begin(&r, &f, event, pids[i]);
			fixture_hit(&f, 3, i, &r);
		}
		CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), "seven: 3\n<...>: 1\nswapper/3: 1\n= 5 3 0\n");
		CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 1), "seven 0: 3\n= 3 1 0\n");
		fixture_clear(&f);
	}
}

static void expect(struct engine_fixture *f, const char *filter, bool passes)
{
	const char *rows = passes ? "7: 1\n= 1 1 0\n" : "= 0 0 0\n";

	CU_ASSERT_STRING_EQUAL(fixture_rows(f, 0), rows);
	if (strcmp(f->text, rows))
		printf("\n%s:\n%s", filter, f->text);
	fixture_clear(f);
}

/* One event of @field, which is @string or, without one, @number; of a machine of either byte order. */
static void check_case(const char *filter, const char *field, const char *string, uint64_t number,
		       bool passes)
{
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;
	int big;

	for (big = 0; big < 2; big++) {
		event = begin(&f, big);
		CU_ASSERT_EQUAL_FATAL(add(&f, event, filter), 0);
		record_begin(&r, &f, event, 7);
		if (string)
			record_string(&r, field, string);
		else
			record_number(&r, field, number);
		fixture_hit(&f, 3, 0, &r);
		expect(&f, filter, passes);
	}
}

static void test_numbers(void)
{
	size_t i;

	for (i = 0; i < sizeof(number_cases) / sizeof(*number_cases); i++)
		check_case(number_cases[i].filter, number_cases[i].field, NULL,
			   number_cases[i].value, number_cases[i].passes);
}

static void test_strings(void)
{
	size_t i;

	for (i = 0; i < sizeof(string_cases) / sizeof(*string_cases); i++)
		check_case(string_cases[i].filter, string_cases[i].field, string_cases[i].value, 0,
			   string_cases[i].passes);
}

/* A field that is a set: two longs, CPUs 1 and 5 in the first. */
static void test_sets(void)
{
	static const struct {
		const char *filter;
		bool passes;
	} cases[] = {
		{ "mask & CPUS{0,5}", true },	{ "mask & CPUS{0,2-4}", false },
		{ "mask == CPUS{1,5}", true },	{ "mask == CPUS{1,5,7}", false },
		{ "mask != CPUS{1,5}", false }, { "mask & CPUS{5}", true },
		{ "mask == CPUS{5}", false },	{ "mask != CPUS{5}", true },
	};
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;
	size_t i;
	int big;

	for (big = 0; big < 2; big++) {
		for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			event = begin(&f, big);
			CU_ASSERT_EQUAL_FATAL(add(&f, event, cases[i].filter), 0);
			record_begin(&r, &f, event, 7);
			record_number(&r, "mask", 16 << 16 | r.len);
			r.data[r.len + (big ? 7 : 0)] = 1 << 1 | 1 << 5;
			r.len += 16;
			fixture_hit(&f, 3, 0, &r);
			expect(&f, cases[i].filter, cases[i].passes);
		}
	}
}

static void test_functions(void)
{
	static const struct {
		const char *filter;
		uint64_t address;
		bool passes;
	} cases[] = {
		{ "ip.function == one", 0x1ff, true },	 { "ip.function == one", 0x200, false },
		{ "ip.function != one", 0x200, true },	 { "ip.function == two", 0x210, true },
		{ "ip.function == 0x210", 0x2ff, true }, { "ip.function == 0x210", 0x1ff, false },
		{ "ip.function != one", 0x300, true },	 { "ip.function == on", 0x1ff, false },
		/* a function of a module */
		{ "ip.function == mod:two", 0x210, true }, { "ip.function == mo:two", 0x210, false },
		{ "ip.function == mod:one", 0x1ff, false }, { "ip.function != mod:two", 0x2ff, false },
	};
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		event = begin(&f, false);
		CU_ASSERT_EQUAL_FATAL(add(&f, event, cases[i].filter), 0);
		CU_ASSERT_TRUE(hist_engine_is_ordered(f.engine));
		record_begin(&r, &f, event, 7);
		record_number(&r, "ip", cases[i].address);
		fixture_hit(&f, 3, 0, &r);
		expect(&f, cases[i].filter, cases[i].passes);
	}
}

/* What no recording has is refused with the reason. */
static void test_refused(void)
{
	const struct hist_event *event;
	struct engine_fixture f;

	event = begin(&f, false);
	CU_ASSERT_EQUAL(add(&f, event, "p == \"x\""), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(f.error.what,
			       "\"p\" points to a string that is not in the recording");
	CU_ASSERT_EQUAL(add(&f, event, "p.ustring == \"x\""), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(f.error.what,
			       ".ustring reads the memory of tasks, which a recording does not "
			       "contain");
	fixture_clear(&f);
	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 310, FIELDS);
	CU_ASSERT_EQUAL(add(&f, event, "ip.function == one"), -EOPNOTSUPP);
	fixture_clear(&f);
}

/* set_event_pid: the task of the event, and at switches and wakeups the other one. */
static void test_pids(void)
{
	static const uint32_t pids[] = { 9, 7 };
	const struct hist_event *other, *wakeup;
	struct engine_fixture f;
	struct record r;
	uint32_t pid;

	fixture_init(&f, true, 8);
	other = fixture_event(&f, "t:ev", 310, FIELDS);
	wakeup = fixture_event(&f, "sched:sched_wakeup", 311, "char comm[16]:16;pid_t pid:-4");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, other, "hist:keys=common_pid"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, wakeup, "hist:keys=pid,common_pid"), 1);
	CU_ASSERT_EQUAL_FATAL(hist_engine_set_pids(f.engine, pids, 2), 0);
	for (pid = 6; pid < 11; pid++) {
		record_begin(&r, &f, other, pid);
		fixture_hit(&f, 0, 0, &r);
		record_begin(&r, &f, wakeup, 6);
		record_number(&r, "pid", pid);
		fixture_hit(&f, 0, 0, &r);
	}
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), "7: 1\n9: 1\n= 2 2 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 1), "7 6: 1\n9 6: 1\n= 2 2 0\n");
	fixture_clear(&f);
}

static void hit_pid(struct engine_fixture *f, enum hist_run_scope scope, const struct hist_event *event,
		    uint32_t pid)
{
	struct record r;

	f->scope = scope;
	record_begin(&r, f, event, pid);
	fixture_hit(f, 0, pid, &r);
}

/* A trigger that counts in any task beside one that does not, and each of them alone on an event. */
static void scopes_of(bool big_endian, bool lists)
{
	static const uint32_t pids[] = { 5 };
	const struct hist_event *both, *tasks, *any;
	struct engine_fixture f;

	fixture_init(&f, big_endian, 8);
	both = fixture_event(&f, "t:both", 310, FIELDS);
	tasks = fixture_event(&f, "t:tasks", 311, FIELDS);
	any = fixture_event(&f, "t:any", 312, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, both, "hist:keys=common_pid"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, both, "hist:keys=common_pid if common_pid > 0"), 1);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, tasks, "hist:keys=common_pid"), 2);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, any, "hist:keys=common_pid"), 3);
	hist_engine_set_anywhere(f.engine, 1);
	hist_engine_set_anywhere(f.engine, 3);
	if (lists)
		CU_ASSERT_EQUAL_FATAL(hist_engine_set_pids(f.engine, pids, 1), 0);
	hit_pid(&f, lists ? HIST_RUN_ALL : HIST_RUN_TASKS, both, 5);
	hit_pid(&f, lists ? HIST_RUN_ALL : HIST_RUN_TASKS, tasks, 5);
	hit_pid(&f, lists ? HIST_RUN_ALL : HIST_RUN_TASKS, any, 5);
	hit_pid(&f, lists ? HIST_RUN_ALL : HIST_RUN_ANYWHERE, both, 6);
	hit_pid(&f, lists ? HIST_RUN_ALL : HIST_RUN_ANYWHERE, tasks, 6);
	hit_pid(&f, lists ? HIST_RUN_ALL : HIST_RUN_ANYWHERE, any, 6);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), "5: 1\n= 1 1 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 1), lists ? "5: 1\n6: 1\n= 2 2 0\n" : "6: 1\n= 1 1 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 2), "5: 1\n= 1 1 0\n");
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 3), lists ? "5: 1\n6: 1\n= 2 2 0\n" : "6: 1\n= 1 1 0\n");
	if (!lists) {
		hit_pid(&f, HIST_RUN_ALL, both, 7);
		CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), "5: 1\n7: 1\n= 2 2 0\n");
		CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 1), "6: 1\n7: 1\n= 2 2 0\n");
	}
	fixture_clear(&f);
}

/* By the ring buffer that an event comes from, and by the list of tasks of a replay. */
static void test_scopes(void)
{
	scopes_of(false, false);
	scopes_of(true, false);
	scopes_of(false, true);
	scopes_of(true, true);
}

UNIT_TESTS(
	{ "the key common_comm is the task name of an event, also for idle and unknown tasks",
	  test_comm_key },
	{ "filters on numbers and CPUs use the width and sign of the field, in both byte orders",
	  test_numbers },
	{ "filters match strings and patterns as the kernel does, in both byte orders",
	  test_strings },
	{ "filters compare a field that is a set of CPUs with CPUS{}, in both byte orders",
	  test_sets },
	{ "a filter with .function matches by the function that contains the address",
	  test_functions },
	{ "the engine refuses filters on strings and symbols that the recording does not have",
	  test_refused },
	{ "a list of PIDs selects the events of its tasks, and wakeups of its tasks by others",
	  test_pids },
	{ "a trigger that counts in any task counts also the events of tasks that are not listed",
	  test_scopes });
