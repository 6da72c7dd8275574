/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_filter.h - the tasks whose events a recording counts
 *
 * The kernel counts an event in an instance only if the current task is listed in set_event_pid.
 * With the option event-fork it adds the threads and children that a listed task makes, before
 * they run, and removes tasks that end. Both engines count in the same instance.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_TRIGGER_TASK_FILTER_H
#define TRACECMD_TRIGGER_TASK_FILTER_H

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/undo/undo.h"

struct task_filter {
	const struct plan *plan;
	struct hist_target *target;
	const struct instance *instance;
	struct undo *undo;
};

/* Check that the kernel has what the plan needs. Only reads. */
int task_filter_check(struct hist_target *t, const struct plan *plan);

/* Print what task_filter_begin() would write, for --dry-run. */
void task_filter_print(const struct plan *plan);

/*
 * task_filter_begin - let the open instance @in count only the tasks of the plan
 * The pointers must remain valid as long as the filter. Notes each change of an instance of the
 * user in @undo. With plan->only_command no task is counted before task_filter_add().
 */
int task_filter_begin(struct task_filter *f, struct hist_target *t, struct undo *undo,
		      const struct instance *in, const struct plan *plan);

/* Count this task too. */
int task_filter_add(struct task_filter *f, long pid);

#endif
