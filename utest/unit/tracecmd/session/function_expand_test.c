// SPDX-License-Identifier: GPL-2.0
/*
 * function_expand_test.c - --function and --function-latency, from their text to the lines that the
 * kernel gets
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "lib/base/strbuf.h"
#include "lib/query/function_expand.h"
#include "lib/query/function_field.h"
#include "lib/query/function_names.h"
#include "lib/query/latency_expand.h"
#include "tracecmd/session/plan_source.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/plan/plan_fixture.h"

#define README_OLD "\t           r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
#define README_FPROBES "\t           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
#define FUNCTIONS "vfs_read\nvfs_write\nksys_read\ntwice\ntwice\next4_sync_file [ext4]\n"

#define EXIT_FORMAT "name: funcgraph_exit\nID: 10\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n" \
	"\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n" \
	"\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n"

/* What latency_keep_worst() adds. */
#define WORST "m=worst=lat_us:onmax($worst).save(common_timestamp,cpu,common_pid)"

static void function_machine(const char *readme, const char *functions)
{
	fresh();
	fake->target.long_size = 8;
	if (fake_target_put(fake, "README", readme) ||
	    fake_target_put(fake, "available_filter_functions", functions) ||
	    fake_target_put(fake, "available_tracers", "function_graph function nop\n") ||
	    fake_target_put(fake, "events/ftrace/funcgraph_exit/format", EXIT_FORMAT))
		abort();
}

/* Expand @text; the plan as lines, or the message of the error, is in @lines. */
static int function_expand_text(enum query_event_kind kind, const char *text, struct query_hist *hist,
				bool engine, char *lines, size_t len)
{
	struct query_event event = { .kind = kind, .name = text, .hists = hist, .nhists = !!hist };
	struct hist_error refusal = { 0 };
	struct plan plan = { 0 };
	struct plan_source source;
	FILE *file = tmpfile();
	int saved, ret;
	size_t n;

	fflush(stderr);
	saved = dup(2);
	dup2(fileno(file), 2);
	plan_source_init(&source, &plan, &fake->target,
			 engine ? NULL : &(struct hist_kernel){ .literals = true });
	ret = function_expand(&plan.query, &event, "1_2", &source.source, &refusal);
	plan_source_report(ret, &refusal);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	rewind(file);
	n = fread(lines, 1, len - 1, file);
	lines[n] = '\0';
	fclose(file);
	if (!ret)
		plan_lines(&plan, lines, len);
	plan_clear(&plan);
	return ret;
}

static void expect_lines(enum query_event_kind kind, const char *text, struct query_hist *hist,
			 bool engine, const char *expected)
{
	char lines[4096];

	CU_ASSERT_EQUAL(function_expand_text(kind, text, hist, engine, lines, sizeof(lines)), 0);
	CU_ASSERT_STRING_EQUAL(lines, expected);
	if (strcmp(lines, expected))
		printf("\n%s\n got:\n%s\n expected:\n%s\n", text, lines, expected);
}

static void expect_error(enum query_event_kind kind, const char *text, bool engine, const char *part)
{
	char said[4096];

	CU_ASSERT_NOT_EQUAL(function_expand_text(kind, text, NULL, engine, said, sizeof(said)), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said, part));
	if (!strstr(said, part))
		printf("\n%s\n got: %s\n expected: %s\n", text, said, part);
}

static void test_fprobes_count_patterns(void)
{
	struct query_hist hist = { .keys = "function,common_pid.execname",
				  .filter = "x.function==1 || function == \"vfs_read\"" };

	function_machine(README_OLD README_FPROBES, FUNCTIONS);
	expect_lines(QUERY_FUNCTION, "vfs_*,ksys_read", NULL, false,
		     "f:tch_function/entry_1_2 vfs_*\nf:tch_function/entry_1_2 ksys_read\n"
		     "tch_function:entry_1_2 function.sym [function:vfs_*,ksys_read]\n");
	/* a pattern that another one contains would count twice */
	expect_lines(QUERY_FUNCTION, "vfs_read,vfs_*,vfs_*", &hist, false,
		     "f:tch_function/entry_1_2 vfs_*\n"
		     "tch_function:entry_1_2 function.sym,common_pid.execname"
		     " f=x.function==1 || function.function == vfs_read  [function:vfs_read,vfs_*,vfs_*]\n");
	expect_error(QUERY_FUNCTION, "vfs_*,*_read", false, "vfs_read matches both patterns "
		     "\"vfs_*\" and \"*_read\"");
	expect_lines(QUERY_FUNCTION_LATENCY, "vfs_read:usecs", NULL, false,
		     "f:tch_function/entry_1_2 vfs_read\n"
		     "f4096:tch_function/return_1_2 vfs_read%return\n"
		     "trace_cmd_hist_1_2 u64 lat_us\n"
		     "-tch_function:entry_1_2 hist:keys=common_pid:ts_1_2=common_timestamp/1000+18014398509481984"
		     ":size=16384:clock=mono []\n"
		     "-tch_function:return_1_2 hist:keys=common_pid:lat_1_2=common_timestamp/1000+18014398509481984-$ts_1_2"
		     ":onmatch(tch_function.entry_1_2).trace(trace_cmd_hist_1_2,$lat_1_2)"
		     ":size=16384:clock=mono []\n"
		     "-tch_function:return_1_2 hist:name=ends_1_2:keys=common_type:size=128 []\n"
		     "synthetic:trace_cmd_hist_1_2 lat_us.log2=3 v=lat_us f=lat_us < 9007199254741 "
		     WORST " [function_latency:vfs_read]\n"
		     "-synthetic:trace_cmd_hist_1_2 hist:name=below_1_2:keys=common_type:size=128 "
		     "if lat_us >= 9007199254741 [function_latency:vfs_read]\n");
}

static void test_kprobes_count_few_functions(void)
{
	struct hist_strbuf many = { 0 };
	unsigned int i;
	char *text;

	function_machine(README_OLD, FUNCTIONS);
	expect_lines(QUERY_FUNCTION, "vfs_*,*_read", NULL, false,
		     "p:tch_function/entry_1_2 ksys_read\np:tch_function/entry_1_2 vfs_read\n"
		     "p:tch_function/entry_1_2 vfs_write\n"
		     "tch_function:entry_1_2 function.sym [function:vfs_*,*_read]\n");
	expect_error(QUERY_FUNCTION, "twice", false, "several functions have this name");
	for (i = 0; i <= FUNCTION_LATENCY_KPROBES_MAX; i++)
		hist_strbuf_printf(&many, "do_%u\n", i);
	text = hist_strbuf_string(&many);
	function_machine(README_OLD, text);
	free(text);
	expect_error(QUERY_FUNCTION, "do_*", false, "129 functions match, but this kernel can count at most 64");
	expect_error(QUERY_FUNCTION_LATENCY, "do_*", false,
		     "129 functions match, but this kernel can count at most 128");
}

static void test_tracers(void)
{
	function_machine(README_OLD, FUNCTIONS);
	expect_lines(QUERY_FUNCTION_LATENCY, "vfs_*", NULL, true,
		     "trace_cmd_hist_1_2 u64 lat_ns; unsigned long function\n"
		     "-ftrace:funcgraph_exit hist:keys=depth:lat_1_2=rettime-calltime"
		     ":onmatch(ftrace.funcgraph_exit).trace(trace_cmd_hist_1_2,$lat_1_2,function)"
		     ":clock=mono []\n"
		     "synthetic:trace_cmd_hist_1_2 function.sym,lat_ns.log2=3 v=lat_ns m=size=8192"
		     " [function_latency:vfs_*]\n");
	CU_ASSERT_EQUAL(fake_target_put(fake, "available_tracers", "function nop\n"), 0);
	expect_error(QUERY_FUNCTION_LATENCY, "vfs_*", true, "CONFIG_FUNCTION_GRAPH_TRACER");
}

static int no_descriptor(struct hist_target *t, const char *path)
{
	(void)t;
	(void)path;
	return -ENOENT;
}

/* Only the clock "mono" can be read. */
static int read_mono(struct hist_target *t, const char *clock, const char *dir, uint64_t *now)
{
	(void)t;
	(void)dir;
	*now = 0;
	return strcmp(clock, "mono") ? -EINVAL : 0;
}

/* The choice of --engine auto on a kernel of the release @release. */
static enum function_tracer choose(struct plan *plan, const char *release)
{
	char uname[64];
	enum function_tracer choice;

	snprintf(uname, sizeof(uname), "Linux host %s x86_64", release);
	fake->target.uname = uname;
	CU_ASSERT_EQUAL(plan_source_choose_tracer(plan, &fake->target, &choice), 0);
	fake->target.uname = NULL;
	return choice;
}

static void test_engine_auto(void)
{
	struct query_hist hist = { .keys = "function,stacktrace" };
	struct query_event events[] = {
		{ .kind = QUERY_FUNCTION, .name = "vfs_*" },
		{ .kind = QUERY_EVENT, .name = "sched:sched_switch" },
	};
	struct plan plan = { .query = { .events = events, .nevents = 1 } };
	const struct hist_target_ops *usual;
	struct hist_target_ops ops;
	struct hist_strbuf many = { 0 };
	unsigned int i;
	char *text;

	function_machine(README_FPROBES, FUNCTIONS);
	CU_ASSERT_EQUAL(fake_target_put(fake, "tracing_thresh", "0\n"), 0);
	usual = fake->target.ops;
	ops = *usual;
	fake->target.ops = &ops;
	/* the pages of a shell cross a network */
	ops.clock = read_mono;
	ops.descriptor = NULL;
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_NONE);
	ops.descriptor = no_descriptor;
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_CHEAPER);
	plan.query.nevents = 2;
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_NONE);
	plan.query.nevents = 1;
	plan.record_events = true;
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_NONE);
	plan.record_events = false;
	plan.clock = "global";
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_NONE);
	plan.clock = "mono";
	events[0].hists = &hist;
	events[0].nhists = 1;
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_CHEAPER);
	events[0].kind = QUERY_FUNCTION_LATENCY;
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_NONE);
	hist.keys = "lat.log2";
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_CHEAPER);
	CU_ASSERT_EQUAL(choose(&plan, "6.10.9"), FUNCTION_TRACER_NONE);
	CU_ASSERT_EQUAL(fake_target_put(fake, "tracing_thresh", "5\n"), 0);
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_NONE);
	expect_error(QUERY_FUNCTION_LATENCY, "vfs_*", true, "another program set tracing_thresh");
	/* hist triggers count all these, but not many functions with kprobes */
	for (i = 0; i <= FUNCTION_KPROBES_MAX; i++)
		hist_strbuf_printf(&many, "vfs_%u\n", i);
	text = hist_strbuf_string(&many);
	function_machine(README_OLD, text);
	free(text);
	events[0].kind = QUERY_FUNCTION;
	plan.query.nevents = 2;
	CU_ASSERT_EQUAL(choose(&plan, "6.11"), FUNCTION_TRACER_NEEDED);
	fake->target.ops = usual;
}

static void test_bad_functions(void)
{
	function_machine(README_FPROBES, FUNCTIONS);
	expect_error(QUERY_FUNCTION, "vfs_raed", false, "did you mean \"vfs_read\"?");
	expect_error(QUERY_FUNCTION, "no*", false, "no traceable function of this kernel matches");
	expect_error(QUERY_FUNCTION, "!vfs_*", false, "\"!vfs_*\" is neither a function name");
	expect_error(QUERY_FUNCTION, "vfs_read:mod:ext4", false, "is neither a function name");
	expect_error(QUERY_FUNCTION, "vfs_read,,x", false, "\"\" is neither a function name");
	expect_error(QUERY_FUNCTION_LATENCY, "vfs_read:ms", false, "unknown unit \"ms\"");
	expect_error(QUERY_FUNCTION_LATENCY, "vfs_*:ms", false, "unknown unit \"ms\"");
	fail_on("read", "available_filter_functions", -1, -EPERM);
	expect_error(QUERY_FUNCTION, "vfs_read", false,
		     "available_filter_functions: Operation not permitted\n"
		     "hint: count tracepoints with -e, or check if kernel_lockdown(7) or a "
		     "security module denies this file\n");
}

#define MODULES "vfs_read\nprobe [ext4]\nprobe [xfs]\nsync [ext4]\next4_a [ext4]\n" \
	"ext4_b [ext4]\nvfs_read [xfs]\nclose [xfs]\n"

/* The places of the probes of @text, one a line. */
static void expect_places(const char *text, const char *kind, const char *places)
{
	char lines[4096], *line, *rest = lines, *last;
	struct hist_strbuf b = { 0 };

	CU_ASSERT_EQUAL(function_expand_text(QUERY_FUNCTION, text, NULL, false, lines, sizeof(lines)), 0);
	while ((line = strsep(&rest, "\n"))) {
		if (strncmp(line, "p:", 2) && strncmp(line, "f:", 2))
			continue;
		last = strrchr(line, ' ') + 1;
		CU_ASSERT_EQUAL(*line, *kind);
		hist_strbuf_printf(&b, "%s%s", b.len ? " " : "", last);
	}
	line = hist_strbuf_string(&b);
	CU_ASSERT_STRING_EQUAL(line, places);
	free(line);
}

static void test_modules(void)
{
	function_machine(README_FPROBES, MODULES);
	/* an fprobe does not need the module if the names are unique */
	expect_places("ext4:sync", "f", "sync");
	expect_places("ext4:ext4_*,xfs:close", "f", "ext4_* close");
	expect_places("*4:[es]*", "f", "[es]*");
	expect_places("probe", "f", "probe");
	expect_places("xfs:*e", "p", "xfs:close xfs:probe");
	expect_places("ext4:probe", "p", "ext4:probe");
	function_machine(README_OLD, MODULES);
	expect_places("ext4:sync", "p", "ext4:sync");
	expect_places("sync", "p", "sync");
	/* kprobes need unique names */
	expect_places("probe", "p", "ext4:probe xfs:probe");
	expect_places("vfs_read", "p", "xfs:vfs_read");
	expect_lines(QUERY_FUNCTION_LATENCY, "ext4:sync:usecs", NULL, true,
		     "trace_cmd_hist_1_2 u64 lat_us\n"
		     "-ftrace:funcgraph_exit hist:keys=depth:lat_1_2=rettime/1000-calltime/1000"
		     ":onmatch(ftrace.funcgraph_exit).trace(trace_cmd_hist_1_2,$lat_1_2)"
		     ":clock=mono []\n"
		     "synthetic:trace_cmd_hist_1_2 lat_us.log2=3 v=lat_us [function_latency:ext4:sync]\n");
}

static void test_bad_modules(void)
{
	function_machine(README_FPROBES, MODULES);
	expect_error(QUERY_FUNCTION, "ext4:snyc", false,
		     "the module has no traceable function with this name\nhint: did you mean \"ext4:sync\"?");
	expect_error(QUERY_FUNCTION, "xfs:sync", false, "did you mean \"ext4:sync\"?");
	expect_error(QUERY_FUNCTION, "btrfs:sync", false,
		     "no module \"btrfs\" with traceable functions is loaded\nhint: did you mean \"ext4:sync\"?");
	expect_error(QUERY_FUNCTION, "btrfs:*", false, "hint: load the module first");
	expect_error(QUERY_FUNCTION, "ext4:no*", false, "no traceable function of the module matches");
	expect_error(QUERY_FUNCTION, ":sync", false, "is neither a function name");
	expect_error(QUERY_FUNCTION, "ext4:", false, "hint: use FUNCTION, or MODULE:FUNCTION");
	expect_error(QUERY_FUNCTION, "synk", false, "did you mean \"sync\"?");
}

static void test_look_up(void)
{
	static const struct {
		const char *symbol, *near;
		bool found;
	} cases[] = {
		{ "sync", NULL, true }, { "ext4:sync", NULL, true }, { "synk", "sync", false },
		{ "xfs:sync", "ext4:sync", false }, { "ext4:synk", "ext4:sync", false },
		{ "quite_another_name", NULL, false },
	};
	unsigned int i;
	char *near;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CU_ASSERT_EQUAL(function_names_look_up(strdup(MODULES), cases[i].symbol, &near),
				cases[i].found);
		CU_ASSERT_EQUAL(!near, !cases[i].near);
		CU_ASSERT(!near || !strcmp(near, cases[i].near));
		free(near);
	}
}

static void test_field_names(void)
{
	static const struct {
		const char *ours, *kernels;
	} texts[] = {
		{ "hist:keys=function.sym,cpu:sort=function", "hist:keys=ip.sym,cpu:sort=ip" },
		{ "hist:keys=x if function.function == function && c ~ \"function\"",
		  "hist:keys=x if ip.function == ip && c ~ \"function\"" },
		{ "hist:keys=functions,my_function:x=$function", "hist:keys=functions,my_function:x=$function" },
	};
	unsigned int i;
	char *text;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		text = function_field_to_kernel(texts[i].ours, "ip");
		CU_ASSERT_STRING_EQUAL(text, texts[i].kernels);
		free(text);
		text = function_field_from_kernel(texts[i].kernels, "ip");
		CU_ASSERT_STRING_EQUAL(text, texts[i].ours);
		free(text);
	}
	text = function_field_to_kernel("hist:keys=function", NULL);
	CU_ASSERT_STRING_EQUAL(text, "hist:keys=function");
	free(text);
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "fprobe events count patterns without counting a function twice", test_fprobes_count_patterns },
	{ "kprobes count few functions, and many are refused", test_kprobes_count_few_functions },
	{ "the user-space engine counts events of a tracer", test_tracers },
	{ "auto chooses the tracer if it counts the same", test_engine_auto },
	{ "names, patterns and units that are wrong are refused", test_bad_functions },
	{ "a module selects one of several functions with the same name", test_modules },
	{ "modules that are wrong are refused with a near name", test_bad_modules },
	{ "the function of a kprobe is looked up with its module", test_look_up },
	{ "the kernel gets its own name of the field function", test_field_names });
