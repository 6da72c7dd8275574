// SPDX-License-Identifier: GPL-2.0
/*
 * capture.c - watch a threshold during a recording, and capture the events around episodes
 *
 * A hit above the threshold wakes the recorder.  The recorder counts the hits, and keeps the worst
 * of them as episodes (capture_episode.c).
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
#include "lib/base/text.h"
#include "lib/query/function_field.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/record/capture.h"
#include "tracecmd/record/capture_source.h"
#include "tracecmd/record/recorder_parts.h"
#include "tracecmd/record/stacks.h"
#include "tracecmd/record/threshold_action.h"
#include "tracecmd/target/target_path.h"

/* Bytes per CPU in one look at the hits: the ring buffer of the watching instance. */
#define WATCH_MOST 65536

/* The shortest time between two looks, in ms: the recorder itself can cause hits. */
#define WATCH_REST_MS 20

/* The time between two looks if no descriptor tells of hits, as of a target with --target. */
#define WATCH_PULL_MS 100

/* Who runs, why it was woken, and what interrupts it. */
static const char *const usual_events[] = {
	"sched:sched_switch",
	"sched:sched_waking",
	"sched:sched_wakeup",
	"sched:sched_wakeup_new",
	"sched:sched_migrate_task",
	"irq:irq_handler_entry",
	"irq:irq_handler_exit",
	"irq:softirq_entry",
	"irq:softirq_exit",
	"irq:softirq_raise",
	"timer:timer_expire_entry",
	"timer:timer_expire_exit",
	"timer:hrtimer_expire_entry",
	"timer:hrtimer_expire_exit",
	"workqueue:workqueue_execute_start",
	"workqueue:workqueue_execute_end",
	"irq_vectors:local_timer_entry",
	"irq_vectors:local_timer_exit",
	"irq_vectors:call_function_single_entry",
	"irq_vectors:call_function_single_exit",
	"irq_vectors:irq_work_entry",
	"irq_vectors:irq_work_exit",
};

static bool capture_lists_event(const struct capture *c, const char *name)
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

static int capture_add_event(struct capture *c, const char *name)
{
	const char *colon = strchr(name, ':');
	struct hist_target *t = c->session->target;

	if (capture_lists_event(c, name) ||
	    target_existsf(t, "events/%.*s/%s/format", (int)(colon - name), name, colon + 1) <= 0)
		return 0;
	if (array_add(&c->events, c->nevents, sizeof(*c->events)))
		return message_error_memory();
	return traced_event_find(&c->events[c->nevents++], t, name);
}

static int capture_events_find(struct capture *c)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(usual_events) / sizeof(*usual_events); i++)
		ret = capture_add_event(c, usual_events[i]);
	for (i = 0; !ret && i < c->plan->query.ncaptured; i++)
		ret = capture_add_event(c, c->plan->query.captured[i]);
	return ret;
}

static int capture_set_file(struct capture *c, const char *dir, const char *file, const char *value)
{
	int ret = target_writef(c->session->target, value, false, "%s/%s", dir, file);

	if (ret)
		message_error("%s/%s: %s", dir, file, strerror(-ret));
	return ret;
}

static int capture_make_instance(struct capture *c, const char *kind, char **dir)
{
	char suffix[32];

	snprintf(suffix, sizeof(suffix), "%04x-%s", unique_number(), kind);
	return instance_make_dir(dir, suffix, c->session->target, c->session->undo);
}

static int capture_enable_event(struct capture *c, const char *dir,
				const struct traced_event *event)
{
	char file[TARGET_PATH_MAX];

	/* an event of a tracer cannot be enabled */
	if (!strcmp(event->system, "ftrace"))
		return 0;
	snprintf(file, sizeof(file), "events/%s/%s/enable", event->system, event->name);
	return capture_set_file(c, dir, file, "1");
}

/* Record only the hits of @s above the threshold. */
static int capture_filter_hits(struct capture *c, const char *dir, const struct capture_source *s)
{
	char *own = function_field_to_kernel(s->filter, s->event->function_field);
	char file[TARGET_PATH_MAX];
	int ret;

	if (!own)
		return message_error_memory();
	snprintf(file, sizeof(file), "events/%s/%s/filter", s->event->system, s->event->name);
	ret = capture_set_file(c, dir, file, own);
	free(own);
	return ret;
}

static int capture_instance_make(struct capture *c, struct capture_source *s)
{
	const struct session *session = c->session;
	uint64_t kb = c->plan->buffer_kb ? c->plan->buffer_kb : PLAN_BUFFER_KB;
	char size[24];
	unsigned int i;
	int ret;

	ret = capture_make_instance(c, "capture", &s->dir);
	if (ret)
		return ret;
	if (cpu_pages_init(&s->frozen, session->target, s->dir, "snapshot_raw"))
		return message_error_memory();
	snprintf(size, sizeof(size), "%" PRIu64, kb);
	ret = target_writef(session->target, size, false, "%s/buffer_size_kb", s->dir);
	if (ret)
		return message_refuse(ret,
				      "-b %s: the kernel cannot allocate this ring buffer: "
				      "%s\nuse a smaller size with -b",
				      size, strerror(-ret));
	/* the other hits of an event that the user chose belong to the story */
	if (query_get_pairs(s->event->plan))
		ret = capture_filter_hits(c, s->dir, s);
	for (i = 0; !ret && i < c->nevents; i++)
		ret = capture_enable_event(c, s->dir, &c->events[i]);
	for (i = 0; !ret && i < session->nsources; i++) {
		/* the synthetic events of other latencies are in their own instances */
		if (strcmp(session->sources[i].system, "synthetic") ||
		    !strcmp(session->sources[i].full_name, s->event->full_name))
			ret = capture_enable_event(c, s->dir, &session->sources[i]);
	}
	if (!ret && c->plan->stacks)
		ret = stacks_set(session->target, s->dir, c->events, c->nevents, NULL);
	if (!ret && c->plan->stacks)
		ret = stacks_set(session->target, s->dir, session->sources, session->nsources,
				 NULL);
	return ret;
}

static int capture_watch_make(struct capture *c)
{
	int ret = capture_make_instance(c, "watch", &c->watch_dir);

	if (!ret && cpu_pages_init(&c->watched, c->session->target, c->watch_dir, "trace_pipe_raw"))
		return message_error_memory();
	/* not fatal: the default of the kernel wakes the recorder later */
	if (!ret)
		target_writef(c->session->target, "0", false, "%s/buffer_percent", c->watch_dir);
	return ret;
}

static int capture_watch_start(struct capture *c)
{
	struct hist_target *t = c->session->target;
	char path[TARGET_PATH_MAX];
	unsigned int i;
	int ret;

	ret = capture_set_file(c, c->watch_dir, "trace_clock", c->session->instance.clock);
	for (i = 0; !ret && i < c->nsources; i++) {
		ret = capture_filter_hits(c, c->watch_dir, &c->sources[i]);
		if (!ret)
			ret = capture_enable_event(c, c->watch_dir, c->sources[i].event);
	}
	if (ret || !t->ops->descriptor)
		return ret;
	snprintf(path, sizeof(path), "%s/trace_pipe", c->watch_dir);
	c->watch = t->ops->descriptor(t, path);
	return c->watch < 0 ? message_error_errno(path, c->watch) : 0;
}

static int capture_refuse_target(const struct session *s, bool keeps)
{
	const struct plan *plan = s->plan;
	const char *which = plan->pids ? "-P" : plan->cgroup ? "--cgroup" : "-F";

	if (!s->target->ops->pages)
		return message_refuse(-EOPNOTSUPP,
				      "--threshold: the target helper is too old to send "
				      "ring buffers\ninstall the same version on both machines");
	/* the engine has one ring buffer, which would lack the events of all other tasks */
	if (s->counter->ops->engine && keeps && (plan->pids || plan->only_command || plan->cgroup))
		return message_refuse(-EOPNOTSUPP,
				      "--threshold: with %s, the user-space engine "
				      "does not record the events of other tasks\n"
				      "use a filter such as -f 'next_pid == 17' instead of %s, "
				      "or --on-threshold stop",
				      which, which);
	return 0;
}

static int capture_check(void *part, struct recorder_common *r)
{
	struct session *session = &r->session;
	const struct plan *plan = r->plan;
	struct capture *c = part;
	unsigned int i;
	int ret;

	if (!plan->threshold)
		return 0;
	c->plan = plan;
	c->session = session;
	c->stacks = &r->stacks;
	c->watch = -1;
	r->keeps = c->keeps = plan_has_action(plan, PLAN_CAPTURE);
	ret = capture_refuse_target(session, c->keeps);
	if (!ret)
		ret = capture_sources_find(&c->sources, &c->nsources, plan, session);
	for (i = 0; !ret && i < c->nsources; i++)
		ret = capture_source_check(&c->sources[i], &session->kernel);
	if (!ret && c->keeps && !session->counter->ops->engine &&
	    target_existsf(session->target, "snapshot") <= 0)
		ret = message_refuse(-EOPNOTSUPP,
				     "--on-threshold capture: this kernel cannot take "
				     "snapshots of the ring buffer (CONFIG_TRACER_SNAPSHOT)\nuse "
				     "--on-threshold stop");
	if (!ret && c->keeps)
		ret = capture_events_find(c);
	r->captured = c->events;
	r->ncaptured = c->nevents;
	return ret;
}

static int capture_print(void *part, struct recorder_common *r)
{
	const struct capture *c = part;
	unsigned int i;

	(void)r;
	for (i = 0; c->plan && i < c->nsources; i++) {
		const struct capture_source *s = &c->sources[i];

		printf("%s %s%s\n", s->event->full_name,
		       c->keeps && !c->session->counter->ops->engine ? "snapshot:1 if " : "filter ",
		       s->filter);
	}
	for (i = 0; i < c->nevents; i++)
		printf("%s enable\n", c->events[i].full_name);
	return 0;
}

/* Make the instances. */
static int capture_make(void *part, struct recorder_common *r)
{
	struct capture *c = part;
	bool engine = c->plan && c->session->counter->ops->engine;
	unsigned int i;
	int ret = 0;

	(void)r;
	if (!c->plan)
		return 0;
	for (i = 0; !ret && i < c->nsources; i++) {
		ret = capture_source_check(&c->sources[i], &c->session->kernel);
		if (!ret && c->keeps && !engine)
			ret = capture_instance_make(c, &c->sources[i]);
	}
	if (!ret && engine)
		return capture_window_open(c);
	if (!ret)
		ret = capture_watch_make(c);
	if (!ret && c->keeps) {
		c->pages = calloc(c->session->target->cpus, sizeof(*c->pages));
		ret = c->pages ? 0 : message_error_memory();
	}
	return ret;
}

/* The last snapshot is the first one of a file that begins now. */
static void capture_begin_file(struct capture *c, const struct outfile *output)
{
	struct traced_hist *h;

	h = traced_event_next_hist(c->session->sources, c->session->nsources, NULL);
	c->origin = h ? h->snap.time : 0;
	episode_files_end(&c->side);
	if (output)
		episode_files_begin(&c->side, output->path, &output->place);
}

/* Begin to watch. */
static int capture_watch(void *part, struct recorder_common *r)
{
	struct capture *c = part;
	unsigned int i;
	int ret = 0;

	if (!c->plan)
		return 0;
	c->contents = &r->contents.dat;
	capture_begin_file(c, r->current);
	if (c->window) {
		capture_window_start(c);
		return 0;
	}
	for (i = 0; !ret && c->keeps && i < c->nsources; i++) {
		struct capture_source *s = &c->sources[i];

		ret = target_writef(c->session->target, c->session->instance.clock, false,
				    "%s/trace_clock", s->dir);
		if (ret)
			return message_error_errno("trace_clock", ret);
		ret = capture_arm(c, s, false);
	}
	return ret ? ret : capture_watch_start(c);
}

/* The time in ms until the next look may begin. */
static int capture_rest_ms(const struct capture *c)
{
	uint64_t rest = c->watch < 0 ? WATCH_PULL_MS : WATCH_REST_MS;
	uint64_t since = c->looked ? (timer_now() - c->looked) / 1000000 : rest;

	return since < rest ? rest - since : 0;
}

static int capture_wait_ms(const void *part)
{
	const struct capture *c = part;
	int rest = c->plan ? capture_rest_ms(c) : -1;

	return rest || c->watch < 0 ? rest : -1;
}

/* -1 also if the target is on another machine. */
static int capture_fd(const void *part)
{
	const struct capture *c = part;

	return c->plan && !capture_rest_ms(c) ? c->watch : -1;
}

static int capture_count_watched(void *arg, struct capture_source *s, const struct capture_hit *hit)
{
	capture_count_hit(arg, s, hit);
	return 0;
}

static int capture_read_hits(struct capture *c, struct new_hits *new)
{
	unsigned int cpu;
	int ret;

	cpu_pages_begin(&c->watched, c->ending);
	while ((ret = cpu_pages_next(&c->watched, WATCH_MOST, &c->hits, &cpu)) > 0) {
		ret = capture_source_walk(c->sources, c->nsources, c->session->target, &c->hits,
					  cpu, &c->lost, capture_count_watched, new);
		if (ret)
			break;
	}
	return ret ? message_error_errno("trace_pipe_raw", ret) : 0;
}

int capture_follow(struct capture *c, bool *stop)
{
	struct new_hits new = { 0 };
	unsigned int i;
	int ret;

	if (!c->plan)
		return 0;
	ret = c->window ? capture_window_follow(c, &new) : capture_read_hits(c, &new);
	for (i = 0; !ret && !c->window && i < c->nsources; i++) {
		if (c->sources[i].waiting)
			ret = capture_take_frozen(c, &c->sources[i]);
	}
	if (!ret)
		threshold_action_run(&c->action, c->plan, &new.largest, new.n, stop);
	c->looked = timer_now();
	return ret;
}

static int capture_follow_due(void *part, struct recorder_common *r, bool readable)
{
	struct capture *c = part;

	if (readable || (c->plan && c->watch < 0 && !capture_rest_ms(c)))
		return capture_follow(c, &r->stopped);
	return 0;
}

/* Handle the episodes until now, and append the worst to the file of @dat. */
static int capture_append(struct capture *c, struct tracedat_writer *dat, bool *stop)
{
	int ret;

	if (!c->plan)
		return 0;
	ret = capture_follow(c, stop);
	/* the names of the episodes replace those of all events (--events) in the file */
	if (!c->plan->record_events ||
	    target_readf(c->session->target, &c->names, "saved_cmdlines"))
		c->names.len = 0;
	if (!ret && c->keeps)
		ret = episode_files_join(&c->side, dat, c->origin,
					 c->names.len ? c->names.data : NULL);
	c->failed |= c->side.lost > 0;
	return ret < 0 ? ret : 0;
}

static int capture_end_file(void *part, struct recorder_common *r, struct tracedat_writer *dat)
{
	return capture_append(part, dat, &r->stopped);
}

/* Handle the last episodes. */
static int capture_finish(void *part, struct recorder_common *r)
{
	struct capture *c = part;
	bool stop;
	int ret;

	if (!c->plan)
		return 0;
	c->ending = true;
	ret = capture_append(c, r->file ? r->file->dat : NULL, &stop);
	return !ret && c->failed ? -EIO : ret;
}

/* The next file has worst episodes of its own. */
static int capture_next_file(void *part, struct recorder_common *r)
{
	struct capture *c = part;
	unsigned int i;
	int ret = 0;

	if (!c->plan)
		return 0;
	capture_begin_file(c, r->current);
	c->files = 0;
	if (c->window)
		capture_window_next_file(c);
	for (i = 0; !ret && c->keeps && !c->window && i < c->nsources; i++) {
		if (capture_forget_kept(c, &c->sources[i]))
			ret = capture_arm_lower(c, &c->sources[i]);
	}
	return ret;
}

/* A threshold is a latency or a filter. */
static const char *capture_source_noun(const struct capture_source *s, uint64_t n)
{
	if (!s->field)
		return n == 1 ? "match of the filter" : "matches of the filter";
	return n == 1 ? "latency that reached the threshold"
		      : "latencies that reached the threshold";
}

static void capture_report_source(const struct capture_source *s)
{
	char worst[48] = "";

	if (s->field)
		snprintf(worst, sizeof(worst), "; worst: %" PRIu64 " us",
			 s->missed_largest * s->unit_ns / 1000);
	if (s->missed)
		message_warning("%s: %" PRIu64 " %s %s not captured, because record was saving "
				"another episode%s",
				s->event->title, s->missed, capture_source_noun(s, s->missed),
				s->missed == 1 ? "was" : "were", worst);
	if (s->cut)
		message_warning("%s: the ring buffer was too small for the events of %" PRIu64
				" %s: the first events are lost\nuse a larger ring buffer "
				"with -b",
				s->event->title, s->cut, capture_source_noun(s, s->cut));
	if (s->unsaved)
		message_warning("%s: captured events could not be saved, so nothing was captured "
				"afterwards",
				s->event->title);
}

static int capture_report(void *part, struct recorder_common *r)
{
	const struct capture *c = part;
	unsigned int i;

	(void)r;
	for (i = 0; c->plan && i < c->nsources; i++) {
		const struct capture_source *s = &c->sources[i];

		if (!c->plan->quiet && c->keeps && s->seen)
			message_note("%s: %" PRIu64 " %s, %" PRIu64 " captured", s->event->title,
				     s->seen, capture_source_noun(s, s->seen),
				     s->completed + s->nkept);
		capture_report_source(s);
	}
	if (c->plan && c->lost)
		message_warning("--threshold: at least %" PRIu64
				" event%s that reached the threshold "
				"%s not counted, because they followed each other too quickly\n"
				"raise the threshold",
				c->lost, text_plural(c->lost), c->lost == 1 ? "was" : "were");
	return 0;
}

static void capture_clear(void *part)
{
	struct capture *c = part;
	unsigned int i;

	if (!c->plan)
		return;
	capture_window_close(c->window);
	if (c->window)
		c->session->counter->set.nmore = 0;
	threshold_action_finish(&c->action);
	if (c->watch >= 0)
		close(c->watch);
	for (i = 0; i < c->nevents; i++)
		traced_event_clear(&c->events[i], c->session->target);
	for (i = 0; i < c->nsources; i++) {
		free(c->sources[i].filter);
		free(c->sources[i].dir);
		cpu_pages_clear(&c->sources[i].frozen);
	}
	episode_files_end(&c->side);
	free(c->sources);
	free(c->events);
	free(c->watch_dir);
	free(c->pages);
	cpu_pages_clear(&c->watched);
	free(c->hits.data);
	free(c->names.data);
}

static void capture_free(void *part, struct recorder_common *r)
{
	struct capture *c = part;

	(void)r;
	capture_window_free(c->window);
}

const struct recorder_part_ops capture_part = {
	.size = sizeof(struct capture),
	.phase = {
		[RECORDER_CHECK] = capture_check,
		[RECORDER_PRINT] = capture_print,
		[RECORDER_MAKE] = capture_make,
		[RECORDER_WATCH] = capture_watch,
		[RECORDER_APPEND] = capture_finish,
		[RECORDER_REPORT] = capture_report,
	},
	.fd = capture_fd,
	.wait_ms = capture_wait_ms,
	.follow = capture_follow_due,
	.end_file = capture_end_file,
	.next_file = capture_next_file,
	.clear = capture_clear,
	.free = capture_free,
};
