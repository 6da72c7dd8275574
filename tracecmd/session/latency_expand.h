/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_expand.h - make --latency the triggers of START and END, and the synthetic event between
 */
#ifndef TRACECMD_SESSION_LATENCY_EXPAND_H
#define TRACECMD_SESSION_LATENCY_EXPAND_H

#include "helper/local/target.h"
#include "lib/expr/kernel_features.h"
#include "tracecmd/plan/plan.h"

/*
 * latency_expand - add the object and the three events to @plan
 * @event: of kind QUERY_LATENCY, with its histograms; not one of @plan's array.
 * @unique: for the names of the synthetic event and the variables, "123_1".
 * @clock: for both triggers. @kernel: what its hist triggers know; NULL: the user-space engine counts.
 * -EINVAL or what reading a format gave, after a message; -ENOMEM.
 */
int latency_expand(struct plan *plan, const struct query_event *event, const char *unique,
		   const char *clock, struct hist_target *t, const struct hist_kernel *kernel);

#endif
