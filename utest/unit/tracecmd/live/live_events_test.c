// SPDX-License-Identifier: GPL-2.0
/*
 * live_events_test.c - which events the user-space engine enables, with which filters
 *
 * The log of a fake target has each write in order.  That the kernel then writes these events to the
 * ring buffer is for utest/vm.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_tracer.h"
#include "tracecmd/trigger/instance.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define X "instances/x/"
#define Y "instances/y/"
#define SWITCH "events/sched/sched_switch/"
#define WAKING "events/sched/sched_waking/"

static struct hist_expr exprs[4];
static struct traced_hist hists[4];
static const struct query_event anywhere = { .anywhere = true };
static struct traced_event sources[5];
static struct plan plan;
static struct instance instance;
static struct trigger_set set = { .plan = &plan, .instance = &instance, .sources = sources };

static void live_events_put(const char *path, const char *text)
{
	if (fake_target_put(fake, path, text))
		abort();
}

static struct traced_event event(const char *full_name, const char *name, unsigned int first,
				 unsigned int n)
{
	return (struct traced_event){ .system = (char *)"sched", .name = (char *)name,
				      .full_name = (char *)full_name, .format = (char *)"",
				      .triggers = &hists[first], .hists = &hists[first], .nhists = n };
}

/* Two sources of sched_switch, one of sched_waking, and a synthetic event. */
static void begin(void)
{
	static const char *const files[] = {
		"buffer_size_kb", "buffer_percent", "trace_clock", "tracing_on", "current_tracer",
		"set_event_notrace_pid", "set_ftrace_notrace_pid", "options/event-fork",
		"options/function-fork", "options/stacktrace", SWITCH "enable", SWITCH "filter",
		WAKING "enable", WAKING "filter",
	};
	char path[128];
	unsigned int i;

	fresh();
	set.target = &fake->target;
	set.undo = NULL;
	set.nsources = 4;
	set.more = NULL;
	set.nmore = 0;
	plan = (struct plan){ 0 };
	instance = (struct instance){ .dir = (char *)"instances/x", .tracer_dir = "instances/x",
				      .clock = (char *)"mono", .made = true };
	for (i = 0; i < 4; i++) {
		exprs[i] = (struct hist_expr){ 0 };
		hists[i] = (struct traced_hist){ .expr = &exprs[i] };
	}
	sources[0] = event("sched:sched_switch", "sched_switch", 0, 1);
	sources[1] = event("sched:sched_waking", "sched_waking", 1, 1);
	sources[2] = event("sched:sched_switch", "sched_switch", 2, 2);
	sources[3] = (struct traced_event){ .system = (char *)"synthetic", .name = (char *)"lat",
					    .full_name = (char *)"synthetic:lat" };
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), X "%s", files[i]);
		live_events_put(path, strstr(path, "enable") ? "0\n" : "");
		snprintf(path, sizeof(path), Y "%s", files[i]);
		live_events_put(path, strstr(path, "enable") ? "0\n" : "");
	}
}

static void test_filters(void)
{
	begin();
	exprs[0].filter = (char *)"next_pid == 1";
	exprs[1].filter = (char *)"pid > 2";
	exprs[2].filter = (char *)"prev_pid == 3";
	exprs[3].filter = (char *)"next_pid == 4";
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	/* one filter for both sources of an event, before the event is enabled once */
	expect_log("write " X SWITCH "filter (next_pid == 1) || (prev_pid == 3) || (next_pid == 4)\n"
		   "write " X SWITCH "enable 1\n"
		   "write " X WAKING "filter (pid > 2)\n"
		   "write " X WAKING "enable 1\n");
	CU_ASSERT_EQUAL(live_events_disable(&set, false), 0);
	expect_log("write " X SWITCH "enable 0\nwrite " X WAKING "enable 0\n");

	/* a trigger without a filter counts all events */
	exprs[3].filter = NULL;
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	expect_log("write " X SWITCH "enable 1\n"
		   "write " X WAKING "filter (pid > 2)\n"
		   "write " X WAKING "enable 1\n");

	/* a switch of a histogram must see its event, too */
	exprs[3].filter = (char *)"next_pid == 4";
	sources[1].switches = (struct hist_switch *[]){ &(struct hist_switch){ .filter = (char *)"pid == 9" } };
	sources[1].nswitches = 1;
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	expect_log("write " X SWITCH "filter (next_pid == 1) || (prev_pid == 3) || (next_pid == 4)\n"
		   "write " X SWITCH "enable 1\n"
		   "write " X WAKING "filter (pid > 2) || (pid == 9)\n"
		   "write " X WAKING "enable 1\n");

	/* a kernel that refuses a filter records all events */
	fail_on("write", X WAKING "filter", -1, -EINVAL);
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	expect_log("write " X SWITCH "filter (next_pid == 1) || (prev_pid == 3) || (next_pid == 4)\n"
		   "write " X SWITCH "enable 1\nwrite " X WAKING "enable 1\n");
}

static void test_kept_events(void)
{
	struct plan_action actions[] = { { .kind = PLAN_CAPTURE } };
	struct traced_event more = event("sched:sched_waking", "sched_waking", 0, 0);

	begin();
	exprs[0].filter = exprs[2].filter = exprs[3].filter = (char *)"next_pid == 1";
	sources[1] = sources[3];
	set.more = &more;
	set.nmore = 1;
	plan.record_events = true;
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	expect_log("write " X SWITCH "enable 1\nwrite " X WAKING "enable 1\n");
	CU_ASSERT_EQUAL(live_events_disable(&set, false), 0);
	expect_log("write " X SWITCH "enable 0\nwrite " X WAKING "enable 0\n");
	plan.record_events = false;
	plan.actions = actions;
	plan.nactions = 1;
	set.nmore = 0;
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	expect_log("write " X SWITCH "enable 1\n");
}

/* END counts in any task, in an instance of its own. */
static void test_anywhere(void)
{
	begin();
	instance.anywhere_dir = (char *)"instances/y";
	exprs[0].filter = (char *)"a == 1";
	exprs[1].filter = (char *)"b == 2";
	exprs[2].filter = exprs[3].filter = (char *)"c == 3";
	sources[2].plan = &anywhere;
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	expect_log("write " X SWITCH "filter (a == 1)\nwrite " X SWITCH "enable 1\n"
		   "write " X WAKING "filter (b == 2)\nwrite " X WAKING "enable 1\n");
	CU_ASSERT_EQUAL(live_events_enable(&set, true), 0);
	expect_log("write " Y SWITCH "filter (c == 3) || (c == 3)\nwrite " Y SWITCH "enable 1\n");
	CU_ASSERT_EQUAL(live_events_disable(&set, true), 0);
	expect_log("write " Y SWITCH "enable 0\n");
	CU_ASSERT_STRING_EQUAL(live_events_pages_dir(&set, false), "instances/x");
	CU_ASSERT_STRING_EQUAL(live_events_pages_dir(&set, true), "instances/y");

	CU_ASSERT_EQUAL(live_events_prepare(&set, false), 0);
	expect_log("write " X "buffer_size_kb 1024\nwrite " X "buffer_percent 25\n");
	CU_ASSERT_EQUAL(live_events_prepare(&set, true), 0);
	expect_log("write " Y "buffer_size_kb 1024\nwrite " Y "buffer_percent 25\n"
		   "write " Y "trace_clock mono\n");
	live_events_add_stacks(&set);
	expect_log("write " X "options/stacktrace 1\nwrite " Y "options/stacktrace 1\n");
	/* without the clock of the other one, the times of both could not be compared */
	fail_on("write", Y "trace_clock", -1, -EINVAL);
	test_stderr_begin();
	CU_ASSERT_EQUAL(live_events_prepare(&set, true), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(), "trace-cmd hist: error: trace_clock: Invalid argument\n");
}

/* An instance that was there before gets its values back, and no filter. */
static void test_others_instance(void)
{
	begin();
	instance.made = false;
	exprs[0].filter = exprs[1].filter = exprs[2].filter = exprs[3].filter = (char *)"a == 1";
	live_events_put(X SWITCH "enable", "0*\n");
	live_events_put(X WAKING "enable", "1\n");
	set.undo = new_undo();
	CU_ASSERT_EQUAL(live_events_prepare(&set, false), 0);
	expect_log("");
	CU_ASSERT_EQUAL(live_events_enable(&set, false), 0);
	expect_log("write " X SWITCH "enable 1\nwrite " X WAKING "enable 1\n");
	CU_ASSERT_EQUAL(live_events_disable(&set, false), 0);
	expect_file(X SWITCH "enable", "0");
	expect_file(X WAKING "enable", "0");
	CU_ASSERT_EQUAL(undo_run(set.undo, NULL), 0);
	expect_file(X SWITCH "enable", "0");
	expect_file(X WAKING "enable", "1");
	fail_on("read", X SWITCH "enable", -1, -EIO);
	test_stderr_begin();
	CU_ASSERT_EQUAL(live_events_enable(&set, false), -EIO);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(),
			       "trace-cmd hist: error: " X SWITCH "enable: Input/output error\n");
	undo_free(set.undo);
}

static void test_failures(void)
{
	begin();
	fail_on("write", X WAKING "enable", -1, -ENODEV);
	test_stderr_begin();
	CU_ASSERT_EQUAL(live_events_enable(&set, false), -ENODEV);
	CU_ASSERT_EQUAL(live_events_disable(&set, false), -ENODEV);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(),
			       "trace-cmd hist: error: " X WAKING "enable: No such device\n"
			       "trace-cmd hist: error: " X WAKING "enable: No such device\n");
	expect_log("write " X SWITCH "enable 1\nwrite " X SWITCH "enable 0\n");
}

static void test_excluded(void)
{
	begin();
	live_events_exclude_children(&set);
	live_events_exclude(&set, "12 34");
	expect_log("write " X "options/event-fork 1\nwrite " X "set_event_notrace_pid 12 34\n");
	plan.query.tracer = "function";
	live_events_exclude_children(&set);
	live_events_exclude(&set, "12 34");
	expect_log("write " X "options/event-fork 1\nwrite " X "options/function-fork 1\n"
		   "write " X "set_event_notrace_pid 12 34\nwrite " X "set_ftrace_notrace_pid 12 34\n");
}

static void test_stopped(void)
{
	begin();
	instance.anywhere_dir = (char *)"instances/y";
	sources[1].plan = &anywhere;
	live_events_put(X "tracing_on", "1\n");
	live_events_put(Y "tracing_on", "1\n");
	live_events_put(X SWITCH "enable", "1\n");
	live_events_put(Y WAKING "enable", "1*\n");
	CU_ASSERT_PTR_NULL(live_events_find_stopped(&set));
	live_events_put(Y WAKING "enable", "0*\n");
	CU_ASSERT_STRING_EQUAL(live_events_find_stopped(&set), "enable");
	live_events_put(Y WAKING "enable", "1\n");
	live_events_put(Y "tracing_on", "0\n");
	CU_ASSERT_STRING_EQUAL(live_events_find_stopped(&set), "tracing_on");
	live_events_put(Y "tracing_on", "1\n");
	live_events_put(X SWITCH "enable", "0\n");
	CU_ASSERT_STRING_EQUAL(live_events_find_stopped(&set), "enable");
	/* the event of the other instance is not needed in this one */
	live_events_put(X SWITCH "enable", "1\n");
	live_events_put(X WAKING "enable", "0\n");
	CU_ASSERT_PTR_NULL(live_events_find_stopped(&set));
	/* a file that cannot be read says nothing */
	fail_on("read", X "tracing_on", -1, -EIO);
	CU_ASSERT_PTR_NULL(live_events_find_stopped(&set));
	plan.query.tracer = "function";
	live_events_put(X "current_tracer", "function\n");
	CU_ASSERT_PTR_NULL(live_events_find_stopped(&set));
	live_events_put(X "current_tracer", "nop\n");
	CU_ASSERT_STRING_EQUAL(live_events_find_stopped(&set), "current_tracer");
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "an event is enabled once, with the filters of all its triggers", test_filters },
	{ "events that are also kept have no filter", test_kept_events },
	{ "triggers that count in any task have events of their own", test_anywhere },
	{ "an instance of others has no filters, and its values are restored", test_others_instance },
	{ "an event that cannot be enabled is reported", test_failures },
	{ "the recorder and its children are excluded", test_excluded },
	{ "what stops the events is found in both instances", test_stopped });
