// SPDX-License-Identifier: GPL-2.0
/*
 * counter.c - code shared by the counters: time, flags and messages of snapshots
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/base/text.h"
#include "lib/label/label.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/trigger/counter.h"

int counter_check_engine(struct counter *c)
{
	if (c->set.plan->read != PLAN_READ_RAW)
		return 0;
	return message_refuse(-EOPNOTSUPP, "--read raw: cannot be combined with --engine user\n"
			      "leave out --read");
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
static void counter_set_snapshot_flags(const struct traced_event *source, struct traced_hist *h)
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
}

void counter_stamp(const struct counter *c, struct traced_event *source,
		   const struct counter_moment *moment)
{
	unsigned int h;

	probe_misses_update(&source->misses, c->set.target, source->system, source->name);
	for (h = 0; h < source->nhists; h++) {
		set_time(c, &source->hists[h], moment->time, moment->wall);
		counter_set_snapshot_flags(source, &source->hists[h]);
		source->hists[h].snap.read_ns = moment->read_ns;
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
