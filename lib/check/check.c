// SPDX-License-Identifier: LGPL-2.1
/*
 * check.c - check whether the kernel accepts an expression for an event
 *
 * Checks keys, values, sort keys, variables, actions and the filter, and reports the first error.
 * The limits are those of tracing_map.h and trace_events_hist.c; they are the same from 6.1 to
 * 6.12.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check_private.h"

#define SORTS_MAX 2		/* TRACING_MAP_SORT_KEYS_MAX */
#define SIZE_MIN 65		/* rounded up: 2^TRACING_MAP_BITS_MIN */
#define SIZE_MAX_ENTRIES 131072 /* 2^TRACING_MAP_BITS_MAX */

/* The parts of HIST_KEY_SIZE_MAX. */
#define STRING_BYTES 256 /* MAX_FILTER_STR_VAL */

static int check_too_many(struct hist_check *c, struct hist_span at, const char *what,
			  unsigned int max)
{
	return hist_expr_error_refuse(c->error, at, "", "the kernel accepts at most %u %s", max,
				      what);
}

/* The bytes that create_hist_field() reserves in the compound key. */
static unsigned int key_bytes(const struct hist_typed *key, unsigned int stack)
{
	const struct hist_event_field *f = key->field;

	if (key->meaning == HIST_MEANS_STACK || key->modifier == HIST_MOD_STACKTRACE)
		return stack;
	if (key->meaning == HIST_MEANS_COMM)
		return STRING_BYTES;
	if (!f || hist_field_is_number(f))
		return sizeof(uint64_t);
	if (hist_field_is_string(f) && !f->is_dynamic)
		return (f->size + 7) / 8 * 8;
	return STRING_BYTES;
}

/* The first $variable that is not a plain field of this trigger (field_has_hist_vars()). */
static const struct hist_node *find_reference(const struct hist_expr *expr,
					      const struct hist_node *node)
{
	const struct hist_variable *variable;
	const struct hist_node *found;

	if (!node)
		return NULL;
	if (node->kind != HIST_NODE_VARIABLE) {
		found = find_reference(expr, node->left);
		return found ? found : find_reference(expr, node->right);
	}
	variable = hist_expr_find_variable(expr, node->name);
	return variable && variable->tree && variable->tree->kind == HIST_NODE_FIELD ? NULL : node;
}

static int check_expression(struct hist_check *c, const struct hist_field *field,
			    const struct hist_typed *typed, bool is_key)
{
	int len = HIST_SHOW(strlen(field->name));

	if (typed->is_constant && !typed->is_reference) {
		hist_expr_error_refuse(c->error, field->span, "",
				       "\"%.*s\" does not contain a field", len, field->name);
		return hist_check_hint_fields(c->event, c->error);
	}
	if (is_key || typed->unknown || (!typed->is_string && !typed->is_stack))
		return 0;
	return hist_expr_error_refuse(c->error, field->span, "",
				      "\"%.*s\" is %s, but a value must be a number", len,
				      field->name, hist_check_type_name(typed));
}

static int check_field(struct hist_check *c, const struct hist_field *field, bool is_key,
		       struct hist_typed **result)
{
	const struct hist_node *node = is_key ? find_reference(c->expr, field->tree) : NULL;
	struct hist_typed *typed;
	const char *name;
	int ret;

	if (node)
		return hist_expr_error_refuse(
			c->error, node->span,
			"use only variables that this trigger sets to a field",
			"\"%.*s\" cannot be part of a key", HIST_SHOW(node->span.len),
			c->expr->text + node->span.start);
	ret = hist_check_text_type(c, field->tree, field->name, field->span,
				   is_key ? HIST_FOR_KEY : HIST_FOR_VALUE, result);
	if (ret)
		return ret;
	typed = *result;
	if (typed->kind == HIST_NODE_FIELD)
		ret = hist_check_key_or_value(c, typed, is_key);
	else
		ret = check_expression(c, field, typed, is_key);
	/*
	 * The name that the kernel compares with sort=, from hist_field_name().  "cpu" and "comm"
	 * have other names if they are not fields of the event.  A stack does not have a name
	 * before 6.3.
	 */
	name = hist_field_printed_name(typed->meaning, typed->name ? typed->name : field->name);
	if (is_key && typed->meaning == HIST_MEANS_STACK && !c->kernel->stacks)
		name = "";
	if (is_key && !field->is_expression &&
	    (typed->meaning == HIST_MEANS_CPU || typed->meaning == HIST_MEANS_COMM))
		name = field->name;
	c->printed[c->nprinted++] = name;
	return ret;
}

static int check_keys(struct hist_check *c)
{
	const struct hist_expr *expr = c->expr;
	const struct hist_field *key;
	/*
	 * HIST_STACKTRACE_SIZE; 8 if the event does not show the size of a long: the kernel decides
	 */
	unsigned int stack = (c->kernel->deep_stacks ? HIST_STACK_FRAMES_DEEP : HIST_STACK_FRAMES) *
			     (hist_event_long_size(c->event) == 4 ? 4 : 8);
	unsigned int i, bytes = 0;
	int ret;

	for (i = 0; i < expr->keys.n; i++) {
		key = &expr->keys.field[i];
		if (i == HIST_TYPED_KEYS)
			return check_too_many(c, key->span, "keys", HIST_TYPED_KEYS);
		ret = check_field(c, key, true, &c->typed->keys[i]);
		if (ret)
			return ret;
		bytes += key_bytes(c->typed->keys[i], stack);
		if (bytes <= STRING_BYTES + stack)
			continue;
		hist_expr_error_refuse(c->error, key->span, "",
				       "the keys are longer than the kernel's limit of %u bytes",
				       STRING_BYTES + stack);
		return hist_expr_error_hint(c->error,
					    "use shorter keys; a string of variable length needs "
					    "%u bytes, a stack %u", STRING_BYTES, stack);
	}
	return 0;
}

static int check_nohitcount(struct hist_check *c)
{
	const struct hist_expr *expr = c->expr;

	if (!expr->nohitcount)
		return 0;
	if (!c->kernel->nohitcount)
		return hist_check_refuse_feature(c, expr->nohitcount_span, "nohitcount",
						 "leave it out, or " HIST_SINCE("6.2"));
	if (c->typed->nvalues)
		return 0;
	return hist_expr_error_refuse(c->error,
				      (struct hist_span){ expr->params, expr->end - expr->params },
				      "add a value, such as vals=hitcount.percent",
				      "nohitcount requires at least one other value");
}

static int check_values(struct hist_check *c)
{
	const struct hist_expr *expr = c->expr;
	const struct hist_field *value;
	bool hitcount = false;
	unsigned int i;
	int ret;

	for (i = 0; i < expr->values.n; i++) {
		value = &expr->values.field[i];
		if (hist_expr_field_is_hitcount(value)) {
			if (hitcount)
				return hist_expr_error_refuse(c->error, value->span, "",
							      "\"hitcount\" is given twice");
			hitcount = true;
			continue;
		}
		if (c->typed->nvalues == HIST_TYPED_VALUES)
			return check_too_many(c, value->span, "values in addition to hitcount",
					      HIST_TYPED_VALUES);
		ret = check_field(c, value, false, &c->typed->values[c->typed->nvalues++]);
		if (ret)
			return ret;
	}
	return check_nohitcount(c);
}

static bool is_printed(const struct hist_check *c, const char *name)
{
	unsigned int i;

	for (i = 0; i < c->nprinted; i++)
		if (!strcmp(c->printed[i], name))
			return true;
	return !strcmp(name, "hitcount");
}

static int bad_sort(const struct hist_check *c, const struct hist_field *sort)
{
	const char *candidates[HIST_TYPED_KEYS + HIST_TYPED_VALUES + 1], *near;

	hist_expr_error_set(c->error, sort->span.start, strlen(sort->name),
			    "sort key \"%.*s\" is neither a key nor a value",
			    HIST_SHOW(strlen(sort->name)), sort->name);
	memcpy(candidates, c->printed, sizeof(c->printed));
	candidates[c->nprinted] = "hitcount";
	near = hist_suggest(sort->name, candidates, c->nprinted + 1);
	/* the key "stacktrace" has another name for sort= */
	if (!strcasecmp(sort->name, "stacktrace") && is_printed(c, "common_stacktrace"))
		near = "common_stacktrace";
	if (near)
		return hist_expr_error_hint(c->error, "did you mean \"%s\"?", near);
	return hist_expr_error_hint(c->error, "use one of: hitcount, %.*s%s",
				    HIST_SHOW(strlen(c->printed[0])), c->printed[0],
				    c->nprinted > 1 ? ", ..." : "");
}

static int check_sorts(struct hist_check *c)
{
	const struct hist_expr *expr = c->expr;
	const struct hist_field *sort;
	unsigned int i;

	for (i = 0; i < expr->sorts.n; i++) {
		sort = &expr->sorts.field[i];
		if (i == SORTS_MAX)
			return check_too_many(c, sort->span, "sort keys", SORTS_MAX);
		if (!is_printed(c, sort->name))
			return bad_sort(c, sort);
		if (sort->modifier == HIST_MOD_NONE || sort->modifier == HIST_MOD_ASCENDING ||
		    sort->modifier == HIST_MOD_DESCENDING)
			continue;
		hist_expr_error_refuse(c->error, sort->modifier_span, "",
				       "\".%s\" cannot be used with a sort key",
				       hist_modifier_name(sort->modifier));
		return hist_expr_error_hint(c->error, "write \"%.*s%s\"",
					    HIST_SHOW(strlen(sort->name)),
					    sort->name, sort->descending ? ".descending" : "");
	}
	return 0;
}

static int check_counts(struct hist_check *c)
{
	unsigned int i, actions = 0, variables = 0;
	const struct hist_clause *clause;
	const char *s;

	for (i = 0; i < c->expr->nclauses; i++) {
		clause = &c->expr->clauses[i];
		if (clause->is_action) {
			if (actions++ == HIST_TYPED_ACTIONS)
				return check_too_many(c, clause->span, "actions",
						      HIST_TYPED_ACTIONS);
			continue;
		}
		variables++;
		for (s = clause->text; (s = strchr(s, ',')); s++)
			variables++;
		if (variables > HIST_TYPED_VARIABLES)
			return check_too_many(c, clause->span, "variables", HIST_TYPED_VARIABLES);
	}
	return 0;
}

/* All triggers of an event can set a variable only once (create_var_field()). */
static int check_set_once(struct hist_check *c, const struct hist_variable *variable)
{
	const char *system = c->event->system, *event = c->event->name;
	bool is_own = hist_expr_find_variable(c->expr, variable->name) != variable;
	struct hist_found found = { .trigger = NULL };
	size_t len = strlen(variable->name);

	if (!is_own)
		hist_check_find_event_variable(c, system, event, variable->name, &found);
	if (!is_own && !found.trigger)
		return 0;
	hist_expr_error_refuse(c->error, (struct hist_span){ variable->span.start, len },
			       "use another name", "the variable \"%.*s\" is set twice",
			       HIST_SHOW(len), variable->name);
	if (is_own)
		return -EINVAL;
	return hist_expr_error_hint(c->error, "use another name: a trigger of %s:%s already sets "
				    "this variable",
				    system, event);
}

static int check_variables(struct hist_check *c)
{
	const struct hist_variable *variable;
	unsigned int i;
	int ret;

	for (i = 0; i < c->expr->nvariables; i++) {
		variable = &c->expr->variables[i];
		if (!c->kernel->variables)
			return hist_check_refuse_feature(c, variable->span, "variables",
							 HIST_SINCE("4.17"));
		ret = hist_check_variable_type(c, variable, &c->typed->variables[i]);
		if (!ret)
			ret = check_set_once(c, variable);
		if (ret)
			return ret;
	}
	return 0;
}

static int check_filter(struct hist_check *c)
{
	if (!c->expr->filter)
		return 0;
	return hist_check_filter(c->expr->filter_tree, c->expr->filter, c->expr->filter_start,
				 c->event, c->kernel, c->error);
}

/* Is @clock a word in the text of trace_clock, "[local] global ..."? */
static bool is_clock(const char *clock, const char *text)
{
	size_t len;

	for (; *text; text += len) {
		text += strspn(text, " []\n");
		len = strcspn(text, " []\n");
		if (text_equals(text, len, clock))
			return true;
	}
	return false;
}

static int check_attributes(struct hist_check *c)
{
	const char *clocks = c->context->clocks;
	const struct hist_expr *expr = c->expr;

	if (expr->size && (expr->size < SIZE_MIN || expr->size > SIZE_MAX_ENTRIES))
		return hist_expr_error_refuse(c->error, expr->size_span, "",
					      "size=%.*s: must be a number from %u to %u",
					      HIST_SHOW(expr->size_span.len),
					      expr->text + expr->size_span.start, SIZE_MIN,
					      SIZE_MAX_ENTRIES);
	if (strlen(expr->text) > HIST_TEXT_MAX)
		return hist_expr_error_set(
			c->error, HIST_TEXT_MAX, 1,
			"the trigger is longer than the kernel's limit of %u bytes", HIST_TEXT_MAX);
	if (!expr->clock || !clocks || is_clock(expr->clock, clocks))
		return 0;
	hist_expr_error_refuse(c->error, expr->clock_span, "", "clock=%.*s: unknown trace clock",
			       HIST_SHOW(strlen(expr->clock)), expr->clock);
	return hist_expr_error_hint(c->error, "use one of: %.*s", (int)strcspn(clocks, "\n"),
				    clocks);
}

int hist_check_typed(struct hist_typed_trigger **typed, const struct hist_expr *expr,
		     const struct hist_event *event, const struct hist_check_context *context,
		     struct hist_error *error)
{
	static int (*const steps[])(struct hist_check *c) = {
		check_counts, check_keys,	check_values,
		check_sorts,  check_variables,	hist_check_actions,
		check_filter, check_attributes, hist_check_duplicates,
	};
	static const struct hist_check_context none;
	struct hist_check c = {
		.expr = expr,
		.event = event,
		.context = context ? context : &none,
		.nbefore = context ? context->ntriggers : 0,
		.error = error,
		.typed = calloc(1, sizeof(*c.typed)),
	};
	struct hist_kernel newest;
	unsigned int i;
	int ret = 0;

	if (!c.typed)
		return -ENOMEM;
	hist_kernel_set_engine(&newest);
	c.kernel = c.context->kernel ? c.context->kernel : &newest;
	for (i = 0; i < sizeof(steps) / sizeof(*steps) && !ret; i++)
		ret = steps[i](&c);
	if (ret)
		hist_check_typed_free(c.typed);
	else
		*typed = c.typed;
	return ret;
}

void hist_check_typed_free(struct hist_typed_trigger *typed)
{
	struct hist_typed *next;

	for (; typed && typed->all; typed->all = next) {
		next = typed->all->next;
		free(typed->all);
	}
	free(typed);
}

int hist_check_expr_in(const struct hist_expr *expr, const struct hist_event *event,
		       const struct hist_check_context *context, struct hist_error *error)
{
	struct hist_typed_trigger *typed;
	int ret = hist_check_typed(&typed, expr, event, context, error);

	if (!ret)
		hist_check_typed_free(typed);
	return ret;
}

int hist_check_expr(const struct hist_expr *expr, const struct hist_event *event,
		    struct hist_error *error)
{
	return hist_check_expr_in(expr, event, NULL, error);
}
