/* SPDX-License-Identifier: GPL-2.0 */
/*
 * port.h - the libc that the sources in target/ are written for
 *
 * They are compiled twice: into trace-cmd-hist with the host's libc
 * (port_libc.h), and into the static helper with the kernel's own nolibc
 * (tools/include/nolibc, that has no headers beside itself; port_nolibc.h adds
 * what it lacks).  Both give the same: system calls under their names, memory,
 * strings, errno, and the few functions port_*() where libc has no good one.
 * No stdio: neither FILE nor printf().
 */
#ifndef TARGET_PORT_PORT_H
#define TARGET_PORT_PORT_H

#ifdef NOLIBC
#include "target/port/port_nolibc.h"
#else
#include "target/port/port_libc.h"
#endif

#endif
