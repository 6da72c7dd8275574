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
#include "lib/check/check.h"
#include "lib/check/check_context.h"
#include "lib/check/check_field.h"
#include "lib/check/check_filter.h"
#include "lib/hist/schema.h"

#define KEYS_MAX HIST_KEYS_MAX	/* TRACING_MAP_KEYS_MAX */
#define VALUES_MAX 2		/* TRACING_MAP_VALS_MAX less one for hitcount */
#define SORTS_MAX 2		/* TRACING_MAP_SORT_KEYS_MAX */
#define ACTIONS_MAX 8		/* HIST_ACTIONS_MAX */
#define VARIABLES_MAX 16	/* TRACING_MAP_VARS_MAX */
#define SIZE_MIN 65		/* rounded up: 2^TRACING_MAP_BITS_MIN */
#define SIZE_MAX_ENTRIES 131072 /* 2^TRACING_MAP_BITS_MAX */
#define TEXT_MAX 4095		/* event_trigger_regex_write(): less than a page */

/* The parts of HIST_KEY_SIZE_MAX. */
#define STRING_BYTES 256 /* MAX_FILTER_STR_VAL */
#define STACK_DEPTH 16	 /* HIST_STACKTRACE_DEPTH, in longs */

/* The names that sort= accepts besides hitcount; malloc'ed. */
struct printed {
	char *names[KEYS_MAX + VALUES_MAX];
	unsigned int n;
};

static int too_many(struct hist_span at, struct hist_error *error, const char *what,
		    unsigned int max)
{
	return hist_error_set(error, at.start, at.len, "too many %s: the kernel takes %u", what,
			      max);
}

/*
 * HIST_STACKTRACE_SIZE.  If the event does not show the size of a long, assume 8; the kernel
 * decides.
 */
static unsigned int stack_bytes(const struct hist_event *event)
{
	return STACK_DEPTH * (hist_event_long_size(event) == 4 ? 4 : 8);
}

/* The bytes that create_hist_field() reserves in the compound key. */
static unsigned int key_bytes(const struct hist_resolved *resolved, unsigned int stack)
{
	const struct hist_event_field *f = resolved->field;

	if (resolved->meaning == HIST_MEANS_STACK || resolved->modifier == HIST_MOD_STACKTRACE)
		return stack;
	if (resolved->meaning == HIST_MEANS_COMM)
		return STRING_BYTES;
	if (!f || f->type == HIST_FIELD_NUMBER)
		return sizeof(uint64_t);
	if (f->type == HIST_FIELD_STRING && !f->is_dynamic)
		return (f->size + 7) / 8 * 8;
	return STRING_BYTES;
}

/*
 * The name that the kernel compares with sort=, from hist_field_name().  "cpu" and "comm" have
 * other names if they are not fields of the event.  A stack does not have a name before 6.3.
 */
static int name_for_sort(const struct hist_check *c, const struct hist_field *key,
			 const struct hist_resolved *resolved, char **name)
{
	char *own;

	if (resolved->meaning == HIST_MEANS_STACK && !c->kernel->stacks)
		(*name)[0] = '\0';
	if ((resolved->meaning != HIST_MEANS_CPU && resolved->meaning != HIST_MEANS_COMM) ||
	    key->is_expression)
		return 0;
	own = strdup(key->name);
	if (!own)
		return -ENOMEM;
	free(*name);
	*name = own;
	return 0;
}

static int check_keys(struct hist_check *c, struct printed *printed)
{
	const struct hist_expr *expr = c->expr;
	struct hist_resolved resolved;
	const struct hist_field *key;
	unsigned int i, bytes = 0, stack = stack_bytes(c->event);
	int ret;

	for (i = 0; i < expr->keys.n; i++) {
		key = &expr->keys.field[i];
		if (i == KEYS_MAX)
			return too_many(key->span, c->error, "keys", KEYS_MAX);
		ret = hist_check_field(&resolved, c, key, true);
		if (ret)
			return ret;
		bytes += key_bytes(&resolved, stack);
		printed->names[printed->n++] = resolved.name;
		ret = name_for_sort(c, key, &resolved, &printed->names[i]);
		if (ret)
			return ret;
		if (bytes > STRING_BYTES + stack) {
			hist_error_set(c->error, key->span.start, key->span.len,
				       "the keys are longer than the %u bytes the kernel takes",
				       STRING_BYTES + stack);
			hist_error_hint(c->error,
					"a string of variable length takes %u, a stack %u",
					STRING_BYTES, stack);
			return -EINVAL;
		}
	}
	return 0;
}

static int check_nohitcount(struct hist_check *c, unsigned int nvalues)
{
	const struct hist_expr *expr = c->expr;

	if (!expr->nohitcount)
		return 0;
	if (!c->kernel->nohitcount)
		return hist_kernel_lacks(c, expr->nohitcount_span, "no nohitcount",
					 "leave it out: Linux 6.2 has it");
	if (nvalues)
		return 0;
	hist_error_set(c->error, expr->params, expr->end - expr->params,
		       "nothing left to count with nohitcount");
	hist_error_hint(c->error, "give a value, as in vals=hitcount.percent");
	return -EINVAL;
}

static int check_values(struct hist_check *c, struct printed *printed)
{
	const struct hist_expr *expr = c->expr;
	struct hist_resolved resolved;
	const struct hist_field *value;
	unsigned int i, n = 0;
	bool hitcount = false;
	int ret;

	for (i = 0; i < expr->values.n; i++) {
		value = &expr->values.field[i];
		if (!value->is_expression && value->modifier == HIST_MOD_NONE &&
		    !strcmp(value->name, "hitcount")) {
			if (hitcount)
				return hist_error_set(c->error, value->span.start, value->span.len,
						      "\"hitcount\" is given twice");
			hitcount = true;
			continue;
		}
		if (n++ == VALUES_MAX)
			return too_many(value->span, c->error, "values beside hitcount",
					VALUES_MAX);
		ret = hist_check_field(&resolved, c, value, false);
		if (ret)
			return ret;
		printed->names[printed->n++] = resolved.name;
	}
	return check_nohitcount(c, n);
}

static bool is_printed(const struct printed *printed, const char *name)
{
	unsigned int i;

	for (i = 0; i < printed->n; i++)
		if (!strcmp(printed->names[i], name))
			return true;
	return !strcmp(name, "hitcount");
}

static int bad_sort(const struct hist_field *sort, const struct printed *printed,
		    struct hist_error *error)
{
	const char *candidates[KEYS_MAX + VALUES_MAX + 1], *near;
	unsigned int i;

	hist_error_set(error, sort->span.start, strlen(sort->name),
		       "sort key \"%.*s\" is neither key nor value", HIST_SHOW(strlen(sort->name)),
		       sort->name);
	for (i = 0; i < printed->n; i++)
		candidates[i] = printed->names[i];
	candidates[i++] = "hitcount";
	near = hist_suggest(sort->name, candidates, i);
	/* the key "stacktrace" has another name for sort= */
	if (!strcasecmp(sort->name, "stacktrace") && is_printed(printed, "common_stacktrace"))
		near = "common_stacktrace";
	if (near)
		hist_error_hint(error, "did you mean \"%s\"?", near);
	else
		hist_error_hint(error, "it may be hitcount, %.*s%s",
				HIST_SHOW(strlen(printed->names[0])), printed->names[0],
				printed->n > 1 ? ", ..." : "");
	return -EINVAL;
}

static int check_sorts(struct hist_check *c, const struct printed *printed)
{
	const struct hist_expr *expr = c->expr;
	struct hist_error *error = c->error;
	const struct hist_field *sort;
	unsigned int i;

	for (i = 0; i < expr->sorts.n; i++) {
		sort = &expr->sorts.field[i];
		if (i == SORTS_MAX)
			return too_many(sort->span, error, "sort keys", SORTS_MAX);
		if (!is_printed(printed, sort->name))
			return bad_sort(sort, printed, error);
		if (sort->modifier == HIST_MOD_NONE || sort->modifier == HIST_MOD_ASCENDING ||
		    sort->modifier == HIST_MOD_DESCENDING)
			continue;
		hist_error_set(error, sort->modifier_span.start, sort->modifier_span.len,
			       "\".%s\" does not fit a sort key",
			       hist_modifier_name(sort->modifier));
		hist_error_hint(error, "write \"%.*s%s\"", HIST_SHOW(strlen(sort->name)),
				sort->name, sort->descending ? ".descending" : "");
		return -EINVAL;
	}
	return 0;
}

static int check_counts(const struct hist_expr *expr, struct hist_error *error)
{
	unsigned int i, actions = 0, variables = 0;
	const struct hist_clause *clause;
	const char *s;

	for (i = 0; i < expr->nclauses; i++) {
		clause = &expr->clauses[i];
		if (clause->is_action) {
			if (actions++ == ACTIONS_MAX)
				return too_many(clause->span, error, "actions", ACTIONS_MAX);
			continue;
		}
		variables++;
		for (s = clause->text; (s = strchr(s, ',')); s++)
			variables++;
		if (variables > VARIABLES_MAX)
			return too_many(clause->span, error, "variables", VARIABLES_MAX);
	}
	return 0;
}

/* All triggers of an event can set a variable only once (create_var_field()). */
static int check_set_once(struct hist_check *c, const struct hist_variable *variable)
{
	struct hist_found found = { .trigger = NULL };
	size_t len = strlen(variable->name);
	const struct hist_variable *v;

	for (v = c->expr->variables; v < variable; v++)
		if (!strcmp(v->name, variable->name))
			break;
	if (v == variable)
		hist_find_event_variable(c, hist_event_system(c->event), hist_event_name(c->event),
					 variable->name, &found);
	if (v == variable && !found.trigger)
		return 0;
	hist_error_set(c->error, variable->span.start, len, "the variable \"%.*s\" is set twice",
		       HIST_SHOW(len), variable->name);
	hist_error_hint(c->error,
			v < variable ? "give them different names"
				     : "another trigger of %s:%s sets it: take another name",
			hist_event_system(c->event), hist_event_name(c->event));
	return -EINVAL;
}

static int check_variables(struct hist_check *c)
{
	const struct hist_variable *variable;
	struct hist_typed typed;
	unsigned int i;
	int ret;

	for (i = 0; i < c->expr->nvariables; i++) {
		variable = &c->expr->variables[i];
		if (!c->kernel->variables)
			return hist_kernel_lacks(c, variable->span, "no variables",
						 "Linux 4.17 has them");
		ret = hist_type_of_variable(c, variable, &typed);
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
	size_t n = strlen(clock), len;

	for (; *text; text += len) {
		text += strspn(text, " []\n");
		len = strcspn(text, " []\n");
		if (len == n && !memcmp(text, clock, n))
			return true;
	}
	return false;
}

static int check_clock(struct hist_check *c)
{
	const char *clocks = c->context ? c->context->clocks : NULL;

	if (!c->expr->clock || !clocks || is_clock(c->expr->clock, clocks))
		return 0;
	hist_error_set(c->error, c->expr->clock_span.start, c->expr->clock_span.len,
		       "no trace clock \"%.*s\"", HIST_SHOW(strlen(c->expr->clock)),
		       c->expr->clock);
	hist_error_hint(c->error, "clocks: %.*s", (int)strcspn(clocks, "\n"), clocks);
	return -EINVAL;
}

static int check_attributes(const struct hist_expr *expr, struct hist_error *error)
{
	if (expr->size && (expr->size < SIZE_MIN || expr->size > SIZE_MAX_ENTRIES)) {
		hist_error_set(error, expr->size_span.start, expr->size_span.len,
			       "size out of range");
		hist_error_hint(error, "the kernel takes %u to %u", SIZE_MIN, SIZE_MAX_ENTRIES);
		return -EINVAL;
	}
	if (strlen(expr->text) > TEXT_MAX)
		return hist_error_set(error, TEXT_MAX, 1,
				      "the trigger is longer than the %u bytes the kernel takes",
				      TEXT_MAX);
	return 0;
}

int hist_expr_check_in(const struct hist_expr *expr, const struct hist_event *event,
		       const struct hist_check_context *context, struct hist_error *error)
{
	struct hist_check c = {
		.expr = expr,
		.event = event,
		.context = context,
		.nbefore = context ? context->ntriggers : 0,
		.error = error,
	};
	struct printed printed = { .n = 0 };
	struct hist_kernel newest;
	int ret;

	hist_kernel_newest(&newest);
	c.kernel = context && context->kernel ? context->kernel : &newest;
	ret = check_counts(expr, error);
	if (!ret)
		ret = check_keys(&c, &printed);
	if (!ret)
		ret = check_values(&c, &printed);
	if (!ret)
		ret = check_sorts(&c, &printed);
	if (!ret)
		ret = check_variables(&c);
	if (!ret)
		ret = hist_check_actions(&c);
	if (!ret)
		ret = check_filter(&c);
	if (!ret)
		ret = check_attributes(expr, error);
	if (!ret)
		ret = check_clock(&c);
	if (!ret)
		ret = hist_check_same(&c);

	while (printed.n)
		free(printed.names[--printed.n]);
	return ret;
}

int hist_expr_check(const struct hist_expr *expr, const struct hist_event *event,
		    struct hist_error *error)
{
	return hist_expr_check_in(expr, event, NULL, error);
}
