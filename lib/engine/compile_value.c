// SPDX-License-Identifier: LGPL-2.1
/*
 * compile_value.c - compile the tree of an expression into values
 *
 * Two constant operands are folded into one constant.  A variable that is set to a constant counts
 * as a constant.  A reference that is an operand is read once: reading clears the variable.
 *
 * Source: parse_expr(), parse_atom(), create_hist_field() and hist_field_get_div_fn() in
 * kernel/trace/trace_events_hist.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/engine/compile.h"
#include "lib/expr/expr_private.h"
#include "lib/expr/field_resolve.h"

struct value *value_add(struct making *m, enum value_fn fn)
{
	struct histogram *hist = m->hist;
	struct value *v;

	if (array_grow(&hist->values, &hist->values_room, hist->nvalues + 1,
		       sizeof(*hist->values)))
		return NULL;
	v = calloc(1, sizeof(*v));
	if (!v)
		return NULL;
	hist->values[hist->nvalues++] = v;
	v->fn = fn;
	v->swap = m->swap;
	v->wide = m->long_size == 8;
	v->long_is_32 = m->engine->machine.layout.long_size == 4;
	v->type = "u64";
	v->kernel_size = 8;
	return v;
}

static int make_stack(const struct value **value, struct making *m, struct hist_span at)
{
	struct value *v;

	if (m->on->own)
		return engine_refuse(m->error, at,
				     "keep the stack in a variable of the event before",
				     "the stack of a synthetic event is not in the recording");
	if (!m->engine->stack_event)
		return engine_refuse(m->error, at, "record with -O stacktrace",
				     "the recording has no kernel stacks");
	/* it begins where the probe is; the other in what handles the probe */
	if (hist_event_find(m->event, "__probe_ip") || hist_event_find(m->event, "__probe_func"))
		return engine_refuse(m->error, at, "",
				     "of a probe, kernels record another stack than they count by");
	v = value_add(m, VALUE_KERNEL_STACK);
	if (!v)
		return -ENOMEM;
	v->is_stack = true;
	v->type = "unsigned long[]";
	v->kernel_size = 16 * m->engine->machine.layout.long_size;
	m->hist->wants_stack = true;
	*value = v;
	return 0;
}

static int make_field(const struct value **value, struct making *m,
		      const struct hist_event_field *f, struct hist_span at)
{
	struct value *v = value_add(m, VALUE_NUMBER);

	if (!v)
		return -ENOMEM;
	v->offset = f->offset;
	v->size = f->size;
	v->type = f->ctype;
	switch (f->type) {
	case HIST_FIELD_STRING:
		v->fn = !f->is_dynamic			? VALUE_ARRAY
			: strstr(f->ctype, "__rel_loc") ? VALUE_REL_LOC
							: VALUE_DATA_LOC;
		v->is_string = true;
		v->kernel_size = f->is_dynamic ? ENGINE_STRING_BYTES : f->size;
		break;
	case HIST_FIELD_STACK:
		v->fn = VALUE_STACK;
		v->is_stack = true;
		v->kernel_size = ENGINE_STRING_BYTES;
		break;
	default:
		value_set_load(v, f->offset, f->size, f->is_signed, m->swap);
		v->kernel_size = f->size;
		v->is_signed = f->is_signed;
		if (v->fn == VALUE_NUMBER || f->type != HIST_FIELD_NUMBER)
			return engine_refuse(m->error, at, "", "\"%.*s\" is no number",
					     HIST_SHOW(strlen(f->name)), f->name);
	}
	*value = v;
	return 0;
}

/* A plain name, without its modifier. */
static int make_plain(const struct value **value, struct making *m, const struct hist_node *node,
		      bool is_key)
{
	const struct hist_event_field *field;
	struct value *v;

	switch (hist_meaning_of(node->name, is_key && node->modifier == HIST_MOD_NONE, m->event,
				&field)) {
	case HIST_MEANS_FIELD:
		return make_field(value, m, field, node->span);
	case HIST_MEANS_STACK:
		return make_stack(value, m, node->span);
	case HIST_MEANS_TIMESTAMP:
		v = value_add(m, VALUE_TIME);
		m->hist->usecs |= node->modifier == HIST_MOD_USECS;
		break;
	case HIST_MEANS_CPU:
		v = value_add(m, VALUE_CPU);
		if (v) {
			v->type = "unsigned int";
			v->kernel_size = 4;
		}
		break;
	case HIST_MEANS_COMM:
		v = value_add(m, VALUE_TASK);
		if (v) {
			v->is_string = true;
			v->type = "char[]";
			v->kernel_size = ENGINE_STRING_BYTES;
		}
		break;
	case HIST_MEANS_HITCOUNT:
		v = value_add(m, VALUE_NUMBER);
		if (v)
			v->number = 1;
		break;
	default:
		return engine_refuse(m->error, node->span, "", "no field \"%.*s\"",
				     HIST_SHOW(strlen(node->name)), node->name);
	}
	*value = v;
	return v ? 0 : -ENOMEM;
}

static int make_modified(const struct value **value, struct making *m, const struct hist_node *node,
			 bool is_key)
{
	const struct value *plain = NULL;
	struct value *v;
	int ret;

	ret = make_plain(&plain, m, node, is_key);
	if (ret)
		return ret;
	*value = plain;
	if (node->modifier == HIST_MOD_STACKTRACE && plain->is_stack) {
		v = (struct value *)plain;
		v->type = "unsigned long[]";
		v->kernel_size = 16 * m->engine->machine.layout.long_size;
	}
	if (node->modifier != HIST_MOD_LOG2 && node->modifier != HIST_MOD_BUCKETS)
		return 0;
	v = value_add(m, node->modifier == HIST_MOD_LOG2 ? VALUE_LOG2 : VALUE_BUCKET);
	if (!v)
		return -ENOMEM;
	v->left = plain;
	v->number = node->bucket;
	v->type = plain->type;
	v->kernel_size = plain->kernel_size;
	*value = v;
	return 0;
}

int value_make_field_named(const struct value **value, struct making *m, const char *text,
			   struct hist_span at)
{
	struct hist_node *node;
	const struct hist_event_field *field;
	int ret;

	*value = NULL;
	ret = hist_tree_parse(&node, text, strlen(text), 0, NULL);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	node->span = at;
	/* "comm" is what it was before Linux 6.16: a field, of the event before if not of this */
	if (node->kind == HIST_NODE_FIELD &&
	    hist_meaning_of(node->name, false, m->event, &field) != HIST_MEANS_NOTHING &&
	    (field || strcasecmp(node->name, "comm")))
		ret = make_modified(value, m, node, false);
	hist_tree_free(node);
	return ret;
}

/* field_name_from_var(): this trigger sets it, and to a plain field. */
static const struct hist_node *own_field(const struct making *m, const struct hist_node *node)
{
	unsigned int i;

	if (node->system && (strcmp(node->system, hist_event_system(m->event)) ||
			     strcmp(node->event, hist_event_name(m->event))))
		return NULL;
	for (i = 0; i < hist_expr_nvariables(m->expr); i++) {
		const struct hist_variable *v = hist_expr_variable(m->expr, i);

		if (!strcmp(v->name, node->name) && v->tree && v->tree->kind == HIST_NODE_FIELD)
			return v->tree;
	}
	return NULL;
}

/* init_var_ref() */
static int make_reference(const struct value **value, struct making *m,
			  const struct hist_node *node, bool is_key)
{
	const struct hist_node *own = own_field(m, node);
	const struct engine_variable *variable;
	struct histogram *of;
	unsigned int place;
	struct value *v;
	int ret;

	if (own)
		return make_modified(value, m, own, is_key);
	variable = variable_find(m, node->system, node->event, node->name, &of);
	if (!variable)
		return engine_refuse(m->error, node->span, "", "no variable \"$%.*s\"",
				     HIST_SHOW(strlen(node->name)), node->name);
	ret = reference_add(m, of, variable->index, node->span, &place);
	if (ret)
		return ret;
	v = value_add(m, VALUE_REFERENCE);
	if (!v)
		return -ENOMEM;
	v->reference = place;
	v->type = variable->value->type;
	v->kernel_size = variable->value->kernel_size;
	v->is_signed = variable->value->is_signed;
	v->is_stack = variable->value->is_stack;
	v->is_string = variable->value->is_string;
	/* not a constant to be computed, but what it would be as an operand */
	v->is_constant = variable->value->is_constant && variable->value->fn == VALUE_NUMBER;
	v->number = variable->value->number;
	*value = v;
	return 0;
}

static enum value_fn operator_fn(enum hist_node_kind kind)
{
	switch (kind) {
	case HIST_NODE_ADD:
		return VALUE_ADD;
	case HIST_NODE_SUB:
		return VALUE_SUB;
	case HIST_NODE_MUL:
		return VALUE_MUL;
	default:
		return VALUE_DIV;
	}
}

static void read_once(struct making *m, const struct value *operand)
{
	if (operand->fn == VALUE_REFERENCE)
		m->hist->refs[operand->reference].once = true;
}

/* What two constants give, each perhaps by way of a variable. */
static void combine(struct value *v, const struct value *left, const struct value *right)
{
	struct value a = { .fn = VALUE_NUMBER, .number = left->number };
	struct value b = { .fn = VALUE_NUMBER, .number = right->number };

	v->left = &a;
	v->right = &b;
	v->number = value_number(v, NULL, NULL);
	v->fn = VALUE_NUMBER;
	v->left = v->right = NULL;
	v->is_constant = true;
	/* the kernel leaves it at that */
	v->kernel_size = 0;
}

static int make_operator(const struct value **value, struct making *m, const struct hist_node *node)
{
	const struct value *left, *right = NULL;
	struct value *v;
	int ret;

	ret = value_make(&left, m, node->left, false);
	if (!ret && node->kind != HIST_NODE_NEGATE)
		ret = value_make(&right, m, node->right, false);
	if (ret)
		return ret;
	if (left->is_string || left->is_stack || (right && (right->is_string || right->is_stack)))
		return engine_refuse(m->error, node->span, "", "no numbers to calculate with");
	v = value_add(m, right ? operator_fn(node->kind) : VALUE_NEGATE);
	if (!v)
		return -ENOMEM;
	v->left = left;
	v->right = right;
	v->type = left->type;
	v->kernel_size = left->kernel_size;
	v->is_signed = left->is_signed;
	*value = v;
	if (!right)
		return 0;
	read_once(m, left);
	read_once(m, right);
	if (v->fn == VALUE_DIV && right->is_constant) {
		if (!right->number)
			return engine_refuse(m->error, node->right->span, "", "division by zero");
		value_divide_by(v, right->number);
	}
	if (left->is_constant && right->is_constant)
		combine(v, left, right);
	return 0;
}

int value_make(const struct value **value, struct making *m, const struct hist_node *node,
	       bool is_key)
{
	struct value *v;

	switch (node->kind) {
	case HIST_NODE_FIELD:
		return make_modified(value, m, node, is_key);
	case HIST_NODE_VARIABLE:
		return make_reference(value, m, node, is_key);
	case HIST_NODE_NUMBER:
		v = value_add(m, VALUE_NUMBER);
		if (!v)
			return -ENOMEM;
		v->number = node->number;
		v->is_constant = true;
		*value = v;
		return 0;
	default:
		return make_operator(value, m, node);
	}
}
