// SPDX-License-Identifier: LGPL-2.1
/*
 * check_origin.c - the fields whose numbers the fields of a synthetic event carry
 *
 * The numbers of "vec" of a latency have the names of "vec" of irq:softirq_entry: the trigger of
 * START sets s0=vec, the trigger of END sets e0=$s0, and trace() passes $e0.
 */
#include <string.h>

#include "lib/check/check_private.h"

/* How many variables a number may pass through; it also ends a variable that refers to itself. */
#define STEPS_MAX 8

/* The field that @node is in the trigger of @c. */
static struct hist_field_origin origin_of_node(struct hist_check c, const struct hist_node *node)
{
	struct hist_field_origin origin = { 0 };
	const struct hist_variable *own;
	struct hist_found found;
	unsigned int i;

	for (i = 0; node && node->kind == HIST_NODE_VARIABLE && i < STEPS_MAX; i++) {
		own = node->system ? NULL : hist_expr_find_variable(c.expr, node->name);
		if (own) {
			node = own->tree;
			continue;
		}
		if (hist_check_find_variable(&c, node->system, node->event, node->name, node->span,
					     &found) || !found.trigger)
			return origin;
		c = hist_check_of(&c, found.index);
		node = found.variable->tree;
	}
	if (node && node->kind == HIST_NODE_FIELD && node->modifier == HIST_MOD_NONE && c.event) {
		origin.event = c.event;
		origin.field = hist_event_find(c.event, node->name);
	}
	return origin;
}

/* The field of the onmatch() event that trace() passes without a variable. */
static struct hist_field_origin origin_of_matched(const struct hist_check *c, const char *system,
						  const char *event, const char *name)
{
	struct hist_field_origin origin = { 0 };
	unsigned int i;

	for (i = 0; system && i < c->nbefore && !origin.event; i++) {
		const struct hist_event *other = c->context->triggers[i].event;

		if (hist_event_is(other, system, event)) {
			origin.event = other;
			origin.field = hist_event_find(other, name);
		}
	}
	return origin;
}

static struct hist_field_origin origin_of_param(const struct hist_check *c,
						const struct hist_action *action,
						const struct hist_param *param)
{
	const struct hist_node variable = {
		.kind = HIST_NODE_VARIABLE,
		.name = param->name,
		.system = param->system,
		.event = param->event,
		.span = param->span,
	};
	struct hist_field_origin own = { c->event, hist_event_find(c->event, param->name) };

	if (param->is_variable)
		return origin_of_node(*c, &variable);
	if (param->system)
		return hist_event_is(c->event, param->system, param->event) ? own :
		       origin_of_matched(c, param->system, param->event, param->name);
	return own.field ? own : origin_of_matched(c, action->system, action->event, param->name);
}

/* @action generates @event.  @seen: an earlier action does, too. */
static void origins_of_action(struct hist_event *event, const struct hist_check *c,
			      const struct hist_action *action, bool seen)
{
	struct hist_field_origin origin;
	unsigned int i;

	for (i = 0; i < event->nown && i < action->nparams; i++) {
		origin = origin_of_param(c, action, &action->params[i]);
		if (seen && origin.field != event->fields[i].origin.field)
			origin.field = NULL;
		event->fields[i].origin = origin;
	}
}

void hist_check_find_origins(struct hist_event *event, const struct hist_check_context *context)
{
	const struct hist_check all = { .context = context };
	unsigned int t, i;
	bool seen = false;

	if (strcmp(event->system, "synthetic"))
		return;
	for (i = 0; i < event->nown; i++)
		event->fields[i].origin = (struct hist_field_origin){ 0 };
	for (t = 0; t < context->ntriggers; t++) {
		struct hist_check c = hist_check_of(&all, t);

		for (i = 0; i < c.expr->nactions; i++) {
			const struct hist_action *action = &c.expr->actions[i];

			if (action->kind != HIST_ACTION_TRACE || !action->synth ||
			    strcmp(action->synth, event->name))
				continue;
			origins_of_action(event, &c, action, seen);
			seen = true;
		}
	}
}
