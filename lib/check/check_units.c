// SPDX-License-Identifier: LGPL-2.1
/*
 * check_units.c - the units of latencies that triggers compute from time stamps
 *
 * The unit of a field of a synthetic event is that of the parameter that a trigger passes for it:
 * a variable, whose definition leads to time stamps.  Sums and differences keep the unit; a factor
 * changes it to one that is unknown.
 */
#include <string.h>

#include "lib/check/check.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/hist/field_units.h"
#include "lib/hist/table.h"

/* Variables may refer to each other; the kernel allows no circle, but a text can have one. */
#define DEPTH_MAX 8

struct check_units {
	const struct hist_check_context *context;
	bool clock_is_ns;
};

static const char *check_units_of_variable(const struct check_units *c,
					      const struct hist_check_trigger *in,
					      const char *system, const char *event,
					      const char *name, unsigned int depth);

static bool check_units_tree_has_usecs(const struct hist_node *node)
{
	return node && ((node->kind == HIST_NODE_FIELD && node->modifier == HIST_MOD_USECS) ||
			check_units_tree_has_usecs(node->left) ||
			check_units_tree_has_usecs(node->right));
}

/* One .usecs in a trigger converts all its time stamps. */
static bool check_units_has_usecs(const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->nvariables; i++)
		if (check_units_tree_has_usecs(expr->variables[i].tree))
			return true;
	for (i = 0; i < expr->keys.n; i++)
		if (check_units_tree_has_usecs(expr->keys.field[i].tree))
			return true;
	for (i = 0; i < expr->values.n; i++)
		if (check_units_tree_has_usecs(expr->values.field[i].tree))
			return true;
	return false;
}

static const char *check_units_of_field(const struct check_units *c,
					   const struct hist_check_trigger *in, const char *name)
{
	if (strcmp(name, "common_timestamp"))
		return field_units_find(in->event->system, in->event->name, name);
	if (!c->clock_is_ns || !hist_clock_is_ns(in->expr->clock))
		return NULL;
	return check_units_has_usecs(in->expr) ? FIELD_UNIT_US : FIELD_UNIT_NS;
}

static const char *check_units_of_tree(const struct check_units *c,
					  const struct hist_check_trigger *in,
					  const struct hist_node *node, unsigned int depth)
{
	const char *left, *right;

	if (!node || depth > DEPTH_MAX)
		return NULL;
	switch (node->kind) {
	case HIST_NODE_FIELD:
		return check_units_of_field(c, in, node->name);
	case HIST_NODE_VARIABLE:
		return check_units_of_variable(c, in, node->system, node->event, node->name,
						  depth + 1);
	case HIST_NODE_ADD:
	case HIST_NODE_SUB:
		left = check_units_of_tree(c, in, node->left, depth + 1);
		right = check_units_of_tree(c, in, node->right, depth + 1);
		return left && right && !strcmp(left, right) ? left : NULL;
	default:
		return NULL;
	}
}

/* Look in the trigger @in itself, then in all triggers, which must agree. */
static const char *check_units_of_variable(const struct check_units *c,
					      const struct hist_check_trigger *in,
					      const char *system, const char *event,
					      const char *name, unsigned int depth)
{
	const struct hist_variable *v = system ? NULL : hist_expr_find_variable(in->expr, name);
	const char *unit = NULL, *one;
	bool any = false;
	unsigned int i;

	if (v)
		return check_units_of_tree(c, in, v->tree, depth);
	for (i = 0; i < c->context->ntriggers; i++) {
		const struct hist_check_trigger *t = &c->context->triggers[i];

		v = hist_expr_find_variable(t->expr, name);
		if (!v || (system && !hist_event_is(t->event, system, event)))
			continue;
		one = check_units_of_tree(c, t, v->tree, depth);
		if (any && (!one || !unit || strcmp(one, unit)))
			return NULL;
		unit = one;
		any = true;
	}
	return unit;
}

static const char *check_units_of_param(const struct check_units *c,
					   const struct hist_check_trigger *in,
					   const struct hist_param *param)
{
	if (param->is_variable)
		return check_units_of_variable(c, in, param->system, param->event, param->name,
						  0);
	if (param->system)
		return field_units_find(param->system, param->event, param->name);
	return check_units_of_field(c, in, param->name);
}

/* The unit of field number @field of the synthetic event @synth. */
static const char *check_units_of_synth(const struct check_units *c, const char *synth,
					   unsigned int field)
{
	const char *unit = NULL, *one;
	bool any = false;
	unsigned int i, k;

	for (i = 0; i < c->context->ntriggers; i++) {
		const struct hist_check_trigger *t = &c->context->triggers[i];

		for (k = 0; k < t->expr->nactions; k++) {
			const struct hist_action *a = &t->expr->actions[k];

			if (a->kind != HIST_ACTION_TRACE || !a->synth || strcmp(a->synth, synth) ||
			    field >= a->nparams)
				continue;
			one = check_units_of_param(c, t, &a->params[field]);
			if (any && (!one || !unit || strcmp(one, unit)))
				return NULL;
			unit = one;
			any = true;
		}
	}
	return unit;
}

void hist_check_find_units(struct hist_event *event, const struct hist_check_context *context,
			   bool clock_is_ns)
{
	const struct check_units c = { context, clock_is_ns };
	unsigned int i;

	if (strcmp(event->system, "synthetic"))
		return;
	for (i = 0; i < event->nown; i++)
		event->fields[i].unit = check_units_of_synth(&c, event->name, i);
}
