// SPDX-License-Identifier: GPL-2.0
/*
 * capture_setup.c - the instances and triggers of a capture
 *
 * The kernel calls the instances of an event in the order in which they enabled it.  The instance
 * of a capture enables its events before the triggers of the recording are set, so the END event of
 * a latency is in the ring buffer when the synthetic event freezes it.  The watching instance comes
 * last: when its hit wakes the recorder, the ring buffer is frozen.
 *
 * Removing an instance removes its triggers and its events, so the undo log has only instances.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/query/function_field.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/record/capture_private.h"
#include "tracecmd/record/stacks.h"
#include "tracecmd/target/target_path.h"

/* Who runs, why it was woken, and what interrupts it. */
static const char *const usual_events[] = {
	"sched:sched_switch", "sched:sched_waking", "sched:sched_wakeup", "sched:sched_wakeup_new",
	"sched:sched_migrate_task", "irq:irq_handler_entry", "irq:irq_handler_exit",
	"irq:softirq_entry", "irq:softirq_exit", "irq:softirq_raise", "timer:timer_expire_entry",
	"timer:timer_expire_exit", "timer:hrtimer_expire_entry", "timer:hrtimer_expire_exit",
	"workqueue:workqueue_execute_start", "workqueue:workqueue_execute_end",
	"irq_vectors:local_timer_entry", "irq_vectors:local_timer_exit",
	"irq_vectors:call_function_single_entry", "irq_vectors:call_function_single_exit",
	"irq_vectors:irq_work_entry", "irq_vectors:irq_work_exit",
};

static bool is_listed(const struct capture *c, const char *name)
{
	unsigned int i;

	for (i = 0; i < c->session->nsources; i++) {
		if (!strcmp(c->session->sources[i].full_name, name))
			return true;
	}
	for (i = 0; i < c->nevents; i++) {
		if (!strcmp(c->events[i].full_name, name))
			return true;
	}
	return false;
}

static int add_event(struct capture *c, const char *name)
{
	const char *colon = strchr(name, ':');
	struct hist_target *t = c->session->target;

	if (is_listed(c, name) ||
	    target_existsf(t, "events/%.*s/%s/format", (int)(colon - name), name, colon + 1) <= 0)
		return 0;
	if (array_add(&c->events, c->nevents, sizeof(*c->events)))
		return message_error_memory();
	return traced_event_find(&c->events[c->nevents++], t, name);
}

int capture_events_find(struct capture *c)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(usual_events) / sizeof(*usual_events); i++)
		ret = add_event(c, usual_events[i]);
	for (i = 0; !ret && i < c->plan->query.ncaptured; i++)
		ret = add_event(c, c->plan->query.captured[i]);
	return ret;
}

static int set_file(struct capture *c, const char *dir, const char *file, const char *value)
{
	int ret = target_writef(c->session->target, value, false, "%s/%s", dir, file);

	if (ret)
		message_error("%s/%s: %s", dir, file, strerror(-ret));
	return ret;
}

static int make_instance(struct capture *c, const char *kind, char **dir)
{
	char suffix[32];

	snprintf(suffix, sizeof(suffix), "%04x-%s", unique_number(), kind);
	return instance_make_dir(dir, suffix, c->session->target, c->session->undo);
}

static int enable(struct capture *c, const char *dir, const struct traced_event *event)
{
	char file[TARGET_PATH_MAX];

	/* an event of a tracer cannot be enabled */
	if (!strcmp(event->system, "ftrace"))
		return 0;
	snprintf(file, sizeof(file), "events/%s/%s/enable", event->system, event->name);
	return set_file(c, dir, file, "1");
}

/* Record only the hits of @s above the threshold. */
static int filter_hits(struct capture *c, const char *dir, const struct capture_source *s)
{
	char *own = function_field_to_kernel(s->filter, s->event->function_field);
	char file[TARGET_PATH_MAX];
	int ret;

	if (!own)
		return message_error_memory();
	snprintf(file, sizeof(file), "events/%s/%s/filter", s->event->system, s->event->name);
	ret = set_file(c, dir, file, own);
	free(own);
	return ret;
}

int capture_instance_make(struct capture *c, struct capture_source *s)
{
	const struct session *session = c->session;
	uint64_t kb = c->plan->buffer_kb ? c->plan->buffer_kb : PLAN_BUFFER_KB;
	char size[24];
	unsigned int i;
	int ret;

	ret = make_instance(c, "capture", &s->dir);
	if (ret)
		return ret;
	if (cpu_pages_init(&s->frozen, session->target, s->dir, "snapshot_raw"))
		return message_error_memory();
	snprintf(size, sizeof(size), "%" PRIu64, kb);
	ret = target_writef(session->target, size, false, "%s/buffer_size_kb", s->dir);
	if (ret)
		return message_refuse(ret, "-b %s: the kernel cannot allocate this ring buffer: "
					   "%s\nuse a smaller size with -b", size, strerror(-ret));
	/* the other hits of an event that the user chose belong to the story */
	if (query_get_pairs(s->event->plan))
		ret = filter_hits(c, s->dir, s);
	for (i = 0; !ret && i < c->nevents; i++)
		ret = enable(c, s->dir, &c->events[i]);
	for (i = 0; !ret && i < session->nsources; i++) {
		/* the synthetic events of other latencies are in their own instances */
		if (strcmp(session->sources[i].system, "synthetic") ||
		    !strcmp(session->sources[i].full_name, s->event->full_name))
			ret = enable(c, s->dir, &session->sources[i]);
	}
	if (!ret && c->plan->stacks)
		ret = stacks_set(session->target, s->dir, c->events, c->nevents, NULL);
	if (!ret && c->plan->stacks)
		ret = stacks_set(session->target, s->dir, session->sources,
					 session->nsources, NULL);
	return ret;
}

int capture_watch_make(struct capture *c)
{
	int ret = make_instance(c, "watch", &c->watch_dir);

	if (!ret && cpu_pages_init(&c->watched, c->session->target, c->watch_dir, "trace_pipe_raw"))
		return message_error_memory();
	/* not fatal: the default of the kernel wakes the recorder later */
	if (!ret)
		target_writef(c->session->target, "0", false, "%s/buffer_percent", c->watch_dir);
	return ret;
}

int capture_watch_start(struct capture *c)
{
	struct hist_target *t = c->session->target;
	char path[TARGET_PATH_MAX];
	unsigned int i;
	int ret;

	ret = set_file(c, c->watch_dir, "trace_clock", c->session->instance.clock);
	for (i = 0; !ret && i < c->nsources; i++) {
		ret = filter_hits(c, c->watch_dir, &c->sources[i]);
		if (!ret)
			ret = enable(c, c->watch_dir, c->sources[i].event);
	}
	if (ret || !t->ops->descriptor)
		return ret;
	snprintf(path, sizeof(path), "%s/trace_pipe", c->watch_dir);
	c->watch = t->ops->descriptor(t, path);
	return c->watch < 0 ? message_error_errno(path, c->watch) : 0;
}

int capture_arm(struct capture *c, struct capture_source *s, bool again)
{
	struct hist_target *t = c->session->target;
	char path[TARGET_PATH_MAX], *text = NULL, *filter, *own = NULL;
	int ret = 0;

	filter = capture_source_make_filter(s);
	if (filter && asprintf(&text, "snapshot:1 if %s", filter) < 0)
		text = NULL;
	free(filter);
	if (text)
		own = function_field_to_kernel(text, s->event->function_field);
	free(text);
	if (!own)
		return message_error_memory();
	snprintf(path, sizeof(path), "%s/events/%s/%s/trigger", s->dir, s->event->system,
		 s->event->name);
	s->armed = false;
	/* the kernel has one snapshot trigger per event, which counts down to 0 */
	if (again)
		ret = target_write_str(t, path, "!snapshot", true);
	if (!ret)
		ret = instance_get_time(&c->session->instance, t, &s->armed_at);
	if (!ret)
		ret = target_write_str(t, path, own, true);
	if (ret)
		message_error("%s: the kernel rejects \"%s\": %s\n%s", s->event->title, own,
			      strerror(-ret), ret == -ENOMEM ? "use a smaller ring buffer with -b" :
			      "use --on-threshold stop, which needs no snapshot");
	s->armed = !ret;
	free(own);
	return ret;
}

static int refuse_target(const struct session *s, bool keeps)
{
	const struct plan *plan = s->plan;
	const char *which = plan->pids ? "-P" : plan->cgroup ? "--cgroup" : "-F";

	if (!s->target->ops->pages)
		return message_refuse(-EOPNOTSUPP,
				      "--threshold: the target helper is too old to send "
				      "ring buffers\ninstall the same version on both machines");
	/* the engine has one ring buffer, which would lack the events of all other tasks */
	if (s->counter->ops->engine && keeps && (plan->pids || plan->only_command || plan->cgroup))
		return message_refuse(-EOPNOTSUPP, "--threshold: with %s, the user-space engine "
				      "does not record the events of other tasks\n"
				      "use a filter such as -f 'next_pid == 17' instead of %s, "
				      "or --on-threshold stop", which, which);
	return 0;
}

int capture_check(struct capture *c, const struct plan *plan, struct session *session)
{
	unsigned int i;
	int ret;

	if (!plan->threshold)
		return 0;
	c->plan = plan;
	c->session = session;
	c->keeps = plan_has_action(plan, PLAN_CAPTURE);
	ret = refuse_target(session, c->keeps);
	if (!ret)
		ret = capture_sources_find(&c->sources, &c->nsources, plan, session);
	for (i = 0; !ret && i < c->nsources; i++)
		ret = capture_source_check(&c->sources[i], &session->kernel);
	if (!ret && c->keeps && !session->counter->ops->engine &&
	    target_existsf(session->target, "snapshot") <= 0)
		ret = message_refuse(-EOPNOTSUPP, "--on-threshold capture: this kernel cannot take "
				     "snapshots of the ring buffer (CONFIG_TRACER_SNAPSHOT)\nuse "
				     "--on-threshold stop");
	if (!ret && c->keeps)
		ret = capture_events_find(c);
	return ret;
}

void capture_print(const struct capture *c)
{
	unsigned int i;

	for (i = 0; c->plan && i < c->nsources; i++) {
		const struct capture_source *s = &c->sources[i];

		printf("%s %s%s\n", s->event->full_name,
		       c->keeps && !c->session->counter->ops->engine ? "snapshot:1 if " : "filter ",
		       s->filter);
	}
	for (i = 0; i < c->nevents; i++)
		printf("%s enable\n", c->events[i].full_name);
}
