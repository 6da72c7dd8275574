// SPDX-License-Identifier: GPL-2.0
/*
 * task_filter.c - write the list of counted tasks into an instance
 *
 * An empty set_event_pid counts all tasks, and the kernel empties the list before it takes a new
 * one. Therefore the list is written once, and tasks are only added to it. Until the first task is
 * known, or while the filter holds all tasks, it has NO_TASK.
 *
 * A task cannot be removed from the list, so one that left the cgroup is added to the list of tasks
 * that are not counted.
 *
 * A task that exists can make another one while the list of its family is read. The other one is
 * found in the next turn, because the kernel follows the tasks that are already listed.
 *
 * The tracers function and function_graph ignore the lists of events, and have lists of their own.
 * The kernel changes these alike, so each write goes to both, and only those of events are read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "lib/base/strbuf.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/session/compat_calls.h"
#include "tracecmd/session/session.h"
#include "tracecmd/session/task_filter.h"
#include "tracecmd/target/target_path.h"

#define LIST "set_event_pid"
#define EXCLUDED "set_event_notrace_pid"
#define MOVES "events/cgroup/cgroup_attach_task/enable"
#define FORK "options/event-fork"
#define LIST_OF_TRACER "set_ftrace_pid"
#define EXCLUDED_OF_TRACER "set_ftrace_notrace_pid"
#define FORK_OF_TRACER "options/function-fork"
/* PID_MAX_LIMIT of 64-bit kernels: no task has this ID, and the kernel accepts it since 5.16. */
#define NO_TASK "4194304"
/* An ID of kernels before that, which a task can have. */
#define OLD_NO_TASK "32767"
/* Bytes of one write. Each costs the kernel a grace period; a target limits their size. */
#define WRITE_MAX 4000
/* Turns in which the members of a family are searched. */
#define TURNS_MAX 10

static bool follows_forks(const struct plan *plan)
{
	return plan->with_children || plan->cgroup;
}

static bool filters_functions(const struct plan *plan)
{
	return plan->query.tracer && !strncmp(plan->query.tracer, "function", strlen("function"));
}

/* The file that does for the tracer of the plan what @file does for events; NULL: none. */
static const char *file_of_tracer(const struct plan *plan, const char *file)
{
	if (!filters_functions(plan))
		return NULL;
	if (!strcmp(file, LIST))
		return LIST_OF_TRACER;
	return !strcmp(file, EXCLUDED) ? EXCLUDED_OF_TRACER : FORK_OF_TRACER;
}

static int refuse_cgroup(const char *path, int err)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
		message_error("--cgroup %s: no such cgroup\n"
			      "use the path below the mount point of cgroup v2, as shown in "
			      "/proc/PID/cgroup", path);
		break;
	case -EOPNOTSUPP:
		message_error("--cgroup %s: cgroup v2 is not mounted\nrun 'mount -t cgroup2 none "
			      "/sys/fs/cgroup'", path);
		break;
	default:
		message_error("--cgroup %s: %s", path, strerror(-err));
	}
	return err;
}

static int check_cgroup(struct hist_target *t, const char *path)
{
	struct target_buf buf = { 0 };
	int ret = t->ops->tasks ? t->ops->tasks(t, path, &buf) : -ENOTSUP;

	free(buf.data);
	return ret ? refuse_cgroup(path, ret) : 0;
}

int task_filter_check(struct hist_target *t, const struct plan *plan)
{
	if (follows_forks(plan) && target_existsf(t, FORK) <= 0) {
		message_error("%s: following the children of a task needs Linux 4.7 or later\n"
			      "select each task with -P",
			      plan->cgroup ? "--cgroup" : "-c");
		return -EOPNOTSUPP;
	}
	if (plan->exclude_self && target_existsf(t, EXCLUDED) <= 0) {
		message_error("--exclude-self: this kernel has no " EXCLUDED ", which needs Linux "
			      "5.7 or later\nuse a filter such as -f 'common_pid != PID'");
		return -EOPNOTSUPP;
	}
	return plan->cgroup ? check_cgroup(t, plan->cgroup) : 0;
}

static void print_list(const struct plan *plan, const char *list)
{
	if (plan->cgroup)
		printf("%s tasks of %s\n", list, plan->cgroup);
	else if (plan_lists_tasks(plan))
		printf("%s %s%s%s\n", list, plan->pids ? plan->pids : "",
		       plan->pids && plan->only_command ? " " : "",
		       plan->only_command ? plan->command[0] : "");
}

void task_filter_print(const struct plan *plan)
{
	if (follows_forks(plan))
		printf("%s 1\n", FORK);
	print_list(plan, LIST);
	if (follows_forks(plan) && filters_functions(plan))
		printf("%s 1\n", FORK_OF_TRACER);
	if (filters_functions(plan))
		print_list(plan, LIST_OF_TRACER);
	if (plan->exclude_self)
		printf("%s trace-cmd-hist\n", EXCLUDED);
}

/* Write to a list of the instance, and to that of the tracer. 0 or -errno without a message. */
static int write_list(struct task_filter *f, const char *file, const char *text, bool append)
{
	const char *other = file_of_tracer(f->plan, file);
	int ret = target_writef(f->target, text, append, "%s/%s", f->instance->dir, file);

	if (!ret && other)
		ret = target_writef(f->target, text, append, "%s/%s", f->instance->tracer_dir,
				    other);
	return ret;
}

/* Set a file in @dir; the undo log restores that of an instance of the user. */
static int set_one_value(struct task_filter *f, const char *dir, const char *file,
			 const char *value)
{
	char *path = NULL;
	int ret;

	if (asprintf(&path, "%s/%s", dir, file) < 0)
		return message_error_memory();
	ret = f->instance->made ? target_write_str(f->target, path, value, false) :
				  undo_set_value(f->undo, path, value);
	free(path);
	return ret == -EINVAL && !strcmp(value, NO_TASK) ? set_one_value(f, dir, file, OLD_NO_TASK)
							 : ret;
}

/* Set a file of the instance, and that of the tracer. */
static int set_value(struct task_filter *f, const char *file, const char *value)
{
	const char *other = file_of_tracer(f->plan, file);
	int ret = set_one_value(f, f->instance->dir, file, value);

	return !ret && other ? set_one_value(f, f->instance->tracer_dir, other, value) : ret;
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
		ret = b.error ? -ENOMEM : write_list(f, file, b.data + 1, true);
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
	return ret ? message_error_errno("-P: cannot find the children of the tasks", ret) : 0;
}

/* Find the next state of f->left: what is listed and not a member. 0 or -errno, no message. */
static int find_left(struct task_set *left, const struct task_set *listed,
		     const struct task_set *members)
{
	struct task_set all = { 0 }, none = { 0 };
	int ret = task_set_parse(&none, NO_TASK " " OLD_NO_TASK);

	if (!ret)
		ret = task_set_subtract(&all, listed, members);
	if (!ret)
		ret = task_set_subtract(left, &all, &none);
	task_set_clear(&all);
	task_set_clear(&none);
	return ret;
}

/*
 * Count the tasks of @back again. Only the whole list can be emptied, so for some microseconds the
 * other tasks that left are counted too.
 */
static int include_again(struct task_filter *f, const struct task_set *back)
{
	struct task_set excluded = { 0 }, rest = { 0 };
	int ret = read_tasks(f, EXCLUDED, &excluded);

	if (!ret)
		ret = task_set_subtract(&rest, &excluded, back);
	if (!ret)
		ret = write_list(f, EXCLUDED, "", false);
	if (!ret)
		ret = append_tasks(f, EXCLUDED, &rest);
	task_set_clear(&excluded);
	task_set_clear(&rest);
	return ret;
}

/* Do not count the tasks that left the cgroup, and count those that came back. */
static int exclude_left(struct task_filter *f, const struct task_set *listed,
			const struct task_set *members)
{
	struct task_set left = { 0 }, gone = { 0 }, back = { 0 }, ended = { 0 };
	int ret = find_left(&left, listed, members);

	if (!ret)
		ret = task_set_subtract(&gone, &left, &f->left);
	if (!ret)
		ret = append_tasks(f, EXCLUDED, &gone);
	/* no longer listed as left: back in the group, or ended */
	if (!ret)
		ret = task_set_subtract(&back, &f->left, &left);
	if (!ret)
		ret = task_set_subtract(&ended, &back, members);
	if (!ret && back.n > ended.n)
		ret = include_again(f, &back);
	if (!ret) {
		task_set_clear(&f->left);
		f->left = left;
		left = (struct task_set){ 0 };
	}
	task_set_clear(&left);
	task_set_clear(&gone);
	task_set_clear(&back);
	task_set_clear(&ended);
	return ret;
}

/* Returns the number of tasks that were added to the list, or -errno without a message. */
static int follow_once(struct task_filter *f)
{
	struct task_set listed = { 0 }, members = { 0 }, more = { 0 };
	struct target_buf buf = { 0 };
	/* first the list: a task that is made meanwhile is in the group, and not on the list */
	int ret = read_tasks(f, LIST, &listed), n = 0;

	if (!ret)
		ret = f->target->ops->tasks(f->target, f->plan->cgroup, &buf);
	/* the group was removed, and may come again */
	if (ret == -ENOENT || ret == -ENODEV)
		ret = target_buf_reserve(&buf, 1) ?: (buf.data[0] = '\0');
	if (!ret)
		ret = task_set_parse(&members, buf.data);
	if (!ret)
		ret = task_set_subtract(&more, &members, &listed);
	if (!ret)
		ret = append_tasks(f, LIST, &more);
	if (!ret && target_existsf(f->target, EXCLUDED) > 0)
		ret = exclude_left(f, &listed, &members);
	n = more.n;
	free(buf.data);
	task_set_clear(&listed);
	task_set_clear(&members);
	task_set_clear(&more);
	return ret ? ret : n;
}

/* Count the tasks that are in the cgroup of the plan now, and no others. */
static int task_filter_follow(struct task_filter *f)
{
	unsigned int turn;
	uint64_t ticks;
	char text[4096];
	int ret = 1;

	if (!f->plan || !f->plan->cgroup)
		return 0;
	/* empty both before the look: what comes later is readable again */
	if (f->timer >= 0 && read(f->timer, &ticks, sizeof(ticks)) < 0 && errno != EAGAIN)
		return message_error_errno("timer", -errno);
	while (f->moves >= 0 && read(f->moves, text, sizeof(text)) > 0)
		;
	for (turn = 0; ret > 0 && turn < TURNS_MAX; turn++)
		ret = follow_once(f);
	return ret < 0 ? message_error_errno("--cgroup: cannot read the list of tasks", ret) : 0;
}

/* Best effort: without the event, the timer finds tasks that were moved. */
static int watch_moves(struct task_filter *f)
{
	char path[TARGET_PATH_MAX];
	int ret;

	if (!f->target->ops->descriptor || target_existsf(f->target, MOVES) <= 0)
		return 0;
	ret = instance_make_dir(&f->watch_dir, "tasks", f->target, f->undo);
	if (ret)
		return ret;
	target_writef(f->target, "0", false, "%s/buffer_percent", f->watch_dir);
	target_writef(f->target, "1", false, "%s/" MOVES, f->watch_dir);
	snprintf(path, sizeof(path), "%s/trace_pipe", f->watch_dir);
	f->moves = f->target->ops->descriptor(f->target, path);
	return 0;
}

static int open_wake(struct task_filter *f)
{
	struct epoll_event event = { .events = EPOLLIN };
	int ret = watch_moves(f);

	if (ret)
		return ret;
	f->timer = timer_open(TASK_FILTER_MS * 1000000ull, TASK_FILTER_MS * 1000000ull);
	if (f->timer < 0)
		return message_error_errno("timer", f->timer);
	f->wake = epoll_create1(EPOLL_CLOEXEC);
	if (f->wake < 0 || epoll_ctl(f->wake, EPOLL_CTL_ADD, f->timer, &event) ||
	    (f->moves >= 0 && epoll_ctl(f->wake, EPOLL_CTL_ADD, f->moves, &event)))
		return message_error_errno("epoll", -errno);
	return 0;
}

static int begin_cgroup(struct task_filter *f)
{
	int ret = 0;

	/* for the undo log, as exclude_left() changes it */
	if (!f->instance->made && !f->plan->exclude_self && target_existsf(f->target, EXCLUDED) > 0)
		ret = set_value(f, EXCLUDED, "");
	if (ret)
		return message_error_errno("--cgroup: " EXCLUDED, ret);
	ret = open_wake(f);
	return ret ? ret : task_filter_follow(f);
}

/* List the tasks of the plan, besides NO_TASK if the filter has held them. */
static int begin_list(struct task_filter *f)
{
	const struct plan *plan = f->plan;
	int ret = 0;

	if (f->holds)
		ret = plan->pids ? write_list(f, LIST, plan->pids, true) : 0;
	else if (plan_lists_tasks(plan))
		ret = set_value(f, LIST, plan->pids ? plan->pids : NO_TASK);
	if (ret)
		return message_error_errno(plan->pids ? "-P: " LIST : LIST, ret);
	if (plan->cgroup)
		return begin_cgroup(f);
	return plan->pids && plan->with_children ? add_family(f) : 0;
}

/* Set the list of the instance that counts ENDs in any task, if there is one. */
static int hold_anywhere(struct task_filter *f, const char *text)
{
	const char *dir = f->instance->anywhere_dir;

	return dir ? target_writef(f->target, text, false, "%s/" LIST, dir) : 0;
}

int task_filter_begin(struct task_filter *f, struct hist_target *t, struct undo *undo,
		      const struct instance *in, const struct plan *plan, bool hold)
{
	int ret = 0;

	*f = (struct task_filter){
		.plan = plan, .target = t, .instance = in, .undo = undo,
		.timer = -1, .moves = -1, .wake = -1,
	};
	if (follows_forks(plan))
		ret = set_value(f, FORK, "1");
	if (ret)
		return message_error_errno(FORK, ret);
	if (plan->exclude_self && !in->made)
		ret = set_value(f, EXCLUDED, "");
	if (ret)
		return message_error_errno(EXCLUDED, ret);
	f->can_hold = f->holds = hold && in->made &&
				   !write_list(f, LIST, NO_TASK, false) &&
				   !hold_anywhere(f, NO_TASK);
	return f->holds ? 0 : begin_list(f);
}

/* Count the tasks of the plan from now on. Does nothing if none are held. */
static int task_filter_release(struct task_filter *f)
{
	int ret;

	if (!f->holds)
		return 0;
	/* first what END counts in, so that no START is too early */
	ret = hold_anywhere(f, "");
	if (!ret && !plan_lists_tasks(f->plan))
		ret = write_list(f, LIST, "", false);
	if (ret)
		return message_error_errno(LIST, ret);
	if (plan_lists_tasks(f->plan))
		ret = begin_list(f);
	f->holds = false;
	return ret;
}

/* Count no task from now on, if task_filter_release() has ended a hold. Without a message. */
static void task_filter_hold(struct task_filter *f)
{
	struct task_set listed = { 0 };

	if (!f->can_hold || f->holds)
		return;
	/* a list that is written again would be empty in between, and count all tasks */
	if (!plan_lists_tasks(f->plan))
		write_list(f, LIST, NO_TASK, false);
	else if (!read_tasks(f, LIST, &listed))
		append_tasks(f, EXCLUDED, &listed);
	hold_anywhere(f, NO_TASK);
	f->holds = true;
	task_set_clear(&listed);
}

/* Count this task too. */
static int task_filter_add(struct task_filter *f, pid_t pid)
{
	char text[24];
	int ret;

	snprintf(text, sizeof(text), "%d", pid);
	ret = write_list(f, LIST, text, true);
	return ret ? message_error_errno(LIST, ret) : 0;
}

int task_filter_exclude_self(struct task_filter *f, pid_t command)
{
	const struct hist_target_ops *ops = f->target->ops;
	struct task_set self = { 0 }, family = { 0 };
	struct target_buf buf = { 0 };
	int ret;

	if (!f->plan->exclude_self)
		return 0;
	ret = ops->tasks ? ops->tasks(f->target, NULL, &buf) : -EOPNOTSUPP;
	if (!ret) {
		char *rest = buf.data + strcspn(buf.data, "\n");
		char *line = strndup(buf.data, rest - buf.data);

		ret = line ? task_set_parse(&self, line) : -ENOMEM;
		free(line);
		if (!ret)
			ret = task_set_parse_family(&family, rest, &self, command);
	}
	if (!ret)
		ret = append_tasks(f, EXCLUDED, &family);
	/* a shell makes a task for each command; a list of tasks would follow forks too */
	if (!ret && !ops->descriptor && !plan_lists_tasks(f->plan))
		ret = set_value(f, FORK, "1");
	free(buf.data);
	task_set_clear(&self);
	task_set_clear(&family);
	return ret ? message_error_errno("--exclude-self", ret) : 0;
}

/* A descriptor for poll(), readable when task_filter_follow() is due; -1: never due. */
static int task_filter_fd(const struct task_filter *f)
{
	return f->plan && f->plan->cgroup ? f->wake : -1;
}

int session_task_fd(const struct session *s)
{
	return task_filter_fd(&s->filter);
}

int session_follow_tasks(struct session *s)
{
	int ret;

	foreign_writes_look(&s->counter->writes, false);
	ret = task_filter_follow(&s->filter);
	foreign_writes_look(&s->counter->writes, true);
	return ret;
}

int session_add_task(struct session *s, pid_t pid)
{
	int ret;

	foreign_writes_look(&s->counter->writes, false);
	compat_calls_add_command(&s->compat, pid);
	ret = task_filter_add(&s->filter, pid);
	foreign_writes_look(&s->counter->writes, true);
	return ret;
}

int session_release(struct session *s)
{
	int ret;

	foreign_writes_look(&s->counter->writes, false);
	ret = task_filter_release(&s->filter);
	foreign_writes_look(&s->counter->writes, true);
	return ret;
}

void session_pause(struct session *s)
{
	foreign_writes_look(&s->counter->writes, false);
	task_filter_hold(&s->filter);
	foreign_writes_look(&s->counter->writes, true);
	s->counter->ops->pause(s->counter);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void task_filter_clear(struct task_filter *f)
{
	if (!f->plan)
		return;
	close_fd(f->wake);
	close_fd(f->moves);
	close_fd(f->timer);
	free(f->watch_dir);
	task_set_clear(&f->left);
	memset(f, 0, sizeof(*f));
}
