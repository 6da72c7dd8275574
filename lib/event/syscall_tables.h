/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * syscall_tables.h - ftrace's names of system calls, one text per architecture
 */
#ifndef LIB_EVENT_SYSCALL_TABLES_H
#define LIB_EVENT_SYSCALL_TABLES_H

extern const char syscalls_x86_64[], syscalls_i386[], syscalls_arm64[], syscalls_arm[];
extern const char syscalls_riscv64[], syscalls_mips[], syscalls_mips64[];

#endif
