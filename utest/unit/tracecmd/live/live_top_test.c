// SPDX-License-Identifier: GPL-2.0
/*
 * live_top_test.c - the top-level instance is used only if nobody else uses it, and restored
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/live/live_top.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/tests.h"

/* A top level that nobody uses, as Linux 6.1 shows it. */
static const struct {
	const char *name, *text, *busy;
} files[] = {
	{ "set_event", "", "sched:sched_switch\n" },
	{ "max_graph_depth", "0\n", "1\n" },
	{ "set_graph_function", "#### all functions enabled ####\n", "vfs_read\n" },
	{ "set_graph_notrace", "#### no functions disabled ####\n", "vfs_read\n" },
	{ "set_ftrace_notrace", "#### no functions disabled ####\n", "vfs_read\n" },
	{ "set_ftrace_filter", "#### all functions enabled ####\n",
	  "#### all functions enabled ####\nvfs_read:traceoff:unlimited\n" },
	{ "options/function-fork", "0\n", "1\n" },
	{ "set_ftrace_pid", "no pid\n", "12\n" },
	{ "set_ftrace_notrace_pid", "no pid\n", "12\n" },
	{ "current_tracer", "nop\n", "function\n" },
	{ "buffer_size_kb", "7 (expanded: 1408)\n", "X\n" },
	{ "tracing_on", "1\n", NULL },
	{ "trace_clock", "[local] global mono\n", NULL },
	{ "buffer_percent", "50\n", NULL },
	{ "per_cpu/cpu0/stats", "entries: 0\noverrun: 0\n", "entries: 3\noverrun: 0\n" },
};

#define N_FILES (sizeof(files) / sizeof(*files))

static void live_top_put(const char *name, const char *text)
{
	if (fake_target_put(fake, name, text))
		abort();
}

static void unused_machine(void)
{
	unsigned int i;

	fresh();
	fake->target.cpus = 1;
	for (i = 0; i < N_FILES; i++)
		live_top_put(files[i].name, files[i].text);
}

/* The result of the check for a plan with function_graph, without its message. */
static int live_top_check_sources(struct traced_event *sources, unsigned int n)
{
	struct plan plan = { .query = { .tracer = "function_graph", .tracer_at_top = true } };
	struct trigger_set set = { .plan = &plan, .target = &fake->target, .sources = sources,
				   .nsources = n };
	int saved = dup(2), null = open("/dev/null", O_WRONLY | O_CLOEXEC), ret;

	fflush(stderr);
	dup2(null, 2);
	ret = live_top_check(&set);
	fflush(stderr);
	dup2(saved, 2);
	close(null);
	close(saved);
	return ret;
}

static void test_busy(void)
{
	unsigned int i;

	unused_machine();
	CU_ASSERT_EQUAL(live_top_check_sources(NULL, 0), 0);
	for (i = 0; i < N_FILES; i++) {
		if (!files[i].busy)
			continue;
		live_top_put(files[i].name, files[i].busy);
		CU_ASSERT_EQUAL(live_top_check_sources(NULL, 0), -EBUSY);
		live_top_put(files[i].name, files[i].text);
	}
	CU_ASSERT_EQUAL(live_top_check_sources(NULL, 0), 0);
}

static void test_other_events(void)
{
	struct traced_event sources[] = {
		{ .system = (char *)"ftrace", .of_tracer = true },
		{ .system = (char *)"synthetic" },
		{ .system = (char *)"sched", .full_name = (char *)"sched:sched_switch" },
	};

	unused_machine();
	CU_ASSERT_EQUAL(live_top_check_sources(sources, 2), 0);
	CU_ASSERT_EQUAL(live_top_check_sources(sources, 3), -EOPNOTSUPP);
}

static void test_restored(void)
{
	static const struct {
		const char *name, *changed, *expected;
	} changes[] = {
		{ "current_tracer", "function_graph\n", "nop" },
		{ "set_ftrace_filter", "vfs_read\n", "" },
		{ "set_ftrace_pid", "12\n", "" },
		{ "set_ftrace_notrace_pid", "34\n", "" },
		{ "options/function-fork", "1\n", "0" },
		{ "buffer_size_kb", "4096\n", "1408" },
		{ "buffer_percent", "25\n", "50" },
		{ "trace_clock", "local global [mono]\n", "local" },
		{ "tracing_on", "0\n", "1" },
	};
	struct undo *undo;
	unsigned int i;

	unused_machine();
	undo = new_undo();
	CU_ASSERT_EQUAL(live_top_begin(&fake->target, undo), 0);
	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++)
		live_top_put(changes[i].name, changes[i].changed);
	CU_ASSERT_EQUAL(undo_run(undo, NULL), 0);
	undo_free(undo);
	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++)
		expect_file(changes[i].name, changes[i].expected);
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "a top level that another program uses is refused", test_busy },
	{ "no other event is counted beside it", test_other_events },
	{ "the undo log restores each file", test_restored });
