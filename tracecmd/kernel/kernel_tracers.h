/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_tracers.h - the tracers of a target, and the files that set them up
 *
 * Functions return 0, or -errno without a message.
 */
#ifndef TRACECMD_KERNEL_KERNEL_TRACERS_H
#define TRACECMD_KERNEL_KERNEL_TRACERS_H

#include <stdbool.h>

#include "helper/local/target.h"

/* Check if available_tracers has @name. */
int kernel_tracer_exists(struct hist_target *t, const char *name, bool *exists);

/*
 * True if function_graph runs in instances (Linux 6.11), and not only at the top level. No file
 * shows it before an instance exists.
 */
bool kernel_graph_has_instances(const struct hist_target *t);

/*
 * kernel_find_tracer_user - find an instance whose tracer depends on files that all instances share
 * *@where: "the top-level instance", or "instance NAME"; *@tracer: its tracer. Both are malloc'ed,
 * or NULL if there is no such instance.
 */
int kernel_find_tracer_user(struct hist_target *t, char **where, char **tracer);

/* Check if @file has @value: "100", or "a [b] c" for b. */
int kernel_setting_is(struct hist_target *t, const char *file, const char *value, bool *is);

#endif
