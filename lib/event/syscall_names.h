/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * syscall_names.h - the names of system calls, as kernels print them for .syscall
 *
 * The kernel uses the names of its own functions (get_syscall_name() in
 * kernel/trace/trace_syscalls.c): number 4 of x86_64 is "sys_newstat".  A system call that is not
 * made by SYSCALL_DEFINE does not have a name.  The tables are from Linux 6.12.
 */
#ifndef LIB_EVENT_SYSCALL_NAMES_H
#define LIB_EVENT_SYSCALL_NAMES_H

#include <stdint.h>

struct hist_syscalls;

/*
 * hist_syscalls_new - the names for the machine in @uname
 * @uname: "Linux HOST RELEASE MACHINE", or MACHINE alone.  MACHINE is that of `uname -m`: x86_64,
 * i386 to i686, aarch64 or arm64, arm*, riscv64, mips, mips64.
 * 0; -ENOENT: unknown machine, or @uname is NULL; -ENOMEM.
 */
int hist_syscalls_new(struct hist_syscalls **syscalls, const char *uname);
/*
 * hist_syscalls_new_compat - the names of the 32-bit system calls of a 64-bit kernel
 * @uname: as above; MACHINE may also be that of a 32-bit program: i686, armv8l.
 * 0; -ENOENT: the machine has no such calls, or they have the numbers of the 64-bit ones; -ENOMEM.
 */
int hist_syscalls_new_compat(struct hist_syscalls **syscalls, const char *uname);
void hist_syscalls_free(struct hist_syscalls *syscalls);

/* "sys_read", valid as long as @syscalls; NULL if the number does not have a name. */
const char *hist_syscalls_name(const struct hist_syscalls *syscalls, uint64_t number);

#endif
