/* SPDX-License-Identifier: GPL-2.0 */
/*
 * port.h - the libc interface for the sources in helper/
 *
 * The sources are compiled twice. trace-cmd-hist uses the host's libc (port_libc.h).
 * The static helper uses the kernel's nolibc (tools/include/nolibc, which does not need
 * other headers); port_nolibc.h adds the missing functions. Both provide the same
 * interface: system calls under their names, memory, strings, errno, and functions
 * port_*() for the calls without a good libc function. stdio is not available: neither
 * FILE nor printf().
 */
#ifndef HELPER_PORT_PORT_H
#define HELPER_PORT_PORT_H

#ifdef NOLIBC
#include "helper/port/port_nolibc.h"
#else
#include "helper/port/port_libc.h"
#endif

/* CLOCK_MONOTONIC in milliseconds. */
static inline int64_t port_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
