// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - run the histograms of a plan on a target: set up, read, remove
 *
 * Everything that can be refused is refused before the first write. Each change is recorded in the
 * undo log before it is made, so that session_close() can undo all changes after any failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "tracecmd/base/command.h"
#include "tracecmd/live/live.h"
#include "tracecmd/session/plan_expand.h"
#include "tracecmd/session/session.h"
#include "tracecmd/target/capability.h"
#include "tracecmd/trigger/foreign_triggers.h"
#include "tracecmd/trigger/kernel_counter.h"
#include "tracecmd/trigger/switch_trigger.h"

static int look_objects(struct session *s)
{
	unsigned int i, j;
	int ret;

	for (i = 0; i < s->plan->nobjects; i++) {
		ret = object_look(&s->objects[s->nobjects++], s->target, &s->plan->objects[i],
				  s->counter->ops->engine);
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

/* True if an earlier histogram of the plan has this name=; the kernel makes one of both. */
static bool is_shared(const struct session *s, const char *name)
{
	struct source_hist *h = NULL;
	const char *other;

	while ((h = source_next_hist(s->sources, s->nsources, h))) {
		other = h->expr->name;
		if (other && !strcmp(other, name))
			return true;
	}
	return false;
}

/*
 * Refuse triggers that would change histograms of other programs. A histogram that events share
 * by name= is recorded once, under its first event; for the other events the trigger is hidden.
 */
static int look_hist(struct session *s, struct source *source, const struct plan_hist *hist)
{
	const char *clock = s->plan->clock ? s->plan->clock : "mono";
	struct plan_hist copy = *hist;
	struct hist_expr *expr = NULL;
	char dir[TARGET_PATH_MAX];
	int ret;

	if (hist->is_switch)
		return source_add_switch(source, hist->raw);
	if (!hist->raw || hist_expr_parse(&expr, hist->raw, NULL))
		return source_add_hist(source, hist, clock);
	if (expr->name)
		copy.hidden |= is_shared(s, expr->name);
	ret = source_add_hist(source, &copy, clock);
	if (!ret && !copy.hidden)
		ret = others_check_name(expr, s->target);
	if (!ret && s->plan->instance) {
		snprintf(dir, sizeof(dir), "instances/%s/events/%s/%s", s->plan->instance,
			 source->system, source->name);
		ret = others_check_paused(expr, s->target, dir);
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
	source->of_engine = object && object->of_engine;
	if (!ret && event->title)
		ret = source_set_title(source, event->title);
	for (i = 0; !ret && i < event->nhists; i++)
		ret = look_hist(s, source, &event->hists[i]);
	if (!ret && !strcmp(source->full_name, "ftrace:print"))
		s->counts_marks = true;
	return ret;
}

/*
 * Choose the counter: the caller's, or the one of --engine. A target whose capabilities are not
 * known is assumed to have hist triggers.
 */
static int choose_counter(struct session *s)
{
	enum plan_engine engine = s->plan->engine;
	int ret;

	if (!s->counter) {
		capability_kernel(&s->kernel, s->target);
		if (engine == PLAN_ENGINE_KERNEL || (engine == PLAN_ENGINE_AUTO && s->kernel.hist))
			return kernel_counter_new(&s->counter);
		if (!live_can(s->target)) {
			complain("--engine user: events of this target come through a shell only: put "
				 "shell: before its URL, or record there with trace-cmd record, and "
				 "count with trace-cmd hist replay");
			return -EOPNOTSUPP;
		}
		if (s->plan->record_events) {
			complain("--events: the events are read to be counted here: record them with "
				 "trace-cmd record, and count them with trace-cmd hist replay");
			return -EOPNOTSUPP;
		}
		ret = live_new(&s->counter);
		if (ret)
			return ret;
		if (engine == PLAN_ENGINE_AUTO && !s->plan->quiet)
			complain("this kernel has no hist triggers (CONFIG_HIST_TRIGGERS): its events are "
				 "counted here (--engine user)");
	}
	hist_kernel_newest(&s->kernel);
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
	ret = choose_counter(s);
	if (!ret)
		ret = instance_look(s->target, plan);
	if (!ret)
		ret = plan_expand(plan, s->target, s->counter->ops->engine);
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
	s->scope.synths_are_ours = s->counter->ops->engine;
	if (!ret)
		ret = scope_check(&s->scope, &s->kernel, s->sources, s->nsources);
	s->counter->set = (struct trigger_set){
		.plan = plan,
		.target = s->target,
		.instance = &s->instance,
		.sources = s->sources,
		.nsources = s->nsources,
		.synths = s->scope.synths,
		.nsynths = s->scope.nplanned,
	};
	return ret ? ret : s->counter->ops->look(s->counter);
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
	s->counter->set.undo = s->undo;
	/*
	 * Create objects before the instance, so that they are removed after it: an event that is
	 * enabled in an instance cannot be removed.
	 */
	for (i = 0; !ret && i < s->nobjects; i++) {
		if (!s->objects[i].of_engine)
			ret = object_make(&s->objects[i], s->target, s->undo);
	}
	for (i = 0; !ret && i < s->nsources; i++) {
		if (!s->sources[i].event && !s->sources[i].of_engine)
			ret = source_arrived(&s->sources[i], s->target);
	}
	/* check again before a trigger is set: now the fields of probes are known */
	if (!ret && s->nobjects) {
		scope_made(&s->scope);
		ret = scope_check(&s->scope, &s->kernel, s->sources, s->nsources);
	}
	return ret ? ret : instance_open(&s->instance, s->target, s->undo, s->plan);
}

int session_stay_ms(const struct session *s)
{
	return s->counter && s->counter->keepalive_ms ? s->counter->keepalive_ms :
							target_stay_ms(s->target);
}

int session_stay(struct session *s)
{
	return s->counter && s->counter->keepalive_ms ? s->counter->ops->keepalive(s->counter) :
							target_stay(s->target);
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

int session_attach(struct session *s)
{
	struct source_hist *h = NULL;
	unsigned int e;

	/* do not report pauses that the plan itself causes */
	while ((h = source_next_hist(s->sources, s->nsources, h)))
		h->may_pause = h->expr->paused || has_switch_of(s, h->source);
	for (e = 0; e < s->nsources; e++)
		probe_misses_begin(&s->sources[e].misses, s->target, s->sources[e].system,
				   s->sources[e].name);
	return s->counter->ops->attach(s->counter);
}

int session_close(struct session *s)
{
	unsigned int e;
	int ret = 0;

	/* close all files first: an instance with an open file cannot be removed */
	if (s->counter && s->counter->ops->free)
		s->counter->ops->free(s->counter);
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
	memset(s, 0, sizeof(*s));
	return ret;
}
