/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_expand.h - expand --latency, --sql and presets to objects and events for the kernel
 *
 * The expansion of --latency and --sql needs the target: the types of the fields of their synthetic
 * events are in the format files of the target. The plan therefore holds them as events of kinds
 * PLAN_LATENCY and PLAN_SQL until the target is open.
 */
#ifndef TRACECMD_SESSION_PLAN_EXPAND_H
#define TRACECMD_SESSION_PLAN_EXPAND_H

#include "helper/local/target.h"
#include "lib/base/strbuf.h"
#include "lib/expr/kernel_features.h"
#include "tracecmd/plan/plan.h"

/*
 * plan_expand - replace the events of --latency and --sql in the plan
 * @kernel: what its hist triggers know; NULL: the user-space engine counts.
 * First checks that the target has what presets need. Only reads from the target. Afterwards
 * every event of the plan is a PLAN_EVENT, in an order in which triggers can be set. Histograms
 * that only feed other histograms are hidden.
 * 0; -EINVAL, -EOPNOTSUPP or the error of a read, after a message; -ENOMEM.
 */
int plan_expand(struct plan *plan, struct hist_target *t, const struct hist_kernel *kernel);

/* --- for the expansions --- */

/* A string that the plan owns, or NULL without memory. plan_own_text() empties @b. */
const char *plan_own_text(struct plan *plan, struct hist_strbuf *b);
const char *plan_own_printf(struct plan *plan, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* "pid,common_cpu" of the names of keys, likewise. */
const char *plan_own_keys(struct plan *plan, char *const *keys, unsigned int n);

/*
 * plan_add_trigger - add @event with one trigger
 * plan_add_synthetic - add the synthetic event @name, which has no histogram yet
 * Each string must be owned by the plan. NULL is a string for which memory was short. 0 or -ENOMEM.
 */
int plan_add_trigger(struct plan *plan, const char *event, const char *trigger, bool hidden);
int plan_add_synthetic(struct plan *plan, const char *name, const char *title);

/*
 * latency_wants_worst - true if a histogram of @event is not from -R
 * latency_keep_worst - let such histograms keep their worst (HIST_VALUE_WORST)
 * A histogram of -R keeps only what its own actions save.
 * @lat: the field with the latency.  @previous: further fields to save, ",prev_prio,prev_comm".
 * 0 or -ENOMEM.
 */
bool latency_wants_worst(const struct plan_event *event);
int latency_keep_worst(struct plan *plan, const struct plan_event *event, const char *lat,
		       const char *previous);

#endif
