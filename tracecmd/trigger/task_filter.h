/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_filter.h - the tasks whose events a recording counts
 *
 * The kernel counts an event in an instance only if the current task is listed in set_event_pid.
 * With the option event-fork it adds the threads and children that a listed task makes, before
 * they run, and removes tasks that end. A task in set_event_notrace_pid is not counted in any
 * case. Both engines count in the same instance. If the plan has a tracer of functions, its files
 * set_ftrace_pid, set_ftrace_notrace_pid and function-fork get the same.
 *
 * The kernel has no filter for a cgroup, so its tasks are listed, and the list follows the group:
 * task_filter_follow() compares both. It is due when the descriptor of task_filter_fd() is
 * readable: when a task was moved to another group (the event cgroup_attach_task, only on this
 * machine), and at the latest after TASK_FILTER_MS.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_TRIGGER_TASK_FILTER_H
#define TRACECMD_TRIGGER_TASK_FILTER_H

#include <sys/types.h>

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/trigger/task_set.h"
#include "tracecmd/undo/undo.h"

/* The longest time in ms until a task is counted that entered a cgroup. */
#define TASK_FILTER_MS 100

struct task_filter {
	const struct plan *plan;
	struct hist_target *target;
	const struct instance *instance;
	struct undo *undo;
	struct task_set left; /* listed tasks that are no longer in the cgroup: not counted */
	char *watch_dir; /* instance with the event cgroup_attach_task, or NULL */
	/* descriptors, or -1: timer and trace_pipe of @watch_dir, both in @wake (epoll(7)) */
	int timer, moves, wake;
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
int task_filter_add(struct task_filter *f, pid_t pid);

/*
 * task_filter_exclude_self - with plan->exclude_self: do not count this program and its children
 * @command: a child that is counted; 0: none. On a target, exclude the process that serves it.
 */
int task_filter_exclude_self(struct task_filter *f, pid_t command);

/* A descriptor for poll(), readable when task_filter_follow() is due; -1: never due. */
int task_filter_fd(const struct task_filter *f);
/* Count the tasks that are in the cgroup of the plan now, and no others. */
int task_filter_follow(struct task_filter *f);

/* Close all descriptors, before the undo log removes the instances. A zeroed filter is valid. */
void task_filter_clear(struct task_filter *f);

#endif
