// SPDX-License-Identifier: LGPL-2.1
/*
 * compile.c - compile a typed trigger into a histogram: keys, sums, variables and actions
 *
 * lib/check has found the types, the fields and the variables, and has folded constants.  The
 * order of compilation determines the order in which references are resolved: values, variables,
 * keys, actions.  A reference that is an operand is read once: reading clears the variable.
 *
 * Parts of a key begin at multiples of 8 bytes.  A string has the length of its field, or 256 bytes
 * if the field has a dynamic length.  A stack has room for 16 addresses.
 *
 * Each parameter of an action is a reference to a variable.  A parameter that is a field gets a
 * hidden variable.  A field of this event uses a variable of this histogram.  A field of the
 * matching event uses a hidden histogram on that event with the same keys.
 *
 * Source: create_hist_data(), create_actions(), parse_expr(), create_hist_field(),
 * create_var_ref(), hist_field_get_div_fn(), track_data_create(), trace_action_create(),
 * create_field_var(), create_field_var_hist() and action_create() in
 * kernel/trace/trace_events_hist.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/check/typed.h"
#include "lib/engine/engine_private.h"
#include "lib/engine/value.h"
#include "lib/expr/expr_parts.h"

/* The state of one compilation. */
struct compilation {
	struct hist_engine *engine;
	struct engine_histogram *hist;
	struct engine_event *on;
	const struct hist_event *event; /* with the places of its fields */
	const struct hist_expr *expr;
	const struct hist_typed_trigger *typed; /* of @expr */
	bool swap;		/* of the event's bytes */
	unsigned int long_size; /* in the event */
	struct hist_error *error;
};

/* hist_field_get_div_fn() */
static void value_divide_by(struct value *v, uint64_t divisor)
{
	v->number = divisor;
	if (!(divisor & (divisor - 1))) {
		v->fn = VALUE_DIV_SHIFT;
		v->number = __builtin_ctzll(divisor);
	} else if (divisor > UINT64_C(1) << DIVIDE_SHORT_BITS) {
		v->fn = VALUE_DIV_PLAIN;
	} else {
		v->fn = VALUE_DIV_SHORT;
		v->factor = (UINT64_C(1) << DIVIDE_SHORT_BITS) / divisor;
	}
}

/* Sets fn, and the members for fast_load(). */
static void value_set_load(struct value *v, unsigned int offset, unsigned int size, bool is_signed,
			   bool swap)
{
	v->fn = value_load_fn(size, is_signed, swap);
	v->offset = offset;
	v->size = size;
	if (v->fn == VALUE_NUMBER || swap || offset + size < 8 ||
	    __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return;
	v->is_quick = true;
	v->quick.at = offset + size - 8;
	v->quick.shift = 64 - size * 8;
	v->quick.mask = is_signed || size == 8 ? UINT64_MAX : (UINT64_C(1) << size * 8) - 1;
}

/* A new value without operands.  NULL if out of memory. */
static struct value *compile_add_value(struct compilation *m, enum value_fn fn)
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

/* Adds a variable, which the caller fills.  -EINVAL: more than the kernel supports. */
static int compile_add_variable(struct compilation *m, struct hist_span at,
				struct engine_variable **variable)
{
	struct engine_histogram *hist = m->hist;

	*variable = NULL;
	if (hist->nvars == ENGINE_VARS_MAX)
		return hist_expr_error_refuse(m->error, at, "",
					      "the kernel accepts at most %u variables",
					      ENGINE_VARS_MAX);
	*variable = &hist->vars[hist->nvars];
	**variable = (struct engine_variable){ .index = hist->nvars++, .string = -1 };
	hist->is_ordered = true;
	return 0;
}

/* Finds or adds a reference; *@place is its index in refs[].  -EINVAL: too many. */
static int compile_add_reference(struct compilation *m, struct engine_histogram *of,
				 unsigned int index, struct hist_span at, unsigned int *place)
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
	*value = range = compile_add_value(m, typed->modifier == HIST_MOD_BUCKETS ? VALUE_BUCKET :
					      typed->bucket ? VALUE_FINE_LOG2 : VALUE_LOG2);
	if (!range)
		return -ENOMEM;
	range->left = v;
	range->is_signed = typed->field && typed->field->is_signed;
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

static int compile_value_tree(const struct value **result, struct compilation *m,
			      const struct hist_typed *typed);

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

/* A value.  -EINVAL with *@m->error, -ENOMEM. */
static int compile_value_tree(const struct value **result, struct compilation *m,
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

/* A field of this event in a variable of its own. */
static int make_own_field(struct compilation *m, const struct hist_typed *typed,
			  struct engine_variable **variable)
{
	const struct value *value;
	int ret;

	ret = compile_value_tree(&value, m, typed);
	if (ret)
		return ret;
	if (value->fn == VALUE_STACK)
		return hist_expr_error_refuse(m->error, typed->at, "",
					      "this stack field cannot be used: the kernel would "
					      "use the current stack instead");
	ret = compile_add_variable(m, typed->at, variable);
	if (ret)
		return ret;
	(*variable)->value = value;
	/* an element has room for the bytes of a string or a stack */
	if (value->is_string || value->is_stack)
		(*variable)->string = m->hist->nstrings++;
	return 0;
}

/* The keys of a trigger as they were written. */
static void print_keys(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->keys.n; i++) {
		hist_strbuf_str(b, i ? "," : "hist:keys=");
		hist_strbuf_add(b, expr->text + expr->keys.field[i].span.start,
				expr->keys.field[i].span.len);
	}
}

/* Add a trigger with the keys and filter of @like, on its event, that sets @name to @field. */
static int compile_add_hidden_trigger(struct compilation *m, const struct trigger *like,
				      const char *name,
				      const char *field)
{
	struct hist_strbuf b = { 0 };
	struct hist_expr *hidden;
	int ret;

	print_keys(&b, like->hist->expr);
	hist_strbuf_printf(&b, ":%s=%s", name, field);
	if (like->expr->filter)
		hist_strbuf_printf(&b, " if %s", like->expr->filter);
	hist_strbuf_char(&b, '\0');
	ret = b.error ? b.error : hist_expr_parse(&hidden, b.data, NULL);
	hist_strbuf_free(&b);
	return ret ? ret : engine_add(m->engine, like->on, hidden, hidden, m->error);
}

static bool compile_find_action(const struct engine_event *on, const char *name,
				struct engine_histogram **of,
				unsigned int *index)
{
	uint32_t i, j;

	for (i = 0; i < on->ntriggers; i++) {
		*of = on->triggers[i]->hist;
		for (j = 0; *of && j < (*of)->ndefined; j++) {
			*index = j;
			if (!strcmp((*of)->vars[j].name, name))
				return true;
		}
	}
	return false;
}

/* A field of the event of @like, a trigger with the same types of keys: a variable there. */
static int make_other_field(struct compilation *m, const struct trigger *like, const char *field,
			    struct engine_histogram **of, unsigned int *index)
{
	char name[128];
	int ret;

	snprintf(name, sizeof(name), "synthetic_%s", field);
	if (compile_find_action(like->on, name, of, index))
		return 0;
	ret = compile_add_hidden_trigger(m, like, name, field);
	return ret || compile_find_action(like->on, name, of, index) ? ret : -EINVAL;
}

/* The variable that has the value of a parameter. */
static int make_param(struct compilation *m, const struct hist_param *param,
		      const struct hist_typed_param *typed, struct engine_histogram **of,
		      unsigned int *index)
{
	struct engine_variable *own = NULL;
	int ret;

	*of = m->hist;
	*index = typed->variable;
	if (typed->trigger != HIST_THIS_TRIGGER)
		*of = m->engine->numbered[typed->trigger]->hist;
	if (param->is_variable)
		return 0;
	if (typed->trigger != HIST_THIS_TRIGGER)
		return make_other_field(m, m->engine->numbered[typed->trigger], param->name, of,
					index);
	ret = make_own_field(m, typed->value, &own);
	if (ret)
		return ret;
	*index = own->index;
	m->hist->field_vars[m->hist->nfield_vars++] = own->index;
	return 0;
}

static int make_trace(struct compilation *m, struct engine_action *to,
		      const struct hist_action *action,
		      const struct hist_typed_action *typed)
{
	struct engine_histogram *of;
	unsigned int i, index;
	int ret;

	to->synth = engine_find_event(m->engine, "synthetic", action->synth);
	for (i = 0; i < action->nparams; i++) {
		const struct hist_param *param = &action->params[i];

		if (hist_field_is_string(hist_event_field(to->synth->own, i)) &&
		    !typed->params[i].value->is_string)
			return hist_expr_error_refuse(m->error, param->span,
						      "use --engine kernel",
						      "the event contains only the address of the "
						      "string");
		ret = make_param(m, param, &typed->params[i], &of, &index);
		if (!ret)
			ret = compile_add_reference(m, of, index, param->span, &to->params[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static int make_save(struct compilation *m, const struct hist_action *action,
		     const struct hist_typed_action *typed)
{
	struct engine_variable *own = NULL;
	unsigned int i;
	int ret;

	for (i = 0; i < action->nparams; i++) {
		const struct hist_typed *value = typed->params[i].value;
		const struct hist_param *param = &action->params[i];

		/* "comm" is not an alias of common_comm here (comm_is_field) */
		if (param->is_variable || (value->meaning == HIST_MEANS_COMM &&
					   strcmp(param->text, "common_comm")))
			return hist_expr_error_refuse(m->error, param->span, "", "no such field");
		ret = make_own_field(m, value, &own);
		if (ret)
			return ret;
		if (own->value->is_stack)
			return hist_expr_error_refuse(m->error, param->span, "",
						      "save() cannot store a stack, only its "
						      "address");
		m->hist->save_vars[m->hist->nsave_vars++] = own->index;
	}
	return 0;
}

/* $x of onmax() and onchange(), a variable of this trigger */
static int make_tracked(struct compilation *m, struct engine_action *to,
			const struct hist_action *action, unsigned int tracked)
{
	const struct value *value = m->hist->vars[tracked].value;
	struct engine_variable *track, *peak;
	int ret;

	if (value->is_string || value->is_stack)
		return hist_expr_error_refuse(m->error, action->subject_span, "",
					      "the variable is not a number");
	ret = compile_add_reference(m, m->hist, tracked, action->subject_span, &to->tracked);
	if (!ret)
		ret = compile_add_variable(m, action->subject_span, &track);
	if (ret)
		return ret;
	to->track = track->index;
	if (hist_schema_peak(m->hist->schema) < 0)
		return 0;
	ret = compile_add_variable(m, action->subject_span, &peak);
	if (!ret)
		to->peak = peak->index;
	return ret;
}

static int make_action(struct compilation *m, unsigned int i)
{
	const struct hist_typed_action *typed = &m->typed->actions[i];
	const struct hist_action *action = &m->expr->actions[i];
	struct engine_action *to = &m->hist->actions[i];
	int ret = 0;

	to->peak = -1;
	to->handler = action->handler;
	to->kind = action->kind;
	if (action->kind == HIST_ACTION_SNAPSHOT)
		return hist_expr_error_refuse(m->error, action->span, "",
					      "snapshot() works only in a running kernel");
	if (action->handler != HIST_ONMATCH)
		ret = make_tracked(m, to, action, typed->tracked);
	if (ret)
		return ret;
	return action->kind == HIST_ACTION_SAVE ? make_save(m, action, typed) :
						  make_trace(m, to, action, typed);
}

static int compile_actions(struct compilation *m)
{
	unsigned int i;
	int ret = 0;

	if (!m->expr->nactions)
		return 0;
	m->hist->actions = calloc(m->expr->nactions, sizeof(*m->hist->actions));
	if (!m->hist->actions)
		return -ENOMEM;
	m->hist->nactions = m->expr->nactions;
	for (i = 0; !ret && i < m->expr->nactions; i++)
		ret = make_action(m, i);
	return ret;
}

static struct hist_span compile_whole_span(const struct hist_expr *expr)
{
	return (struct hist_span){ 0, strlen(expr->text) };
}

/* The sums, and which of them each value of a row shows; the order is hist_schema_make()'s. */
static int make_sums(struct compilation *m)
{
	struct engine_histogram *hist = m->hist;
	unsigned int i, row = 0;
	struct value *one;
	int ret;

	one = compile_add_value(m, VALUE_NUMBER);
	if (!one)
		return -ENOMEM;
	one->number = 1;
	hist->sums[hist->nsums++] = one;
	if (!m->expr->nohitcount)
		hist->shown[row++] = 0;
	for (i = 0; i < m->typed->nvalues; i++) {
		ret = compile_value_tree(&hist->sums[hist->nsums], m, m->typed->values[i]);
		if (ret)
			return ret;
		hist->nsums++;
		/* the kernel does not print the sums of operators */
		if (row < hist->schema->nvalues && m->typed->values[i]->kind < HIST_NODE_NEGATE)
			hist->shown[row++] = hist->nsums - 1;
	}
	return 0;
}

static int make_variables(struct compilation *m)
{
	struct engine_histogram *hist = m->hist;
	struct engine_variable *variable;
	const struct value *value;
	unsigned int i;
	int ret;

	for (i = 0; i < m->expr->nvariables; i++) {
		const struct hist_variable *v = &m->expr->variables[i];

		ret = compile_value_tree(&value, m, m->typed->variables[i]);
		if (!ret)
			ret = compile_add_variable(m, v->span, &variable);
		if (ret)
			return ret;
		if (value->fn == VALUE_STACK)
			return hist_expr_error_refuse(m->error, v->span, "",
						      "this stack field cannot be used: the kernel "
						      "would use the current stack instead");
		variable->name = v->name;
		variable->value = value;
		/* an alias of a string variable has the address of that string */
		if (value->fn != VALUE_REFERENCE && (value->is_string || value->is_stack))
			variable->string = hist->nstrings++;
	}
	hist->ndefined = hist->nvars;
	return 0;
}

static int make_keys(struct compilation *m)
{
	struct engine_histogram *hist = m->hist;
	unsigned int i;
	uint32_t at = 0;
	int ret;

	for (i = 0; i < m->expr->keys.n; i++) {
		struct key_part *part = &hist->keys[i];

		ret = compile_value_tree(&part->value, m, m->typed->keys[i]);
		if (ret)
			return ret;
		part->type = part->value->is_string  ? KEY_STRING
			     : part->value->is_stack ? KEY_STACK
						     : KEY_NUMBER;
		part->at = at;
		part->size = part->type == KEY_STRING  ? (m->typed->keys[i]->size + 7) / 8 * 8
			     : part->type == KEY_STACK ? ENGINE_STACK_DEPTH * 8
						       : 8;
		/* trigger_put_key_words() */
		if (part->type == KEY_STRING && part->value->fn == VALUE_ARRAY &&
		    part->value->size == part->size &&
		    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
			part->type = KEY_WORDS;
		at += part->size;
		hist->nkeys++;
	}
	hist->key_words = at / 8;
	if (hist->key_words > ENGINE_KEY_WORDS)
		return hist_expr_error_refuse(m->error, compile_whole_span(m->expr), "",
					      "the keys are longer than the kernel's limit");
	return 0;
}

/* parse_map_size() rounds up to a power of two. */
static uint32_t compile_map_elements(const struct hist_expr *expr)
{
	uint32_t n = 1;

	if (!expr->size)
		return HIST_SIZE_DEFAULT;
	while (n < expr->size && n < UINT32_C(1) << 17)
		n *= 2;
	return n;
}

static void set_shape(struct engine_histogram *hist)
{
	struct map_shape *shape = &hist->shape;

	shape->key_words = hist->key_words;
	shape->sums = shape->key_words;
	shape->vars = shape->sums + hist->nsums;
	shape->set = shape->vars + hist->nvars;
	shape->comm = shape->set + !!hist->nvars;
	shape->words = shape->comm + hist->has_comm;
	shape->nstrings = hist->nstrings;
	shape->max = compile_map_elements(hist->expr);
}

/* One .usecs turns all time stamps of a trigger into microseconds. */
static void turn_to_usecs(struct engine_histogram *hist)
{
	uint32_t i;

	for (i = 0; i < hist->nvalues; i++)
		if (hist->values[i]->fn == VALUE_TIME)
			hist->values[i]->fn = VALUE_TIME_USECS;
}

/* common_timestamp/1000, as START and END of a latency have it: a function of its own is faster. */
static void cut_times(struct engine_histogram *hist)
{
	struct value *v;
	uint32_t i;

	for (i = 0; i < hist->nvalues; i++) {
		v = hist->values[i];
		if (v->fn == VALUE_DIV_SHORT && v->number == 1000 && v->left->fn == VALUE_TIME)
			v->fn = VALUE_TIME_CUT;
	}
}

/* A reference is looked up with this key, which must be as long as the other histogram's. */
static int check_references(const struct compilation *m)
{
	const struct engine_histogram *hist = m->hist;
	unsigned int i;

	for (i = 0; i < hist->nrefs; i++)
		if (hist->refs[i].of->key_words > hist->key_words)
			return hist_expr_error_refuse(m->error, compile_whole_span(m->expr),
						      "use the same keys in both histograms",
						      "the histogram that sets a variable has a "
						      "longer key than this histogram, so the "
						      "kernel would read a wrong value");
	return 0;
}

static void set_extent(struct engine_histogram *hist)
{
	uint32_t i, end;

	for (i = 0; i < hist->nvalues; i++) {
		end = hist->values[i]->offset + hist->values[i]->size;
		hist->extent = end > hist->extent ? end : hist->extent;
	}
}

static bool is_plain(const struct engine_histogram *hist)
{
	return !hist->nvars && !hist->nrefs && !hist->nactions && !hist->has_comm &&
	       !hist->wants_stack;
}

/* A short string in a long part leaves most words 0; trigger_make_string_key() needs pairs. */
static enum key_form find_key_form(const struct engine_histogram *hist)
{
	unsigned int i = 0;

	while (i < hist->nkeys && hist->keys[i].type == KEY_NUMBER)
		i++;
	if (i == hist->nkeys)
		return KEY_IS_NUMBERS;
	if (hist->nkeys == 1 && hist->keys[0].type == KEY_WORDS)
		return KEY_IS_WORDS;
	return hist->nkeys == 1 && hist->keys[0].type == KEY_STRING && !hist->nothers &&
	       hist->key_words > MAP_SHORT && hist->key_words % 2 == 0 ? KEY_IS_STRING :
									  KEY_IS_MIXED;
}

int engine_histogram_new(struct engine_histogram **result, struct hist_engine *engine,
			 struct engine_event *on,
			 const struct hist_expr *expr, const struct hist_typed_trigger *typed,
			 struct hist_error *error)
{
	struct engine_histogram *hist = calloc(1, sizeof(*hist));
	struct compilation m = {
		.engine = engine,
		.hist = hist,
		.on = on,
		.event = engine_event_format(on),
		.expr = expr,
		.typed = typed,
		.swap = !on->own && engine->machine.layout.swap,
		.long_size = on->own ? 8 : engine->machine.layout.long_size,
		.error = error,
	};
	int ret;

	if (!hist)
		return -ENOMEM;
	hist->expr = expr;
	ret = hist_schema_make(&hist->schema, expr, m.event);
	if (!ret)
		ret = hist_schema_add_peak(hist->schema);
	if (!ret)
		ret = make_sums(&m);
	if (!ret)
		ret = make_variables(&m);
	if (!ret)
		ret = make_keys(&m);
	if (!ret)
		ret = compile_actions(&m);
	if (!ret)
		ret = check_references(&m);
	if (ret) {
		engine_histogram_free(hist);
		return ret;
	}
	if (hist->usecs && engine->machine.clock_is_ns)
		turn_to_usecs(hist);
	cut_times(hist);
	set_shape(hist);
	set_extent(hist);
	hist->is_plain = is_plain(hist);
	hist->key_form = find_key_form(hist);
	hist->is_numeric = hist->key_form == KEY_IS_NUMBERS && !hist->nstrings &&
			   !hist->has_comm && !hist->wants_stack;
	hist->is_simple = hist->is_plain && hist->is_numeric;
	*result = hist;
	return 0;
}

void engine_histogram_free(struct engine_histogram *hist)
{
	uint32_t i;

	if (!hist)
		return;
	for (i = 0; i < hist->nvalues; i++)
		free(hist->values[i]);
	free(hist->values);
	free(hist->actions);
	hist_schema_free(hist->schema);
	free(hist);
}
