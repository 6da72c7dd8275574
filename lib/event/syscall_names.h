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

#include <stdbool.h>
#include <stdint.h>

struct hist_syscalls;

/*
 * hist_syscalls_new - the names for the machine in @uname
 * @uname: "Linux HOST RELEASE MACHINE", or MACHINE alone.  MACHINE is that of `uname -m`: x86_64,
 * i386 to i686, aarch64 or arm64, arm*, riscv64, mips, mips64.
 * @compat: the 32-bit system calls of a 64-bit kernel; MACHINE may then also be that of a 32-bit
 * program: i686, armv8l.
 * 0; -ENOENT: unknown machine, or @uname is NULL; or the machine has no such calls, or they have
 * the numbers of the 64-bit ones; -ENOMEM.
 */
int hist_syscalls_new(struct hist_syscalls **syscalls, const char *uname, bool compat);
void hist_syscalls_free(struct hist_syscalls *syscalls);

/* "sys_read", valid as long as @syscalls; NULL if the number does not have a name. */
const char *hist_syscalls_name(const struct hist_syscalls *syscalls, uint64_t number);

/* The tables of syscall_tables.c, as texts; syscalls.c parses them. */
extern const char syscalls_common[], syscalls_x86_64[], syscalls_i386[], syscalls_arm64[];
extern const char syscalls_riscv64[], syscalls_arm[];
extern const char syscalls_o32[], syscalls_o32_compat[], syscalls_n64[], syscalls_n32[];

#endif
