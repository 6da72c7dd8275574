// SPDX-License-Identifier: LGPL-2.1
/*
 * check_origin.c - the fields and times whose numbers the fields of a synthetic event carry
 *
 * The numbers of "vec" of a latency have the names of "vec" of irq:softirq_entry: the trigger of
 * START sets s0=vec, the trigger of END sets e0=$s0, and trace() passes $e0.  In the same way a
 * latency has the unit of the time stamps whose difference it is.  Sums and differences keep a
 * unit; a factor changes it to one that is unknown.
 */
#include <string.h>

#include "lib/check/check_private.h"
#include "lib/hist/field_units.h"
#include "lib/hist/table.h"

/* How many variables a number may pass through; it also ends a variable that refers to itself. */
#define STEPS_MAX 8

/* A number that a trigger passes; the tree is NULL if it is not known. */
struct origin_number {
	struct hist_check c; /* of the trigger that the tree belongs to */
	const struct hist_node *tree;
};

/* Replace a variable by its definition, again and again. */
static void origin_follow_variables(struct origin_number *n)
{
	const struct hist_variable *own;
	struct hist_found found;
	unsigned int i;

	for (i = 0; n->tree && n->tree->kind == HIST_NODE_VARIABLE && i < STEPS_MAX; i++) {
		own = n->tree->system ? NULL : hist_expr_find_variable(n->c.expr, n->tree->name);
		if (own) {
			n->tree = own->tree;
		} else if (!hist_check_find_variable(&n->c, n->tree->system, n->tree->event,
						     n->tree->name, n->tree->span, &found) &&
			   found.trigger) {
			n->c = hist_check_of(&n->c, found.index);
			n->tree = found.variable->tree;
		} else {
			n->tree = NULL;
		}
	}
}

static bool origin_tree_has_usecs(const struct hist_node *node)
{
	return node && ((node->kind == HIST_NODE_FIELD && node->modifier == HIST_MOD_USECS) ||
			origin_tree_has_usecs(node->left) || origin_tree_has_usecs(node->right));
}

/* One .usecs in a trigger converts all its time stamps. */
static bool origin_has_usecs(const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->nvariables; i++)
		if (origin_tree_has_usecs(expr->variables[i].tree))
			return true;
	for (i = 0; i < expr->keys.n; i++)
		if (origin_tree_has_usecs(expr->keys.field[i].tree))
			return true;
	for (i = 0; i < expr->values.n; i++)
		if (origin_tree_has_usecs(expr->values.field[i].tree))
			return true;
	return false;
}

static const char *origin_field_unit(const struct hist_check *c, const char *name, bool clock_is_ns)
{
	const struct hist_event_field *field;

	if (!strcmp(name, "common_timestamp")) {
		if (!clock_is_ns || !hist_clock_is_ns(c->expr->clock))
			return NULL;
		return origin_has_usecs(c->expr) ? FIELD_UNIT_US : FIELD_UNIT_NS;
	}
	if (!c->event)
		return NULL;
	field = hist_event_find(c->event, name);
	return field && field->unit ? field->unit :
	       field_units_find(c->event->system, c->event->name, name);
}

static const char *origin_unit(struct origin_number n, bool clock_is_ns, unsigned int depth)
{
	const char *left, *right;

	origin_follow_variables(&n);
	if (!n.tree || depth > STEPS_MAX)
		return NULL;
	switch (n.tree->kind) {
	case HIST_NODE_FIELD:
		return origin_field_unit(&n.c, n.tree->name, clock_is_ns);
	case HIST_NODE_ADD:
	case HIST_NODE_SUB:
		left = origin_unit((struct origin_number){ n.c, n.tree->left }, clock_is_ns,
				   depth + 1);
		right = origin_unit((struct origin_number){ n.c, n.tree->right }, clock_is_ns,
				    depth + 1);
		return left && right && !strcmp(left, right) ? left : NULL;
	default:
		return NULL;
	}
}

static struct hist_field_origin origin_field(struct origin_number n)
{
	struct hist_field_origin origin = { 0 };

	origin_follow_variables(&n);
	if (n.tree && n.tree->kind == HIST_NODE_FIELD && n.tree->modifier == HIST_MOD_NONE &&
	    n.c.event) {
		origin.event = n.c.event;
		origin.field = hist_event_find(n.c.event, n.tree->name);
	}
	return origin;
}

/* A trigger of the onmatch() event, whose field trace() passes without a variable. */
static bool origin_find_matched(const struct hist_check *c, const char *system, const char *event,
				struct hist_check *matched)
{
	unsigned int i;

	for (i = 0; system && i < c->nbefore; i++)
		if (hist_event_is(c->context->triggers[i].event, system, event)) {
			*matched = hist_check_of(c, i);
			return true;
		}
	return false;
}

/* The number that @param passes; *@node becomes its tree. */
static struct origin_number origin_of_param(const struct hist_check *c,
					    const struct hist_action *action,
					    const struct hist_param *param, struct hist_node *node)
{
	struct origin_number n = { *c, node };

	*node = (struct hist_node){
		.kind = param->is_variable ? HIST_NODE_VARIABLE : HIST_NODE_FIELD,
		.name = param->name,
		.system = param->is_variable ? param->system : NULL,
		.event = param->is_variable ? param->event : NULL,
		.span = param->span,
	};
	if (param->is_variable)
		return n;
	if (param->system) {
		if (!hist_event_is(c->event, param->system, param->event) &&
		    !origin_find_matched(c, param->system, param->event, &n.c))
			n.tree = NULL;
	} else if (!hist_event_find(c->event, param->name)) {
		origin_find_matched(c, action->system, action->event, &n.c);
	}
	return n;
}

static bool origin_units_differ(const char *a, const char *b)
{
	return !a || !b || strcmp(a, b);
}

/* @action generates @event.  @seen: an earlier action does, too, and both must agree. */
static void origins_of_action(struct hist_event *event, const struct hist_check *c,
			      const struct hist_action *action, bool clock_is_ns, bool seen)
{
	struct hist_event_field *field;
	struct hist_field_origin origin;
	struct origin_number n;
	struct hist_node node;
	const char *unit;
	unsigned int i;

	for (i = 0; i < event->nown && i < action->nparams; i++) {
		field = &event->fields[i];
		n = origin_of_param(c, action, &action->params[i], &node);
		origin = origin_field(n);
		unit = origin_unit(n, clock_is_ns, 0);
		if (seen && origin.field != field->origin.field)
			origin.field = NULL;
		if (seen && origin_units_differ(unit, field->unit))
			unit = NULL;
		field->origin = origin;
		field->unit = unit;
	}
}

void hist_check_find_origins(struct hist_event *event, const struct hist_check_context *context,
			     bool clock_is_ns)
{
	const struct hist_check all = { .context = context };
	unsigned int t, i;
	bool seen = false;

	if (strcmp(event->system, "synthetic"))
		return;
	for (i = 0; i < event->nown; i++) {
		event->fields[i].origin = (struct hist_field_origin){ 0 };
		event->fields[i].unit = NULL;
	}
	for (t = 0; t < context->ntriggers; t++) {
		struct hist_check c = hist_check_of(&all, t);

		for (i = 0; i < c.expr->nactions; i++) {
			const struct hist_action *action = &c.expr->actions[i];

			if (action->kind != HIST_ACTION_TRACE || !action->synth ||
			    strcmp(action->synth, event->name))
				continue;
			origins_of_action(event, &c, action, clock_is_ns, seen);
			seen = true;
		}
	}
}
