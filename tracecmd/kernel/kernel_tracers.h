/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_tracers.h - the files that set up the tracers of a target
 *
 * Functions return 0, or -errno without a message.
 */
#ifndef TRACECMD_KERNEL_KERNEL_TRACERS_H
#define TRACECMD_KERNEL_KERNEL_TRACERS_H

#include <stdbool.h>

#include "helper/local/target.h"

/* Check if @file has @value: "100", or "a [b] c" for b. */
int kernel_setting_is(struct hist_target *t, const char *file, const char *value, bool *is);

#endif
