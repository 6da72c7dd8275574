// SPDX-License-Identifier: GPL-2.0
/*
 * trigger_context.c - check the triggers of a plan against everything they can refer to
 *
 * The plan's triggers are checked one by one. The context of a trigger is the set of triggers that
 * exist when it is set: first those of other programs, then the earlier ones of the plan.
 *
 * Invariant: an object that cannot be read or parsed is assumed to exist. It makes the context
 * incomplete (all_triggers, all_synths) and never causes a refusal; the kernel decides.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/expr/synth.h"
#include "lib/query/function_field.h"
#include "lib/query/probe_event.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/event_suggest.h"
#include "tracecmd/session/trigger_context.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/foreign_triggers.h"

static int trigger_context_add_synth(struct trigger_context *scope, struct hist_synth *synth)
{
	if (array_add(&scope->synths, scope->nsynths, sizeof(*scope->synths))) {
		hist_synth_free(synth);
		return message_error_memory();
	}
	scope->synths[scope->nsynths++] = synth;
	return 0;
}

static int read_synths(struct trigger_context *scope)
{
	struct target_buf buf = { 0 };
	struct hist_synth *synth;
	char *line, *rest;
	int ret;

	ret = scope->target->ops->read(scope->target, "synthetic_events", &buf);
	scope->all_synths = !ret || ret == -ENOENT;
	for (rest = ret ? NULL : buf.data, ret = 0; !ret && (line = strsep(&rest, "\n"));) {
		if (!*line)
			continue;
		ret = hist_synth_parse(&synth, line, NULL);
		if (!ret) {
			ret = trigger_context_add_synth(scope, synth);
		} else if (ret == -EINVAL) {
			scope->all_synths = false;
			ret = 0;
		} else {
			message_error_memory();
		}
	}
	free(buf.data);
	return ret;
}

static int plan_synths(struct trigger_context *scope)
{
	struct hist_synth *synth;
	struct hist_error error = { 0 };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < scope->ndynevents && !ret; i++) {
		const struct query_dynevent *plan = scope->dynevents[i].plan;

		if (plan->kind != QUERY_SYNTHETIC)
			continue;
		ret = hist_synth_parse(&synth, plan->definition, &error);
		if (!ret)
			ret = trigger_context_add_synth(scope, synth);
		else
			message_report_expression(ret, plan->definition, &error);
	}
	return ret;
}

int trigger_context_open(struct trigger_context *scope, struct hist_target *t, const char *instance,
			 const struct dynevent *dynevents, unsigned int ndynevents)
{
	struct target_buf clocks = { 0 };
	int ret;

	memset(scope, 0, sizeof(*scope));
	scope->target = t;
	scope->dynevents = dynevents;
	scope->ndynevents = ndynevents;
	if (instance && target_existsf(t, "instances/%s", instance) &&
	    asprintf(&scope->instance, "instances/%s", instance) < 0) {
		scope->instance = NULL;
		return message_error_memory();
	}
	if (t->ops->read(t, "trace_clock", &clocks)) {
		free(clocks.data);
		clocks.data = NULL;
	}
	scope->clocks = clocks.data;
	/* the plan's events come first: a name that the kernel has too means the plan's event */
	ret = plan_synths(scope);
	scope->nplanned = scope->nsynths;
	return ret ? ret : read_synths(scope);
}

/* The plan's object that defines this event, or NULL. */
static const struct dynevent *trigger_context_find_dynevent(const struct trigger_context *scope,
							    const char *system,
							    const char *name)
{
	unsigned int i;

	for (i = 0; i < scope->ndynevents; i++) {
		if (!strcmp(scope->dynevents[i].system, system) &&
		    !strcmp(scope->dynevents[i].name, name))
			return &scope->dynevents[i];
	}
	return NULL;
}

/* The event that the kernel will make from a definition; *event is NULL for a probe. */
static int trigger_context_predict_event(struct trigger_context *scope,
					 const struct dynevent *object, struct hist_event **event)
{
	unsigned int i;

	for (i = 0; object->plan->kind == QUERY_SYNTHETIC && i < scope->nsynths; i++) {
		if (!strcmp(scope->synths[i]->name, object->name))
			return hist_synth_make_event(event, scope->synths[i]);
	}
	return 0;
}

/* -ENOENT if there is no such event; *event is NULL if its format cannot be parsed. */
static int trigger_context_read_event(struct trigger_context *scope, const char *system,
				      const char *name,
				      struct hist_event **event)
{
	struct target_buf buf = { 0 };
	int ret;

	ret = target_readf(scope->target, &buf, "events/%s/%s/format", system, name);
	if (!ret)
		ret = hist_event_parse(event, system, buf.data, buf.len);
	else if (ret == -EINVAL || ret == -ENAMETOOLONG)
		ret = -ENOENT; /* not a valid path, so there is no such event */
	free(buf.data);
	return ret == -ENOENT || ret == -ENOMEM ? ret : 0;
}

static int trigger_context_find_event(void *data, const char *system, const char *name,
				      const struct hist_event **result)
{
	struct hist_event *event = NULL;
	struct trigger_context *scope = data;
	const struct dynevent *object;
	unsigned int i;
	int ret;

	for (i = 0; i < scope->nevents; i++) {
		*result = scope->events[i];
		if (hist_event_is(*result, system, name))
			return 0;
	}
	*result = NULL;
	object = trigger_context_find_dynevent(scope, system, name);
	if (object && scope->made &&
	    !(scope->synths_are_ours && object->plan->kind == QUERY_SYNTHETIC))
		object = NULL;
	ret = object ? trigger_context_predict_event(scope, object, &event) :
		trigger_context_read_event(scope, system, name, &event);
	if (ret || !event)
		return ret;
	if (array_add(&scope->events, scope->nevents, sizeof(*scope->events))) {
		hist_event_free(event);
		return -ENOMEM;
	}
	*result = scope->events[scope->nevents++] = event;
	return 0;
}

/* The nearest event name for a message, among existing events and those of the plan. */
static const char *trigger_context_find_near(void *data, const char *system, const char *name)
{
	struct trigger_context *scope = data;
	const char **names = NULL, *near;
	unsigned int i;
	size_t n = 0;

	event_suggest_nearest(scope->target, system, name, scope->near, sizeof(scope->near));
	if (*scope->near)
		return scope->near;
	for (i = 0; i < scope->ndynevents; i++) {
		if (!strcmp(scope->dynevents[i].system, system) &&
		    !array_add(&names, n, sizeof(*names)))
			names[n++] = scope->dynevents[i].name;
	}
	near = hist_suggest(name, names, n);
	free(names);
	return near;
}

/* Add one line of a trigger file of another program. */
static int add_other(struct trigger_context *scope, const struct hist_event *event,
		     const char *line)
{
	struct hist_expr *expr;
	int ret;

	/* only histograms can set variables or equal a trigger of the plan */
	if (strncmp(line, "hist:", strlen("hist:")))
		return 0;
	ret = event ? hist_expr_parse(&expr, line, NULL) : -EINVAL;
	if (ret == -EINVAL) {
		scope->all_others = false;
		return 0;
	}
	if (ret)
		return ret;
	if (array_add(&scope->others, scope->nothers, sizeof(*scope->others))) {
		hist_expr_free(expr);
		return -ENOMEM;
	}
	scope->others[scope->nothers++] =
		(struct hist_check_trigger){ .event = event, .expr = expr };
	return 0;
}

static int take_others(void *arg, const char *dir, const char *name, char *text)
{
	const struct hist_event *event = NULL;
	struct trigger_context *scope = arg;
	char *line, *rest;
	int ret = 0;

	if (!strncmp(text, "hist:", strlen("hist:")) || strstr(text, "\nhist:"))
		ret = trigger_context_find_event(scope, strrchr(dir, '/') + 1, name, &event);
	for (rest = text; ret != -ENOMEM && (line = strsep(&rest, "\n"));)
		ret = add_other(scope, event, line);
	return ret == -ENOMEM ? ret : 0;
}

static bool trigger_context_has_references(const struct traced_event *source)
{
	unsigned int i;

	for (i = 0; i < source->nhelpers + source->nhists; i++) {
		const struct hist_expr *expr = source->triggers[i].expr;

		if (expr->nactions || strchr(expr->text, '$'))
			return true;
	}
	return false;
}

/*
 * Read the trigger files of other programs. An instance has more than a thousand of them; all are
 * read only if the plan has a reference, because any of them can contain its target.
 */
static int read_foreign(struct trigger_context *scope, const struct traced_event *sources,
			unsigned int nsources)
{
	struct trigger_files files = { .target = scope->target, .take = take_others, .arg = scope };
	char dir[TARGET_PATH_MAX];
	bool all = false;
	unsigned int e;
	int ret = 0;

	for (e = 0; e < nsources; e++)
		all |= trigger_context_has_references(&sources[e]);
	scope->all_others = true;
	if (scope->instance && all) {
		snprintf(dir, sizeof(dir), "%s/events", scope->instance);
		ret = trigger_files_walk(&files, dir);
	}
	for (e = 0; scope->instance && !all && e < nsources && !ret; e++) {
		snprintf(dir, sizeof(dir), "%s/events/%s", scope->instance, sources[e].system);
		if (!traced_event_is_repeated(sources, e))
			ret = trigger_files_read(&files, dir, sources[e].name);
	}
	scope->all_others &= !files.incomplete && (!scope->instance || all);
	free(files.text.data);
	return ret ? message_error_memory() : 0;
}

/* Replace @from by @to in @text, which has room for @size bytes. */
static void trigger_context_replace_word(char *text, size_t size, const char *from, const char *to)
{
	char *at = strstr(text, from), *whole;

	if (!at || asprintf(&whole, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) < 0)
		return;
	snprintf(text, size, "%s", whole);
	free(whole);
}

/* Print the title of the event instead of its generated name, which the user does not know. */
static int trigger_context_report(const struct traced_event *source, int ret, const char *text,
				  struct hist_error *error)
{
	if (ret == -EINVAL && strcmp(source->title, source->full_name)) {
		trigger_context_replace_word(error->what, sizeof(error->what), source->full_name,
					     source->title);
		trigger_context_replace_word(error->hint, sizeof(error->hint), source->full_name,
					     source->title);
	}
	return message_report_expression(ret, text, error);
}

/* Count a histogram with .log2=K by several triggers on a kernel without it. */
static int trigger_context_split(const struct hist_kernel *kernel, struct traced_hist *h,
				 const struct hist_event *event, struct hist_error *error)
{
	return kernel->fine_log2 ? 0 : traced_event_split_hist(h, event, error);
}

/*
 * Check a trigger of a probe that does not exist yet, by the definition of the probe. It is
 * refused only if it is wrong for each type that the kernel may choose for untyped arguments.
 */
static int check_foreseen(const struct hist_check_context *context,
			  const struct traced_event *source, struct traced_hist *h,
			  struct hist_error *error)
{
	const struct dynevent *object = trigger_context_find_dynevent(context->data, source->system,
								      source->name);
	struct hist_error first = { .what = "" };
	struct hist_event *event;
	enum probe_guess guess;
	bool guessed = true;
	int ret = 0;

	if (!object || object->plan->kind != QUERY_DYNAMIC)
		return 0;
	for (guess = 0; guess < PROBE_GUESSES && guessed; guess++) {
		ret = probe_make_event(&event, object->plan->definition, guess, &guessed);
		/* accept it: the kernel will report what is wrong with the definition */
		if (ret == -EINVAL || (!ret && !event))
			return 0;
		if (!ret && source->function_field)
			ret = function_field_rename(event, source->function_field);
		if (!ret)
			ret = hist_check_expr_in(h->expr, event, context, guess ? NULL : &first);
		if (!ret)
			ret = trigger_context_split(context->kernel, h, event,
						    guess ? NULL : &first);
		hist_event_free(event);
		if (ret != -EINVAL)
			return ret;
	}
	*error = first;
	return ret;
}

static int check_hists(struct hist_check_context *context, struct hist_check_trigger *triggers,
		       const struct traced_event *source, const struct hist_event *event)
{
	const struct hist_expr *expr;
	struct hist_error error = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i < source->nhelpers + source->nhists; i++) {
		expr = source->triggers[i].expr;
		if (!event) {
			ret = check_foreseen(context, source, &source->triggers[i], &error);
			if (ret)
				return trigger_context_report(source, ret, expr->text, &error);
			/* incomplete: the types of its variables are unknown */
			context->all_triggers = false;
			continue;
		}
		ret = hist_check_expr_in(expr, event, context, &error);
		if (!ret)
			ret = trigger_context_split(context->kernel, &source->triggers[i], event,
						    &error);
		if (ret)
			return trigger_context_report(source, ret, expr->text, &error);
		triggers[context->ntriggers++] =
			(struct hist_check_trigger){ .event = event, .expr = expr };
	}
	return 0;
}

/* A private instance contains only the plan's histograms, so a switch must name one of them. */
static int check_switched(const struct trigger_context *scope, const struct hist_switch *sw,
			  const struct traced_event *sources, unsigned int nsources,
			  struct hist_error *error)
{
	unsigned int e;

	for (e = 0; e < nsources; e++) {
		if (!strcmp(sources[e].system, sw->system) && !strcmp(sources[e].name, sw->event) &&
		    (sources[e].nhists || sources[e].nhelpers))
			return 0;
	}
	if (scope->instance)
		return 0;
	hist_error_set(error, -EINVAL,
		       "%s:%s: no histogram to enable or disable\n"
		       "put -e %s:%s -k KEYS before the trigger",
		       sw->system, sw->event, sw->system, sw->event);
	error->at = sw->event_span;
	return -EINVAL;
}

/* Check the switch triggers, which are set after all histograms, in the order of the plan. */
static int check_switches(struct trigger_context *scope, struct hist_check_context *context,
			  const struct traced_event *sources, unsigned int nsources)
{
	struct hist_check_switch *switches;
	const struct hist_event *event;
	struct hist_error error = { 0 };
	unsigned int e, i, n = 0;
	int ret = 0;

	for (e = 0; e < nsources; e++)
		n += sources[e].nswitches;
	switches = calloc(n + 1, sizeof(*switches));
	if (!switches)
		return message_error_memory();
	context->switches = switches;
	for (e = 0; e < nsources && !ret; e++) {
		event = sources[e].event;
		if (!event && sources[e].nswitches &&
		    trigger_context_find_event(scope, sources[e].system, sources[e].name,
					       &event) == -ENOMEM)
			ret = message_error_memory();
		for (i = 0; event && i < sources[e].nswitches && !ret; i++) {
			const struct hist_switch *sw = sources[e].switches[i];

			ret = hist_check_switch_trigger(sw, event, context, &error);
			if (!ret)
				ret = check_switched(scope, sw, sources, nsources, &error);
			if (ret)
				trigger_context_report(&sources[e], ret, sw->text, &error);
			switches[context->nswitches++] =
				(struct hist_check_switch){ .event = event, .sw = sw };
		}
	}
	free(switches);
	return ret;
}

int trigger_context_check(struct trigger_context *scope, const struct hist_kernel *kernel,
			  struct traced_event *sources, unsigned int nsources)
{
	struct hist_check_context context = {
		.kernel = kernel,
		.clocks = scope->clocks,
		.synths = (const struct hist_synth *const *)scope->synths,
		.nsynths = scope->nsynths,
		.all_synths = scope->all_synths,
		.find_event = trigger_context_find_event,
		.suggest_event = trigger_context_find_near,
		.data = scope,
	};
	struct hist_check_trigger *triggers;
	const struct hist_event *event;
	unsigned int e, n;
	int ret = 0;

	if (!scope->looked) {
		scope->looked = true;
		ret = read_foreign(scope, sources, nsources);
		if (ret)
			return ret;
	}
	for (n = scope->nothers, e = 0; e < nsources; e++)
		n += sources[e].nhelpers + sources[e].nhists;
	triggers = calloc(n + 1, sizeof(*triggers));
	if (!triggers)
		return message_error_memory();
	if (scope->nothers)
		memcpy(triggers, scope->others, scope->nothers * sizeof(*triggers));
	context.triggers = triggers;
	context.ntriggers = context.nothers = scope->nothers;
	context.all_triggers = scope->all_others;
	for (e = 0; e < nsources && !ret; e++) {
		event = sources[e].event;
		if (!event && trigger_context_find_event(scope, sources[e].system, sources[e].name,
							 &event) ==
			      -ENOMEM)
			ret = message_error_memory();
		if (!ret)
			ret = check_hists(&context, triggers, &sources[e], event);
	}
	if (!ret)
		ret = check_switches(scope, &context, sources, nsources);
	for (e = 0; e < nsources && !ret; e++)
		if (sources[e].event)
			hist_check_find_origins(sources[e].event, &context, true);
	free(triggers);
	return ret;
}

void trigger_context_set_made(struct trigger_context *scope)
{
	unsigned int i, n = 0;

	for (i = 0; i < scope->nevents; i++) {
		struct hist_event *event = scope->events[i];

		/* keep other events: existing triggers refer to events that existed before */
		if (trigger_context_find_dynevent(scope, event->system, event->name))
			hist_event_free(event);
		else
			scope->events[n++] = event;
	}
	scope->nevents = n;
	scope->made = true;
}

void trigger_context_clear(struct trigger_context *scope)
{
	unsigned int i;

	for (i = 0; i < scope->nothers; i++)
		hist_expr_free((struct hist_expr *)scope->others[i].expr);
	for (i = 0; i < scope->nevents; i++)
		hist_event_free(scope->events[i]);
	for (i = 0; i < scope->nsynths; i++)
		hist_synth_free(scope->synths[i]);
	free(scope->others);
	free(scope->events);
	free(scope->synths);
	free(scope->clocks);
	free(scope->instance);
	memset(scope, 0, sizeof(*scope));
}
