// SPDX-License-Identifier: GPL-2.0
/*
 * origin_test.c - what the fields of a synthetic event carry, and the names of their numbers
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "lib/event/field_names.h"
#include "lib/expr/synth.h"
#include "utest/unit/lib/check/context_fixture.h"
#include "utest/unit/tests.h"

#define SLEEP "hist:keys=prev_pid:ts0=common_timestamp,s0=prev_state"
#define RUN "hist:keys=next_pid:e0=$s0,lat=common_timestamp-$ts0"

static const struct {
	struct before triggers[BEFORE_MAX];
	const char *origins; /* of the three fields: "SYSTEM:EVENT.FIELD", "-": not known */
} cases[] = {
	/* a variable of a variable, a field of the event, a computed number */
	{ { { SWITCH, SLEEP },
	    { SWITCH, RUN ":onmatch(sched.sched_switch).trace(sleep,$e0,next_prio,$lat)" } },
	  "sched:sched_switch.prev_state sched:sched_switch.next_prio -" },
	/* a field of the onmatch() event, by its name alone or with the event; a named variable */
	{ { { WAKING, "hist:keys=pid:p0=prio" },
	    { SWITCH, "hist:keys=next_pid:onmatch(sched.sched_waking).trace(sleep,target_cpu,"
		      "sched.sched_waking.prio,sched.sched_waking.$p0)" } },
	  "sched:sched_waking.target_cpu sched:sched_waking.prio sched:sched_waking.prio" },
	/* a bucket is not the number, and a variable of no trigger is nothing */
	{ { { WAKING, "hist:keys=pid:p0=prio.log2" },
	    { SWITCH, "hist:keys=next_pid:n=$n:onmatch(sched.sched_waking).trace(sleep,$p0,$zork,$n)" } },
	  "- - -" },
	/* two triggers that generate the event must agree */
	{ { { SWITCH, "hist:keys=next_pid:onchange($x).trace(sleep,prev_state,next_prio,next_pid)" },
	    { SWITCH, "hist:keys=prev_pid:onchange($x).trace(sleep,prev_state,prev_prio,next_pid)" } },
	  "sched:sched_switch.prev_state - sched:sched_switch.next_pid" },
};

static void expect(const struct hist_event *event, const char *wanted)
{
	char got[256] = "";
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < event->nown; i++) {
		const struct hist_field_origin *origin = &event->fields[i].origin;

		len += snprintf(got + len, sizeof(got) - len, "%s", i ? " " : "");
		if (origin->field)
			len += snprintf(got + len, sizeof(got) - len, "%s:%s.%s", origin->event->system,
					origin->event->name, origin->field->name);
		else
			len += snprintf(got + len, sizeof(got) - len, "-");
	}
	CU_ASSERT_STRING_EQUAL(got, wanted);
	if (strcmp(got, wanted))
		printf("\n%s\n%s\n", got, wanted);
}

static struct hist_event *synth_event(const char *definition)
{
	struct hist_synth *synth;
	struct hist_event *event;

	CU_ASSERT_EQUAL_FATAL(hist_synth_parse(&synth, definition, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_synth_make_event(&event, synth), 0);
	hist_synth_free(synth);
	return event;
}

static void test_origins(void)
{
	struct hist_check_trigger triggers[BEFORE_MAX];
	struct hist_check_context context = { .triggers = triggers, .find_event = fixture_find };
	struct hist_event *event;
	unsigned int t;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		event = synth_event("sleep long a; int b; u64 c");
		context.ntriggers = fixture_before(cases[i].triggers, triggers);
		hist_check_find_origins(event, &context, true);
		expect(event, cases[i].origins);
		for (t = 0; t < context.ntriggers; t++)
			hist_expr_free((struct hist_expr *)triggers[t].expr);
		hist_event_free(event);
	}
}

static const char *name_of(const struct hist_event *event, const char *field, uint64_t num,
			   struct hist_strbuf *b)
{
	struct hist_field_names *names;

	b->len = 0;
	if (hist_field_names_new(&names, event, hist_event_find(event, field)))
		return "";
	if (!hist_field_names_put(names, num, b))
		b->len = 0;
	hist_strbuf_char(b, '\0');
	hist_field_names_free(names);
	return b->data;
}

static void test_names(void)
{
	struct hist_check_trigger triggers[BEFORE_MAX];
	struct hist_check_context context = { .triggers = triggers, .find_event = fixture_find };
	const struct before before[BEFORE_MAX] = {
		{ SWITCH, "hist:keys=prev_pid:s0=prev_state" },
		{ "raw_syscalls:sys_exit", "hist:keys=common_pid:r0=ret:onchange($r0).trace(sleep,$s0,$r0)" },
	};
	struct hist_strbuf b = { 0 };
	struct hist_event *event;
	unsigned int t;

	/* the kernel's variables do not have a sign, so that of the field is used */
	event = synth_event("sleep u32 start_state; u32 result");
	context.ntriggers = fixture_before(before, triggers);
	hist_check_find_origins(event, &context, true);
	CU_ASSERT_STRING_EQUAL(name_of(event, "start_state", 2, &b), "D");
	CU_ASSERT_STRING_EQUAL(name_of(event, "result", 0xfffffffe, &b), "ENOENT");
	CU_ASSERT_STRING_EQUAL(name_of(event, "result", 3, &b), "");
	for (t = 0; t < context.ntriggers; t++)
		hist_expr_free((struct hist_expr *)triggers[t].expr);
	hist_event_free(event);
	hist_strbuf_free(&b);
}

static int free_events(void)
{
	fixture_free();
	return 0;
}

UNIT_TESTS_WITH(NULL, free_events,
	{ "a field of a synthetic event is known as the field that the triggers pass to it",
	  test_origins },
	{ "numbers of a synthetic event have the names of the fields that they come from",
	  test_names });
