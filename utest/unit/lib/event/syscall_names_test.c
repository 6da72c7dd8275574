// SPDX-License-Identifier: GPL-2.0
/*
 * syscall_names_test.c - system calls as kernels name them
 *
 * Names of x86_64 are in a hist file of a 6.12 kernel (utest/data/hist).
 */
#include <errno.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/event/syscall_names.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/tests.h"

static const struct {
	const char *machine;
	uint64_t number;
	const char *name;
} cases[] = {
	{ "x86_64", 0, "sys_read" },
	{ "x86_64", 4, "sys_newstat" },
	{ "x86_64", 63, "sys_newuname" },
	{ "x86_64", 257, "sys_openat" },
	{ "x86_64", 134, NULL },
	{ "x86_64", 174, NULL },
	{ "x86_64", 462, "sys_mseal" },
	{ "x86_64", 463, NULL },
	{ "x86_64", UINT64_MAX, NULL },
	{ "i686", 3, "sys_read" },
	{ "i386", 0, "sys_restart_syscall" },
	{ "i386", 13, "sys_time32" },
	{ "aarch64", 63, "sys_read" },
	{ "arm64", 56, "sys_openat" },
	{ "aarch64", 38, "sys_renameat" },
	{ "riscv64", 63, "sys_read" },
	{ "riscv64", 38, NULL },
	{ "riscv64", 259, "sys_riscv_flush_icache" },
	{ "armv7l", 3, "sys_read" },
	{ "armv5tel", 13, NULL },
	{ "mips", 4003, "sys_read" },
	{ "mips", 3, NULL },
	{ "mips", 4002, "sys_fork" },
	{ "mips64", 5000, "sys_read" },
	{ "mips64", 4003, "sys_read" },
	{ "mips64", 6000, "sys_read" },
	{ "mips64", 4005, NULL }, /* compat_sys_open */
};

static void test_names(void)
{
	struct hist_syscalls *s;
	const char *name;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_syscalls_new(&s, cases[i].machine, false), 0);
		name = hist_syscalls_name(s, cases[i].number);
		if (cases[i].name)
			CU_ASSERT(name && !strcmp(name, cases[i].name));
		if (!cases[i].name)
			CU_ASSERT_PTR_NULL(name);
		hist_syscalls_free(s);
	}
	CU_ASSERT_EQUAL(hist_syscalls_new(&s, "vax", false), -ENOENT);
	CU_ASSERT_EQUAL(hist_syscalls_new(&s, NULL, false), -ENOENT);
	CU_ASSERT_EQUAL(hist_syscalls_new(&s, "Linux mips 6.12.1 x86_64", false), 0);
	CU_ASSERT_STRING_EQUAL(hist_syscalls_name(s, 0), "sys_read");
	hist_syscalls_free(s);
	alloc_fail_after(0);
	CU_ASSERT_EQUAL(hist_syscalls_new(&s, "x86_64", false), -ENOMEM);
	alloc_fail_after(-1);
	hist_syscalls_free(NULL);
}

UNIT_TESTS(
	{ "a system call number has the kernel's name for its machine, or none", test_names });
