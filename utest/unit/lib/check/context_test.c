// SPDX-License-Identifier: GPL-2.0
/*
 * context_test.c - triggers that belong together, checked with what is known of
 * the others
 *
 * That kernels say the same is tried by expr_check in the VM; here are the
 * words, the places, and what must pass when less is known.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "lib/expr/synth.h"
#include "utest/unit/lib/check/context_fixture.h"
#include "utest/unit/tests.h"

static const char *const synth_texts[] = {
	"wake u64 lat; pid_t pid; char comm[16]",
	"files char name[]; u64 n",
	"number s32 v",
	"stacks unsigned long[] stack; u64 lat",
};

#define N_SYNTHS (sizeof(synth_texts) / sizeof(*synth_texts))

static struct hist_synth *synths[N_SYNTHS];

static int make_synths(void)
{
	size_t i;

	for (i = 0; i < N_SYNTHS; i++)
		if (hist_synth_parse(&synths[i], synth_texts[i], NULL))
			return 1;
	return 0;
}

static int free_synths(void)
{
	size_t i;

	for (i = 0; i < N_SYNTHS; i++)
		hist_synth_free(synths[i]);
	fixture_free();
	return 0;
}

#define TS0 "hist:keys=pid:ts0=common_timestamp.usecs"
#define LAT "lat=common_timestamp.usecs-$ts0"

static const struct context_case {
	struct before before[BEFORE_MAX];
	const char *text; /* on SWITCH */
	const char *at;	  /* NULL: good */
	const char *what, *hint;
	bool needs_all; /* without a complete context it passes */
} cases[] = {
	/* An event of which nothing is known. */
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:onmatch(sched.awaited).trace(number,sched.awaited.v)",
	  "sched.awaited.v",
	  "sched:awaited: no histogram has the key types of this trigger",
	  "first set a hist trigger with the same number and types of keys on that event",
	  true },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:onmatch(sched.nosuch).trace(number,sched.nosuch.v)",
	  "sched.nosuch",
	  "sched:nosuch: no such event",
	  "did you mean \"such\"?",
	  false },
	/* References. */
	{ { { WAKING, TS0 } }, "hist:keys=next_pid:" LAT, NULL, NULL, NULL, false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:lat=common_timestamp.usecs-$ts1",
	  "$ts1",
	  "no variable \"$ts1\"",
	  "did you mean \"$ts0\"?",
	  true },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:" LAT,
	  "$ts0",
	  "no variable \"$ts0\"",
	  "define it with ts0=... in an earlier trigger",
	  true },
	{ { { WAKING, TS0 }, { WAKEUP, TS0 } },
	  "hist:keys=next_pid:" LAT,
	  "$ts0",
	  "\"$ts0\" is set by triggers of several events",
	  "write SYS.EVENT.$ts0",
	  false },
	{ { { WAKING, TS0 }, { WAKEUP, TS0 } },
	  "hist:keys=next_pid:lat=common_timestamp.usecs-sched.sched_wakeup.$ts0",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { WAKING, TS0 }, { WAKEUP, TS0 } },
	  "hist:keys=next_pid:" LAT ":onmatch(sched.sched_waking).trace(wake,$lat,next_pid,"
	  "next_comm)",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:lat=common_timestamp-$ts0",
	  "common_timestamp-$ts0",
	  "only one side of the expression has .usecs",
	  "use .usecs on both sides, or on neither",
	  false },
	{ { { WAKING, "hist:keys=pid:who=comm" } },
	  "hist:keys=next_pid:x=$who+1",
	  "$who",
	  "\"$who\" is a string, not a number",
	  "",
	  false },
	{ { { WAKING, "hist:keys=pid:zero=0" } },
	  "hist:keys=next_pid:x=next_prio/$zero",
	  "$zero",
	  "division by zero",
	  "",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:x=sched.nosuch.$ts0",
	  "sched.nosuch.$ts0",
	  "sched:nosuch: no such event",
	  "did you mean \"such\"?",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:x=next_prio+1,y=$x",
	  "$x",
	  "cannot use \"$x\": the same trigger sets this variable to an expression",
	  "write the expression instead of the variable",
	  false },
	{ { { WAKING, "hist:keys=pid:st=common_stacktrace" } },
	  "hist:keys=next_pid:vals=$st",
	  "$st",
	  "\"$st\" is a stack, but a value must be a number",
	  "",
	  false },
	/* Variables that are there. */
	{ { { SWITCH, "hist:keys=prev_pid:lat=next_prio" } },
	  "hist:keys=next_pid:lat=next_prio",
	  "lat",
	  "the variable \"lat\" is set twice",
	  "use another name: a trigger of sched:sched_switch already sets this variable",
	  false },
	{ { { WAKING, "hist:keys=pid:lat=prio" } },
	  "hist:keys=next_pid:lat=next_prio",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:a=next_prio,a=prev_prio",
	  "a=prev_prio",
	  "the variable \"a\" is set twice",
	  "use another name",
	  false },
	/* Handlers. */
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:onmatch(sched.nosuch).trace(wake,next_pid)",
	  "sched.nosuch",
	  "sched:nosuch: no such event",
	  "did you mean \"such\"?",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:onmatch(sched_waking).trace(wake,next_pid)",
	  "sched_waking",
	  "\"sched_waking\" is not an event",
	  "write onmatch(SYS.EVENT)",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:prio=next_prio:onmax($prip).save(next_comm)",
	  "$prip",
	  "this trigger does not set the variable \"$prip\"",
	  "did you mean \"$prio\"?",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:p=next_prio:onmax(p).save(next_comm)",
	  "p).",
	  "\"p\" is not a variable",
	  "write onmax($VARIABLE)",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).save(next_comm)",
	  "save",
	  "onmatch() does not support save()",
	  "use trace(), or the handler onmax($VARIABLE) or onchange($VARIABLE)",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:p=next_prio:onmax($p).save(next_com)",
	  "next_com)",
	  "sched:sched_switch: no field \"next_com\"",
	  "did you mean \"next_comm\"?",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:p=next_prio:onmax($p).save(p)",
	  "p)",
	  "the parameter \"p\" is too short",
	  "use a name of at least two letters",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:p=next_prio:onmax($p).save(next_pid-1)",
	  "next_pid-1",
	  "save() accepts only fields and variables",
	  "assign it to a variable first: NAME=next_pid-1",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:p=next_prio:onmax($p).save(next_comm):onmax($p).save(prev_comm)",
	  "onmax($p).save(prev_comm)",
	  "a trigger can have only one save()",
	  "",
	  false },
	{ { { SWITCH, "hist:keys=prev_pid:q=prev_prio:onmax($q).snapshot()" } },
	  "hist:keys=next_pid:p=next_prio:onmax($p).snapshot()",
	  "onmax($p).snapshot()",
	  "an instance can have only one snapshot()",
	  "",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:p=next_prio:onmax($p).saved_lat($p)",
	  "saved_lat",
	  "the kernel mistakes \"saved_lat\" for save()",
	  "write trace(saved_lat,...)",
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,j=10,k=11,l=12,m=13,n=14,"
	  "p=next_prio:onmax($p).save(next_comm)",
	  "onmax($p).save(next_comm)",
	  "the kernel accepts at most 16 variables; each onmax(), onchange() and field of save() "
	  "or trace() counts as one",
	  "",
	  false },
	/* Synthetic events. */
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:" LAT ":onmatch(sched.sched_waking).wake($lat,next_pid,next_comm)",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:" LAT ":onmatch(sched.sched_waking).trace(wkae,$lat,next_pid,"
	  "next_comm)",
	  "wkae",
	  "no synthetic event \"wkae\"",
	  "did you mean \"wake\"?",
	  true },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:" LAT ":onmatch(sched.sched_waking).wake($lat,next_pid)",
	  ")",
	  "wake has 3 fields, but 2 parameters are given",
	  "",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:" LAT ":onmatch(sched.sched_waking).wake($lat)",
	  ")",
	  "wake has 3 fields, but 1 parameter is given",
	  "",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:" LAT ":onmatch(sched.sched_waking).wake($lat,next_pid,next_comm,"
	  "prev_pid)",
	  "prev_pid)",
	  "wake has 3 fields, but 4 parameters are given",
	  "",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:" LAT
	  ":onmatch(sched.sched_waking).wake(next_pid,next_pid,next_comm)",
	  "next_pid,next_pid,",
	  "type mismatch: \"next_pid\" is pid_t, but the field \"lat\" of wake is u64",
	  "",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).number(next_prio)",
	  "next_prio",
	  "type mismatch: \"next_prio\" is unsigned, but the field \"v\" of number is signed",
	  "define the field as int",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).trace(files,next_pid,common_timestamp)",
	  "next_pid,common",
	  "type mismatch: \"next_pid\" is pid_t, but the field \"name\" of files is char[]",
	  "",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).trace(files,next_comm,common_timestamp)",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { SWITCH, "hist:keys=prev_pid:st=common_stacktrace" } },
	  "hist:keys=next_pid:s=$st,ts=common_timestamp:onmax($ts).trace(stacks,$s,$ts)",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).trace(wake,$zork,next_pid,next_comm)",
	  "$zork",
	  "no variable \"$zork\"",
	  "define it with zork=... in an earlier trigger",
	  true },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).trace(wake,waking.prio)",
	  "waking.prio",
	  "\"waking.prio\" is not a valid parameter",
	  "write [SYS.EVENT.]FIELD or [SYS.EVENT.]$VARIABLE, without a modifier",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).number(target_cp)",
	  "target_cp",
	  "sched:sched_waking: no field \"target_cp\"",
	  "did you mean \"target_cpu\"?",
	  false },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).number(target_cpu)",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { WAKING, "hist:keys=comm" } },
	  "hist:keys=next_pid:onmatch(sched.sched_waking).number(target_cpu)",
	  "target_cpu",
	  "sched:sched_waking: no histogram has the key types of this trigger",
	  "first set a hist trigger with the same number and types of keys on that event",
	  true },
	{ { { WAKING, TS0 } },
	  "hist:keys=next_pid:next_comm=next_prio:onmatch(sched.sched_waking).number(next_comm)",
	  "next_comm)",
	  "\"next_comm\" is both a field and a variable",
	  "write $next_comm, or rename the variable",
	  false },
	/* The same again, and names. */
	{ { { SWITCH, "hist:keys=next_pid:size=256" } },
	  "hist:keys=next_pid:sort=hitcount",
	  "keys=next_pid:sort=hitcount",
	  "this trigger duplicates an earlier trigger: the kernel does not compare size, clock, "
	  "bucket width or operators",
	  "change the keys, values or actions",
	  false },
	{ { { SWITCH, "hist:keys=next_pid" } },
	  "hist:keys=next_pid:vals=next_prio",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { SWITCH, "hist:keys=prev_pid if next_prio > 1" },
	    { SWITCH, "hist:keys=next_pid if next_prio > 1" } },
	  "hist:keys=next_pid:size=256 if next_prio > 1",
	  "keys=next_pid:size=256",
	  "this trigger duplicates an earlier trigger: the kernel does not compare size, clock, "
	  "bucket width or operators",
	  "change the keys, values or actions",
	  false },
	{ { { SWITCH, "hist:keys=next_pid if next_prio > 2" } },
	  "hist:keys=next_pid if next_prio > 1",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { SWITCH, "hist:keys=next_pid" } },
	  "hist:keys=next_pid if next_prio > 1",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { WAKING, "hist:keys=pid:name=n" } },
	  "hist:keys=next_prio:name=n",
	  "n",
	  "the histogram \"n\" already exists with a different definition",
	  "use another name, or give both triggers the same keys, values, variables, sort keys and "
	  "actions",
	  false },
	{ { { WAKING, "hist:keys=pid:name=n" } },
	  "hist:keys=next_prio:name=m",
	  NULL,
	  NULL,
	  NULL,
	  false },
	{ { { NULL, NULL } },
	  "hist:keys=next_pid:clock=sundial",
	  "sundial",
	  "clock=sundial: unknown trace clock",
	  "use one of: [local] global mono",
	  false },
};

/* The last place in the text where @at begins; only up to a ')' or ',' that ends it. */
static bool stands(const char *text, const char *at, const struct hist_error *error)
{
	return !strncmp(text + error->at.start, at, error->at.len) && error->at.len &&
	       strlen(at) >= error->at.len;
}

static void check_case(const struct context_case *c, bool all)
{
	struct hist_check_trigger triggers[BEFORE_MAX];
	struct hist_check_context context = {
		.triggers = triggers,
		.all_triggers = all,
		.synths = (const struct hist_synth *const *)synths,
		.nsynths = N_SYNTHS,
		.all_synths = all,
		.clocks = "[local] global mono\n",
		.find_event = fixture_find,
		.suggest_event = fixture_near,
	};
	struct hist_error error = { .what = "", .hint = "" };
	bool good = !c->at || (c->needs_all && !all), same;
	struct hist_expr *e;
	int ret;

	context.ntriggers = fixture_before(c->before, triggers);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, c->text, NULL), 0);
	ret = hist_check_expr_in(e, context_event(SWITCH), &context, &error);
	same = ret == (good ? 0 : -EINVAL) &&
	       (good || (!strcmp(error.what, c->what) && !strcmp(error.hint, c->hint) &&
			 stands(c->text, c->at, &error)));
	CU_ASSERT_TRUE(same);
	if (!same)
		fprintf(stderr, "%s (%s)\n  %d %zu+%zu %s; %s\n", c->text, all ? "all" : "some",
			ret, error.at.start, error.at.len, error.what, error.hint);
	CU_ASSERT_EQUAL(hist_check_expr_in(e, context_event(SWITCH), &context, NULL), ret);
	hist_expr_free(e);
	while (context.ntriggers)
		hist_expr_free((struct hist_expr *)triggers[--context.ntriggers].expr);
}

static void test_cases(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check_case(&cases[i], true);
		check_case(&cases[i], false);
	}
}

/* :pause, :cont and :clear of what is there, where that is allowed. */
static void test_change(void)
{
	static const char *const texts[] = { "hist:keys=next_pid:pause", "hist:keys=next_pid:cont",
					     "hist:keys=next_pid:clear" };
	struct hist_check_trigger triggers[BEFORE_MAX];
	struct hist_check_context context = { .triggers = triggers };
	struct hist_expr *e;
	size_t i;

	context.ntriggers = fixture_before(
		(struct before[BEFORE_MAX]){ { SWITCH, "hist:keys=next_pid" } }, triggers);
	for (i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, texts[i], NULL), 0);
		context.may_change = true;
		CU_ASSERT_EQUAL(hist_check_expr_in(e, context_event(SWITCH), &context, NULL), 0);
		context.may_change = false;
		CU_ASSERT_EQUAL(hist_check_expr_in(e, context_event(SWITCH), &context, NULL),
				-EINVAL);
		context.may_change = true;
		/* On another event there is none. */
		hist_expr_free(e);
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, "hist:keys=pid:clear", NULL), 0);
		CU_ASSERT_EQUAL(hist_check_expr_in(e, context_event(WAKING), &context, NULL),
				-EINVAL);
		hist_expr_free(e);
	}
	hist_expr_free((struct hist_expr *)triggers[0].expr);
}

/* A kernel with our patches compares numbers and expressions, too. */
static void test_numbers(void)
{
	static const struct {
		const char *first, *second;
		bool same;
	} pairs[] = {
		{ "keys=next_pid.log2=2", "keys=next_pid.log2=2:size=256", true },
		{ "keys=next_pid.log2=2", "keys=next_pid.log2=3", false },
		{ "keys=next_pid.log2", "keys=next_pid.log2=1", false },
		{ "keys=next_pid.buckets=10", "keys=next_pid.buckets=10", true },
		{ "keys=next_pid.buckets=10", "keys=next_pid.buckets=20", false },
		{ "keys=next_pid:vals=next_prio+1", "keys=next_pid:vals=next_prio+1", true },
		{ "keys=next_pid:vals=next_prio+1", "keys=next_pid:vals=next_prio+2", false },
		{ "keys=next_pid:vals=next_prio+1", "keys=next_pid:vals=next_prio-1", false },
	};
	struct before before[BEFORE_MAX] = { { SWITCH, NULL } };
	struct hist_check_trigger triggers[BEFORE_MAX];
	struct hist_kernel patched;
	struct hist_check_context context = { .triggers = triggers, .kernel = &patched };
	char first[64], second[64];
	struct hist_expr *e;
	size_t i;
	int ret;

	hist_kernel_set_newest(&patched);
	patched.fine_log2 = true;
	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		snprintf(first, sizeof(first), "hist:%s", pairs[i].first);
		snprintf(second, sizeof(second), "hist:%s", pairs[i].second);
		before[0].text = first;
		context.ntriggers = fixture_before(before, triggers);
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, second, NULL), 0);
		ret = hist_check_expr_in(e, context_event(SWITCH), &context, NULL);
		CU_ASSERT_EQUAL(ret, pairs[i].same ? -EINVAL : 0);
		hist_expr_free(e);
		hist_expr_free((struct hist_expr *)triggers[0].expr);
	}
}

UNIT_TESTS_WITH(make_synths, free_synths,
	{ "the checker compares a trigger with known others, and accepts unknown references",
	  test_cases },
	{ "pause, continue and clear are accepted only for an existing trigger that may change",
	  test_change },
	{ "triggers that differ only in a number are different for a kernel that compares numbers",
	  test_numbers });
