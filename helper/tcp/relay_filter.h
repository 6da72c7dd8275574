/* SPDX-License-Identifier: GPL-2.0 */
/*
 * relay_filter.h - seccomp filter for the system calls of a relay
 *
 * A relay may read, write and close open descriptors, wait, get the time, get random
 * numbers, map non-executable memory, and exit. All other calls fail with EPERM. A call
 * with the numbers of another architecture (such as int 0x80 on x86_64) kills the
 * process.
 */
#ifndef HELPER_TCP_RELAY_FILTER_H
#define HELPER_TCP_RELAY_FILTER_H

#include <stdbool.h>

/*
 * False if seccomp filters are not available: a kernel without CONFIG_SECCOMP_FILTER,
 * user-mode emulation, or an architecture that relay_filter.c does not support.
 */
bool relay_filter_works(void);

/* Permanent. Requires PR_SET_NO_NEW_PRIVS. 0, -ENOSYS if filters are not available, or -errno. */
int relay_filter_install(void);

#endif
