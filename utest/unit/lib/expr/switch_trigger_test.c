// SPDX-License-Identifier: GPL-2.0
/*
 * switch_trigger_test.c - enable_hist and disable_hist, and what older kernels lack
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "lib/expr/switch_trigger.h"
#include "lib/expr/synth.h"
#include "utest/unit/lib/check/context_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static void test_switches(void)
{
	static const struct {
		const char *text, *at, *what, *hint;
	} bad[] = {
		{ "enable_hist", "", "no event to enable or disable",
		  "write enable_hist:SYS:EVENT" },
		{ "enable_hist:sched", "sched", "no event to enable or disable",
		  "write enable_hist:SYS:EVENT" },
		{ "disable_hist:sched:sched_waking:x", "x", "\"x\" is not a count",
		  "write a number, or leave it out" },
		{ "enable_hist:sched:nosuch", "sched:nosuch", "sched:nosuch: no such event",
		  "did you mean \"such\"?" },
		{ "enable_hist:sched:sched_waking next_pid == 1", "next_pid",
		  "unexpected \"next_pid\"", "write \"if\" before a filter" },
		{ "enable_hist:sched:sched_waking if zork == 1", "zork",
		  "sched:sched_switch: no field \"zork\"",
		  "use one of: prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, "
		  "next_prio" },
		{ "enable_hist:sched:sched_waking if next_comm == x", "x",
		  "\"x\" is not a number or a string in quotes",
		  "" },
		{ "disable_hist:kmem:kmalloc", "kmem:kmalloc",
		  "a trigger on sched:sched_switch already enables or disables this event",
		  "use different events to enable and to disable the histogram" },
	};
	struct hist_check_switch other;
	struct hist_check_context context = { .find_event = fixture_find,
					     .suggest_event = fixture_near,
					     .switches = &other };
	struct hist_switch *sw, *first;
	struct hist_error error;
	bool same;
	size_t i;
	int ret;

	CU_ASSERT_EQUAL_FATAL(hist_switch_parse(&first, " enable_hist:kmem:kmalloc\n", NULL), 0);
	CU_ASSERT_EQUAL(hist_check_switch_trigger(first, context_event(SWITCH), &context, NULL), 0);
	other = (struct hist_check_switch){ context_event(SWITCH), first };
	context.nswitches = 1;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&error, 0xa5, sizeof(error));
		CU_ASSERT_TRUE(hist_switch_is_trigger(bad[i].text));
		ret = hist_switch_parse(&sw, bad[i].text, &error);
		if (!ret) {
			ret = hist_check_switch_trigger(sw, context_event(SWITCH), &context,
							&error);
			hist_switch_free(sw);
		}
		same = ret == -EINVAL && !strcmp(error.what, bad[i].what) &&
		       !strcmp(error.hint, bad[i].hint) && error.at.len == strlen(bad[i].at) &&
		       !strncmp(bad[i].text + error.at.start, bad[i].at, error.at.len);
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "%s\n  %d %zu+%zu %s; %s\n", bad[i].text, ret,
				error.at.start, error.at.len, error.what, error.hint);
	}
	CU_ASSERT_EQUAL_FATAL(
		hist_switch_parse(&sw, "disable_hist:sched:sched_waking:010  if (next_pid==1)",
				  NULL),
		0);
	CU_ASSERT_EQUAL(hist_check_switch_trigger(sw, context_event(SWITCH), &context, NULL), 0);
	CU_ASSERT_FALSE(sw->enable);
	CU_ASSERT_EQUAL(sw->count, 8);
	CU_ASSERT_STRING_EQUAL(sw->system, "sched");
	CU_ASSERT_STRING_EQUAL(sw->event, "sched_waking");
	CU_ASSERT_STRING_EQUAL(sw->filter, "(next_pid==1)");
	hist_switch_free(sw);
	hist_switch_free(first);
	hist_switch_free(NULL);
	CU_ASSERT_FALSE(hist_switch_is_trigger("hist:keys=a"));
	CU_ASSERT_FALSE(hist_switch_is_trigger("enable_history:a:b"));
	CU_ASSERT_FALSE(hist_switch_is_trigger("enable_event:a:b"));
}

/* Lines of a trigger file of 6.12, the same on 6.1, and what they mean. */
static const struct {
	const char *text, *means;
	bool is_spent;
} printed_cases[] = {
	{ "enable_hist:sched:sched_waking:unlimited\n", "enable_hist:sched:sched_waking", false },
	{ "disable_hist:sched:sched_wakeup:count=3", "disable_hist:sched:sched_wakeup:3", false },
	{ "disable_hist:irq:softirq_entry:count=16 if next_pid  ==  -5",
	  "disable_hist:irq:softirq_entry:16 if next_pid == -5", false },
	{ "disable_hist:kmem:kfree:unlimited if next_pid>=0",
	  "disable_hist:kmem:kfree if next_pid >= 0", false },
	{ "enable_hist:kmem:kmalloc:count=0\n", "enable_hist:kmem:kmalloc:0", true },
	{ "disable_hist:kmem:kmalloc:0x0 if next_pid", "disable_hist:kmem:kmalloc:0 if next_pid", true },
};

static void test_printed(void)
{
	static const char *const bad[] = { "enable_hist:a:b:unlimite", "enable_hist:a:b:unlimited2",
					   "enable_hist:a:b:count=", "enable_hist:a:b:count=x",
					   "enable_hist:a:b:count=-1", "enable_hist:a:b:cound=1",
					   "enable_hist:a:b:-0", "enable_hist:a:b:" };
	struct hist_switch *sw, *same;
	size_t i;

	for (i = 0; i < sizeof(printed_cases) / sizeof(*printed_cases); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_switch_parse(&sw, printed_cases[i].text, NULL), 0);
		CU_ASSERT_EQUAL_FATAL(hist_switch_parse(&same, printed_cases[i].means, NULL), 0);
		CU_ASSERT_EQUAL(sw->enable, same->enable);
		CU_ASSERT_STRING_EQUAL(sw->system, same->system);
		CU_ASSERT_STRING_EQUAL(sw->event, same->event);
		CU_ASSERT_EQUAL(sw->count, same->count);
		CU_ASSERT_EQUAL(!sw->filter, !same->filter);
		CU_ASSERT_EQUAL(sw->is_spent, printed_cases[i].is_spent);
		CU_ASSERT_EQUAL(same->is_spent, printed_cases[i].is_spent);
		hist_switch_free(sw);
		hist_switch_free(same);
	}
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CU_ASSERT_EQUAL(hist_switch_parse(&sw, bad[i], NULL), -EINVAL);
}

/* A target whose files are what @data names, separated by blanks. */
static int exists(void *data, const char *file)
{
	const char *at = strstr(data, file);

	return at && (at == data || at[-1] == ' ') && strchr(" ", at[strlen(file)]);
}

/* By the README recorded from kernel @version; NULL: a README that does not mention a thing. */
static void read_kernel(struct hist_kernel *kernel, const char *version, const char *release,
			const char *files)
{
	struct hist_kernel_signs signs = { .readme = "", .release = release };
	char path[64], *text = NULL;
	size_t len;

	if (version) {
		snprintf(path, sizeof(path), "formats/%s/README", version);
		signs.readme = text = test_read_file(test_data_path(path), &len);
	}
	if (files) {
		signs.exists = exists;
		signs.data = (void *)files;
	}
	hist_kernel_from_signs(kernel, &signs);
	free(text);
}

static bool same_kernel(const struct hist_kernel *a, const struct hist_kernel *b)
{
	return !memcmp(a, b, sizeof(*a));
}

#define FILES "synthetic_events snapshot events/sched/sched_switch/hist"

/* What each kernel has, by its own README and files. */
static void test_readme(void)
{
	struct hist_kernel k = { false }, expected = { false };

	hist_kernel_set_newest(&expected);
	read_kernel(&k, "7.3", "7.3-cloud-amd64", FILES " error_log");
	CU_ASSERT_TRUE(same_kernel(&k, &expected));
	/* what would crash a kernel needs a known release */
	expected.stack_chains = false;
	read_kernel(&k, "7.3", NULL, NULL);
	CU_ASSERT_TRUE(same_kernel(&k, &expected));

	expected.stack_chains = true;
	expected.common_comm = expected.deep_stacks = false;
	read_kernel(&k, "6.12", "6.12.117", FILES);
	CU_ASSERT_TRUE(same_kernel(&k, &expected));

	expected.stack_chains = false;
	expected.nohitcount = expected.stacks = expected.filter_cpus = expected.filter_function = false;
	read_kernel(&k, "6.1", "6.1.0-50-amd64", FILES);
	CU_ASSERT_TRUE(same_kernel(&k, &expected));

	expected.percent = expected.string_pointers = expected.literals = expected.buckets = false;
	read_kernel(&k, "5.10", "5.10.0-46-cloud-amd64", FILES);
	/* common_cpu is of 5.14, and was brought to this one */
	CU_ASSERT_TRUE(k.common_cpu);
	CU_ASSERT_TRUE(same_kernel(&k, &expected));
}

/* No wording decides alone: files and the release say the same of a README without any. */
static void test_files(void)
{
	struct hist_kernel k = { false }, expected = { false };

	read_kernel(&k, NULL, NULL, "");
	CU_ASSERT_TRUE(same_kernel(&k, &expected));

	/* 4.19: its README has nothing on handlers and synthetic events */
	expected.hist = expected.synthetic = expected.variables = true;
	read_kernel(&k, NULL, "4.19.0-27-amd64", FILES);
	CU_ASSERT_TRUE(same_kernel(&k, &expected));
	read_kernel(&k, NULL, NULL, "synthetic_events events/ftrace/print/hist");
	CU_ASSERT_TRUE(same_kernel(&k, &expected));

	/* from 5.2 there is an error_log */
	expected.trace_action = expected.onchange = true;
	read_kernel(&k, NULL, NULL, "synthetic_events events/ftrace/print/hist error_log");
	CU_ASSERT_TRUE(same_kernel(&k, &expected));

	memset(&expected, 0, sizeof(expected));
	hist_kernel_set_newest(&expected);
	read_kernel(&k, NULL, "7.3-cloud-amd64", FILES);
	CU_ASSERT_TRUE(same_kernel(&k, &expected));

	/* what was configured out is not there, whatever README and release say */
	expected.snapshot = expected.synthetic = false;
	read_kernel(&k, "7.3", "7.3-cloud-amd64", "events/sched/sched_switch/hist error_log");
	CU_ASSERT_TRUE(same_kernel(&k, &expected));
	memset(&expected, 0, sizeof(expected));
	read_kernel(&k, NULL, "7.3-cloud-amd64", "synthetic_events snapshot error_log");
	CU_ASSERT_TRUE(same_kernel(&k, &expected));
}

static void check_release(const char *release, const char *text, bool good, const char *what)
{
	const struct hist_event *event = context_event(SWITCH);
	struct hist_check_context context = { .all_triggers = true };
	struct hist_error error = { .what = "" };
	struct hist_kernel k;
	struct hist_expr *e;

	read_kernel(&k, "6.12", release, NULL);
	context.kernel = &k;
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, text, NULL), 0);
	CU_ASSERT_EQUAL(hist_check_expr_in(e, event, &context, &error), good ? 0 : -EINVAL);
	if (!good)
		CU_ASSERT_STRING_EQUAL(error.what, what);
	hist_expr_free(e);
}

/* The stack of a synthetic event crashes kernels without 90f9f5d64cae when it is passed on. */
static void test_stack_chains(void)
{
	static const struct {
		const char *release;
		bool good;
	} cases[] = {
		{ "6.12.67", false }, { "6.12.68", true }, { "6.12.117+deb12-cloud-amd64", true },
		{ "6.6.121", false }, { "6.6.122-1-lts", true }, { "6.18.7", false },
		{ "6.18.8", true }, { "6.17.13", false }, { "6.8.0-31-generic", false },
		{ "6.12", false }, { "6.19.0", true }, { "7.0", true }, { "mainline", false },
	};
	static const char stack_format[] =
		"name: chained\nID: 900\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:__data_loc unsigned long[] stack;\toffset:8;\tsize:8;\tsigned:0;\n\n"
		"print fmt: \"\"\n";
	struct hist_check_context context = { .all_triggers = false };
	struct hist_error error = { .what = "" };
	struct hist_event *event;
	struct hist_kernel k;
	struct hist_expr *e;
	size_t i;

	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "synthetic", stack_format,
					       strlen(stack_format)), 0);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, "hist:keys=common_pid:s2=stack", NULL), 0);
	context.kernel = &k;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		read_kernel(&k, "6.12", cases[i].release, NULL);
		CU_ASSERT_EQUAL(k.stack_chains, cases[i].good);
		CU_ASSERT_EQUAL(hist_check_expr_in(e, event, &context, &error),
				cases[i].good ? 0 : -EINVAL);
		if (!cases[i].good)
			CU_ASSERT_STRING_EQUAL(error.what,
					       "this kernel can crash if a stack field is passed to "
					       "another event (fixed by commit 90f9f5d64cae)");
	}
	hist_expr_free(e);
	/* as a key it crashes nothing */
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, "hist:keys=stack.stacktrace", NULL), 0);
	read_kernel(&k, "6.12", "6.12.67", NULL);
	CU_ASSERT_EQUAL(hist_check_expr_in(e, event, &context, &error), 0);
	hist_expr_free(e);
	hist_event_free(event);
}

/* What README does not mention: a kernel whose README is as that of 6.12, by its release. */
static void test_release(void)
{
	static const struct {
		const char *release;
		bool has_cpus, has_comm;
	} cases[] = {
		{ "6.6.0", true, false },
		{ "6.12.41+deb13-amd64", true, false },
		{ "7.0.0-rc1", true, true },
		{ "6.5.0-14-generic", false, false },
		{ "6.3.13", false, false },
		{ "5.15.0", false, false },
		{ "6.6-rc1", true, false },
		{ "6.15.9", true, false },
		{ "6.16.3+deb13-cloud-amd64", true, true },
		{ "mainline", true, true },
		{ "6", true, true },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check_release(cases[i].release, "hist:keys=next_pid if cpu & CPUS{0-3}",
			      cases[i].has_cpus, "this kernel does not support CPUS{} in filters");
		check_release(cases[i].release, "hist:keys=common_comm", cases[i].has_comm,
			      "this kernel does not support common_comm");
		check_release(cases[i].release, "hist:keys=comm", cases[i].has_comm,
			      "sched:sched_switch: no field \"comm\"");
		check_release(cases[i].release, "hist:keys=next_pid:x=common_comm",
			      cases[i].has_comm, "this kernel does not support common_comm");
	}
}

/* The line that the kernel patches add to README; other kernels count it with numbers (5.16). */
static void test_fine_log2(void)
{
	static const struct {
		const char *readme, *release;
		bool has, good;
	} cases[] = {
		{ "hist trigger\t- If set\n\t            .log2       display log2 value\n", "5.15.0",
		  false, false },
		{ "hist trigger\t- If set\n\t            .log2       display log2 value\n", "5.16.0",
		  false, true },
		{ "hist trigger\t- If set\n\t            .log2=bits  display log2 values\n", "5.15.0",
		  true, true },
	};
	const struct hist_event *event = context_event(SWITCH);
	struct hist_check_context context = { .all_triggers = true };
	struct hist_expr *fine, *plain;
	struct hist_error error;
	struct hist_kernel k;
	size_t i;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&fine, "hist:keys=next_prio.log2=2", NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&plain, "hist:keys=next_prio.log2", NULL), 0);
	context.kernel = &k;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hist_kernel_signs signs = { .readme = cases[i].readme,
						   .release = cases[i].release };

		hist_kernel_from_signs(&k, &signs);
		CU_ASSERT_EQUAL(k.fine_log2, cases[i].has);
		CU_ASSERT_EQUAL(hist_check_expr_in(fine, event, &context, &error),
				cases[i].good ? 0 : -EINVAL);
		if (!cases[i].good)
			CU_ASSERT_STRING_EQUAL(error.what, "this kernel does not support .log2=K");
		CU_ASSERT_EQUAL(hist_check_expr_in(plain, event, &context, NULL), 0);
	}
	hist_expr_free(fine);
	hist_expr_free(plain);
}

/* The address of a string for a string: what older kernels would follow without care. */
static void test_string_pointers(void)
{
	const struct hist_event *event = context_event("syscalls:sys_enter_openat");
	const struct hist_synth *synths[1];
	struct hist_check_context context = { .synths = synths, .nsynths = 1, .all_synths = true };
	struct hist_kernel kernel;
	struct hist_error error;
	struct hist_synth *synth;
	struct hist_expr *e;

	CU_ASSERT_EQUAL_FATAL(hist_synth_parse(&synth, "open char file[]", NULL), 0);
	synths[0] = synth;
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e,
		"hist:keys=common_pid:file=filename:onchange($file).trace(open,$file)", NULL), 0);
	CU_ASSERT_EQUAL(hist_check_expr_in(e, event, &context, &error), 0);
	read_kernel(&kernel, "5.10", "5.10.0-46-amd64", FILES);
	context.kernel = &kernel;
	CU_ASSERT_EQUAL(hist_check_expr_in(e, event, &context, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(error.what, "this kernel does not support char * parameters for strings");
	hist_expr_free(e);
	hist_synth_free(synth);
}

/* 150 and 120 letters: together more than fit. */
#define LETTERS "abcdefghijklmnopqrstuvwxyzabcd"
#define LONG_EXPRESSION                                                  \
	"hist:keys=next_pid:x=$" LETTERS LETTERS LETTERS LETTERS LETTERS \
	"+$" LETTERS LETTERS LETTERS LETTERS

/* What 6.1 lacks, or would crash it. */
static const struct {
	struct before before[BEFORE_MAX];
	const char *text, *at, *what, *hint;
} old_cases[] = {
	{ { { NULL, NULL } }, "hist:keys=stacktrace,cpu", NULL, NULL, NULL },
	{ { { NULL, NULL } },
	  "hist:keys=common_stacktrace",
	  "common_stacktrace",
	  "this kernel does not support common_stacktrace",
	  "write stacktrace" },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:x=common_stacktrace",
	  "common_stacktrace",
	  "this kernel does not support stacks that are not keys",
	  "use Linux 6.4 or later" },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:x=stacktrace",
	  "stacktrace",
	  "this kernel does not support stacks that are not keys",
	  "use Linux 6.4 or later" },
	{ { { NULL, NULL } },
	  "hist:keys=stacktrace:sort=stacktrace",
	  "stacktrace",
	  "sort key \"stacktrace\" is neither a key nor a value",
	  "use one of: hitcount, " },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:vals=next_prio:nohitcount",
	  "nohitcount",
	  "this kernel does not support nohitcount",
	  "leave it out, or use Linux 6.2 or later" },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:vals=hitcount.percent",
	  "percent",
	  "this kernel does not support modifiers of hitcount",
	  "leave out the modifier; 'trace-cmd hist report' computes the shares" },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:vals=hitcount.buckets=8",
	  "buckets=8",
	  "\".buckets\" cannot be used with a value",
	  "use .hex, .percent, .graph or no modifier" },
	{ { { NULL, NULL } }, "hist:keys=next_pid:vals=next_prio.percent", NULL, NULL, NULL },
	{ { { WAKING, "hist:keys=common_cpu" } },
	  "hist:keys=common_cpu:onmatch(sched.sched_waking).number(target_cpu)",
	  "target_cpu",
	  "this kernel crashes if a parameter is a field of another event and a key is not a "
	  "plain field",
	  "store the field in a variable with a trigger on that event" },
	{ { { WAKING, "hist:keys=stacktrace" } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).number(target_cpu)",
	  "target_cpu",
	  "this kernel crashes if a parameter is a field of another event and a key is not a "
	  "plain field",
	  "store the field in a variable with a trigger on that event" },
	{ { { WAKING, "hist:keys=pid" } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).number(target_cpu)",
	  NULL,
	  NULL,
	  NULL },
	{ { { NULL, NULL } },
	  LONG_EXPRESSION,
	  "$abc",
	  "the expression is longer than the kernel's limit of 255 bytes",
	  "" },
};

static void test_old(void)
{
	struct hist_check_trigger triggers[BEFORE_MAX];
	struct hist_check_context context = { .triggers = triggers };
	struct hist_kernel old;
	struct hist_error error;
	struct hist_expr *e;
	bool same;
	size_t i;
	int ret;

	read_kernel(&old, "6.1", "6.1.0", NULL);
	context.kernel = &old;
	context.find_event = fixture_find;
	for (i = 0; i < sizeof(old_cases) / sizeof(*old_cases); i++) {
		memset(&error, 0, sizeof(error));
		context.ntriggers = fixture_before(old_cases[i].before, triggers);
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, old_cases[i].text, NULL), 0);
		ret = hist_check_expr_in(e, context_event(SWITCH), &context, &error);
		same = old_cases[i].at ? ret == -EINVAL && !strcmp(error.what, old_cases[i].what) &&
						 !strcmp(error.hint, old_cases[i].hint) &&
						 !strncmp(e->text + error.at.start,
							  old_cases[i].at, strlen(old_cases[i].at))
				       : !ret;
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "%s\n  %d %zu+%zu %s; %s\n", old_cases[i].text, ret,
				error.at.start, error.at.len, error.what, error.hint);
		hist_expr_free(e);
		while (context.ntriggers)
			hist_expr_free((struct hist_expr *)triggers[--context.ntriggers].expr);
	}
}

static int free_events(void)
{
	fixture_free();
	return 0;
}

UNIT_TESTS_WITH(NULL, free_events,
	{ "enable_hist and disable_hist parse, and bad ones are refused with place and reason",
	  test_switches },
	{ "an enable_hist or disable_hist trigger that a kernel prints parses with its count",
	  test_printed },
	{ "the kernel's release decides whether CPUS{} and common_comm exist", test_release },
	{ "a stack field is passed on only on kernels that do not crash by it", test_stack_chains },
	{ "the README and the files of a kernel give its features, from 5.10 to 7.3",
	  test_readme },
	{ ".log2=K needs the patch, which README tells, or Linux 5.16", test_fine_log2 },
	{ "files and the release give the features of a kernel whose README mentions none",
	  test_files },
	{ "char * parameters for strings are refused on a kernel that lacks them",
	  test_string_pointers },
	{ "the checker refuses what Linux 6.1 lacks, and triggers that crash Linux 6.1",
	  test_old });
