// SPDX-License-Identifier: LGPL-2.1
/*
 * check_field.c - check one key or value against an event
 *
 * The table in modifier_fit.c decides what fits; this file has the error messages.  It refuses what
 * the kernel refuses (parse_field(), create_key_field(), __create_val_field()).  It also refuses
 * what the kernel accepts without a meaningful result: a sum or the log2 of pointers to strings,
 * and .usecs of a field that is not a time stamp.  check_type.c has the types of expressions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/check/check.h"
#include "lib/check/check_field.h"
#include "lib/check/check_names.h"
#include "lib/expr/modifier_fit_private.h"

/* Position of an error in @field's modifier; a $variable's modifier is elsewhere in the text. */
static struct hist_span modifier_place(const struct hist_field *field)
{
	return field->modifier_span.len ? field->modifier_span : field->span;
}

static int unfit(const struct hist_field *field, const struct hist_resolved *resolved,
		 struct hist_error *error, const char *hint)
{
	struct hist_span at = modifier_place(field);

	hist_error_set(error, at.start, at.len, "\".%s\" does not fit \"%.*s\"",
		       hist_modifier_name(resolved->modifier), HIST_SHOW(strlen(resolved->name)),
		       resolved->name);
	hist_error_hint(error, "%s", hint);
	return -EINVAL;
}

static bool is_number(const struct hist_resolved *resolved)
{
	switch (resolved->meaning) {
	case HIST_MEANS_FIELD:
		return resolved->field->type == HIST_FIELD_NUMBER;
	case HIST_MEANS_TIMESTAMP:
	case HIST_MEANS_CPU:
	case HIST_MEANS_HITCOUNT:
		return true;
	default:
		return false;
	}
}

static const char *type_name(const struct hist_resolved *resolved)
{
	if (resolved->meaning == HIST_MEANS_COMM)
		return "a string";
	if (resolved->meaning == HIST_MEANS_STACK || resolved->field->type == HIST_FIELD_STACK)
		return "a stack";
	return resolved->field->type == HIST_FIELD_STRING ? "a string"
							  : "neither number nor string";
}

/* The reason why modifier_fit.c refuses: the most general one first. */
static int check_modifier(const struct hist_field *field, const struct hist_resolved *resolved,
			  bool is_key, struct hist_error *error)
{
	enum hist_modifier modifier = resolved->modifier;
	struct hist_span at = modifier_place(field);
	bool for_values = modifier == HIST_MOD_PERCENT || modifier == HIST_MOD_GRAPH;

	if (modifier == HIST_MOD_NONE ||
	    hist_fit(modifier, resolved->meaning, resolved->field, is_key) == HIST_FITS)
		return 0;
	if (is_key && for_values) {
		hist_error_set(error, at.start, at.len, "\".%s\" does not fit a key",
			       hist_modifier_name(modifier));
		hist_error_hint(error, "it belongs to a value, as in vals=hitcount.%s",
				hist_modifier_name(modifier));
		return -EINVAL;
	}
	if (!is_key && !for_values && modifier != HIST_MOD_HEX && modifier != HIST_MOD_USECS) {
		hist_error_set(error, at.start, at.len, "\".%s\" does not fit a value",
			       hist_modifier_name(modifier));
		hist_error_hint(error, "values take .hex, .percent, .graph or none");
		return -EINVAL;
	}
	if (modifier == HIST_MOD_STACKTRACE)
		return unfit(field, resolved, error,
			     resolved->meaning == HIST_MEANS_STACK
				     ? "leave it out"
				     : "only a stack of a synthetic event, long[], takes it");
	if (!is_number(resolved)) {
		unfit(field, resolved, error, "");
		hist_error_hint(error, "it is %s", type_name(resolved));
		return -EINVAL;
	}
	switch (modifier) {
	case HIST_MOD_EXECNAME:
		return unfit(field, resolved, error, "write common_pid.execname");
	case HIST_MOD_USECS:
		return unfit(field, resolved, error, "write common_timestamp.usecs");
	case HIST_MOD_SYSCALL:
		return unfit(field, resolved, error, "it wants the number of a system call");
	default:
		/* hitcount as a key: check_type() reports it */
		return 0;
	}
}

static int check_type(const struct hist_field *field, const struct hist_resolved *resolved,
		      bool is_key, const struct hist_event *event, struct hist_error *error)
{
	const char *name = resolved->name;
	int len = HIST_SHOW(strlen(name));

	if (hist_fit(HIST_MOD_NONE, resolved->meaning, resolved->field, is_key) == HIST_FITS)
		return 0;
	if (resolved->meaning == HIST_MEANS_HITCOUNT) {
		hist_error_set(error, field->span.start, field->span.len,
			       "\"hitcount\" is no field and cannot be a key");
		hist_hint_fields(event, error);
		return -EINVAL;
	}
	if (!is_key) {
		hist_error_set(error, field->span.start, field->span.len,
			       "\"%.*s\" is %s and cannot be summed up", len, name,
			       type_name(resolved));
		if (resolved->meaning == HIST_MEANS_COMM ||
		    (resolved->field && resolved->field->type == HIST_FIELD_STRING &&
		     resolved->field->size))
			hist_error_hint(error, "the kernel would add pointers: make it a key");
		else
			hist_error_hint(error, "values must be numbers");
		return -EINVAL;
	}
	hist_error_set(error, field->span.start, field->span.len, "\"%.*s\" cannot be a key", len,
		       name);
	if (!resolved->field->size)
		hist_error_hint(error, "it is the rest of the event, of no length of its own");
	else
		hist_error_hint(error, "it is \"%.*s\", %s",
				HIST_SHOW(strlen(resolved->field->ctype)), resolved->field->ctype,
				type_name(resolved));
	return -EINVAL;
}

/* An expression, a number, or a $variable that is not a plain field of this trigger. */
static int check_expression(struct hist_check *c, const struct hist_field *field, bool is_key)
{
	struct hist_typed typed;
	int ret;

	ret = hist_type_of_text(c, field->tree, field->name, field->span,
				is_key ? HIST_FOR_KEY : HIST_FOR_VALUE, &typed);
	if (ret)
		return ret;
	if (typed.is_constant && !typed.is_reference) {
		hist_error_set(c->error, field->span.start, field->span.len,
			       "\"%.*s\" has no field in it", HIST_SHOW(strlen(field->name)),
			       field->name);
		hist_hint_fields(c->event, c->error);
		return -EINVAL;
	}
	if (is_key || typed.unknown || (!typed.is_string && !typed.is_stack))
		return 0;
	hist_error_set(c->error, field->span.start, field->span.len,
		       "\"%.*s\" is %s and cannot be summed up", HIST_SHOW(strlen(field->name)),
		       field->name, typed.is_string ? "a string" : "a stack");
	hist_error_hint(c->error, "values must be numbers");
	return -EINVAL;
}

/* field_has_hist_vars(): the first $variable that is not a plain field of this trigger */
static const struct hist_node *find_reference(const struct hist_expr *expr,
					      const struct hist_node *node)
{
	const struct hist_node *found;
	unsigned int i;

	if (!node)
		return NULL;
	if (node->kind != HIST_NODE_VARIABLE) {
		found = find_reference(expr, node->left);
		return found ? found : find_reference(expr, node->right);
	}
	for (i = 0; i < expr->nvariables; i++)
		if (!strcmp(expr->variables[i].name, node->name) && expr->variables[i].tree &&
		    expr->variables[i].tree->kind == HIST_NODE_FIELD)
			return NULL;
	return node;
}

static int check_reference_in_key(struct hist_check *c, const struct hist_field *field)
{
	const struct hist_node *node = find_reference(c->expr, field->tree);
	struct hist_span at;

	if (!node)
		return 0;
	at = node->span;
	hist_error_set(c->error, at.start, at.len, "\"%.*s\" cannot be part of a key",
		       HIST_SHOW(at.len), c->expr->text + at.start);
	hist_error_hint(c->error, "in a key, variables must be set to a field by this trigger");
	return -EINVAL;
}

/* Refuse what an older kernel lacks; the type check does this for a $variable's field. */
static int check_kernel(struct hist_check *c, const struct hist_field *field, bool is_key)
{
	if (field->is_expression)
		return 0;
	return hist_check_kernel_field(c, field->name, field->modifier, is_key,
				       (struct hist_span){ field->span.start, strlen(field->name) },
				       field->modifier_span);
}

int hist_check_field(struct hist_resolved *resolved, struct hist_check *c,
		     const struct hist_field *field, bool is_key)
{
	struct hist_span at = field->span;
	int ret;

	ret = hist_resolve(resolved, c->expr, field, is_key, c->event);
	if (ret)
		return ret;
	switch (resolved->meaning) {
	case HIST_MEANS_NOTHING:
		/* the field's name differs from the text of "$x" */
		if (!field->is_expression)
			at.len = strlen(resolved->name);
		ret = hist_no_field(resolved->name, at, is_key ? HIST_USE_KEY : HIST_USE_VALUE,
				    c->event, c->error);
		break;
	case HIST_MEANS_EXPRESSION:
	case HIST_MEANS_REFERENCE:
	case HIST_MEANS_CONSTANT:
		ret = is_key ? check_reference_in_key(c, field) : 0;
		if (!ret)
			ret = check_expression(c, field, is_key);
		break;
	default:
		ret = check_kernel(c, field, is_key);
		if (!ret)
			ret = check_modifier(field, resolved, is_key, c->error);
		if (!ret)
			ret = check_type(field, resolved, is_key, c->event, c->error);
	}
	if (ret)
		hist_resolved_clear(resolved);
	return ret;
}
