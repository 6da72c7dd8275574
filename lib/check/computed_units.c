// SPDX-License-Identifier: LGPL-2.1
/*
 * computed_units.c - the units of latencies that triggers compute from time stamps
 *
 * The unit of a field of a synthetic event is that of the parameter that a trigger passes for it:
 * a variable, whose definition leads to time stamps.  Sums and differences keep the unit; a factor
 * changes it to one that is unknown.
 */
#include <string.h>

#include "lib/check/computed_units.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/synth.h"
#include "lib/hist/field_units.h"

/* Variables may refer to each other; the kernel allows no circle, but a text can have one. */
#define DEPTH_MAX 8

struct computed_units {
	const struct hist_check_context *context;
	bool clock_is_ns;
};

static const char *computed_units_of_variable(const struct computed_units *c,
					      const struct hist_check_trigger *in,
					      const char *system, const char *event,
					      const char *name, unsigned int depth);

static bool computed_units_tree_has_usecs(const struct hist_node *node)
{
	return node && ((node->kind == HIST_NODE_FIELD && node->modifier == HIST_MOD_USECS) ||
			computed_units_tree_has_usecs(node->left) ||
			computed_units_tree_has_usecs(node->right));
}

/* One .usecs in a trigger converts all its time stamps. */
static bool computed_units_has_usecs(const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->nvariables; i++)
		if (computed_units_tree_has_usecs(expr->variables[i].tree))
			return true;
	for (i = 0; i < expr->keys.n; i++)
		if (computed_units_tree_has_usecs(expr->keys.field[i].tree))
			return true;
	for (i = 0; i < expr->values.n; i++)
		if (computed_units_tree_has_usecs(expr->values.field[i].tree))
			return true;
	return false;
}

static const char *computed_units_of_field(const struct computed_units *c,
					   const struct hist_check_trigger *in, const char *name)
{
	if (strcmp(name, "common_timestamp"))
		return field_units_find(in->event->system, in->event->name, name);
	if (!c->clock_is_ns)
		return NULL;
	return computed_units_has_usecs(in->expr) ? FIELD_UNIT_US : FIELD_UNIT_NS;
}

static const char *computed_units_of_tree(const struct computed_units *c,
					  const struct hist_check_trigger *in,
					  const struct hist_node *node, unsigned int depth)
{
	const char *left, *right;

	if (!node || depth > DEPTH_MAX)
		return NULL;
	switch (node->kind) {
	case HIST_NODE_FIELD:
		return computed_units_of_field(c, in, node->name);
	case HIST_NODE_VARIABLE:
		return computed_units_of_variable(c, in, node->system, node->event, node->name,
						  depth + 1);
	case HIST_NODE_ADD:
	case HIST_NODE_SUB:
		left = computed_units_of_tree(c, in, node->left, depth + 1);
		right = computed_units_of_tree(c, in, node->right, depth + 1);
		return left && right && !strcmp(left, right) ? left : NULL;
	default:
		return NULL;
	}
}

/* Look in the trigger @in itself, then in all triggers, which must agree. */
static const char *computed_units_of_variable(const struct computed_units *c,
					      const struct hist_check_trigger *in,
					      const char *system, const char *event,
					      const char *name, unsigned int depth)
{
	const struct hist_variable *v = system ? NULL : hist_expr_find_variable(in->expr, name);
	const char *unit = NULL, *one;
	bool any = false;
	unsigned int i;

	if (v)
		return computed_units_of_tree(c, in, v->tree, depth);
	for (i = 0; i < c->context->ntriggers; i++) {
		const struct hist_check_trigger *t = &c->context->triggers[i];

		v = hist_expr_find_variable(t->expr, name);
		if (!v || (system && !hist_event_is(t->event, system, event)))
			continue;
		one = computed_units_of_tree(c, t, v->tree, depth);
		if (any && (!one || !unit || strcmp(one, unit)))
			return NULL;
		unit = one;
		any = true;
	}
	return unit;
}

static const char *computed_units_of_param(const struct computed_units *c,
					   const struct hist_check_trigger *in,
					   const struct hist_param *param)
{
	if (param->is_variable)
		return computed_units_of_variable(c, in, param->system, param->event, param->name,
						  0);
	if (param->system)
		return field_units_find(param->system, param->event, param->name);
	return computed_units_of_field(c, in, param->name);
}

static const struct hist_synth *computed_units_find_synth(const struct hist_check_context *context,
							  const char *name)
{
	unsigned int i;

	for (i = 0; i < context->nsynths; i++)
		if (!strcmp(context->synths[i]->name, name))
			return context->synths[i];
	return NULL;
}

/* The unit of field number @field of the synthetic event @synth. */
static const char *computed_units_of_synth(const struct computed_units *c, const char *synth,
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
			one = computed_units_of_param(c, t, &a->params[field]);
			if (any && (!one || !unit || strcmp(one, unit)))
				return NULL;
			unit = one;
			any = true;
		}
	}
	return unit;
}

void computed_units_set(struct hist_schema *schema, const struct hist_event *event,
			const struct hist_check_context *context, bool clock_is_ns)
{
	const struct computed_units c = { context, clock_is_ns };
	const struct hist_synth *synth;
	unsigned int i, f;

	synth = strcmp(event->system, "synthetic") ? NULL :
		computed_units_find_synth(context, event->name);
	for (f = 0; synth && f < synth->nfields; f++) {
		const char *unit = computed_units_of_synth(&c, synth->name, f);

		for (i = 0; i < schema->nkeys; i++)
			if (!strcmp(schema->keys[i].name, synth->fields[f].name))
				schema->keys[i].unit = unit;
		for (i = 0; i < schema->nvalues; i++)
			if (!strcmp(schema->values[i].name, synth->fields[f].name))
				schema->values[i].unit = unit;
	}
}
