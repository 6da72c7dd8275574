/* SPDX-License-Identifier: GPL-2.0 */
/*
 * port.h - the libc that the sources in target/ are written for
 *
 * They are compiled twice: into trace-cmd-hist with the host's libc, and into
 * the static helper with the kernel's own nolibc (tools/include/nolibc), that
 * has no headers beside itself.
 */
#ifndef TARGET_PORT_H
#define TARGET_PORT_H

#ifdef NOLIBC
#include "port_nolibc.h"
#else
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#endif

#endif
