// SPDX-License-Identifier: GPL-2.0
/*
 * tracer_expand_test.c - --tracer, from its text to the event and the files that it sets
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "lib/preset/preset.h"
#include "lib/query/tracer_expand.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/session/plan_source.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/plan/plan_fixture.h"

static void tracer_machine(void)
{
	fresh();
	fake->target.long_size = 8;
	if (fake_target_put(fake, "available_tracers", "timerlat osnoise hwlat function nop\n") ||
	    fake_target_put(fake, "available_filter_functions", "vfs_read\nvfs_write\n") ||
	    fake_target_put(fake, "current_tracer", "nop\n") ||
	    fake_target_put(fake, "instances/mine/current_tracer", "function\n") ||
	    fake_target_put(fake, "tracing_thresh", "0\n") ||
	    fake_target_put(fake, "osnoise/timerlat_period_us", "1000\n") ||
	    fake_target_put(fake, "osnoise/period_us", "1000000\n") ||
	    fake_target_put(fake, "osnoise/runtime_us", "1000000\n") ||
	    fake_target_put(fake, "osnoise/cpus", "0-3\n") ||
	    fake_target_put(fake, "hwlat_detector/mode", "none [round-robin] per-cpu\n"))
		abort();
}

/* Expand @text with @plan; the plan as lines, or the message of the error, is in @lines. */
static int tracer_expand_text(struct plan *plan, const char *text, struct query_hist *hist, char *lines,
			      size_t len)
{
	struct query_event event = {
		.kind = QUERY_TRACER, .name = text, .hists = hist, .nhists = !!hist,
	};
	struct hist_error refusal = { 0 };
	struct plan_source source;
	FILE *file = tmpfile();
	int saved, ret;
	unsigned int i;
	size_t n;

	fflush(stderr);
	saved = dup(2);
	dup2(fileno(file), 2);
	plan_source_init(&source, plan, &fake->target, NULL);
	ret = tracer_expand(&plan->query, &event, "1_2", &source.source, &refusal);
	plan_source_report(ret, &refusal);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	rewind(file);
	n = fread(lines, 1, len - 1, file);
	lines[n] = '\0';
	fclose(file);
	if (ret)
		return ret;
	plan_lines(plan, lines, len);
	for (i = 0, n = strlen(lines); i < plan->query.nsettings; i++)
		n += snprintf(lines + n, len - n, "%s%s %s\n", plan->query.settings[i].after ? "+" : "",
			      plan->query.settings[i].file, plan->query.settings[i].value);
	snprintf(lines + n, len - n, "%s %s\n", plan->query.tracer,
		 plan->query.functions ? plan->query.functions : "-");
	return 0;
}

static void expect_lines(const char *text, struct query_hist *hist, const char *expected)
{
	struct plan plan = { 0 };
	char lines[4096];

	CU_ASSERT_EQUAL(tracer_expand_text(&plan, text, hist, lines, sizeof(lines)), 0);
	CU_ASSERT_STRING_EQUAL(lines, expected);
	if (strcmp(lines, expected))
		printf("\n%s\n got:\n%s\n expected:\n%s\n", text, lines, expected);
	plan_clear(&plan);
}

static void expect_error(struct plan *plan, const char *text, int error, const char *part)
{
	char said[4096];

	CU_ASSERT_EQUAL(tracer_expand_text(plan, text, NULL, said, sizeof(said)), error);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, part));
	if (!strstr(said, part))
		printf("\n%s\n got: %s\n expected: %s\n", text, said, part);
	plan_clear(plan);
}

static void test_tracers_have_default_histograms(void)
{
	struct query_hist keys = { .keys = "common_cpu" }, filter = { .filter = "context == 1" };

	tracer_machine();
	expect_lines("timerlat", NULL,
		     "ftrace:timerlat common_cpu,context,timer_latency.log2=3 v=timer_latency m=size=8192 []\n"
		     "timerlat -\n");
	expect_lines("timerlat", &keys, "ftrace:timerlat common_cpu []\ntimerlat -\n");
	expect_lines("timerlat", &filter,
		     "ftrace:timerlat common_cpu,context,timer_latency.log2=3 f=context == 1 m=size=8192 []\n"
		     "timerlat -\n");
	expect_lines("osnoise", NULL,
		     "ftrace:osnoise common_cpu,noise.log2=3 v=noise m=size=8192 []\nosnoise -\n");
	expect_lines("hwlat", NULL,
		     "ftrace:hwlat common_cpu,duration.log2=3 v=duration,outer_duration m=size=8192 []\nhwlat -\n");
}

static void test_options_are_files(void)
{
	struct query_hist keys = { .keys = "common_cpu" };

	tracer_machine();
	expect_lines("timerlat:period=20ms:cpus=0-1,3", &keys,
		     "ftrace:timerlat common_cpu []\nosnoise/timerlat_period_us 20000\n"
		     "osnoise/cpus 0-1,3\ntimerlat -\n");
	expect_lines("osnoise:period=30000:runtime=10000us:threshold=2", &keys,
		     "ftrace:osnoise common_cpu []\nosnoise/period_us 30000\n"
		     "osnoise/runtime_us 10000\ntracing_thresh 2\nosnoise -\n");
	/* a value that is set already; hwlat changes the threshold itself */
	expect_lines("timerlat:period=1ms:cpus=0-3", &keys, "ftrace:timerlat common_cpu []\ntimerlat -\n");
	expect_lines("hwlat:mode=round-robin:threshold=0", &keys,
		     "ftrace:hwlat common_cpu []\n+tracing_thresh 0\nhwlat -\n");
}

static void test_wrong_options_are_refused(void)
{
	struct plan plan = { 0 };

	tracer_machine();
	expect_error(&plan, "nop", -EINVAL, "--tracer nop: unsupported tracer");
	expect_error(&plan, "timerlat:perod=1", -EINVAL, "unknown option\nhint: use OPTION=VALUE with one "
		     "of: period, cpus");
	expect_error(&plan, "timerlat:period=1ns", -EINVAL, "must be a number of microseconds");
	expect_error(&plan, "timerlat:period=", -EINVAL, "\"period=\"");
	expect_error(&plan, "timerlat:", -EINVAL, "unknown option");
	expect_error(&plan, "function_graph", -EOPNOTSUPP, "(CONFIG_FUNCTION_GRAPH_TRACER)");
	plan.only_command = true;
	expect_error(&plan, "timerlat", -EOPNOTSUPP, "measures CPUs, not tasks\nhint: leave out -F");
	plan.query.tracer = "function";
	expect_error(&plan, "osnoise", -EINVAL, "only one tracer");
}

static void test_other_programs_are_not_disturbed(void)
{
	struct query_hist keys = { .keys = "common_cpu" };
	struct plan plan = { 0 };

	tracer_machine();
	fake_target_put(fake, "instances/rtla/current_tracer", "timerlat\n");
	expect_lines("timerlat:period=1ms", &keys, "ftrace:timerlat common_cpu []\ntimerlat -\n");
	expect_error(&plan, "timerlat:period=2ms", -EBUSY, "another program runs a tracer in "
		     "instance rtla, and a change of osnoise/timerlat_period_us would affect both "
		     "tracers");
	expect_error(&plan, "osnoise", -EBUSY, "another program uses the \"timerlat\" tracer "
		     "in instance rtla");
	expect_lines("hwlat", &keys, "ftrace:hwlat common_cpu []\nhwlat -\n");
	fake_target_put(fake, "current_tracer", "hwlat\n");
	expect_error(&plan, "hwlat", -EBUSY, "uses the \"hwlat\" tracer in the top-level instance");
}

static void test_functions_are_those_of_function(void)
{
	tracer_machine();
	expect_lines("function:vfs_*", NULL,
		     "ftrace:function function.sym [function:vfs_*]\nfunction vfs_*\n");
	expect_lines("function", NULL, "ftrace:function function.sym [function:*]\nfunction *\n");
}

static int tracer_find_timerlat(const struct query_source *source, const char **tracer)
{
	(void)source;
	*tracer = "timerlat";
	return 0;
}

/* The recorder's preset sets the period; events that were recorded have theirs. */
static void test_presets_count_recorded_tracers(void)
{
	static const struct query_source_ops ops = { .find_recorded_tracer = tracer_find_timerlat };
	const struct query_source recorded = { .ops = &ops, .recording = "the file" };
	static const char *const specs[] = { "timerlat", "timerlat:10ms" };
	struct hist_error refusal = { 0 };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct query query = { 0 };
		struct query_event event;

		CU_ASSERT_EQUAL_FATAL(preset_add(&query, specs[i], NULL, &refusal), 0);
		CU_ASSERT_EQUAL_FATAL(query.nevents, 1);
		event = query.events[0];
		CU_ASSERT_EQUAL(tracer_expand(&query, &event, "1_2", &recorded, &refusal), i ? -EINVAL : 0);
		CU_ASSERT_EQUAL(query.nsettings, 0);
		CU_ASSERT_EQUAL(query.nevents, i ? 1 : 2);
		query_clear(&query);
	}
	CU_ASSERT_STRING_EQUAL(test_error(&refusal),
			       "--tracer timerlat:period=10ms: the options of a recorded "
			       "tracer cannot be changed\nuse --tracer timerlat");
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "each tracer has a default histogram", test_tracers_have_default_histograms },
	{ "options become values of files", test_options_are_files },
	{ "wrong options and missing tracers are refused", test_wrong_options_are_refused },
	{ "tracers of other programs are not disturbed", test_other_programs_are_not_disturbed },
	{ "function is --function with the tracer", test_functions_are_those_of_function },
	{ "presets count recorded tracers, as they were set", test_presets_count_recorded_tracers });
