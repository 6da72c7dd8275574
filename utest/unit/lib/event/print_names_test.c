// SPDX-License-Identifier: GPL-2.0
/*
 * print_names_test.c - the names of numbers: from print fmts of kernels, made-up and damaged ones,
 * and from the machine
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/event/field_names.h"
#include "lib/event/machine_names.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

/* The name of @num, malloc'ed; NULL if there is none. */
static char *name_of(const struct hist_event *event, const char *field, uint64_t num)
{
	struct hist_field_names *names;
	struct hist_strbuf b = { 0 };
	bool has;

	if (hist_field_names_new(&names, event, hist_event_find(event, field)))
		return NULL;
	has = hist_field_names_put(names, num, &b);
	CU_ASSERT_EQUAL(b.error, 0);
	/* nothing is left behind if there is no name */
	CU_ASSERT(has || !b.len);
	hist_field_names_free(names);
	if (has)
		return hist_strbuf_string(&b);
	hist_strbuf_free(&b);
	return NULL;
}

static void expect(const struct hist_event *event, const char *field, uint64_t num,
		   const char *wanted)
{
	char *name = name_of(event, field, num);

	if (wanted ? !name || strcmp(name, wanted) : name != NULL) {
		printf("\n%s %s %llu: \"%s\", not \"%s\"\n", event->name, field,
		       (unsigned long long)num, name ? name : "none", wanted ? wanted : "none");
		CU_FAIL("name");
	}
	free(name);
}

/* As `trace-cmd report -N` prints them. */
static const struct {
	const char *event, *field;
	uint64_t num;
	const char *name;
} kernel_cases[] = {
	{ "irq:softirq_entry", "vec", 1, "TIMER" },
	{ "irq:softirq_entry", "vec", 9, "RCU" },
	{ "irq:softirq_entry", "vec", 10, NULL },
	{ "sched:sched_switch", "prev_state", 0, "R" },
	{ "sched:sched_switch", "prev_state", 1, "S" },
	{ "sched:sched_switch", "prev_state", 0x82, "D|I" },
	{ "sched:sched_switch", "prev_state", 0x100, "R+" },
	{ "sched:sched_switch", "prev_state", 0x101, "S+" },
	/* include/linux/sched/prio.h */
	{ "sched:sched_switch", "prev_prio", 120, "nice 0" },
	{ "sched:sched_switch", "next_prio", 100, "nice -20" },
	{ "sched:sched_switch", "next_prio", 139, "nice 19" },
	{ "sched:sched_switch", "next_prio", 140, NULL },
	{ "sched:sched_switch", "next_prio", 99, "RT 0" },
	{ "sched:sched_switch", "next_prio", 9, "RT 90" },
	{ "sched:sched_switch", "next_prio", 0, "RT 99" },
	{ "sched:sched_switch", "next_prio", -1, "DL" },
	{ "sched:sched_switch", "next_prio", 0xffffffff, "DL" },
	{ "sched:sched_switch", "next_prio", -2, NULL },
	{ "kmem:kmalloc", "gfp_flags", 0xcc0, "GFP_KERNEL" },
	{ "kmem:kmalloc", "gfp_flags", 0xdc0, "GFP_KERNEL|__GFP_ZERO" },
	{ "kmem:kmalloc", "gfp_flags", 0, "none" },
	{ "kmem:kmalloc", "bytes_req", 0xcc0, NULL },
	{ "tcp:tcp_probe", "family", 10, "AF_INET6" },
	/* its constants were not replaced by numbers */
	{ "timer:hrtimer_start", "mode", 0, NULL },
	{ "raw_syscalls:sys_exit", "ret", -2, "ENOENT" },
	{ "raw_syscalls:sys_exit", "ret", -512, "ERESTARTSYS" },
	{ "raw_syscalls:sys_exit", "ret", 2, NULL },
	{ "raw_syscalls:sys_exit", "ret", -5000, NULL },
	{ "raw_syscalls:sys_exit", "id", 2, NULL },
	/* without the names of the machine */
	{ "block:block_rq_issue", "dev", 8 << 20 | 1, "8:1" },
	{ "irq:irq_handler_entry", "irq", 1, NULL },
};

static void test_kernels(void)
{
	static const char *const versions[] = { "6.1", "6.12" };
	char path[160], system[32];
	struct hist_event *event;
	const char *colon;
	unsigned int v;
	size_t i;

	for (v = 0; v < 2; v++) {
		for (i = 0; i < sizeof(kernel_cases) / sizeof(*kernel_cases); i++) {
			colon = strchr(kernel_cases[i].event, ':');
			snprintf(system, sizeof(system), "%.*s",
				 (int)(colon - kernel_cases[i].event), kernel_cases[i].event);
			snprintf(path, sizeof(path), "%.31s:%s/events/%.31s/%.60s/format", system,
				 versions[v], system, colon + 1);
			event = format_event(path);
			expect(event, kernel_cases[i].field, kernel_cases[i].num,
			       kernel_cases[i].name);
			hist_event_free(event);
		}
	}
}

static struct hist_event *event_of(const char *field, const char *print_fmt)
{
	struct hist_event *event = NULL;
	char text[4096];

	snprintf(text, sizeof(text), "name: e\nID: 1\nformat:\n\tfield:unsigned short common_type;"
		 "\toffset:0;\tsize:2;\tsigned:0;\n\n\tfield:%s;\toffset:8;\tsize:%d;\tsigned:%d;\n"
		 "\tfield:int y;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: %s\n", field,
		 strstr(field, "bool") ? 1 : 4, strncmp(field, "int", 3) == 0, print_fmt);
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "s", text, strlen(text)), 0);
	return event;
}

#define AB "{ 1, \"A\" }, { 2, \"B\" }"

static const struct {
	const char *field, *print_fmt;
	uint64_t num;
	const char *name;
} made_cases[] = {
	{ "int x", "\"%s\", __print_symbolic(REC->x, " AB ")", 2, "B" },
	{ "int x", "\"%d %s\", REC->y, __print_symbolic(REC->x, " AB ")", 1, "A" },
	/* a width takes an argument of its own */
	{ "int x", "\"%.*s %s\", REC->y, REC->z, __print_symbolic(REC->x, " AB ")", 1, "A" },
	{ "int x", "\"%%%s\", __print_symbolic(REC->x, " AB ")", 1, "A" },
	{ "int x", "\"%d\", __print_symbolic(REC->x, " AB ")", 1, NULL },
	{ "int x", "\"%s\", __print_symbolic(REC->y, " AB ")", 1, NULL },
	{ "int x", "\"%s\", __print_symbolic(REC->x + REC->y, " AB ")", 1, NULL },
	{ "int x", "\"%s\", __print_symbolic(REC->x / 1, " AB ")", 1, NULL },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { E, \"E\" }, " AB ")", 1, "A" },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { sizeof(int), \"}\" }, " AB ")", 2, "B" },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { E, \"E\" })", 0, NULL },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { -1, \"NO\" })", -1, "NO" },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { (unsigned int)-1, \"NO\" })", -1, NULL },
	{ "unsigned int x", "\"%s\", __print_symbolic(REC->x, { (u8)0x1ff, \"F\" })", 255, "F" },
	{ "int x", "\"%s\", __print_symbolic((REC->x >> 4) & 0xf, " AB ")", 0x25, "B" },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { 1 + 2 * 3, \"7\" }, { 1 << 2 | 1, \"5\" })", 7,
	  "7" },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { 010, \"8\" }, { 1UL, \"A\" })", 8, "8" },
	{ "int x", "\"%s\", REC->x < 0 ? \"neg\" : __print_symbolic(REC->x, " AB ")", -3, "neg" },
	{ "int x", "\"%s\", !(REC->x != 2) ? \"two\" : __print_symbolic(REC->x, " AB ")", 2, "two" },
	{ "int x", "\"%s%s\", __print_flags(REC->x, \"+\", " AB "), REC->x & 8 ? \"!\" : \"\"", 11,
	  "A+B+0x8!" },
	{ "int x", "\"%s %s\", __print_flags(REC->x, \"+\", " AB "), REC->x & 8 ? \"!\" : \"\"", 11,
	  "A+B+0x8" },
	{ "int x", "\"%s\", __print_flags(REC->x, \"|\", " AB ")", 4, NULL },
	{ "int x", "\"%s\", __print_flags(REC->x, \"|\", { 0, \"NONE\" }, " AB ")", 0, "NONE" },
	{ "int x", "\"%s\", __print_flags(REC->x, \"|\", { 3, \"AB\" }, " AB ")", 3, "AB" },
	{ "int x", "\"%s\", __print_symbolic(REC->x, { 1, \"a\" \"b\\\"\" })", 1, "ab\"" },
	/* a sign is not a name, a truth value is */
	{ "int x", "\"%s%d\", REC->x > 0 ? \"+\" : \"\", REC->x", 1, NULL },
	{ "bool x", "\"%s\", REC->x ? \"yes\" : \"no\"", 0, "no" },
};

static void test_made(void)
{
	struct hist_event *event;
	size_t i;

	for (i = 0; i < sizeof(made_cases) / sizeof(*made_cases); i++) {
		event = event_of(made_cases[i].field, made_cases[i].print_fmt);
		expect(event, "x", made_cases[i].num, made_cases[i].name);
		hist_event_free(event);
	}
}

/* Each beginning of a text, and the text with each character replaced. */
static void test_damage(void)
{
	static const char odd[] = "\"(){},?:%*-~\\0x";
	static const char *const names[] = { "sched:6.12/events/sched/sched_switch/format",
					     "irq:6.12/events/irq/softirq_entry/format" };
	struct hist_event *event;
	char *whole, keep;
	size_t len, i, j;
	unsigned int n;

	for (n = 0; n < 2; n++) {
		event = format_event(names[n]);
		whole = event->print_fmt;
		len = strlen(whole);
		for (i = 0; i < len; i++) {
			keep = whole[i];
			for (j = 0; j < sizeof(odd); j++) {
				whole[i] = odd[j];
				free(name_of(event, event->fields[n ? 0 : 3].name, 1));
			}
			whole[i] = keep;
		}
		hist_event_free(event);
	}
	/* deep and long */
	whole = malloc(300001);
	CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
	strcpy(whole, "\"%s\", ");
	memset(whole + 6, '(', 299994);
	whole[300000] = '\0';
	event = event_of("int x", "\"%s\", __print_symbolic(REC->x, " AB ")");
	free(event->print_fmt);
	event->print_fmt = whole;
	expect(event, "x", 1, NULL);
	memset(whole + 6, '-', 299994);
	expect(event, "x", 1, NULL);
	hist_event_free(event);
}

static const char interrupts[] =
	"            CPU0       CPU1       \n"
	"   1:          9          0   IO-APIC   1-edge      i8042\n"
	"  24:          0        120   PCI-MSI 49152-edge      virtio0-config\n"
	"  25:          5          7   PCI-MSI 49153-edge      ahci[0000:00:1f.2], eth 0\n"
	"  26:          5          7   PCI-MSI 49154-edge\n"
	" NMI:          0          0   Non-maskable interrupts\n";

static const char disks[] = "   8       0 sda 5 0 0 0\n   8       1 sda1 5 0\n 259       0 nvme0n1 1\n";

static void test_machine(void)
{
	struct hist_machine_names *m = hist_machine_names_new("Linux box 6.12.1 x86_64");
	struct hist_event *event = format_event("irq:6.12/events/irq/irq_handler_entry/format");
	struct hist_event *block = format_event("block:6.1/events/block/block_rq_issue/format");
	struct hist_event *sig = event_of("int sig", "\"%d\", REC->sig");

	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	CU_ASSERT_EQUAL(hist_machine_names_add_interrupts(m, interrupts, strlen(interrupts)), 0);
	CU_ASSERT_EQUAL(hist_machine_names_add_disks(m, disks, strlen(disks)), 0);
	hist_event_set_machine(event, m);
	hist_event_set_machine(block, m);
	/* the events own the names too */
	hist_machine_names_put(m);
	expect(event, "irq", 1, "i8042");
	expect(event, "irq", 24, "virtio0-config");
	expect(event, "irq", 25, "ahci[0000:00:1f.2], eth 0");
	expect(event, "irq", 26, NULL);
	expect(event, "irq", 2, NULL);
	expect(block, "dev", 8 << 20, "8:0 sda");
	expect(block, "dev", 259 << 20, "259:0 nvme0n1");
	expect(block, "dev", 9 << 20, "9:0");
	expect(sig, "sig", 9, "SIGKILL");
	expect(sig, "sig", 0, NULL);
	m = hist_machine_names_new("Linux box 6.12.1 mips64");
	hist_event_set_machine(sig, m);
	hist_machine_names_put(m);
	/* other numbers than those of this program's machine */
	expect(sig, "sig", 17, NULL);
	hist_event_free(sig);
	hist_event_free(block);
	hist_event_free(event);
}

static void expect_call(const struct hist_machine_names *m, uint64_t number, const char *wanted)
{
	struct hist_strbuf b = { 0 };
	bool has = hist_machine_names_write(m, HIST_MACHINE_CALL, number, &b);
	char *name;

	CU_ASSERT_EQUAL(has, wanted != NULL);
	name = hist_strbuf_string(&b);
	CU_ASSERT_STRING_EQUAL(name ? name : "", wanted ? wanted : "");
	free(name);
}

static void expect_mixed(const char *uname, uint64_t number, const char *wanted)
{
	struct hist_machine_names *m = hist_machine_names_new(uname);
	struct hist_strbuf b = { 0 };
	char *name;

	CU_ASSERT(hist_machine_names_mixed_call(m, number, &b));
	name = hist_strbuf_string(&b);
	CU_ASSERT_STRING_EQUAL(name ? name : "", wanted);
	free(name);
	hist_machine_names_put(m);
}

/* Of a 64-bit kernel. */
static void test_calls(void)
{
	static const char native[] = "00400000-00401000 r--p 00000000 fe:01 12 /sbin/init\n"
				     "7ffc6a000000-7ffc6a021000 rw-p 00000000 00:00 0 [stack]\n";
	static const char compat[] = "00010000-00012000 r-xp 00000000 b3:02 12 /sbin/init\n"
				     "bec00000-bec21000 rw-p 00000000 00:00 0 [stack]\n"
				     "ffff0000-ffff1000 r-xp 00000000 00:00 0 [vectors]";
	struct hist_machine_names *m = hist_machine_names_new("Linux box 6.12.1 x86_64");

	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	/* the kernel's names are right */
	expect_call(m, 20, NULL);
	CU_ASSERT_EQUAL(hist_machine_names_add_maps(m, native, strlen(native)), 0);
	CU_ASSERT_FALSE(hist_machine_names_user_is_32(m));
	expect_call(m, 20, NULL);
	CU_ASSERT_EQUAL(hist_machine_names_add_maps(m, compat, strlen(compat)), 0);
	CU_ASSERT(hist_machine_names_user_is_32(m));
	expect_call(m, 20, "sys_getpid");
	expect_call(m, 17, "unknown_syscall");
	/* of a recording */
	CU_ASSERT_EQUAL(hist_machine_names_add(m, HIST_MACHINE_CALL, 20, "32-bit", 6), 0);
	expect_call(m, 20, "32-bit");
	/* without a process 1, such as in a recording */
	CU_ASSERT_EQUAL(hist_machine_names_add_maps(m, "", 0), 0);
	CU_ASSERT_FALSE(hist_machine_names_user_is_32(m));
	hist_machine_names_put(m);
	m = hist_machine_names_new("Linux box 6.12.1 aarch64");
	CU_ASSERT_EQUAL(hist_machine_names_add_maps(m, compat, strlen(compat)), 0);
	expect_call(m, 178, "sys_rt_sigqueueinfo");
	expect_call(m, 334, "sys_faccessat");
	hist_machine_names_put(m);
	expect_mixed("Linux box 6.12.1 x86_64", 20, "32-bit sys_getpid or 64-bit");
	/* a 32-bit recorder on a 64-bit kernel, with setarch(8) */
	expect_mixed("Linux box 6.12.1 i686", 6, "32-bit sys_close or 64-bit");
	expect_mixed("Linux box 6.12.1 aarch64", 3, "32-bit sys_read or 64-bit");
	expect_mixed("Linux box 6.12.1 armv8l", 5, "32-bit sys_open or 64-bit");
	expect_mixed("Linux box 6.12.1 x86_64", 17, "32-bit or 64-bit");
}

static void test_timerlat_contexts(void)
{
	static const char format[] = "name: timerlat\nID: 18\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:int context;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
	struct hist_event *event = NULL;

	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "ftrace", format, strlen(format)), 0);
	expect(event, "context", 0, "irq");
	expect(event, "context", 1, "thread");
	expect(event, "context", 2, "user");
	expect(event, "context", 3, NULL);
	hist_event_free(event);
	/* another event may have other contexts */
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&event, "nvme", format, strlen(format)), 0);
	expect(event, "context", 1, NULL);
	hist_event_free(event);
}

/* A failed allocation is an error: without it, the numbers would have no names. */
static void test_no_memory(void)
{
	struct hist_event *event = format_event("sched:6.12/events/sched/sched_switch/format");
	const struct hist_event_field *field = hist_event_find(event, "prev_state");
	struct hist_field_names *names = NULL;
	int n, ret = -ENOMEM;

	for (n = 0; ret == -ENOMEM && n < 100; n++) {
		alloc_fail_after(n);
		ret = hist_field_names_new(&names, event, field);
		alloc_fail_after(-1);
	}
	CU_ASSERT_EQUAL(ret, 0);
	CU_ASSERT(n > 2);
	hist_field_names_free(names);
	hist_event_free(event);
}

UNIT_TESTS(
	{ "numbers have the names of the kernel's print fmt, and error numbers theirs", test_kernels },
	{ "a print fmt names a number as the kernel's C does, or does not name it", test_made },
	{ "a damaged print fmt does not name a number, and the search ends", test_damage },
	{ "interrupts, devices and signals have the names of their machine", test_machine },
	{ "32-bit system calls have the names of their table if user space is 32-bit", test_calls },
	{ "the contexts of ftrace:timerlat have names, and those of other events do not",
	  test_timerlat_contexts },
	{ "a failed allocation is an error, and not a number without a name", test_no_memory });
