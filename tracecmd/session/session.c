// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - set up, read, tear down
 *
 * All that can be refused is refused before the first write; then each change
 * is noted before it is made, so that session_close() can take all of them
 * back, whatever went wrong and when.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "lib/label/label.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/live/live.h"
#include "tracecmd/session/plan_expand.h"
#include "tracecmd/session/session.h"
#include "tracecmd/session/session_messages.h"
#include "tracecmd/session/target_engine.h"
#include "tracecmd/target/capability.h"
#include "tracecmd/trigger/foreign_triggers.h"
#include "tracecmd/trigger/switch_trigger.h"
#include "tracecmd/trigger/traced_event_raw.h"

static int look_objects(struct session *s)
{
	unsigned int i, j;
	int ret;

	for (i = 0; i < s->plan->nobjects; i++) {
		ret = object_look(&s->objects[s->nobjects++], s->target, &s->plan->objects[i]);
		if (ret)
			return ret;
		for (j = 0; j < i; j++) {
			if (strcmp(s->objects[i].system, s->objects[j].system) ||
			    strcmp(s->objects[i].name, s->objects[j].name))
				continue;
			complain("%s:%s: asked for twice: give one of them another name",
				 s->objects[i].system, s->objects[i].name);
			return -EEXIST;
		}
	}
	return 0;
}

/* The first of the plan's histograms with this name=; those after it are one with it. */
static bool is_shared(const struct session *s, const char *name)
{
	unsigned int e, h;

	for (e = 0; e < s->nsources; e++) {
		for (h = 0; h < s->sources[e].nhists; h++) {
			const char *other = hist_expr_name(s->sources[e].hists[h].expr);

			if (other && !strcmp(other, name))
				return true;
		}
	}
	return false;
}

/*
 * What others have must not be touched.  A shared histogram is recorded once,
 * under the event that has it first: for the others it is only set.
 */
static int look_hist(struct session *s, struct source *source, const struct plan_hist *hist)
{
	const char *clock = s->plan->clock ? s->plan->clock : "mono";
	struct plan_hist copy = *hist;
	struct hist_expr *expr = NULL;
	char *path;
	int ret;

	if (hist->is_switch)
		return source_add_switch(source, hist->raw);
	if (!hist->raw || hist_expr_parse(&expr, hist->raw, NULL))
		return source_add_hist(source, hist, clock);
	if (hist_expr_name(expr))
		copy.hidden |= is_shared(s, hist_expr_name(expr));
	ret = source_add_hist(source, &copy, clock);
	if (!ret && !copy.hidden)
		ret = others_check_name(expr, s->target);
	if (!ret && s->plan->instance) {
		ret = asprintf(&path, "instances/%s/events/%s/%s/trigger", s->plan->instance,
			       source->system, source->name) < 0 ? -ENOMEM : 0;
		if (!ret) {
			ret = others_check_paused(expr, s->target, path);
			free(path);
		}
	}
	hist_expr_free(expr);
	return ret;
}

static int look_event(struct session *s, const struct plan_event *event)
{
	struct source *source = &s->sources[s->nsources++];
	const struct object *object = NULL;
	unsigned int i;
	int ret;

	for (i = 0; i < s->nobjects && !object; i++) {
		if (object_is(&s->objects[i], event->name))
			object = &s->objects[i];
	}
	if (object)
		ret = source_expect(source, s->target, event->name, object->system);
	else
		ret = source_find(source, s->target, event->name);
	if (!ret && event->title)
		ret = source_set_title(source, event->title);
	for (i = 0; !ret && i < event->nhists; i++)
		ret = look_hist(s, source, &event->hists[i]);
	if (!ret && !strcmp(source->full_name, "ftrace:print"))
		s->counts_marks = true;
	return ret;
}

/*
 * Over a recording it is ours, whatever the plan says.  A target that says nothing of
 * itself is taken to have hist triggers.
 */
static int choose_engine(struct session *s)
{
	enum plan_engine engine = s->plan->engine;
	struct hist_target *target;
	int ret;

	if (s->counts_here || engine == PLAN_ENGINE_KERNEL ||
	    (engine == PLAN_ENGINE_AUTO && s->kernel.hist))
		return 0;
	ret = live_look(s);
	if (ret)
		return ret;
	if (s->plan->record_events) {
		complain("--events: the events are read to be counted here: record them with trace-cmd "
			 "record, and count them with trace-cmd hist replay");
		return -EOPNOTSUPP;
	}
	if (target_engine_new(&target, s->target))
		return complain_memory();
	s->target = target;
	s->counts_here = true;
	hist_kernel_newest(&s->kernel);
	if (engine == PLAN_ENGINE_AUTO && !s->plan->quiet)
		complain("this kernel has no hist triggers (CONFIG_HIST_TRIGGERS): its events are counted "
			 "here (--engine user)");
	return 0;
}

int session_look(struct session *s, struct plan *plan)
{
	char why[512];
	unsigned int e;
	int ret = 0;

	s->plan = plan;
	if (!s->target)
		ret = target_open(&s->target, plan->ntargets ? plan->targets[0] : NULL, why,
				  sizeof(why));
	if (ret) {
		complain("%s", why);
		return ret;
	}
	if (s->counts_here)
		hist_kernel_newest(&s->kernel);
	else
		capability_kernel(&s->kernel, s->target);
	ret = choose_engine(s);
	if (!ret)
		ret = instance_look(s->target, plan);
	if (!ret)
		ret = plan_expand(plan, s->target);
	if (ret)
		return ret;
	s->objects = calloc(plan->nobjects + 1, sizeof(*s->objects));
	s->sources = calloc(plan->nevents, sizeof(*s->sources));
	if (!s->objects || !s->sources)
		return complain_errno("events", -ENOMEM);
	ret = look_objects(s);
	for (e = 0; !ret && e < plan->nevents; e++)
		ret = look_event(s, &plan->events[e]);
	if (!ret)
		ret = scope_open(&s->scope, s->target, plan->instance, s->objects, s->nobjects);
	s->scope.synths_are_ours = s->counts_here;
	if (!ret)
		ret = scope_check(&s->scope, &s->kernel, s->sources, s->nsources);
	if (!ret && s->counts_here && plan->read == PLAN_READ_RAW) {
		complain("--read raw: the events are counted here, not by the kernel: leave it out");
		return -EOPNOTSUPP;
	}
	for (e = 0; !ret && e < s->nsources; e++)
		ret = source_raw_look(&s->sources[e], s->target, plan->read);
	return ret;
}

/* Synthetic events are made by who counts. */
static bool is_ours(const struct session *s, const struct object *object)
{
	return s->counts_here && object->plan->kind == PLAN_SYNTHETIC;
}

static bool is_of_ours(const struct session *s, const struct source *source)
{
	unsigned int i;

	for (i = 0; i < s->nobjects; i++) {
		if (is_ours(s, &s->objects[i]) && object_is(&s->objects[i], source->full_name))
			return true;
	}
	return false;
}

int session_look_begin(const struct session *s)
{
	char why[256];
	int ret = undo_look(s->target, why, sizeof(why));

	if (ret)
		complain("%s", why);
	return ret;
}

int session_begin(struct session *s)
{
	char why[256];
	unsigned int i;
	int ret;

	ret = undo_new(&s->undo, s->target, why, sizeof(why));
	if (ret) {
		complain("%s", why);
		return ret;
	}
	/*
	 * Before the instance, so that they go after it: an event that is enabled
	 * in an instance cannot be removed.
	 */
	for (i = 0; !ret && i < s->nobjects; i++) {
		if (!is_ours(s, &s->objects[i]))
			ret = object_make(&s->objects[i], s->target, s->undo);
	}
	for (i = 0; !ret && i < s->nsources; i++) {
		if (!s->sources[i].event && !is_of_ours(s, &s->sources[i]))
			ret = source_arrived(&s->sources[i], s->target);
	}
	/* again, now that the fields of probes are known, and before a trigger is set */
	if (!ret && s->nobjects) {
		scope_made(&s->scope);
		ret = scope_check(&s->scope, &s->kernel, s->sources, s->nsources);
	}
	return ret ? ret : instance_open(&s->instance, s->target, s->undo, s->plan);
}

int session_stay_ms(const struct session *s)
{
	int ms = s->live ? live_stay_ms(s->live) : -1;

	return ms >= 0 ? ms : target_stay_ms(s->target);
}

int session_stay(struct session *s)
{
	return s->live && live_stay_ms(s->live) >= 0 ? live_stay(s->live) : target_stay(s->target);
}

/* Of one that has stopped, its values are those of that moment, however late they are read. */
static void set_time(const struct session *s, struct source_hist *h, uint64_t time, uint64_t wall)
{
	if (h->stopped && h->stopped_at <= time) {
		if (wall && hist_clock_is_ns(s->instance.clock))
			wall -= time - h->stopped_at;
		time = h->stopped_at;
	}
	h->snap.time = time;
	h->snap.wall = wall;
}

static bool has_switch_of(const struct session *s, const struct source *source)
{
	unsigned int e, i;

	for (e = 0; e < s->nsources; e++) {
		for (i = 0; i < s->sources[e].nswitches; i++) {
			const struct hist_switch *sw = s->sources[e].switches[i];

			if (!strcmp(sw->system, source->system) && !strcmp(sw->event, source->name))
				return true;
		}
	}
	return false;
}

/* Pauses that the plan asks for are not another program's. */
static void find_own_pauses(struct session *s)
{
	unsigned int e, h;

	for (e = 0; e < s->nsources; e++) {
		struct source *source = &s->sources[e];

		for (h = 0; h < source->nhists; h++)
			source->hists[h].may_pause = hist_expr_paused(source->hists[h].expr) ||
						     has_switch_of(s, source);
	}
}

int session_attach(struct session *s)
{
	unsigned int e;
	int ret;

	find_own_pauses(s);
	for (e = 0; e < s->nsources; e++)
		probe_misses_begin(&s->sources[e].misses, s->target, s->sources[e].system,
				   s->sources[e].name);
	if (s->counts_here) {
		ret = instance_settle_clock(&s->instance, s->target, s->undo);
		return ret ? ret : live_start(&s->live, s);
	}
	for (e = 0; e < s->nsources; e++) {
		ret = source_attach(&s->sources[e], s->target, s->undo, s->instance.dir);
		if (!ret && s->sources[e].nhists)
			ret = source_raw_open(&s->sources[e], s->target, s->sources[e].dir, s->plan->read);
		if (ret)
			return ret;
	}
	for (e = 0; e < s->nsources; e++) {
		ret = source_attach_switches(&s->sources[e], s->target, s->undo);
		if (ret)
			return ret;
	}
	return instance_settle_clock(&s->instance, s->target, s->undo);
}

/*
 * What a snapshot says of the trigger and the probe. If the recorder has paused the trigger,
 * a pause by another program cannot be seen any more: it counts as it did before.
 */
static void set_flags(const struct source *source, struct source_hist *h)
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

static int read_once(struct session *s, struct source *source)
{
	uint64_t begin = timer_now(), end, time, wall;
	unsigned int h;
	int ret;

	ret = s->live ? live_snapshot(s->live, source) : source_fetch(source, s->target, &s->text);
	if (ret)
		return s->live ? ret : complain_errno(source->full_name, ret);
	end = s->target->reread_ns ? begin + s->target->reread_ns : timer_now();
	ret = instance_now(&s->instance, s->target, &time);
	if (ret)
		return complain_errno(s->instance.clock, ret);
	/* without it a report has no date, and all else is as good */
	if (s->target->ops->clock(s->target, "realtime", NULL, &wall))
		wall = 0;
	ret = s->live ? 0 : source_take(source, s->target, &s->text);
	if (ret)
		return ret;
	probe_misses_update(&source->misses, s->target, source->system, source->name);
	for (h = 0; h < source->nhists; h++) {
		set_time(s, &source->hists[h], time, wall);
		set_flags(source, &source->hists[h]);
		source->hists[h].snap.read_ns = end - begin;
	}
	return 0;
}

int session_read(struct session *s, struct source *source)
{
	int ret;

	/* again, by the text, where hist_raw did not tell all */
	do {
		ret = read_once(s, source);
	} while (ret == -EAGAIN);
	return ret;
}

void session_pause(struct session *s)
{
	unsigned int e, h;

	if (s->live) {
		live_stop(s->live);
		return;
	}
	for (e = 0; e < s->nsources; e++)
		source_detach_switches(&s->sources[e], s->target);
	for (e = 0; e < s->nsources; e++)
		source_pause_helpers(&s->sources[e], s->target);
	for (e = 0; e < s->nsources; e++) {
		struct source *source = &s->sources[e];

		for (h = 0; h < source->nhists; h++) {
			struct source_hist *hist = &source->hists[h];

			hist->stopped = !source_pause(source, h, s->target) &&
					!instance_now(&s->instance, s->target, &hist->stopped_at);
		}
	}
}

void session_tell_helper_drops(struct session *s)
{
	unsigned int e;

	session_tell_misses(s);
	if (s->live) {
		live_tell(s->live);
		return;
	}
	for (e = 0; e < s->nsources; e++)
		session_tell_helper_dropped(&s->sources[e],
					    source_helper_drops(&s->sources[e], s->target));
}

int session_close(struct session *s)
{
	unsigned int e;
	int ret = 0;

	/* an instance with an open file in it cannot be removed */
	live_free(s->live);
	for (e = 0; e < s->nsources; e++)
		source_clear(&s->sources[e], s->target);
	free(s->sources);
	for (e = 0; e < s->nobjects; e++)
		object_clear(&s->objects[e]);
	free(s->objects);
	scope_clear(&s->scope);
	if (s->undo)
		ret = undo_run(s->undo, stderr);
	undo_free(s->undo);
	instance_clear(&s->instance);
	target_free(s->target);
	free(s->text.data);
	memset(s, 0, sizeof(*s));
	return ret;
}
