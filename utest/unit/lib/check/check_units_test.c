// SPDX-License-Identifier: GPL-2.0
/*
 * check_units_test.c - a computed latency has the unit of its time stamps, whatever its name
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

		hist_check_find_units(event, &context, cases[i].clock_is_ns);
		expect_unit(event->fields[0].unit, cases[i].wait);
		expect_unit(event->fields[1].unit, cases[i].other);
		for (k = 0; k < context.ntriggers; k++)
			hist_expr_free((struct hist_expr *)triggers[k].expr);
	}
	hist_event_free(event);
	hist_synth_free(synth);
	fixture_free();
}

UNIT_TESTS({ "the field of a synthetic event has the unit of the time stamps that triggers pass",
	     test_units });
