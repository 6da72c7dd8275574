/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_expand.h - expand --latency, --sql and presets to objects and events for the kernel
 *
 * The expansion of --latency and --sql needs the target: the types of the fields of their synthetic
 * events are in the format files of the target. The plan therefore holds them as events of kinds
 * QUERY_LATENCY and QUERY_SQL until the target is open.
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
 * every event of the plan is a QUERY_EVENT, in an order in which triggers can be set. Histograms
 * that only feed other histograms are hidden.
 * 0; -EINVAL, -EOPNOTSUPP or the error of a read, after a message; -ENOMEM.
 */
int plan_expand(struct plan *plan, struct hist_target *t, const struct hist_kernel *kernel);

#endif
