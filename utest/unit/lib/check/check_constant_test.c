// SPDX-License-Identifier: GPL-2.0
/*
 * check_constant_test.c - the numbers of constants in filters, from print fmts of several kernels
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check_constant.h"
#include "lib/event/machine_names.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

/* The print fmt of prev_state in Linux 4.13, 3.10 and 2.6.32; one that names nothing. */
#define LETTERS_4_13                                                                        \
	"{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"X\" }, { 32, \"Z\" }, " \
	"{ 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }, { 1024, \"N\" }"
#define LETTERS_3_10                                                                        \
	"{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, " \
	"{ 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }"

static const struct {
	const char *print_fmt, *text, *result;
} cases[] = {
	{ "\"%s%s\", REC->s & (2048-1) ? __print_flags(REC->s & (2048-1), \"|\", " LETTERS_4_13
	  ") : \"R\", REC->s & 2048 ? \"+\" : \"\"",
	  "s & SLEEPING && !(s & PREEMPTED)", "s & 2047 && !(s & 2048)" },
	{ "\"%s%s\", REC->s & (512-1) ? __print_flags(REC->s & (512-1), \"|\", " LETTERS_3_10
	  ") : \"R\", REC->s & 512 ? \"+\" : \"\"",
	  "s & SLEEPING && !(s & PREEMPTED)", "s & 511 && !(s & 512)" },
	{ "\"%s\", REC->s ? __print_flags(REC->s, \"|\", " LETTERS_3_10 ") : \"R\"",
	  "s & SLEEPING && !(s & PREEMPTED)", "s & 511 && !(s & 0)" },
	{ "\"%ld\", REC->s", "s & SLEEPING && !(s & PREEMPTED)", "s & 255 && !(s & 0)" },
};

static struct hist_event *event_of(const char *print_fmt)
{
	struct hist_event *event = NULL;
	char text[2048];

	snprintf(text, sizeof(text), "name: e\nID: 1\nformat:\n\tfield:unsigned short common_type;"
		 "\toffset:0;\tsize:2;\tsigned:0;\n\n\tfield:long s;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\nprint fmt: %s\n", print_fmt);
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "s", text, strlen(text)), 0);
	return event;
}

static void expect(const struct hist_event *event, const char *text, const char *wanted)
{
	char *result;

	CU_ASSERT_EQUAL_FATAL(hist_check_replace_constants(&result, text, event), 0);
	if (strcmp(result, wanted)) {
		printf("\n%s: \"%s\", not \"%s\"\n", text, result, wanted);
		CU_FAIL("constant");
	}
	free(result);
}

static void test_print_fmts(void)
{
	struct hist_event *event;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		event = event_of(cases[i].print_fmt);
		expect(event, cases[i].text, cases[i].result);
		hist_event_free(event);
	}
}

static void test_kernels(void)
{
	static const char *const versions[] = { "6.1", "6.12" };
	struct hist_event *event;
	char path[80];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "sched:%s/events/sched/sched_switch/format", versions[i]);
		event = format_event(path);
		expect(event, "hist:keys=prev_comm if prev_state&PREEMPTED",
		       "hist:keys=prev_comm if prev_state&256");
		expect(event, "prev_state & SLEEPING", "prev_state & 255");
		hist_event_free(event);
	}
}

static const char interrupts[] =
	"           CPU0       CPU1\n"
	"  4:          0         40   IO-APIC   4-edge      ttyS0\n"
	" 11:          3          5   IO-APIC  11-fasteoi   uhci_hcd:usb1, virtio0, virtio\"1\n"
	" 16:          3          5   IO-APIC  16-fasteoi   i801_smbus, ahci\n"
	" 17:          3          5   IO-APIC  17-fasteoi   odd\"name, ahci\n";

static void set_interrupts(struct hist_event *event, const char *text)
{
	struct hist_machine_names *names = hist_machine_names_new(NULL);

	CU_ASSERT_PTR_NOT_NULL_FATAL(names);
	CU_ASSERT_EQUAL(hist_machine_names_add_interrupts(names, text, strlen(text)), 0);
	hist_event_set_machine(event, names);
	hist_machine_names_put(names);
}

static void test_handlers(void)
{
	struct hist_event *event = format_event("irq:6.12/events/irq/irq_handler_entry/format");

	expect(event, "name == FIRST_HANDLER && irq == SHARED", "irq >= 0 && irq >= 0");
	set_interrupts(event, interrupts);
	expect(event, "hist:keys=irq:x=irq if name==FIRST_HANDLER",
	       "hist:keys=irq:x=irq if !(irq == 11 && name != \"uhci_hcd:usb1\" || "
	       "irq == 16 && name != \"i801_smbus\")");
	expect(event, "irq != 3 || !(irq == SHARED)",
	       "irq != 3 || !((irq == 11 || irq == 16 || irq == 17))");
	/* only these comparisons have a meaning */
	expect(event, "irq != SHARED || name != FIRST_HANDLER", "irq != SHARED || name != FIRST_HANDLER");
	expect(event, "name == SHARED || irq == FIRST_HANDLER", "name == SHARED || irq == FIRST_HANDLER");
	set_interrupts(event, "  4:          0         40   IO-APIC   4-edge      ttyS0\n");
	expect(event, "name == FIRST_HANDLER && !(irq == SHARED)", "irq >= 0 && !(irq < 0)");
	hist_event_free(event);
}

static void test_others(void)
{
	static const char *const same[] = {
		"", "prev_comm == PREEMPTED", "nosuch & PREEMPTED", "PREEMPTED", "SLEEPING & 1",
		"prev_pid == 1 && prev_comm ~ \"a PREEMPTED\"", "prev_pid == 1 || prev_comm ~ 'SLEEPING'",
		"prev_pid & PREEMPTED_", "prev_pid & xSLEEPING", "prev_pid == \"PREEMPTED",
	};
	struct hist_event *event = format_event("sched:6.12/events/sched/sched_switch/format");
	size_t i;

	for (i = 0; i < sizeof(same) / sizeof(*same) - 1; i++)
		expect(event, same[i], same[i]);
	/* a string without an end is not a string */
	expect(event, same[i], "prev_pid == \"0");
	hist_event_free(event);
}

static void test_no_memory(void)
{
	struct hist_event *event = event_of(cases[0].print_fmt);
	char *result;
	long n = 0;
	int ret;

	do {
		alloc_fail_after(n++);
		ret = hist_check_replace_constants(&result, cases[0].text, event);
		alloc_fail_after(-1);
		CU_ASSERT(ret ? ret == -ENOMEM && !result : !strcmp(result, cases[0].result));
		free(result);
	} while (ret);
	CU_ASSERT(n > 2);
	hist_event_free(event);
}

UNIT_TESTS(
	{ "the print fmt of each kernel tells the bits of task states", test_print_fmts },
	{ "Debian's kernels have the bits 255 and 256", test_kernels },
	{ "the names of a machine tell the first handlers of shared lines", test_handlers },
	{ "other words and strings are copied", test_others },
	{ "a constant reports that memory is short", test_no_memory });
