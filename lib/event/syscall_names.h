/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * syscall_names.h - the names of system calls, as kernels print them for .syscall
 *
 * The kernel takes them from its own functions (get_syscall_name() in
 * kernel/trace/trace_syscalls.c): number 4 of x86_64 is "sys_newstat", and one that
 * is not made by SYSCALL_DEFINE has no name.  Ours are those of Linux 6.12.
 */
#ifndef LIB_EVENT_SYSCALL_NAMES_H
#define LIB_EVENT_SYSCALL_NAMES_H

#include <stdint.h>

struct hist_syscalls;

/*
 * hist_syscalls_new - those of a machine by its "Linux HOST RELEASE MACHINE" or MACHINE alone,
 * as `uname -m` has it: x86_64, i386 to i686, aarch64 or arm64, arm*, riscv64, mips, mips64
 * 0; -ENOENT: not known, or @uname is NULL; -ENOMEM.
 */
int hist_syscalls_new(struct hist_syscalls **syscalls, const char *uname);
void hist_syscalls_free(struct hist_syscalls *syscalls);

/* "sys_read", valid as long as @syscalls; NULL: that number has no name. */
const char *hist_syscalls_name(const struct hist_syscalls *syscalls, uint64_t number);

#endif
