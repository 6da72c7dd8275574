/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_set.h - sets of thread IDs, as in set_event_pid and cgroup.threads
 *
 * Functions return 0 or -ENOMEM, without a message.
 */
#ifndef TRACECMD_TRIGGER_TASK_SET_H
#define TRACECMD_TRIGGER_TASK_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorted, each ID once. Zeroed, it is the empty set. */
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

void task_set_clear(struct task_set *set);

#endif
