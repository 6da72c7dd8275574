/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * syscall_tables.h - what ftrace calls the system calls, one text for each kind of kernel
 */
#ifndef LIB_EVENT_SYSCALL_TABLES_H
#define LIB_EVENT_SYSCALL_TABLES_H

extern const char syscalls_x86_64[], syscalls_i386[], syscalls_arm64[], syscalls_arm[];
extern const char syscalls_riscv64[], syscalls_mips[], syscalls_mips64[];

#endif
