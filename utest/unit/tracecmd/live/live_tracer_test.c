// SPDX-License-Identifier: GPL-2.0
/*
 * live_tracer_test.c - in which order a tracer, its functions and its settings are set
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "tracecmd/live/live_tracer.h"
#include "tracecmd/trigger/instance.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define X "instances/x/"
#define STEPS "write " X "tracing_on 0\n"

static struct plan plan;
static struct instance instance;
static struct trigger_set set = { .plan = &plan, .instance = &instance };

static void begin(const char *tracer)
{
	static const char *const files[] = {
		X "tracing_on", X "trace_clock", X "current_tracer", X "set_ftrace_filter",
		X "options/func_stack_trace", "tracing_on", "trace_clock", "current_tracer",
	};
	unsigned int i;

	fresh();
	set.target = &fake->target;
	set.undo = new_undo();
	plan = (struct plan){ .query = { .tracer = tracer } };
	instance = (struct instance){ .name = (char *)"x", .dir = (char *)"instances/x",
				      .tracer_dir = "instances/x", .clock = (char *)"mono", .made = true };
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (fake_target_put(fake, files[i], ""))
			abort();
}

static void end(void)
{
	undo_run(set.undo, NULL);
	undo_free(set.undo);
}

/* The message of a failure with @err. */
static const char *fails(int err)
{
	test_stderr_begin();
	CU_ASSERT_EQUAL(live_tracer_prepare(&set, false), err);
	return test_stderr_end();
}

static void test_none(void)
{
	begin(NULL);
	CU_ASSERT_EQUAL(live_tracer_prepare(&set, true), 0);
	CU_ASSERT_EQUAL(live_tracer_switch(&set, true), 0);
	expect_log("");
	end();
}

static void test_functions(void)
{
	struct traced_event sources[] = { { .of_tracer = true }, { 0 } };

	begin("function");
	plan.query.functions = "vfs_read,ext4_*,*:mod:xfs";
	CU_ASSERT_EQUAL(live_tracer_prepare(&set, false), 0);
	/* each pattern is a write of its own, and all come before the tracer */
	expect_log(STEPS "append " X "set_ftrace_filter vfs_read\n"
		   "append " X "set_ftrace_filter ext4_*\n"
		   "append " X "set_ftrace_filter *:mod:xfs\n"
		   "write " X "current_tracer function\n");
	CU_ASSERT_EQUAL(live_tracer_prepare(&set, true), 0);
	CU_ASSERT_EQUAL(live_tracer_switch(&set, true), 0);
	CU_ASSERT_EQUAL(live_tracer_switch(&set, false), 0);
	expect_log(STEPS "append " X "set_ftrace_filter vfs_read\n"
		   "append " X "set_ftrace_filter ext4_*\n"
		   "append " X "set_ftrace_filter *:mod:xfs\n"
		   "write " X "current_tracer function\n"
		   "write " X "options/func_stack_trace 1\n"
		   "write " X "tracing_on 1\nwrite " X "tracing_on 0\n");
	set.sources = sources;
	CU_ASSERT_TRUE(live_tracer_writes(&set, 0));
	CU_ASSERT_FALSE(live_tracer_writes(&set, 1));
	fail_on("write", X "set_ftrace_filter", -1, -EINVAL);
	CU_ASSERT_STRING_EQUAL(fails(-EINVAL),
			       "trace-cmd hist: error: set_ftrace_filter: vfs_read: Invalid argument\n");
	end();
}

/* function_graph runs at the top level, whose clock is not that of the session. */
static void test_top(void)
{
	begin("function_graph");
	plan.query.tracer_at_top = true;
	instance.tracer_dir = ".";
	CU_ASSERT_EQUAL(live_tracer_prepare(&set, true), 0);
	expect_log("write ./tracing_on 0\nwrite ./trace_clock mono\nwrite ./current_tracer function_graph\n");
	fail_on("write", "./trace_clock", -1, -EBUSY);
	CU_ASSERT_STRING_EQUAL(fails(-EBUSY),
			       "trace-cmd hist: error: trace_clock: Device or resource busy\n");
	end();
}

static void test_settings(void)
{
	struct query_setting settings[] = {
		{ "osnoise/period_us", "500", false }, { "tracing_thresh", "3", true },
		{ "osnoise/runtime_us", "400", false }, { "osnoise/options", "WORKLOAD", false },
	};

	begin("osnoise");
	plan.query.settings = settings;
	plan.query.nsettings = 4;
	if (fake_target_put(fake, "osnoise/period_us", "1000\n") ||
	    fake_target_put(fake, "osnoise/runtime_us", "400\n") ||
	    fake_target_put(fake, "osnoise/options", "NONE [WORKLOAD] X\n") ||
	    fake_target_put(fake, "tracing_thresh", "0\n"))
		abort();
	CU_ASSERT_EQUAL(live_tracer_prepare(&set, false), 0);
	/* not those that have the value; the limit of hwlat after the tracer */
	expect_log(STEPS "write osnoise/period_us 500\n"
		   "write " X "current_tracer osnoise\n"
		   "write tracing_thresh 3\n");
	CU_ASSERT_EQUAL(undo_run(set.undo, NULL), 0);
	expect_file("osnoise/period_us", "1000");
	expect_file("tracing_thresh", "0");
	undo_free(set.undo);
}

/* A period below the runtime is refused until the runtime is smaller, too. */
static void test_limits(void)
{
	struct query_setting settings[] = {
		{ "osnoise/period_us", "500", false }, { "osnoise/runtime_us", "400", false },
	};

	begin("osnoise");
	plan.query.settings = settings;
	plan.query.nsettings = 2;
	if (fake_target_put(fake, "osnoise/period_us", "1000\n") ||
	    fake_target_put(fake, "osnoise/runtime_us", "900\n"))
		abort();
	fail_on("write", "osnoise/period_us", 1, -EINVAL);
	CU_ASSERT_EQUAL(live_tracer_prepare(&set, false), 0);
	expect_log(STEPS "write osnoise/runtime_us 400\nwrite osnoise/period_us 500\n"
		   "write " X "current_tracer osnoise\n");
	fake_target_put(fake, "osnoise/period_us", "1000\n");
	fail_on("write", "osnoise/period_us", -1, -EINVAL);
	CU_ASSERT_STRING_EQUAL(fails(-EINVAL),
			       "trace-cmd hist: error: --tracer osnoise: osnoise/period_us: the kernel "
			       "rejects the value 500\n"
			       "hint: see the limits of the options in trace-cmd-hist-tracers(7)\n");
	fail_on("write", "osnoise/period_us", -1, -EIO);
	CU_ASSERT_STRING_EQUAL(fails(-EIO), "trace-cmd hist: error: --tracer osnoise: osnoise/period_us: "
			       "Input/output error\n");
	end();
}

static void test_refused(void)
{
	begin("hwlat");
	fail_on("write", X "current_tracer", -1, -EBUSY);
	CU_ASSERT_STRING_EQUAL(fails(-EBUSY),
			       "trace-cmd hist: error: --tracer hwlat: another program is using this tracer, or "
			       "a tracer that cannot run at the same time\nhint: stop the other program\n");
	fail_on("write", X "current_tracer", -1, -EINVAL);
	CU_ASSERT_STRING_EQUAL(fails(-EINVAL),
			       "trace-cmd hist: error: --engine user: this kernel cannot run the \"hwlat\" tracer "
			       "in an instance\nhint: use --engine kernel\n");
	fail_on("write", X "current_tracer", -1, -EIO);
	CU_ASSERT_STRING_EQUAL(fails(-EIO), "trace-cmd hist: error: current_tracer: Input/output error\n");
	fail_on("write", X "tracing_on", -1, -EIO);
	CU_ASSERT_STRING_EQUAL(fails(-EIO), "trace-cmd hist: error: tracing_on: Input/output error\n");
	instance.made = false;
	CU_ASSERT_STRING_EQUAL(fails(-EBUSY),
			       "trace-cmd hist: error: -B x: the \"hwlat\" tracer needs a new instance, but this "
			       "instance already exists\nhint: leave out -B to use a private instance\n");
	end();
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "a plan without a tracer changes nothing", test_none },
	{ "the functions are set one by one, before the tracer", test_functions },
	{ "a tracer at the top level gets the clock of the session", test_top },
	{ "settings are set before or after the tracer, and restored", test_settings },
	{ "a setting that another one limits is set once more", test_limits },
	{ "a tracer that cannot run is refused with the reason", test_refused });
