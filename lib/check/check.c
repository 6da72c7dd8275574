// SPDX-License-Identifier: LGPL-2.1
/*
 * check.c - check whether the kernel accepts an expression for an event
 *
 * Checks keys, values, sort keys, variables, actions and the filter, and reports the first error.
 * The limits are those of tracing_map.h and trace_events_hist.c; they are the same from 6.1 to
 * 6.12.
 *
 * The last step looks for a duplicate trigger, and at the other definition of a named histogram.
 * hist_trigger_match() compares the flags and types of the fields, the sort keys, the text of the
 * filter and the actions.  It does not compare size, clock, nohitcount, bucket widths or what an
 * expression computes.  A kernel with .log2=K also has the patch that compares widths, literals
 * and expressions (kernel-patches/mainline/a-fixes).  The step writes the compared properties of a
 * trigger, except its filter, into one line, and compares the lines.  The filters are compared
 * first, because many histograms of one event usually differ only in their filters.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/suggest.h"
#include "lib/check/check_private.h"

#define SORTS_MAX 2		/* TRACING_MAP_SORT_KEYS_MAX */
#define SIZE_MIN 65		/* rounded up to HIST_SIZE_LEAST */

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
	ret = hist_check_field_type(c, field, is_key, result);
	if (ret)
		return ret;
	typed = *result;
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
	return 0;
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

	if (expr->size && (expr->size < SIZE_MIN || expr->size > HIST_SIZE_MOST))
		return hist_expr_error_refuse(c->error, expr->size_span, "",
					      "size=%.*s: must be a number from %u to %u",
					      HIST_SHOW(expr->size_span.len),
					      expr->text + expr->size_span.start, SIZE_MIN,
					      HIST_SIZE_MOST);
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

/* --- duplicates --- */

static int check_put_field_text(struct hist_check *c, struct hist_strbuf *b,
				const struct hist_node *tree, enum hist_purpose purpose)
{
	struct hist_typed *t;
	int ret;

	ret = tree ? hist_check_type(c, tree, purpose, tree->span, &t) : -EINVAL;
	if (ret)
		return ret;
	hist_strbuf_printf(b, " %d.%d.%d%d%d.%s.%u.%d", t->meaning, t->modifier, t->is_reference,
			   t->is_usecs, t->is_constant, t->field ? t->field->name : "",
			   (t->size + 7) / 8 * 8, t->is_signed);
	if (c->kernel->fine_log2) {
		hist_strbuf_printf(b, ".%" PRIu64 ".%" PRIu64, t->bucket, t->constant);
		if (tree->kind != HIST_NODE_FIELD)
			hist_strbuf_add(b, c->expr->text + tree->span.start, tree->span.len);
	}
	return 0;
}

static void put_actions(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i, j;

	for (i = 0; i < expr->nactions; i++) {
		const struct hist_action *a = &expr->actions[i];

		hist_strbuf_printf(b, " A%d.%d %s %s", a->handler, a->kind, a->subject,
				   a->synth ? a->synth : a->name);
		for (j = 0; j < a->nparams; j++)
			hist_strbuf_printf(b, " %s", a->params[j].text);
	}
}

static void put_sorts(struct hist_strbuf *b, const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->sorts.n; i++)
		hist_strbuf_printf(b, " S%s.%d", expr->sorts.field[i].name,
				   expr->sorts.field[i].descending);
	/* the default sort key */
	if (!expr->sorts.n)
		hist_strbuf_str(b, " Shitcount.0");
}

/* 0; -EINVAL if a part does not have a type, so that it cannot be compared; -ENOMEM. */
static int check_describe_trigger(struct hist_check *c, struct hist_strbuf *b)
{
	const struct hist_expr *expr = c->expr;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < expr->values.n; i++)
		if (!hist_expr_field_is_hitcount(&expr->values.field[i]))
			ret = check_put_field_text(c, b, expr->values.field[i].tree,
						   HIST_FOR_VALUE);
	for (i = 0; !ret && i < expr->nvariables; i++) {
		hist_strbuf_printf(b, " V%s", expr->variables[i].name);
		ret = check_put_field_text(c, b, expr->variables[i].tree, HIST_FOR_VARIABLE);
	}
	for (i = 0; !ret && i < expr->keys.n; i++) {
		hist_strbuf_str(b, " K");
		ret = check_put_field_text(c, b, expr->keys.field[i].tree, HIST_FOR_KEY);
	}
	put_sorts(b, expr);
	put_actions(b, expr);
	return ret ? ret : b->error;
}

static bool check_texts_are_equal(const char *a, const char *b)
{
	return a ? b && !strcmp(a, b) : !b;
}

/*
 * True if the kernel considers both equal, except their filters.  @line is empty at first; it keeps
 * the line of the trigger of @c for the next comparison.
 */
static int check_compare_trigger(struct hist_check *c, unsigned int index, struct hist_strbuf *line,
				 bool *is_same)
{
	const struct hist_expr *a = c->expr, *b = c->context->triggers[index].expr;
	struct hist_check own = *c, there = hist_check_of(c, index);
	struct hist_strbuf other = { 0 };
	int ret = 0;

	*is_same = false;
	if (a->keys.n != b->keys.n || a->nvariables != b->nvariables || a->nactions != b->nactions)
		return 0;
	own.error = NULL;
	own.nreferences = 0;
	if (!line->len)
		ret = check_describe_trigger(&own, line);
	if (ret)
		hist_strbuf_clear(line);
	else
		ret = check_describe_trigger(&there, &other);
	*is_same = !ret && line->len == other.len && !memcmp(line->data, other.data, other.len);
	hist_strbuf_free(&other);
	return ret == -ENOMEM ? ret : 0;
}

static int check_histogram_name(struct hist_check *c, struct hist_strbuf *line)
{
	bool is_same;
	unsigned int i;
	int ret;

	for (i = 0; c->expr->name && i < c->nbefore; i++) {
		if (!check_texts_are_equal(c->expr->name, c->context->triggers[i].expr->name))
			continue;
		ret = check_compare_trigger(c, i, line, &is_same);
		if (ret || is_same)
			return ret;
		return hist_expr_error_refuse(
			c->error, c->expr->name_span,
			"use another name, or give both triggers the same keys, "
			"values, variables, sort keys and actions",
			"the histogram \"%.*s\" already exists with a different definition",
			HIST_SHOW(strlen(c->expr->name)), c->expr->name);
	}
	return 0;
}

static int check_refuse_duplicate(struct hist_check *c, bool is_others)
{
	struct hist_span at = { c->expr->params, c->expr->end - c->expr->params };

	if (is_others)
		return hist_expr_error_refuse(
			c->error, at,
			"change the keys, values or actions, or leave out -B to "
			"use a private instance",
			"another program has already set an equal trigger");
	return hist_expr_error_refuse(
		c->error, at, "change the keys, values or actions",
		"this trigger duplicates an earlier trigger: the kernel does not "
		"compare size, clock, bucket width or operators");
}

static int check_duplicates(struct hist_check *c)
{
	const struct hist_check_trigger *t;
	bool is_same = false, changes = c->expr->changes_existing;
	struct hist_strbuf line = { 0 };
	unsigned int i;
	int ret;

	ret = check_histogram_name(c, &line);
	for (i = 0; !ret && !is_same && i < c->nbefore; i++) {
		t = &c->context->triggers[i];
		if (t->expr->filter_hash != c->expr->filter_hash ||
		    !hist_event_is(t->event, c->event->system, c->event->name) ||
		    !check_texts_are_equal(c->expr->name, t->expr->name) ||
		    !check_texts_are_equal(c->expr->filter, t->expr->filter))
			continue;
		ret = check_compare_trigger(c, i, &line, &is_same);
	}
	hist_strbuf_free(&line);
	if (ret)
		return ret;
	changes |= is_same && c->expr->paused;
	if (changes && is_same && c->context->may_change)
		return 0;
	if (c->expr->changes_existing)
		return hist_expr_error_refuse(c->error, c->expr->changes_span, "leave it out",
					      "\"%.*s\" needs an existing trigger",
					      (int)c->expr->changes_span.len,
					      c->expr->text + c->expr->changes_span.start);
	return is_same ? check_refuse_duplicate(c, i - 1 < c->context->nothers) : 0;
}

int hist_check_typed(struct hist_typed_trigger **typed, const struct hist_expr *expr,
		     const struct hist_event *event, const struct hist_check_context *context,
		     struct hist_error *error)
{
	static int (*const steps[])(struct hist_check * c) = {
		check_counts, check_keys,	check_values,
		check_sorts,  check_variables,	hist_check_actions,
		check_filter, check_attributes, check_duplicates,
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
