// SPDX-License-Identifier: GPL-2.0
/*
 * counter.c - code shared by the counters: time, flags and messages of snapshots
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/label/label.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/kernel/foreign_writes.h"
#include "tracecmd/trigger/counter.h"

int counter_check_engine(struct counter *c)
{
	if (c->set.plan->read != PLAN_READ_RAW)
		return 0;
	return message_refuse(-EOPNOTSUPP, "--read raw: cannot be combined with --engine user\n"
			      "leave out --read");
}

/* Does the recording count kernel functions? */
static bool uses_probes(const struct trigger_set *s)
{
	unsigned int e;

	for (e = 0; e < s->nsources; e++) {
		if (s->sources[e].misses.kind != PROBE_MISSES_NONE)
			return true;
	}
	return s->plan->query.tracer;
}

bool counter_is_anywhere(const struct traced_event *source)
{
	return source->plan && source->plan->anywhere;
}

const char *counter_event_dir(const struct trigger_set *s, const struct traced_event *source)
{
	return counter_is_anywhere(source) ? s->instance->anywhere_dir : s->instance->dir;
}

void counter_begin_writes(struct counter *c)
{
	const struct trigger_set *s = &c->set;
	const char *dir = s->instance->dir;
	unsigned int e;
	int ret;

	ret = foreign_writes_begin(&c->writes, s->target,
				   (c->ops->engine ? FOREIGN_USER : FOREIGN_KERNEL) |
				   (s->plan->with_children || s->plan->cgroup ? FOREIGN_FORKS : 0) |
				   (uses_probes(s) ? FOREIGN_PROBES : 0));
	if (!ret)
		ret = foreign_writes_watch_instance(&c->writes, dir);
	if (!ret && strcmp(dir, s->instance->tracer_dir))
		ret = foreign_writes_watch_instance(&c->writes, s->instance->tracer_dir);
	if (!ret && s->instance->anywhere_dir)
		ret = foreign_writes_watch_instance(&c->writes, s->instance->anywhere_dir);
	for (e = 0; !ret && e < s->nsources; e++)
		ret = foreign_writes_watch_event(&c->writes, counter_event_dir(s, &s->sources[e]),
						 s->sources[e].system, s->sources[e].name);
	if (!ret)
		ret = foreign_writes_watch_switches(&c->writes);
	if (ret)
		message_warning("inotify: %s: if another program stops the events, this is noticed "
				"only if they are still stopped at a snapshot", strerror(-ret));
}

int counter_take_moment(const struct counter *c, uint64_t begin, struct counter_moment *moment)
{
	struct hist_target *t = c->set.target;
	int ret;

	moment->read_ns = t->reread_ns ? t->reread_ns : timer_now() - begin;
	ret = instance_get_time(c->set.instance, t, &moment->time);
	if (ret)
		return message_error_errno(c->set.instance->clock, ret);
	/* not fatal: without the wall-clock time a report only lacks the date */
	if (t->ops->clock(t, "realtime", NULL, &moment->wall))
		moment->wall = 0;
	return 0;
}

/* The values of a stopped histogram have the time when it stopped, not the time of the read. */
static void set_time(const struct counter *c, struct traced_hist *h, uint64_t time, uint64_t wall)
{
	if (h->stopped && h->stopped_at <= time) {
		if (wall && hist_clock_is_ns(c->set.instance->clock))
			wall -= time - h->stopped_at;
		time = h->stopped_at;
	}
	h->snap.time = time;
	h->snap.wall = wall;
}

/*
 * Set the flags about the trigger and the probe. A pause by another program is not visible after
 * the recorder has paused the trigger: the last known state is kept.
 */
static void counter_set_snapshot_flags(const struct counter *c, const struct traced_event *source,
				       struct traced_hist *h)
{
	h->snap.flags &= ~(HIST_SNAP_STOPPED | HIST_SNAP_MISSES | HIST_SNAP_MISSES_UNKNOWN);
	if (source->misses.kind == PROBE_MISSES_KNOWN)
		h->snap.flags |= HIST_SNAP_MISSES;
	else if (source->misses.kind == PROBE_MISSES_UNKNOWN)
		h->snap.flags |= HIST_SNAP_MISSES_UNKNOWN;
	h->snap.probe_misses = source->misses.count;
	if (!h->stopped)
		h->was_paused = h->snap.flags & HIST_SNAP_PAUSED && !h->may_pause;
	if (h->was_paused) {
		h->snap.flags |= HIST_SNAP_STOPPED;
		h->pauses++;
	}
	if (c->writes.lasts || h->writes != c->writes.count)
		h->snap.flags |= HIST_SNAP_STOPPED;
	h->writes = c->writes.count;
}

void counter_stamp(struct counter *c, struct traced_event *source,
		   const struct counter_moment *moment)
{
	unsigned int h;

	/* after the values were read: each write that affects them was before */
	foreign_writes_look(&c->writes, false);
	probe_misses_update(&source->misses, c->set.target, source->system, source->name);
	for (h = 0; h < source->nhists; h++) {
		set_time(c, &source->hists[h], moment->time, moment->wall);
		counter_set_snapshot_flags(c, source, &source->hists[h]);
		source->hists[h].snap.read_ns = moment->read_ns;
		source->hists[h].snap.losses[HIST_LOSS_CUT_KEYS] += source->hists[h].cut_before;
	}
}

void counter_report_helper_drops(const struct traced_event *source, uint64_t drops)
{
	if (drops)
		message_warning("%s: %" PRIu64 " hit%s did not fit in the table of --latency "
				"or --sql, so some latencies are missing\n"
				"use a filter, or record fewer distinct keys",
				source->full_name, drops, text_plural(drops));
}
