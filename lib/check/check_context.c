// SPDX-License-Identifier: LGPL-2.1
/*
 * check_context.c - look up variables and events in a context, and check what switches events
 *
 * If several triggers of one event set a variable, the first one is used (find_file_var()); the
 * kernel refuses to set it twice.
 *
 * An enable_hist or disable_hist trigger has only an event of the context and a filter.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/check/check_private.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/switch_trigger.h"

void hist_check_find_event_variable(const struct hist_check *c, const char *system,
				    const char *event,
				    const char *name, struct hist_found *found)
{
	const struct hist_check_trigger *t;
	unsigned int i;

	memset(found, 0, sizeof(*found));
	for (i = 0; i < c->nbefore; i++) {
		t = &c->context->triggers[i];
		if (!hist_event_is(t->event, system, event))
			continue;
		found->variable = hist_expr_find_variable(t->expr, name);
		if (found->variable) {
			found->trigger = t;
			found->index = i;
			return;
		}
	}
}

static int not_unique(struct hist_check *c, const char *name, struct hist_span at)
{
	hist_expr_error_refuse(c->error, at, "", "\"$%.*s\" is set by triggers of several events",
			       HIST_SHOW(strlen(name)), name);
	return hist_expr_error_hint(c->error, "write SYS.EVENT.$%.*s", HIST_SHOW(strlen(name)),
				    name);
}

/* As in find_match_var(), two onmatch() of one event count as two. */
static int find_matched(struct hist_check *c, const char *name, struct hist_span at,
			struct hist_found *found)
{
	const struct hist_action *action;
	struct hist_found one;
	unsigned int i;

	for (i = 0; i < c->expr->nactions; i++) {
		action = &c->expr->actions[i];
		if (!action->system)
			continue;
		hist_check_find_event_variable(c, action->system, action->event, name, &one);
		if (!one.trigger)
			continue;
		if (found->trigger)
			return not_unique(c, name, at);
		*found = one;
	}
	return 0;
}

int hist_check_find_variable(struct hist_check *c, const char *system, const char *event,
			     const char *name, struct hist_span at, struct hist_found *found)
{
	const struct hist_variable *variable;
	const struct hist_event *unused;
	unsigned int i;
	int ret;

	memset(found, 0, sizeof(*found));
	if (system) {
		ret = hist_check_find_event(c, system, event, at, &unused);
		if (!ret)
			hist_check_find_event_variable(c, system, event, name, found);
		return ret;
	}
	ret = find_matched(c, name, at, found);
	if (ret || found->trigger)
		return ret;
	for (i = 0; i < c->nbefore; i++) {
		const struct hist_check_trigger *t = &c->context->triggers[i];

		variable = hist_expr_find_variable(t->expr, name);
		if (!variable ||
		    (found->trigger && hist_event_is(t->event, found->trigger->event->system,
							     found->trigger->event->name)))
			continue;
		if (found->trigger)
			return not_unique(c, name, at);
		*found = (struct hist_found){ .trigger = t, .index = i, .variable = variable };
	}
	return 0;
}

/* -EINVAL with the error "no event", and a near name if @context has one. */
static int check_context_refuse_event(const struct hist_check_context *context, const char *system,
				      const char *name, struct hist_span at,
				      struct hist_error *error)
{
	const char *near = NULL;

	hist_expr_error_refuse(error, at, "", "%.*s:%.*s: no such event", HIST_SHOW(strlen(system)),
			       system, HIST_SHOW(strlen(name)), name);
	if (context->suggest_event)
		near = context->suggest_event(context->data, system, name);
	if (near)
		hist_expr_error_hint(error, "did you mean \"%.*s\"?", HIST_SHOW(strlen(near)),
				     near);
	return -EINVAL;
}

int hist_check_find_event(struct hist_check *c, const char *system, const char *name,
			  struct hist_span at,
			  const struct hist_event **event)
{
	unsigned int i;
	int ret;

	*event = NULL;
	if (hist_event_is(c->event, system, name))
		*event = c->event;
	for (i = 0; !*event && i < c->nbefore; i++)
		if (hist_event_is(c->context->triggers[i].event, system, name))
			*event = c->context->triggers[i].event;
	if (*event || !c->context->find_event)
		return 0;
	ret = c->context->find_event(c->context->data, system, name, event);
	if (ret != -ENOENT)
		return ret;
	return check_context_refuse_event(c->context, system, name, at, c->error);
}

/* --- enable_hist and disable_hist --- */

/* event_enable_register_trigger() treats enable_hist and disable_hist as one kind. */
static int check_switch_once(const struct hist_switch *sw, const struct hist_event *event,
			     const struct hist_check_context *context, struct hist_error *error)
{
	const struct hist_check_switch *other;
	unsigned int i;

	for (i = 0; i < context->nswitches; i++) {
		other = &context->switches[i];
		if (!hist_event_is(other->event, event->system, event->name) ||
		    strcmp(other->sw->system, sw->system) || strcmp(other->sw->event, sw->event))
			continue;
		return hist_expr_error_refuse(
			error, sw->event_span,
			"use different events to enable and to disable the histogram",
			"a trigger on %s:%s already enables or disables "
			"this event",
			event->system, event->name);
	}
	return 0;
}

int hist_check_switch_trigger(const struct hist_switch *sw, const struct hist_event *event,
			      const struct hist_check_context *context, struct hist_error *error)
{
	const struct hist_event *unused;
	struct hist_kernel newest;
	int ret = 0;

	if (context && context->find_event)
		ret = context->find_event(context->data, sw->system, sw->event, &unused);
	if (ret == -ENOENT)
		return check_context_refuse_event(context, sw->system, sw->event, sw->event_span,
						  error);
	if (ret)
		return ret;
	if (context && check_switch_once(sw, event, context, error))
		return -EINVAL;
	if (!sw->filter)
		return 0;
	hist_kernel_set_newest(&newest);
	return hist_check_filter(sw->filter_tree, sw->filter, sw->filter_start, event,
				 context && context->kernel ? context->kernel : &newest, error);
}
