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
#include <unistd.h>

#include "lib/event/machine_names.h"
#include "lib/label/unit.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/capability.h"
#include "tracecmd/kernel/probe_misses.h"
#include "tracecmd/live/live.h"
#include "tracecmd/live/live_top.h"
#include "tracecmd/session/compat_calls.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/session/session.h"
#include "tracecmd/session/session_messages.h"
#include "tracecmd/session/task_filter.h"
#include "tracecmd/session/trigger_context.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/foreign_triggers.h"
#include "tracecmd/trigger/kernel_counter.h"

/* Keepalive interval in ms, well below the idle limit of a helper (SERVE_IDLE_S). */
#define KEEPALIVE_MS 20000

static int session_check_dynevents(struct session *s)
{
	unsigned int i, j;
	int ret;

	for (i = 0; i < s->plan->query.ndynevents; i++) {
		ret = dynevent_check(&s->dynevents[s->ndynevents++], s->target,
				     &s->plan->query.dynevents[i],
				     s->counter->ops->engine);
		if (ret)
			return ret;
		for (j = 0; j < i; j++) {
			if (strcmp(s->dynevents[i].system, s->dynevents[j].system) ||
			    strcmp(s->dynevents[i].name, s->dynevents[j].name))
				continue;
			return message_refuse(-EEXIST, "%s:%s: defined twice\nrename one of them",
					      s->dynevents[i].system, s->dynevents[i].name);
		}
	}
	return 0;
}

/* True if an earlier histogram of the plan has this name=; the kernel makes one of both. */
static bool is_shared(const struct session *s, const char *name)
{
	struct traced_hist *h = NULL;
	const char *other;

	while ((h = traced_event_next_hist(s->sources, s->nsources, h))) {
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
static int session_check_hist(struct session *s, struct traced_event *source,
			      const struct query_hist *hist)
{
	const char *clock = s->plan->clock ? s->plan->clock : "mono";
	struct query_hist copy = *hist;
	struct hist_expr *expr = NULL;
	char dir[TARGET_PATH_MAX];
	int ret;

	if (hist->is_switch)
		return traced_event_add_switch(source, hist->raw);
	if (!hist->raw || hist_expr_parse(&expr, hist->raw, NULL))
		return traced_event_add_hist(source, hist, clock);
	if (expr->name)
		copy.hidden |= is_shared(s, expr->name);
	ret = traced_event_add_hist(source, &copy, clock);
	if (!ret && !copy.hidden)
		ret = foreign_triggers_check_name(expr, s->target);
	if (!ret && s->plan->instance) {
		snprintf(dir, sizeof(dir), "instances/%s/events/%s/%s", s->plan->instance,
			 source->system, source->name);
		ret = foreign_triggers_check_paused(expr, s->target, dir);
	}
	hist_expr_free(expr);
	return ret;
}

/* True if the -e argument @event ("SYS:EVENT", "SYS/EVENT", "EVENT") names this event. */
static bool session_is_named(const struct dynevent *o, const char *event)
{
	const char *colon = strpbrk(event, ":/");

	if (!colon)
		return !strcmp(event, o->name);
	return strlen(o->system) == (size_t)(colon - event) &&
	       !strncmp(event, o->system, colon - event) && !strcmp(colon + 1, o->name);
}

static int session_check_event(struct session *s, const struct query_event *event)
{
	struct traced_event *source = &s->sources[s->nsources++];
	const struct dynevent *object = NULL;
	unsigned int i;
	int ret;

	for (i = 0; i < s->ndynevents && !object; i++) {
		if (session_is_named(&s->dynevents[i], event->name))
			object = &s->dynevents[i];
	}
	if (object || event->of_tracer)
		ret = traced_event_expect(source, s->target, event->name,
					  object ? object->system : NULL);
	else
		ret = traced_event_find(source, s->target, event->name);
	/* an event of a tracer cannot be found, because it has no triggers in the kernel */
	if (!ret && event->of_tracer)
		ret = traced_event_read_format(source, s->target);
	if (!ret)
		ret = traced_event_set_function_field(source, object ?
						      object->plan->function_field :
						      event->function_field);
	/* constants of filters need them */
	if (!ret)
		ret = session_set_names(s, source);
	source->plan = event;
	source->of_engine = object && object->of_engine;
	source->of_tracer = event->of_tracer;
	if (!ret && event->title)
		ret = traced_event_set_title(source, event->title);
	for (i = 0; !ret && i < event->nhists; i++)
		ret = session_check_hist(s, source, &event->hists[i]);
	if (!ret && !strcmp(source->full_name, "ftrace:print"))
		s->counts_marks = true;
	return ret;
}

static bool session_has_tracer(const struct plan *plan)
{
	unsigned int e;

	for (e = 0; e < plan->query.nevents; e++) {
		if (plan->query.events[e].kind == QUERY_TRACER)
			return true;
	}
	return false;
}

/*
 * Choose the counter: the caller's, or the one of --engine. A target whose capabilities are not
 * known is assumed to have hist triggers.
 */
static int choose_counter(struct session *s)
{
	enum plan_engine engine = s->plan->engine;
	enum function_tracer tracer = FUNCTION_TRACER_NONE;
	int ret = 0;

	if (!s->counter) {
		capability_detect_kernel(&s->kernel, s->target);
		if (session_has_tracer(s->plan) && engine == PLAN_ENGINE_KERNEL)
			return message_refuse(-EINVAL, "--tracer: hist triggers cannot count the "
					      "entries of a tracer\nleave out --engine kernel");
		/* then it is no news that the user-space engine counts */
		if (session_has_tracer(s->plan))
			engine = PLAN_ENGINE_USER;
		if (engine == PLAN_ENGINE_AUTO && s->kernel.hist && live_is_possible(s->target))
			ret = plan_source_choose_tracer(s->plan, s->target, &tracer);
		if (ret)
			return ret;
		if (engine == PLAN_ENGINE_KERNEL ||
		    (engine == PLAN_ENGINE_AUTO && s->kernel.hist &&
		     tracer == FUNCTION_TRACER_NONE))
			return kernel_counter_new(&s->counter);
		if (!live_is_possible(s->target))
			return message_refuse(
				-EOPNOTSUPP,
				"%s: the target helper does not send "
				"kernel symbols, but the user-space engine needs them\n"
				"use --target shell:URL (without the helper), or run "
				"'trace-cmd record' on the target, then 'trace-cmd hist "
				"replay' on the host",
				session_has_tracer(s->plan) ? "--tracer" : "--engine user");
		ret = live_new(&s->counter);
		if (ret)
			return ret;
		if (engine == PLAN_ENGINE_AUTO && !s->plan->quiet &&
		    tracer != FUNCTION_TRACER_CHEAPER)
			message_note(tracer == FUNCTION_TRACER_NEEDED ?
				     "--engine auto: there are too many functions for kprobes, "
				     "so the user-space engine is used" :
				     "--engine auto: this kernel has no hist triggers "
				     "(CONFIG_HIST_TRIGGERS), so the user-space engine is used");
	}
	hist_kernel_set_engine(&s->kernel);
	return 0;
}

/* What the target cannot read has no names: a recording does not fail because of them. */
static int session_read_names(struct hist_machine_names *names, struct hist_target *t)
{
	static const struct {
		const char *path;
		int (*add)(struct hist_machine_names *names, const char *text, size_t len);
		unsigned int long_size; /* of the kernel; 0: any */
	} files[] = {
		{ "/proc/interrupts", hist_machine_names_add_interrupts, 0 },
		{ "/proc/diskstats", hist_machine_names_add_disks, 0 },
		{ "/proc/1/maps", hist_machine_names_add_maps, 8 },
	};
	struct target_buf text = { 0 };
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(files) / sizeof(*files); i++) {
		if (files[i].long_size && files[i].long_size != t->long_size)
			continue;
		ret = t->ops->read(t, files[i].path, &text);
		if (!ret)
			ret = files[i].add(names, text.data, text.len);
		else if (ret != -ENOMEM)
			ret = 0;
	}
	free(text.data);
	return ret;
}

int session_set_names(struct session *s, struct traced_event *source)
{
	int ret = 0;

	if (!source->event)
		return 0;
	if (!s->names) {
		s->names = hist_machine_names_new(s->target->uname);
		ret = s->names ? session_read_names(s->names, s->target) : -ENOMEM;
	}
	if (ret)
		return message_error_memory();
	hist_event_set_machine(source->event, s->names);
	return 0;
}

static int session_expand(struct session *s, struct plan *plan)
{
	struct plan_source own;

	if (s->recorded)
		return plan_source_expand(plan, s->recorded);
	plan_source_init(&own, plan, s->target, s->counter->ops->engine ? NULL : &s->kernel);
	return plan_source_expand(plan, &own.source);
}

int session_check(struct session *s, struct plan *plan)
{
	struct hist_error error = { 0 };
	unsigned int e;
	int ret = 0;

	s->plan = plan;
	if (!s->target)
		ret = target_open(&s->target, plan->ntargets ? plan->targets[0] : NULL, &error);
	if (ret)
		return message_report(ret, &error);
	ret = choose_counter(s);
	if (!ret)
		ret = instance_check(s->target, plan);
	if (!ret)
		ret = task_filter_check(s->target, plan);
	if (!ret)
		ret = session_expand(s, plan);
	if (ret)
		return ret;
	s->dynevents = calloc(plan->query.ndynevents + 1, sizeof(*s->dynevents));
	s->sources = calloc(plan->query.nevents, sizeof(*s->sources));
	if (!s->dynevents || !s->sources)
		return message_error_memory();
	ret = session_check_dynevents(s);
	for (e = 0; !ret && e < plan->query.nevents; e++)
		ret = session_check_event(s, &plan->query.events[e]);
	if (!ret)
		ret = trigger_context_open(&s->scope, s->target, plan->instance, s->dynevents,
					   s->ndynevents);
	s->scope.synths_are_ours = s->counter->ops->engine;
	if (!ret && !plan->recording)
		ret = compat_calls_check(&s->compat, s->target, s->names, s->sources, s->nsources);
	if (!ret)
		ret = trigger_context_check(&s->scope, &s->kernel, s->sources, s->nsources);
	s->counter->set = (struct trigger_set){
		.plan = plan,
		.target = s->target,
		.instance = &s->instance,
		.sources = s->sources,
		.nsources = s->nsources,
		.synths = s->scope.synths,
		.nsynths = s->scope.nplanned,
	};
	if (!ret)
		ret = live_top_check(&s->counter->set);
	return ret ? ret : s->counter->ops->check(s->counter);
}

/* Does an event count in any task, also if the plan lists tasks? */
static bool session_counts_anywhere(const struct plan *plan)
{
	unsigned int e;

	for (e = 0; e < plan->query.nevents; e++) {
		if (plan->query.events[e].anywhere)
			return true;
	}
	return false;
}

/* Only hist triggers measure time with the clock that setting a trigger disturbs. */
static bool session_has_pairs(const struct session *s)
{
	unsigned int e;

	for (e = 0; !s->counter->ops->engine && e < s->plan->query.nevents; e++) {
		if (s->plan->query.events[e].role == QUERY_PAIRS)
			return true;
	}
	return false;
}

int session_begin(struct session *s)
{
	struct hist_error error = { 0 };
	unsigned int i;
	int ret;

	ret = undo_new(&s->undo, s->target, &error);
	if (ret)
		return message_report(ret, &error);
	s->counter->set.undo = s->undo;
	/*
	 * Create objects before the instance, so that they are removed after it: an event that is
	 * enabled in an instance cannot be removed.
	 */
	for (i = 0; !ret && i < s->ndynevents; i++) {
		if (!s->dynevents[i].of_engine)
			ret = dynevent_create(&s->dynevents[i], s->target, s->undo);
	}
	if (!ret)
		ret = compat_calls_begin(&s->compat, s->target, s->undo, s->plan->quiet);
	for (i = 0; !ret && i < s->nsources; i++) {
		if (!s->sources[i].event && !s->sources[i].of_engine)
			ret = traced_event_read_format(&s->sources[i], s->target);
		if (!ret)
			ret = session_set_names(s, &s->sources[i]);
	}
	/* check again before a trigger is set: now the fields of probes are known */
	if (!ret && s->ndynevents) {
		trigger_context_set_made(&s->scope);
		ret = trigger_context_check(&s->scope, &s->kernel, s->sources, s->nsources);
	}
	if (!ret)
		ret = instance_open(&s->instance, s->target, s->undo, s->plan);
	if (!ret && session_counts_anywhere(s->plan))
		ret = instance_make_dir(&s->instance.anywhere_dir, "anywhere", s->target, s->undo);
	if (!ret && s->plan->query.tracer_at_top)
		ret = live_top_begin(s->target, s->undo);
	if (ret)
		return ret;
	return task_filter_begin(&s->filter, s->target, s->undo, &s->instance, s->plan,
				 session_has_pairs(s));
}

/* The longest time that poll() may sleep, in ms; -1: no limit. */
static int session_ping_ms(const struct hist_target *t)
{
	return t->ops->ping ? KEEPALIVE_MS : -1;
}

static int session_ping(struct hist_target *t)
{
	return t->ops->ping ? t->ops->ping(t) : 0;
}

int session_keepalive_ms(const struct session *s)
{
	return s->counter && s->counter->keepalive_ms ? s->counter->keepalive_ms
						      : session_ping_ms(s->target);
}

int session_keepalive(struct session *s)
{
	return s->counter && s->counter->keepalive_ms ? s->counter->ops->keepalive(s->counter)
						      : session_ping(s->target);
}

static bool session_has_switch(const struct session *s, const struct traced_event *source)
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
	struct traced_hist *h = NULL;
	unsigned int e;
	int ret = task_filter_exclude_self(&s->filter, s->command);

	if (ret)
		return ret;
	/* do not report pauses that the plan itself causes */
	while ((h = traced_event_next_hist(s->sources, s->nsources, h)))
		h->may_pause = h->expr->paused || session_has_switch(s, h->source);
	for (e = 0; e < s->nsources; e++)
		probe_misses_begin(&s->sources[e].misses, s->target, s->sources[e].system,
				   s->sources[e].name);
	session_weigh_self(s);
	ret = compat_calls_attach(&s->compat, s->target, s->undo, &s->instance,
				  plan_lists_tasks(s->plan));
	return ret ? ret : s->counter->ops->attach(s->counter);
}

/* A name that is not a field is a variable or an expression, of 64 bits. */
static bool session_is_wide(const struct traced_hist *h, const struct hist_key_desc *key)
{
	const struct hist_event *event = h->source ? h->source->event : NULL;
	const struct hist_event_field *field = event ? hist_event_find(event, key->name) : NULL;
	enum hist_unit unit = hist_unit_from_key(key);

	return (!field || field->size == 8) && (!hist_unit_is_time(unit) || unit == HIST_UNIT_NS);
}

void session_note_short_log2(const struct hist_target *t, const struct hist_kernel *kernel,
			     struct traced_hist *h)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	unsigned int k;

	for (k = 0; t->long_size == 4 && !kernel->fine_log2 && k < schema->nkeys; k++) {
		if (schema->keys[k].kind == HIST_KEY_LOG2 && session_is_wide(h, &schema->keys[k]))
			h->snap.losses[HIST_LOSS_SHORT_LOG2] = h->snap.hits;
	}
}

/* What the caller of session_tick() takes. */
struct session_take {
	struct session *session;
	counter_take take;
	void *arg;
};

static int session_take_event(void *arg, struct traced_event *source)
{
	const struct session_take *to = arg;
	unsigned int h;
	int ret = 0;

	for (h = 0; !ret && h < source->nhists; h++) {
		ret = compat_calls_apply(&to->session->compat, &source->hists[h]);
		if (!to->session->counter->ops->engine)
			session_note_short_log2(to->session->target, &to->session->kernel,
						&source->hists[h]);
	}
	return ret ? ret : to->take(to->arg, source);
}

int session_tick(struct session *s, counter_take take, void *arg)
{
	struct session_take to = { s, take, arg };
	int ret = compat_calls_read(&s->compat, s->target);

	return ret ? ret : s->counter->ops->tick(s->counter, session_take_event, &to);
}

int session_close(struct session *s)
{
	unsigned int e;
	int ret = 0;

	/* close all files first: an instance with an open file cannot be removed */
	if (s->counter && s->counter->ops->free)
		s->counter->ops->free(s->counter);
	task_filter_clear(&s->filter);
	compat_calls_clear(&s->compat, s->target);
	for (e = 0; s->self_hits && e < s->nsources; e++) {
		if (s->self_hits[e])
			close(s->self_hits[e]);
	}
	free(s->self_hits);
	for (e = 0; e < s->nsources; e++)
		traced_event_clear(&s->sources[e], s->target);
	free(s->sources);
	for (e = 0; e < s->ndynevents; e++)
		dynevent_clear(&s->dynevents[e]);
	free(s->dynevents);
	trigger_context_clear(&s->scope);
	if (s->undo)
		ret = undo_run(s->undo, stderr);
	undo_free(s->undo);
	instance_clear(&s->instance);
	hist_machine_names_put(s->names);
	target_free(s->target);
	memset(s, 0, sizeof(*s));
	return ret;
}
