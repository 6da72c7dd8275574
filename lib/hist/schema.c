// SPDX-License-Identifier: LGPL-2.1
/*
 * schema.c - make the schema of one histogram
 *
 * The kinds follow the order of the tests in hist_trigger_print_key() and
 * hist_trigger_print_val().  The values follow the order of hist_trigger_entry_print().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/field_resolve.h"
#include "lib/hist/field_units.h"
#include "lib/hist/key_names.h"
#include "lib/hist/saved_fields.h"
#include "lib/hist/schema.h"

#define STRING_BYTES 256 /* STR_VAR_LEN_MAX */
#define COMM_BYTES 16 /* TASK_COMM_LEN */

static int saved_add_field(struct hist_schema *schema, const char *name,
			   const struct hist_expr *expr,
			   const struct hist_field *field, const struct hist_event *event)
{
	const struct hist_event_field *of;
	struct hist_saved_desc *saved;
	struct hist_resolved resolved;

	if (array_add(&schema->saved, schema->nsaved, sizeof(*saved)))
		return -ENOMEM;
	saved = memset(&schema->saved[schema->nsaved], 0, sizeof(*saved));
	saved->name = strdup(name);
	if (!saved->name)
		return -ENOMEM;
	schema->nsaved++;
	hist_field_resolve(&resolved, expr, field, false, event);
	of = resolved.field;
	saved->is_string = of && hist_field_is_string(of);
	saved->is_unknown = resolved.meaning == HIST_MEANS_UNKNOWN ||
			    resolved.meaning == HIST_MEANS_NOTHING ||
			    resolved.meaning == HIST_MEANS_COMM;
	if (of && hist_field_is_number(of) && of->is_signed &&
	    resolved.modifier == HIST_MOD_NONE && of->size <= 8)
		saved->sign_size = of->size;
	return 0;
}

/* "max: N", then the fields of the trigger's save(); likewise below each such action. */
static int saved_add_line(struct hist_schema *schema, const struct hist_expr *expr,
			  const struct hist_action *action, const struct hist_event *event)
{
	struct hist_field field = { .name = action->subject, .is_expression = true };
	const struct hist_action *save;
	unsigned int i, j;
	int ret;

	ret = saved_add_field(schema, action->handler == HIST_ONMAX ? "max" : "changed", expr,
			      &field, event);
	if (!ret)
		schema->saved[schema->nsaved - 1].begins = true;
	for (i = 0; i < expr->nactions; i++) {
		save = &expr->actions[i];
		for (j = 0; save->kind == HIST_ACTION_SAVE && !ret && j < save->nparams; j++) {
			field.name = save->params[j].text;
			field.is_expression = save->params[j].is_variable;
			ret = saved_add_field(schema, field.name, expr, &field, event);
		}
	}
	return ret;
}

/* Fill saved[] of @schema.  On -ENOMEM some may be filled; call saved_free(). */
static int saved_make(struct hist_schema *schema, const struct hist_expr *expr,
		      const struct hist_event *event)
{
	const struct hist_action *action;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < expr->nactions; i++) {
		action = &expr->actions[i];
		if (action->handler != HIST_ONMATCH && action->kind != HIST_ACTION_SNAPSHOT)
			ret = saved_add_line(schema, expr, action, event);
	}
	return ret;
}

static void saved_free(struct hist_schema *schema)
{
	unsigned int i;

	for (i = 0; i < schema->nsaved; i++)
		free(schema->saved[i].name);
	free(schema->saved);
	schema->saved = NULL;
	schema->nsaved = 0;
}

static int saved_copy(struct hist_schema *to, const struct hist_schema *from)
{
	bool complete = true;

	to->nsaved = 0;
	to->saved = calloc(from->nsaved + 1, sizeof(*to->saved));
	if (!to->saved)
		return -ENOMEM;
	for (; to->nsaved < from->nsaved; to->nsaved++) {
		to->saved[to->nsaved] = from->saved[to->nsaved];
		to->saved[to->nsaved].name = strdup(from->saved[to->nsaved].name);
		complete &= to->saved[to->nsaved].name != NULL;
	}
	return complete ? 0 : -ENOMEM;
}

static bool field_is_signed(const struct hist_resolved *resolved)
{
	return resolved->field && hist_field_is_number(resolved->field) &&
	       resolved->field->is_signed;
}

/*
 * The result of order_base_2() for negative numbers: they are sign-extended and passed as an
 * unsigned long.  For a field of up to 32 bits, no other number gives 32 or more.  For a field of
 * 64 bits, a 32-bit kernel looks at only half of the number.
 */
static uint64_t negative_order(unsigned int size)
{
	return size > 4 ? 64 : 32;
}

static enum hist_key_kind plain_kind(const struct hist_resolved *resolved)
{
	if (resolved->meaning == HIST_MEANS_STACK)
		return HIST_KEY_STACK;
	if (resolved->meaning == HIST_MEANS_UNKNOWN || resolved->meaning == HIST_MEANS_NOTHING)
		return HIST_KEY_UNKNOWN;
	if (resolved->meaning == HIST_MEANS_COMM ||
	    (resolved->field && hist_field_is_string(resolved->field)))
		return HIST_KEY_STRING;
	if (resolved->field && hist_field_is_stack(resolved->field))
		return HIST_KEY_STACK;
	return HIST_KEY_NUM;
}

static enum hist_key_kind schema_find_key_kind(const struct hist_resolved *resolved)
{
	enum hist_key_kind kind = hist_key_find(hist_modifier_name(resolved->modifier));

	/* The kernel accepts .usecs for any field, but it changes only a time stamp. */
	if (kind == HIST_KEY_USECS && resolved->meaning != HIST_MEANS_TIMESTAMP)
		kind = HIST_KEY_KINDS;
	if (kind == HIST_KEY_LOG2 && resolved->bucket)
		kind = HIST_KEY_FINE_LOG2;
	return kind == HIST_KEY_KINDS ? plain_kind(resolved) : kind;
}

/* Connect a number to the names that its event has for it. */
static int schema_find_names(struct hist_key_desc *key, const struct hist_event *event,
			     const struct hist_resolved *resolved)
{
	struct hist_field_names *source;
	int ret;

	if (!event || !resolved->field)
		return 0;
	if (key->kind == HIST_KEY_SYSCALL)
		ret = hist_field_names_new(&source, event, NULL);
	else if (key->kind == HIST_KEY_NUM)
		ret = hist_field_names_new(&source, event, resolved->field);
	else
		return 0;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	key->names = hist_key_names_new(hist_field_names_flags(source), source);
	return key->names ? 0 : -ENOMEM;
}

/*
 * A key has 256 bytes for a string of any length (STR_VAR_LEN_MAX), of which the last is 0.  A
 * string of fixed length is whole, but one of a synthetic event was cut to its length before.  The
 * kernel's names of tasks are not longer than their 16 bytes.
 */
static unsigned int find_longest(const struct hist_key_desc *key, const struct hist_event *event,
				 const struct hist_event_field *field)
{
	if (key->kind != HIST_KEY_STRING || !field)
		return 0;
	if (field->is_dynamic)
		return STRING_BYTES - 1;
	return strcmp(event->system, "synthetic") || field->size == COMM_BYTES ? 0
									       : field->size - 1;
}

static int schema_add_key(struct hist_schema *schema, const struct hist_expr *expr,
			  const struct hist_field *field, const struct hist_event *event)
{
	struct hist_key_desc *key = &schema->keys[schema->nkeys];
	struct hist_resolved resolved;

	if (schema->nkeys == HIST_KEYS_MAX)
		return -EINVAL;
	hist_field_resolve(&resolved, expr, field, true, event);
	key->name = strdup(resolved.name);
	if (!key->name)
		return -ENOMEM;
	key->kind = schema_find_key_kind(&resolved);
	key->bucket = resolved.bucket;
	key->is_signed = hist_key_traits(key)->has_sign && field_is_signed(&resolved);
	if (key->is_signed && hist_key_is_log2(key))
		key->bucket = negative_order(resolved.field->size);
	key->longest = find_longest(key, event, resolved.field);
	schema->nkeys++;
	return schema_find_names(key, event, &resolved);
}

/* Takes ownership of @name. */
static int add_value(struct hist_schema *schema, char *name, enum hist_value_kind kind,
		     bool is_signed)
{
	if (!name)
		return -ENOMEM;
	if (schema->nvalues == HIST_VALUES_MAX) {
		free(name);
		return -EINVAL;
	}
	schema->values[schema->nvalues++] = (struct hist_value_desc){
		.name = name,
		.kind = kind,
		.is_signed = is_signed,
	};
	return 0;
}

const char *hist_schema_value_modifier(enum hist_value_kind kind)
{
	static const char *const names[] = {
		[HIST_VALUE_SUM] = "",
		[HIST_VALUE_HEX] = "hex",
		[HIST_VALUE_PERCENT] = "percent",
		[HIST_VALUE_GRAPH] = "graph",
		[HIST_VALUE_SAVED] = "",
		[HIST_VALUE_WORST] = "",
		[HIST_VALUE_PEAK] = "",
	};

	return names[kind];
}

/* __get_percentage() in kernel/trace/trace_events_hist.c; 0 if it does not give a result. */
static uint32_t schema_compute_percentage(uint64_t value, uint64_t total, unsigned int long_size)
{
	uint32_t result;

	if (!total)
		return 0;
	if (value < UINT64_MAX / 10000)
		value *= 10000;
	else
		total /= 10000;
	/* div64_ul() of a 32-bit kernel */
	if (long_size == 4)
		total = (uint32_t)total;
	result = total ? value / total : UINT32_MAX;
	return result == UINT32_MAX ? 0 : result;
}

uint64_t hist_value_convert(enum hist_value_kind kind, uint64_t value, uint64_t whole,
			    unsigned int long_size)
{
	uint32_t bar;

	switch (kind) {
	case HIST_VALUE_PERCENT:
		return schema_compute_percentage(value, whole, long_size);
	case HIST_VALUE_GRAPH:
		bar = schema_compute_percentage(value, whole, long_size) * 20 / 10000;
		return bar < 20 ? bar : 20;
	default:
		return value;
	}
}

static int add_field_value(struct hist_schema *schema, const struct hist_expr *expr,
			   const struct hist_field *field, const struct hist_event *event)
{
	struct hist_resolved resolved;
	enum hist_value_kind kind;

	hist_field_resolve(&resolved, expr, field, false, event);
	if (resolved.meaning == HIST_MEANS_EXPRESSION)
		return 0;
	kind = HIST_VALUE_GRAPH;
	while (kind > HIST_VALUE_SUM &&
	       strcmp(hist_schema_value_modifier(kind), hist_modifier_name(resolved.modifier)))
		kind--;
	return add_value(schema, strdup(resolved.name), kind,
			 kind == HIST_VALUE_SUM && field_is_signed(&resolved));
}

static int schema_add_values(struct hist_schema *schema, const struct hist_expr *expr,
			     const struct hist_event *event)
{
	const struct hist_field *value;
	bool hitcount = false;
	unsigned int i;
	int ret;

	if (!expr->nohitcount) {
		ret = add_value(schema, strdup("hitcount"), HIST_VALUE_SUM, false);
		if (ret)
			return ret;
	}
	for (i = 0; i < expr->values.n; i++) {
		value = &expr->values.field[i];
		if (!hitcount && hist_expr_field_is_hitcount(value)) {
			hitcount = true;
			continue;
		}
		ret = add_field_value(schema, expr, value, event);
		if (ret)
			return ret;
	}
	return 0;
}

static const char *schema_find_unit(const struct hist_event *event, const char *name)
{
	const struct hist_event_field *field = hist_event_find(event, name);

	return field ? field->unit : NULL;
}

static void schema_set_units(struct hist_schema *schema, const struct hist_event *event)
{
	unsigned int i;

	for (i = 0; i < schema->nkeys; i++)
		schema->keys[i].unit = schema_find_unit(event, schema->keys[i].name);
	for (i = 0; i < schema->nvalues; i++)
		schema->values[i].unit = schema_find_unit(event, schema->values[i].name);
	field_units_set(schema, event->system, event->name);
}

int hist_schema_make(struct hist_schema **result, const struct hist_expr *expr,
		     const struct hist_event *event)
{
	struct hist_schema *schema;
	unsigned int i;
	int ret = 0;

	schema = calloc(1, sizeof(*schema));
	if (!schema)
		return -ENOMEM;
	for (i = 0; !ret && i < expr->keys.n; i++)
		ret = schema_add_key(schema, expr, &expr->keys.field[i], event);
	if (!ret)
		ret = schema_add_values(schema, expr, event);
	if (!ret)
		ret = saved_make(schema, expr, event);
	if (!ret && schema->nsaved)
		ret = saved_is_worst(expr) ?
		      add_value(schema, strdup("worst"), HIST_VALUE_WORST, false) :
		      add_value(schema, strdup("saved"), HIST_VALUE_SAVED, false);
	if (!ret && (!schema->nkeys || !schema->nvalues))
		ret = -EINVAL;
	if (ret) {
		hist_schema_free(schema);
		return ret;
	}
	if (event)
		schema_set_units(schema, event);
	*result = schema;
	return 0;
}

struct hist_schema *hist_schema_copy(const struct hist_schema *schema)
{
	struct hist_schema *copy = malloc(sizeof(*copy));
	bool complete = true;
	unsigned int i;

	if (!copy)
		return NULL;
	*copy = *schema;
	for (i = 0; i < schema->nkeys; i++) {
		complete &= (copy->keys[i].name = strdup(schema->keys[i].name)) != NULL;
		hist_key_names_get(copy->keys[i].names);
	}
	for (i = 0; i < schema->nvalues; i++)
		complete &= (copy->values[i].name = strdup(schema->values[i].name)) != NULL;
	complete &= !saved_copy(copy, schema);
	if (!complete) {
		hist_schema_free(copy);
		return NULL;
	}
	return copy;
}

void hist_schema_free(struct hist_schema *schema)
{
	unsigned int i;

	if (!schema)
		return;
	for (i = 0; i < schema->nkeys; i++) {
		free(schema->keys[i].name);
		hist_key_names_put(schema->keys[i].names);
	}
	for (i = 0; i < schema->nvalues; i++)
		free(schema->values[i].name);
	saved_free(schema);
	free(schema);
}

int hist_schema_hitcount(const struct hist_schema *schema)
{
	unsigned int i;

	for (i = 0; i < schema->nvalues; i++)
		if (schema->values[i].kind == HIST_VALUE_SUM &&
		    !strcmp(schema->values[i].name, "hitcount"))
			return i;
	return -1;
}

static int find_kind(const struct hist_schema *schema, enum hist_key_kind kind)
{
	unsigned int i;

	for (i = 0; i < schema->nkeys; i++)
		if (schema->keys[i].kind == kind)
			return i;
	return -1;
}

bool hist_schema_is_settled(const struct hist_schema *schema)
{
	return find_kind(schema, HIST_KEY_UNKNOWN) < 0;
}

int hist_schema_worst(const struct hist_schema *schema)
{
	unsigned int n = schema->nvalues;

	return n && schema->values[n - 1].kind == HIST_VALUE_WORST ? (int)n - 1 : -1;
}

int hist_schema_peak(const struct hist_schema *schema)
{
	int i = hist_schema_worst(schema) - 1;

	return i >= 0 && schema->values[i].kind == HIST_VALUE_PEAK ? i : -1;
}

int hist_schema_add_peak(struct hist_schema *schema)
{
	int worst = hist_schema_worst(schema);
	struct hist_value_desc desc;
	int ret;

	if (worst < 0 || schema->nvalues == HIST_VALUES_MAX)
		return 0;
	ret = add_value(schema, strdup("peak"), HIST_VALUE_PEAK, false);
	if (ret)
		return ret;
	desc = schema->values[worst];
	schema->values[worst] = schema->values[worst + 1];
	schema->values[worst + 1] = desc;
	return 0;
}

unsigned int hist_schema_columns(const struct hist_schema *schema)
{
	return schema->nvalues - (hist_schema_worst(schema) >= 0) - (hist_schema_peak(schema) >= 0);
}

int hist_schema_stack_key(const struct hist_schema *schema)
{
	return find_kind(schema, HIST_KEY_STACK);
}
