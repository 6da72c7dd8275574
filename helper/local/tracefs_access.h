/* SPDX-License-Identifier: GPL-2.0 */
/* tracefs_access.h - why this process cannot use tracefs, and what helps */
#ifndef HELPER_LOCAL_TRACEFS_ACCESS_H
#define HELPER_LOCAL_TRACEFS_ACCESS_H

#include <stddef.h>

#include "lib/base/error.h"

/* What to do if tracefs is mounted read-only. */
#define TRACEFS_ACCESS_READ_ONLY \
	"run 'mount -o remount,rw /sys/kernel/tracing'; in a container, run on the host instead"

/*
 * tracefs_access_refuse - explain the error @err of an open(2) or mount(2) of the tracefs @path
 * Root is not told to become root: a lockdown of the kernel, a container and a security module
 * are told apart.  @error becomes a sentence with a hint.  Returns a -errno for the caller to
 * return.
 */
int tracefs_access_refuse(int err, const char *path, struct hist_error *error);

#endif
