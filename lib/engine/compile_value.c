// SPDX-License-Identifier: LGPL-2.1
/*
 * compile_value.c - compile typed trees into values, and add variables and references
 *
 * lib/check has found the types, the fields and the variables, and has folded constants.  A
 * reference that is an operand is read once: reading clears the variable.
 *
 * Source: parse_expr(), create_hist_field(), create_var_ref() and hist_field_get_div_fn() in
 * kernel/trace/trace_events_hist.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/engine/compile.h"
#include "lib/expr/expr_parts.h"

struct value *compile_add_value(struct compilation *m, enum value_fn fn)
{
	struct engine_histogram *hist = m->hist;
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
	return v;
}

int compile_add_variable(struct compilation *m, struct hist_span at,
			 struct engine_variable **variable)
{
	struct engine_histogram *hist = m->hist;

	if (hist->nvars == ENGINE_VARS_MAX)
		return hist_expr_error_refuse(m->error, at, "",
					      "the kernel accepts at most %u variables",
					      ENGINE_VARS_MAX);
	*variable = &hist->vars[hist->nvars];
	**variable = (struct engine_variable){ .index = hist->nvars++, .string = -1 };
	hist->is_ordered = true;
	return 0;
}

int compile_add_reference(struct compilation *m, struct engine_histogram *of, unsigned int index,
			  struct hist_span at,
			  unsigned int *place)
{
	struct engine_histogram *hist = m->hist;
	unsigned int i;

	hist->is_ordered = true;
	for (i = 0; i < hist->nrefs; i++) {
		*place = i;
		if (hist->refs[i].of == of && hist->refs[i].index == index)
			return 0;
	}
	if (i == ENGINE_VARS_MAX)
		return hist_expr_error_refuse(
			m->error, at, "", "the kernel accepts at most %u references to variables",
			ENGINE_VARS_MAX);
	hist->refs[i] = (struct engine_reference){ .of = of, .index = index };
	hist->nrefs++;
	if (of == hist)
		hist->owns[hist->nowns++] = i;
	else
		hist->others[hist->nothers++] = i;
	*place = i;
	return 0;
}

/* The stack at the event is in the recording if the tracer was asked to record it. */
static int check_stacks(const struct compilation *m, struct hist_span at)
{
	if (m->on->own)
		return hist_expr_error_refuse(
			m->error, at, "store the stack in a variable of the earlier event",
			"the stack of a synthetic event is not in the recording");
	if (!m->engine->stack_event)
		return hist_expr_error_refuse(m->error, at, "record with 'trace-cmd record -T'",
					      "the recording has no kernel stacks");
	/* the recorded stack begins at the probe, the stack of a hist trigger in its handler */
	if (hist_event_find(m->event, "__probe_ip") || hist_event_find(m->event, "__probe_func"))
		return hist_expr_error_refuse(m->error, at, "",
					      "the recorded stack of a probe is not the stack that "
					      "the kernel counts");
	return 0;
}

static void set_field(struct value *v, const struct hist_event_field *f)
{
	v->offset = f->offset;
	v->size = f->size;
	if (hist_field_is_stack(f))
		v->fn = VALUE_STACK;
	else if (!hist_field_is_string(f))
		value_set_load(v, f->offset, f->size, f->is_signed, v->swap);
	else
		v->fn = value_string_fn(f);
}

static int make_field(struct value **value, struct compilation *m, const struct hist_typed *typed)
{
	struct value *v, *range;
	int ret;

	ret = typed->meaning == HIST_MEANS_STACK ? check_stacks(m, typed->at) : 0;
	if (ret)
		return ret;
	*value = v = compile_add_value(m, VALUE_NUMBER);
	if (!v)
		return -ENOMEM;
	v->room = typed->size;
	if (typed->modifier == HIST_MOD_EXECNAME && typed->is_string) {
		v->fn = VALUE_COMM;
		m->hist->has_comm = true;
		return 0;
	}
	switch (typed->meaning) {
	case HIST_MEANS_FIELD:
		set_field(v, typed->field);
		break;
	case HIST_MEANS_STACK:
		v->fn = VALUE_KERNEL_STACK;
		m->hist->wants_stack = true;
		break;
	case HIST_MEANS_TIMESTAMP:
		v->fn = VALUE_TIME;
		m->hist->usecs |= typed->is_usecs;
		break;
	case HIST_MEANS_CPU:
		v->fn = VALUE_CPU;
		break;
	case HIST_MEANS_COMM:
		v->fn = VALUE_TASK;
		break;
	default:
		/* hitcount */
		v->number = 1;
	}
	if (typed->modifier != HIST_MOD_LOG2 && typed->modifier != HIST_MOD_BUCKETS)
		return 0;
	*value = range =
		compile_add_value(m, typed->modifier == HIST_MOD_LOG2 ? VALUE_LOG2 : VALUE_BUCKET);
	if (!range)
		return -ENOMEM;
	range->left = v;
	range->number = typed->bucket;
	return 0;
}

/* init_var_ref() */
static int make_reference(struct value **value, struct compilation *m,
			  const struct hist_typed *typed)
{
	unsigned int place;
	int ret;

	ret = compile_add_reference(m, m->engine->numbered[typed->trigger]->hist, typed->variable,
				    typed->at, &place);
	if (ret)
		return ret;
	*value = compile_add_value(m, VALUE_REFERENCE);
	if (!*value)
		return -ENOMEM;
	(*value)->reference = place;
	return 0;
}

static int make_operand(const struct value **value, struct compilation *m,
			const struct hist_typed *typed, bool once)
{
	int ret = compile_value_tree(value, m, typed);

	if (!ret && once && (*value)->fn == VALUE_REFERENCE)
		m->hist->refs[(*value)->reference].once = true;
	return ret;
}

static int make_operator(struct value **value, struct compilation *m,
			 const struct hist_typed *typed)
{
	static const enum value_fn fns[] = {
		[HIST_NODE_NEGATE] = VALUE_NEGATE, [HIST_NODE_ADD] = VALUE_ADD,
		[HIST_NODE_SUB] = VALUE_SUB,	   [HIST_NODE_MUL] = VALUE_MUL,
		[HIST_NODE_DIV] = VALUE_DIV,
	};
	const struct value *left, *right = NULL;
	struct value *v;
	int ret;

	ret = make_operand(&left, m, typed->left, typed->right);
	if (!ret && typed->right)
		ret = make_operand(&right, m, typed->right, true);
	if (ret)
		return ret;
	*value = v = compile_add_value(m, typed->is_constant ? VALUE_NUMBER : fns[typed->kind]);
	if (!v)
		return -ENOMEM;
	v->number = typed->constant;
	v->left = left;
	v->right = right;
	if (v->fn == VALUE_DIV && typed->right->is_constant)
		value_divide_by(v, typed->right->constant);
	return 0;
}

int compile_value_tree(const struct value **result, struct compilation *m,
		       const struct hist_typed *typed)
{
	struct value *value = NULL;
	int ret = 0;

	switch (typed->kind) {
	case HIST_NODE_FIELD:
		ret = make_field(&value, m, typed);
		break;
	case HIST_NODE_VARIABLE:
		ret = make_reference(&value, m, typed);
		break;
	case HIST_NODE_NUMBER:
		value = compile_add_value(m, VALUE_NUMBER);
		if (!value)
			return -ENOMEM;
		value->number = typed->constant;
		break;
	default:
		ret = make_operator(&value, m, typed);
	}
	if (ret)
		return ret;
	value->is_string = typed->is_string;
	value->is_stack = typed->is_stack;
	*result = value;
	return 0;
}
