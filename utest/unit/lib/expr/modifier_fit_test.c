// SPDX-License-Identifier: GPL-2.0
/*
 * modifier_fit_test.c - which modifiers fit: the table and hist_check_expr() say the same
 *
 * That the table is the kernel's is tried on kernels, by vm/tests/35-list.sh.
 */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "lib/expr/modifier_fit.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

#define MODIFIERS (HIST_MOD_GRAPH + 1)

static const char *const event_list[] = {
	"sched:sched_switch", "kmem:kmalloc", "raw_syscalls:sys_enter", "raw_syscalls:sys_exit",
	"sched:sched_process_exec", "synthetic:block_lat", "tcp:tcp_probe", "ipi:ipi_send_cpu",
	"sock:6.12/events/sock/inet_sock_set_state/format",
};

static const char *const specials[] = {
	"common_cpu", "common_timestamp", "common_stacktrace", "hitcount", "cpu", "stacktrace",
};

#define N(array) (sizeof(array) / sizeof(*array))

static bool checked(const struct hist_event *event, const char *name, enum hist_modifier modifier,
		    bool is_key)
{
	struct hist_expr *expr;
	char text[256];
	int ret;

	snprintf(text, sizeof(text), "hist:keys=%s%s%s%s%s", is_key ? "" : "common_pid:vals=", name,
		 modifier ? "." : "", hist_modifier_name(modifier),
		 modifier == HIST_MOD_BUCKETS ? "=4" : "");
	if (hist_expr_parse(&expr, text, NULL))
		return false;
	ret = hist_check_expr(expr, event, NULL);
	hist_expr_free(expr);
	return !ret;
}

static unsigned int compare(const struct hist_event *event, const char *name)
{
	unsigned int m, fit = 0;
	int is_key;

	for (m = 0; m < MODIFIERS; m++) {
		for (is_key = 0; is_key < 2; is_key++) {
			bool fits = hist_modifier_fits(m, name, event, is_key) == HIST_FITS;

			fit += fits;
			if (fits != checked(event, name, m, is_key)) {
				printf("\n%s: %s.%s as %s: the table says %d", event->name,
				       name, hist_modifier_name(m), is_key ? "key" : "value", fits);
				CU_FAIL("table and check differ");
			}
		}
	}
	return fit;
}

static void test_check_agrees(void)
{
	struct hist_event *event;
	unsigned int i, f, fit = 0;

	for (i = 0; i < N(event_list); i++) {
		event = format_event(event_list[i]);
		for (f = 0; f < event->nfields; f++)
			fit += compare(event, hist_event_field(event, f)->name);
		for (f = 0; f < N(specials); f++)
			fit += compare(event, specials[f]);
		hist_event_free(event);
	}
	CU_ASSERT(fit > 500);
}

static void test_verdicts(void)
{
	static const struct {
		const char *event, *name;
		enum hist_modifier modifier;
		bool is_key;
		enum hist_modifier_fit fit;
	} cases[] = {
		{ "sched:sched_switch", "prev_comm", HIST_MOD_NONE, true, HIST_FITS },
		{ "sched:sched_switch", "prev_comm", HIST_MOD_NONE, false, HIST_FITS_SENSELESS },
		{ "sched:sched_switch", "prev_comm", HIST_MOD_LOG2, true, HIST_FITS_SENSELESS },
		{ "sched:sched_switch", "prev_comm", HIST_MOD_LOG2, false, HIST_FITS_NOT },
		{ "sched:sched_switch", "prev_pid", HIST_MOD_EXECNAME, true, HIST_FITS_NOT },
		{ "sched:sched_switch", "common_pid", HIST_MOD_EXECNAME, true, HIST_FITS },
		{ "sched:sched_switch", "prev_pid", HIST_MOD_GRAPH, true, HIST_FITS_NOT },
		{ "sched:sched_switch", "prev_pid", HIST_MOD_GRAPH, false, HIST_FITS },
		{ "sched:sched_switch", "nonesuch", HIST_MOD_NONE, true, HIST_FITS_NOT },
		{ "sched:sched_switch", "prev_pid", HIST_MOD_DESCENDING, true, HIST_FITS_NOT },
		{ "sched:sched_switch", "hitcount", HIST_MOD_NONE, true, HIST_FITS_SENSELESS },
		{ "sched:sched_switch", "common_timestamp", HIST_MOD_USECS, false, HIST_FITS },
		{ "sched:sched_switch", "stacktrace", HIST_MOD_STACKTRACE, true, HIST_FITS_NOT },
		{ "raw_syscalls:sys_enter", "args", HIST_MOD_NONE, true, HIST_FITS_NOT },
		{ "raw_syscalls:sys_enter", "id", HIST_MOD_SYSCALL, true, HIST_FITS },
		{ "sock:6.12/events/sock/inet_sock_set_state/format", "saddr", HIST_MOD_LOG2, true,
		  HIST_FITS_SENSELESS },
	};
	struct hist_event *event;
	unsigned int i;

	for (i = 0; i < N(cases); i++) {
		event = format_event(cases[i].event);
		CU_ASSERT_EQUAL(hist_modifier_fits(cases[i].modifier, cases[i].name, event,
						   cases[i].is_key), cases[i].fit);
		hist_event_free(event);
	}
}

/* A string of size 0 is all of the rest: the kernel does not find it. */
static void test_rest_of_event(void)
{
	static const char format[] = "name: print\nID: 5\nformat:\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\nprint fmt: \"\"\n";
	struct hist_event *event;

	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "ftrace", format, sizeof(format) - 1), 0);
	CU_ASSERT_EQUAL(hist_modifier_fits(HIST_MOD_NONE, "buf", event, true), HIST_FITS_NOT);
	CU_ASSERT_EQUAL(hist_modifier_fits(HIST_MOD_NONE, "buf", event, false), HIST_FITS_NOT);
	CU_ASSERT_FALSE(checked(event, "buf", HIST_MOD_NONE, true));
	CU_ASSERT_FALSE(checked(event, "buf", HIST_MOD_NONE, false));
	CU_ASSERT_TRUE(checked(event, "ip", HIST_MOD_SYM, true));
	hist_event_free(event);
}

UNIT_TESTS(
	{ "hist_check_expr() accepts exactly the modifiers that the table has for a field",
	  test_check_agrees },
	{ "the verdict on a modifier depends on the field and on its use as key or value",
	  test_verdicts },
	{ "a string that fills the rest of an event can be neither key nor value",
	  test_rest_of_event });
