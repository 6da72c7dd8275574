// SPDX-License-Identifier: LGPL-2.1
/*
 * compile_histogram.c - compile a trigger expression into keys, sums and variables
 *
 * Parts of a key begin at multiples of 8 bytes.  A string has the length of its field, or 256 bytes
 * if the field has a dynamic length.  A stack has room for 16 addresses.
 *
 * Source: create_hist_data() in kernel/trace/trace_events_hist.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/engine/compile.h"
#include "lib/expr/expr_parts.h"

#define DEFAULT_SIZE 2048 /* 1 << TRACING_MAP_BITS_DEFAULT */

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
		return DEFAULT_SIZE;
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
