// SPDX-License-Identifier: GPL-2.0
/*
 * task_filter.c - write the list of counted tasks into an instance
 *
 * An empty set_event_pid counts all tasks, and the kernel empties the list before it takes a new
 * one. Therefore the list is written once, and tasks are only added to it. Until the first task is
 * known it has NO_TASK.
 *
 * A task that exists can make another one while the list of its family is read. The other one is
 * found in the next turn, because the kernel follows the tasks that are already listed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "tracecmd/base/command.h"
#include "tracecmd/trigger/task_filter.h"
#include "tracecmd/trigger/task_set.h"

#define LIST "set_event_pid"
#define FORK "options/event-fork"
/* PID_MAX_LIMIT of 64-bit kernels: no task has this ID, and the kernel accepts it since 5.16. */
#define NO_TASK "4194304"
/* An ID of kernels before that, which a task can have. */
#define OLD_NO_TASK "32767"
/* Bytes of one write. Each costs the kernel a grace period; a target limits their size. */
#define WRITE_MAX 4000
/* Turns in which the members of a family are searched. */
#define TURNS_MAX 10

static bool lists_tasks(const struct plan *plan)
{
	return plan->pids || plan->only_command;
}

int task_filter_check(struct hist_target *t, const struct plan *plan)
{
	if (!plan->with_children || target_existsf(t, FORK) > 0)
		return 0;
	message_error("-c: this kernel cannot follow the children of a task, which needs Linux 4.7 "
		      "or later\nleave out -c, and list the tasks with -P");
	return -EOPNOTSUPP;
}

void task_filter_print(const struct plan *plan)
{
	if (plan->with_children)
		printf("%s 1\n", FORK);
	if (lists_tasks(plan))
		printf("%s %s%s%s\n", LIST, plan->pids ? plan->pids : "",
		       plan->pids && plan->only_command ? " " : "",
		       plan->only_command ? plan->command[0] : "");
}

/* Set a file of the instance; the undo log restores that of an instance of the user. */
static int set_value(struct task_filter *f, const char *file, const char *value)
{
	struct target_buf old = { 0 };
	char *path = NULL;
	int ret;

	if (asprintf(&path, "%s/%s", f->instance->dir, file) < 0)
		return message_error_memory();
	ret = f->instance->made ? 0 : f->target->ops->read(f->target, path, &old);
	if (!ret && !f->instance->made)
		ret = undo_note(f->undo, UNDO_NOTE_VALUE, path, old.data);
	if (!ret)
		ret = target_write_str(f->target, path, value, false);
	if (ret == -EINVAL && !strcmp(value, NO_TASK))
		ret = target_write_str(f->target, path, OLD_NO_TASK, false);
	free(old.data);
	free(path);
	return ret;
}

/* Append all IDs of @set to a list of the instance. 0 or -errno without a message. */
static int append_tasks(struct task_filter *f, const char *file, const struct task_set *set)
{
	struct hist_strbuf b = { 0 };
	size_t i;
	int ret = 0;

	for (i = 0; i < set->n && !ret; i++) {
		hist_strbuf_printf(&b, " %u", set->ids[i]);
		if (b.len < WRITE_MAX - 16 && i + 1 < set->n)
			continue;
		hist_strbuf_char(&b, '\0');
		ret = b.error ? -ENOMEM :
			target_writef(f->target, b.data + 1, true, "%s/%s", f->instance->dir, file);
		b.len = 0;
	}
	hist_strbuf_free(&b);
	return ret;
}

/* The tasks of @file. 0 or -errno without a message. */
static int read_tasks(struct task_filter *f, const char *file, struct task_set *set)
{
	struct target_buf buf = { 0 };
	int ret = target_readf(f->target, &buf, "%s/%s", f->instance->dir, file);

	if (!ret)
		ret = task_set_parse(set, buf.data);
	free(buf.data);
	return ret;
}

/* Add the threads and descendants that the tasks of -P already have. */
static int add_family(struct task_filter *f)
{
	struct task_set roots = { 0 }, listed = { 0 }, family = { 0 }, more = { 0 };
	const struct hist_target_ops *ops = f->target->ops;
	struct target_buf buf = { 0 };
	unsigned int turn;
	int ret = task_set_parse(&roots, f->plan->pids);

	for (turn = 0; !ret && ops->tasks && turn < TURNS_MAX; turn++) {
		ret = read_tasks(f, LIST, &listed);
		if (!ret)
			ret = ops->tasks(f->target, NULL, &buf);
		if (!ret)
			ret = task_set_parse_family(&family, buf.data, &roots, 0);
		if (!ret)
			ret = task_set_subtract(&more, &family, &listed);
		if (ret || !more.n)
			break;
		ret = append_tasks(f, LIST, &more);
	}
	free(buf.data);
	task_set_clear(&roots);
	task_set_clear(&listed);
	task_set_clear(&family);
	task_set_clear(&more);
	return ret ? message_error_errno("-P: the children of the tasks", ret) : 0;
}

int task_filter_begin(struct task_filter *f, struct hist_target *t, struct undo *undo,
		      const struct instance *in, const struct plan *plan)
{
	int ret = 0;

	*f = (struct task_filter){ .plan = plan, .target = t, .instance = in, .undo = undo };
	if (plan->with_children)
		ret = set_value(f, FORK, "1");
	if (ret)
		return message_error_errno("-c: " FORK, ret);
	if (lists_tasks(plan))
		ret = set_value(f, LIST, plan->pids ? plan->pids : NO_TASK);
	if (ret)
		return message_error_errno(plan->pids ? "-P: " LIST : LIST, ret);
	return plan->pids && plan->with_children ? add_family(f) : 0;
}

int task_filter_add(struct task_filter *f, long pid)
{
	char text[24];
	int ret;

	snprintf(text, sizeof(text), "%ld", pid);
	ret = target_writef(f->target, text, true, "%s/" LIST, f->instance->dir);
	return ret ? message_error_errno(LIST, ret) : 0;
}
