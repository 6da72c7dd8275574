/* SPDX-License-Identifier: GPL-2.0 */
/* kernel_needs.h - check if the kernel of a target has what a preset needs */
#ifndef TRACECMD_KERNEL_KERNEL_NEEDS_H
#define TRACECMD_KERNEL_KERNEL_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include "helper/local/target.h"
#include "lib/base/error.h"

/*
 * kernel_find_missing - check if the target lacks the feature @what, a line of needs:
 * @engine: true if the user-space engine counts; features of triggers are then not needed.
 * 1 with the reason in @error, such as "no event x:y", if the feature is missing; 0 if it exists;
 * -errno.
 */
int kernel_find_missing(struct hist_target *t, const char *what, bool engine,
			struct hist_error *error);

#endif
