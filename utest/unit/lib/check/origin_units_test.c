// SPDX-License-Identifier: GPL-2.0
/*
 * origin_units_test.c - a computed latency has the unit of its time stamps, whatever its name
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "lib/expr/synth.h"
#include "utest/unit/lib/check/context_fixture.h"
#include "utest/unit/tests.h"

static const struct {
	struct before before[BEFORE_MAX];
	bool clock_is_ns;
	const char *wait, *other; /* the units of both fields; NULL: none */
} cases[] = {
	/* a difference of two times, and a number that is not one */
	{ { { WAKING, "hist:keys=pid:ts=common_timestamp.usecs" },
	    { SWITCH, "hist:keys=next_pid:d=common_timestamp.usecs-$ts:"
		      "onmatch(sched.sched_waking).trace(lat,$d,next_prio)" } },
	  true, "us", NULL },
	{ { { WAKING, "hist:keys=pid:ts=common_timestamp" },
	    { SWITCH, "hist:keys=next_pid:d=common_timestamp-$ts:"
		      "onmatch(sched.sched_waking).lat($d,$d)" } },
	  true, "ns", "ns" },
	/* ticks of another clock */
	{ { { WAKING, "hist:keys=pid:ts=common_timestamp" },
	    { SWITCH, "hist:keys=next_pid:d=common_timestamp-$ts:"
		      "onmatch(sched.sched_waking).lat($d,$d)" } },
	  false, NULL, NULL },
	{ { { WAKING, "hist:keys=pid:ts=common_timestamp:clock=counter" },
	    { SWITCH, "hist:keys=next_pid:d=common_timestamp-$ts:clock=counter:"
		      "onmatch(sched.sched_waking).lat($d,$d)" } },
	  true, NULL, NULL },
	/* through other variables; a factor makes it another unit */
	{ { { WAKING, "hist:keys=pid:ts=common_timestamp" },
	    { SWITCH, "hist:keys=next_pid:d=common_timestamp-$ts,e=$d,f=$d/1000:"
		      "onmatch(sched.sched_waking).trace(lat,$e,$f)" } },
	  true, "ns", NULL },
	/* two triggers do not agree */
	{ { { WAKING, "hist:keys=pid:ts=common_timestamp" },
	    { SWITCH, "hist:keys=next_pid:d=common_timestamp-$ts:"
		      "onmatch(sched.sched_waking).trace(lat,$d,$d)" },
	    { WAKEUP, "hist:keys=pid:p=prio:onmatch(sched.sched_waking).trace(lat,$p,$p)" } },
	  true, NULL, NULL },
	/* a circle */
	{ { { SWITCH, "hist:keys=next_pid:a=$b,b=$a:"
		      "onmatch(sched.sched_waking).trace(lat,$a,$b)" } },
	  true, NULL, NULL },
};

static void expect_unit(const char *unit, const char *wanted)
{
	if (wanted) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(unit);
		CU_ASSERT_STRING_EQUAL(unit, wanted);
	} else {
		CU_ASSERT_PTR_NULL(unit);
	}
}

static void test_units(void)
{
	struct hist_synth *synth;
	struct hist_event *event;
	unsigned int i, k;

	CU_ASSERT_EQUAL_FATAL(hist_synth_parse(&synth, "lat u64 wait; u64 other", NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_synth_make_event(&event, synth), 0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hist_check_trigger triggers[BEFORE_MAX];
		const struct hist_check_context context = {
			.triggers = triggers,
			.ntriggers = fixture_before(cases[i].before, triggers),
		};

		hist_check_find_origins(event, &context, cases[i].clock_is_ns);
		expect_unit(event->fields[0].unit, cases[i].wait);
		expect_unit(event->fields[1].unit, cases[i].other);
		for (k = 0; k < context.ntriggers; k++)
			hist_expr_free((struct hist_expr *)triggers[k].expr);
	}
	hist_event_free(event);
	hist_synth_free(synth);
	fixture_free();
}

/* An event whose trigger passes the field of another synthetic event on. */
static void test_chain(void)
{
	struct hist_check_trigger trigger;
	const struct hist_check_context context = { .triggers = &trigger, .ntriggers = 1 };
	struct hist_synth *synth[2];
	struct hist_event *event[2];
	struct hist_expr *expr;
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(hist_synth_parse(&synth[0], "lat u64 wait; u64 other", NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_synth_parse(&synth[1], "next u64 wait; u64 sum", NULL), 0);
	for (i = 0; i < 2; i++)
		CU_ASSERT_EQUAL_FATAL(hist_synth_make_event(&event[i], synth[i]), 0);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, "hist:keys=other:w=wait,s=wait+other:"
						     "onmax($w).trace(next,$w,$s)", NULL), 0);
	event[0]->fields[0].unit = "us";
	trigger = (struct hist_check_trigger){ event[0], expr };
	hist_check_find_origins(event[1], &context, true);
	expect_unit(event[1]->fields[0].unit, "us");
	expect_unit(event[1]->fields[1].unit, NULL);
	hist_expr_free(expr);
	for (i = 0; i < 2; i++) {
		hist_event_free(event[i]);
		hist_synth_free(synth[i]);
	}
}

UNIT_TESTS({ "the field of a synthetic event has the unit of the time stamps that triggers pass",
	     test_units },
	   { "a field of a synthetic event has the unit of the field that it passes on",
	     test_chain });
