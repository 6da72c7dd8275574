// SPDX-License-Identifier: GPL-2.0
/*
 * trigger_context_test.c - what triggers of a plan refer to, on a target that is not whole
 *
 * That kernels and we agree is shown in the VM; here is what must pass when less
 * is known, and what is known before and after objects are made.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/session/trigger_context.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/plan/plan_fixture.h"

#define ENTER "raw_syscalls:sys_enter"
#define EXIT "raw_syscalls:sys_exit"
#define START "hist:keys=common_pid:ts=common_timestamp.usecs"
#define THERE "instances/theirs/events/"

static struct hist_kernel newest;

static void put(const char *path, const char *text)
{
	if (fake_target_put(fake, path, text))
		abort();
}

static void machine(void)
{
	fresh();
	fail_on(NULL, NULL, 0, 0);
	plan_events_put(fake);
	put("log", "");
	put("synthetic_events", "lat\tu64 lat; char comm[16]\n");
	put("trace_clock", "[local] global mono\n");
	/* as everywhere, files stand beside the directories */
	put(THERE "enable", "0\n");
	put(THERE "raw_syscalls/enable", "0\n");
	put(THERE "raw_syscalls/sys_enter/trigger",
	    "enable_hist:sched:sched_switch:unlimited\n"
	    START ":vals=hitcount:sort=hitcount:size=2048:clock=mono [active]\n");
	put(THERE "raw_syscalls/sys_exit/trigger", "# Available triggers:\n# hist\n");
	put(THERE "kmem/kmalloc/trigger",
	    "hist:keys=ptr:vals=hitcount:sort=hitcount:size=2048 [active]\n");
	hist_kernel_set_newest(&newest);
}

struct trigger {
	const char *event, *text;
};

/* Sources of up to two triggers. */
static unsigned int find(struct traced_event *sources, const struct trigger *triggers)
{
	unsigned int n;

	for (n = 0; n < 2 && triggers[n].event; n++) {
		const struct query_hist hist = { .raw = triggers[n].text };

		if (strstr(triggers[n].event, "made:") || strstr(triggers[n].event, "synthetic:"))
			CU_ASSERT_EQUAL(traced_event_expect(&sources[n], &fake->target,
							    triggers[n].event, NULL), 0)
		else
			CU_ASSERT_EQUAL(traced_event_find(&sources[n], &fake->target,
							  triggers[n].event), 0);
		if (hist_switch_is_trigger(triggers[n].text))
			CU_ASSERT_EQUAL(traced_event_add_switch(&sources[n], triggers[n].text), 0)
		else
			CU_ASSERT_EQUAL(traced_event_add_hist(&sources[n], &hist, "mono"), 0);
	}
	return n;
}

static FILE *said_file;
static int old_stderr;

static void listen_begin(void)
{
	fflush(stderr);
	said_file = tmpfile();
	old_stderr = dup(2);
	dup2(fileno(said_file), 2);
}

/* What was said begins with @begins, or is nothing when that is NULL. */
static void expect_said(const char *begins)
{
	char text[1024];
	bool right;
	size_t n;

	fflush(stderr);
	dup2(old_stderr, 2);
	close(old_stderr);
	rewind(said_file);
	n = fread(text, 1, sizeof(text) - 1, said_file);
	text[n] = '\0';
	fclose(said_file);
	right = begins ? !strncmp(text, begins, strlen(begins)) : !*text;
	CU_ASSERT_TRUE(right);
	if (!right)
		fprintf(stderr, "said: %sexpected: %s\n", text, begins ? begins : "");
}

#define SAYS "trace-cmd hist: error: "

/* Checks two triggers in @instance, with @said as expect_said()'s. */
static void expect_check(const char *instance, const struct trigger *triggers, const char *said)
{
	struct traced_event sources[2] = { 0 };
	unsigned int n = find(sources, triggers);
	struct trigger_context scope;

	CU_ASSERT_EQUAL(trigger_context_open(&scope, &fake->target, instance, NULL, 0), 0);
	listen_begin();
	CU_ASSERT_EQUAL(trigger_context_check(&scope, &newest, sources, n), said ? -EINVAL : 0);
	expect_said(said);
	trigger_context_clear(&scope);
	while (n)
		traced_event_clear(&sources[--n], &fake->target);
}

static const struct trigger uses_ts[2] = {
	{ EXIT, "hist:keys=common_pid:w=common_timestamp.usecs-$ts" }
};
static const struct trigger uses_none[2] = { { EXIT, "hist:keys=common_pid:w=$none" } };
static const struct trigger own_ts[2] = { { ENTER, START }, { EXIT, "hist:keys=common_pid:w=$ts" } };
static const struct trigger again[2] = { { "kmem:kmalloc", "hist:keys=ptr" } };
static const struct trigger feeds[2] = {
	{ EXIT, "hist:keys=common_pid:onchange($i).nosuch($i):i=id" }
};
static const struct trigger sundial[2] = { { EXIT, "hist:keys=common_pid:clock=sundial" } };

static void test_others(void)
{
	machine();
	expect_check(NULL, own_ts, NULL);
	expect_check(NULL, uses_ts, SAYS "no variable \"$ts\"");
	expect_check("fresh", uses_ts, SAYS "no variable \"$ts\"");
	expect_check("theirs", uses_ts, NULL);
	expect_check("theirs", uses_none, SAYS "no variable \"$none\"");
	expect_check("theirs", again, SAYS "another program has already set an equal trigger");
	expect_check(NULL, again, NULL);
	free(fake_target_log(fake));
}

/* Each of these makes it unknown whether there is a $none. */
static void test_unknown_others(void)
{
	static const struct {
		const char *op, *path;
		int err;
	} fails[] = {
		{ "list", THERE, -EACCES },
		{ "list", "instances/theirs/events/kmem", -EACCES },
		{ "read", THERE "kmem/kmalloc/trigger", -EIO },
		{ "read", "events/kmem/kmalloc/format", -EIO },
	};
	char path[64];
	size_t i;

	machine();
	for (i = 0; i < sizeof(fails) / sizeof(*fails); i++) {
		snprintf(path, sizeof(path), "%s", fails[i].path);
		if (path[strlen(path) - 1] == '/')
			path[strlen(path) - 1] = '\0';
		fail_on(fails[i].op, path, -1, fails[i].err);
		expect_check("theirs", uses_none, NULL);
	}
	fail_on(NULL, NULL, 0, 0);
	expect_check("theirs", uses_none, SAYS "no variable");
	put(THERE "kmem/kmalloc/trigger", "hist:keys=ptr:of=the:future{}\n");
	expect_check("theirs", uses_none, NULL);
}

/* Clocks and synthetic events that cannot be read pass. */
static void test_unknown_rest(void)
{
	machine();
	expect_check(NULL, sundial, SAYS "clock=sundial: unknown trace clock");
	fail_on("read", "trace_clock", -1, -EIO);
	expect_check(NULL, sundial, NULL);
	fail_on(NULL, NULL, 0, 0);
	expect_check(NULL, feeds, SAYS "no synthetic event \"nosuch\"");
	put("synthetic_events", "lat\tu64 lat\nodd future{} type\n");
	expect_check(NULL, feeds, NULL);
	fail_on("read", "synthetic_events", -1, -EIO);
	expect_check(NULL, feeds, NULL);
	fail_on(NULL, NULL, 0, 0);
}

static const struct query_dynevent plans[] = {
	{ .kind = QUERY_SYNTHETIC, .definition = "pair u64 lat; s64 id" },
	{ .kind = QUERY_DYNAMIC, .definition = "p:made/probe vfs_read n=$arg3" },
};

/* Checks two triggers with the objects @plans, before they are made and then. */
static void expect_made(const struct trigger *triggers, const char *before, const char *after)
{
	struct dynevent dynevents[2] = { 0 };
	struct traced_event sources[2] = { 0 };
	struct trigger_context scope;
	unsigned int i, n;

	for (i = 0; i < 2; i++)
		CU_ASSERT_EQUAL(dynevent_check(&dynevents[i], &fake->target, &plans[i], false), 0);
	n = find(sources, triggers);
	CU_ASSERT_EQUAL(trigger_context_open(&scope, &fake->target, NULL, dynevents, 2), 0);
	listen_begin();
	CU_ASSERT_EQUAL(trigger_context_check(&scope, &newest, sources, n), before ? -EINVAL : 0);
	expect_said(before);
	trigger_context_set_made(&scope);
	put("events/made/probe/format",
	    "name: probe\nID: 1\nformat:\n"
	    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	    "\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	    "\tfield:u64 n;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n");
	listen_begin();
	CU_ASSERT_EQUAL(trigger_context_check(&scope, &newest, sources, n), after ? -EINVAL : 0);
	expect_said(after);
	trigger_context_clear(&scope);
	while (n)
		traced_event_clear(&sources[--n], &fake->target);
	for (i = 0; i < 2; i++)
		dynevent_clear(&dynevents[i]);
	CU_ASSERT_EQUAL(unlinkat(fake->dir, "events/made/probe/format", 0), 0);
	CU_ASSERT_EQUAL(unlinkat(fake->dir, "events/made/probe", AT_REMOVEDIR), 0);
}

static void test_objects(void)
{
	static const struct {
		struct trigger triggers[2];
		const char *before, *after;
	} cases[] = {
		{ { { "made:probe", "hist:keys=n" } }, NULL, NULL },
		{ { { "made:probe", "hist:keys=m" } }, SAYS "made:probe: no field \"m\"",
		  SAYS "made:probe: no field \"m\"" },
		{ { { "made:probe", "hist:keys=n:vals=hitcount.buckets=8" } },
		  SAYS "\".buckets\" cannot be used with a value", SAYS "\".buckets\"" },
		/* its type is the kernel's to choose: what one type allows is not refused before */
		{ { { "made:probe", "hist:keys=n if n ~ \"x*\"" } }, NULL, SAYS "\"n\" is a number" },
		{ { { "made:probe", "hist:keys=n if n < -1" } }, NULL, SAYS
		  "\"n\" is never negative" },
		{ { { "synthetic:pair", "hist:keys=id,lat" } }, NULL, NULL },
		/* here it is never made, and so not known then */
		{ { { "synthetic:pair", "hist:keys=node" } },
		  SAYS "synthetic:pair: no field \"node\"", NULL },
		{ { { EXIT, "hist:keys=common_pid:onchange($r).pair($r,id):r=ret" } },
		  SAYS "type mismatch: \"$r\" is signed, but the field \"lat\" of pair is unsigned",
		  SAYS "type mismatch: \"$r\" is signed, but" },
		/* what a probe sets is not known before */
		{ { { "made:probe", "hist:keys=common_pid:v=n" },
		    { EXIT, "hist:keys=common_pid:w=$v" } }, NULL, NULL },
		{ { { "made:probe", "hist:keys=common_pid:v=n" },
		    { EXIT, "hist:keys=common_pid:w=$u" } }, NULL, SAYS "no variable \"$u\"" },
		{ { { EXIT, "hist:keys=common_pid:w=$u" },
		    { "made:probe", "hist:keys=common_pid:u=n" } },
		  SAYS "no variable \"$u\"", SAYS "no variable \"$u\"" },
		{ { { EXIT, "hist:keys=common_pid:w=made.nosuch.$v" } },
		  SAYS "made:nosuch: no such event", SAYS "made:nosuch: no such event" },
	};
	size_t i;

	machine();
	put("kprobe_events", "");
	put("dynamic_events", "");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect_made(cases[i].triggers, cases[i].before, cases[i].after);
}

static void test_switches(void)
{
	static const struct trigger good[] = {
		{ EXIT, "hist:keys=id" }, { ENTER, "enable_hist:raw_syscalls:sys_exit:3 if id == 5" }
	}, alone[] = {
		{ ENTER, "disable_hist:raw_syscalls:sys_exit" }, { EXIT, "enable_hist:raw_syscalls:sys_enter" }
	}, unknown[] = {
		{ EXIT, "hist:keys=id" }, { ENTER, "enable_hist:raw_syscalls:sys_exot" }
	}, filter[] = {
		{ EXIT, "hist:keys=id" }, { ENTER, "enable_hist:raw_syscalls:sys_exit if zork == 1" }
	}, twice[] = {
		{ EXIT, "enable_hist:raw_syscalls:sys_exit" }, { EXIT, "disable_hist:raw_syscalls:sys_exit" }
	};

	machine();
	expect_check(NULL, good, NULL);
	expect_check(NULL, alone, SAYS "raw_syscalls:sys_exit: no histogram to enable or disable\n");
	/* in an instance of others, it may be theirs */
	expect_check("theirs", alone, NULL);
	expect_check(NULL, unknown, SAYS "raw_syscalls:sys_exot: no such event");
	expect_check(NULL, filter, SAYS "raw_syscalls:sys_enter: no field \"zork\"");
	expect_check("theirs", twice, SAYS "a trigger on raw_syscalls:sys_exit already enables or disables this event");
}

static void test_bad_definition(void)
{
	static const struct query_dynevent bad = { .kind = QUERY_SYNTHETIC, .definition = "pair u65 lat" };
	struct dynevent object;
	struct trigger_context scope;

	machine();
	CU_ASSERT_EQUAL(dynevent_check(&object, &fake->target, &bad, false), 0);
	listen_begin();
	CU_ASSERT_EQUAL(trigger_context_open(&scope, &fake->target, NULL, &object, 1), -EINVAL);
	expect_said(SAYS);
	trigger_context_clear(&scope);
	dynevent_clear(&object);
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "a trigger may use a variable of another user's trigger only in the same instance",
	  test_others },
	{ "the checker accepts an unknown variable if another user's triggers are unreadable",
	  test_unknown_others },
	{ "the checker accepts an unknown clock or synthetic event if their file is unreadable",
	  test_unknown_rest },
	{ "the checker knows the fields of probes and synthetic events before their creation",
	  test_objects },
	{ "the checker accepts enable_hist and disable_hist only for an event with a histogram",
	  test_switches },
	{ "the checker refuses an invalid definition of a synthetic event", test_bad_definition });
