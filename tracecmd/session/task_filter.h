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
 * A latency needs several triggers, and setting one that uses timestamps empties the ring buffer of
 * its instance: an event in these milliseconds has a wrong time. At the end, a trigger with
 * variables cannot be paused. Therefore no task is counted (@holds) until all triggers are set, and
 * none after the end, so that START and END are counted in the same time.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_SESSION_TASK_FILTER_H
#define TRACECMD_SESSION_TASK_FILTER_H

#include <stdlib.h>
#include <sys/types.h>

#include "helper/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/undo/undo.h"

/*
 * A set of thread IDs, as in set_event_pid and cgroup.threads: sorted, each ID once.  Zeroed, it is
 * the empty set.  Functions of sets return 0 or -ENOMEM, without a message.
 */
struct task_set {
	uint32_t *ids;
	size_t n;
};

/*
 * Replace the content of @set by the numbers in @text. Ignores everything else, such as "no pid".
 */
int task_set_parse(struct task_set *set, const char *text);

/*
 * task_set_parse_family - replace the content of @set by a family of tasks
 * @status: what hist_target_ops.tasks() returns for all tasks of a machine.
 * The set has @roots as far as they exist, the other threads of their processes, and the threads
 * of all descendants of these processes. It has neither @spare nor its descendants; 0: no such
 * task.
 */
int task_set_parse_family(struct task_set *set, const char *status, const struct task_set *roots,
			  uint32_t spare);

bool task_set_has(const struct task_set *set, uint32_t id);

/* Replace the content of @set by the IDs that are in @a and not in @b. */
int task_set_subtract(struct task_set *set, const struct task_set *a, const struct task_set *b);

static inline void task_set_clear(struct task_set *set)
{
	free(set->ids);
	*set = (struct task_set){ 0 };
}

/* The longest time in ms until a task is counted that entered a cgroup. */
#define TASK_FILTER_MS 100

struct task_filter {
	const struct plan *plan;
	struct hist_target *target;
	const struct instance *instance;
	struct undo *undo;
	struct task_set left; /* listed tasks that are no longer in the cgroup: not counted */
	bool can_hold; /* task_filter_begin() could */
	bool holds; /* no task is counted */
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
 * user in @undo. With plan->only_command no task is counted before task_filter_add(), and with
 * @hold none before task_filter_release(), if the instance is ours and the kernel is 5.16 or later.
 */
int task_filter_begin(struct task_filter *f, struct hist_target *t, struct undo *undo,
		      const struct instance *in, const struct plan *plan, bool hold);

/*
 * task_filter_exclude_self - with plan->exclude_self: do not count this program and its children
 * @command: a child that is counted; 0: none. On a target, exclude the process that serves it.
 */
int task_filter_exclude_self(struct task_filter *f, pid_t command);

/* A descriptor for poll(), readable when task_filter_follow() is due; -1: never due. */

/* Close all descriptors, before the undo log removes the instances. A zeroed filter is valid. */
void task_filter_clear(struct task_filter *f);

#endif
