/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * syscall_tables.h - the names of system calls in ftrace, as texts
 */
#ifndef LIB_EVENT_SYSCALL_TABLES_H
#define LIB_EVENT_SYSCALL_TABLES_H

extern const char syscalls_common[], syscalls_x86_64[], syscalls_i386[], syscalls_arm64[];
extern const char syscalls_riscv64[], syscalls_arm[];
extern const char syscalls_o32[], syscalls_o32_compat[], syscalls_n64[], syscalls_n32[];

#endif
