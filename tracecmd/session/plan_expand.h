/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_expand.h - from what is short in a plan to what the kernel takes
 *
 * --latency and --sql need to know the machine: the types of the fields that
 * their synthetic events carry stand in the format files of the target.  So
 * they are options first (events of a kind of their own in the plan), and
 * become objects and plain events when the target is there.
 */
#ifndef TRACECMD_SESSION_PLAN_EXPAND_H
#define TRACECMD_SESSION_PLAN_EXPAND_H

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"

/*
 * plan_expand - replace the events of --latency and --sql in the plan
 * First looks whether the target has what presets need (@engine: as preset_missing()).
 * Only reads from the target.  After it every event of the plan is a PLAN_EVENT, in an order in
 * which triggers can be set; those that only feed others are hidden.
 * -EINVAL, -EOPNOTSUPP or what reading gave, after a message; -ENOMEM.
 */
int plan_expand(struct plan *plan, struct hist_target *t, bool engine);

#endif
