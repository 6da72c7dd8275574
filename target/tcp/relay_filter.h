/* SPDX-License-Identifier: GPL-2.0 */
/*
 * relay_filter.h - the system calls that a relay may make
 *
 * Reading, writing and closing what is open, waiting, the time, random numbers,
 * memory that cannot hold code, and the end.  All others fail with EPERM; a call
 * by another machine's numbers (as int 0x80 on x86_64) ends the process.
 */
#ifndef TARGET_TCP_RELAY_FILTER_H
#define TARGET_TCP_RELAY_FILTER_H

#include <stdbool.h>

/*
 * False where seccomp filters cannot be had: a kernel without
 * CONFIG_SECCOMP_FILTER, user-mode emulation, or a machine that relay_filter.c
 * does not know.
 */
bool relay_filter_works(void);

/* For good.  PR_SET_NO_NEW_PRIVS must be set.  0, -ENOSYS when it does not work here, -errno. */
int relay_filter_install(void);

#endif
