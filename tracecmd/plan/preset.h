/* SPDX-License-Identifier: GPL-2.0 */
/*
 * preset.h - add presets to a plan
 *
 * preset_find.h tells where presets come from.
 */
#ifndef TRACECMD_PLAN_PRESET_H
#define TRACECMD_PLAN_PRESET_H

#include <stdbool.h>

#include "helper/local/target.h"
#include "tracecmd/plan/plan.h"

/*
 * preset_find_missing - check if the target lacks the feature @what, a line of needs:
 * @engine: true if the user-space engine counts; features of triggers are then not needed.
 * 1 with the reason in @why if the feature is missing; 0 if it exists; -errno.
 */
int preset_find_missing(struct hist_target *t, const char *what, bool engine, char *why,
			size_t why_len);

/*
 * preset_add - add the options of preset "NAME[:ARG]" or file "./FILE[:ARG]" to the plan
 * 0; -EINVAL, -ENOENT or the error of a read, after a message on stderr; -ENOMEM.
 */
int preset_add(struct plan *plan, const char *spec);

#endif
