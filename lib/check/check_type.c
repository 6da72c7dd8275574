// SPDX-License-Identifier: LGPL-2.1
/*
 * check_type.c - the type of a value in the kernel
 *
 * The algorithm follows parse_expr(), parse_atom(), check_expr_operands(), create_hist_field() and
 * init_var_ref() in trace_events_hist.c.  Types are computed from the leaves up; an operator has
 * the type of its left operand.  A $variable that this trigger sets to a plain field has the type
 * of that field.  Any other $variable is looked up among the earlier triggers.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/check/check_context.h"
#include "lib/check/check_names.h"
#include "lib/check/check_type.h"
#include "lib/expr/modifier_fit_private.h"

#define STRING_BYTES 256 /* MAX_FILTER_STR_VAL */
#define STACK_BYTES 128	 /* HIST_STACKTRACE_SIZE */

static void set_type(struct hist_typed *typed, const char *type, unsigned int size, bool is_signed)
{
	snprintf(typed->type, sizeof(typed->type), "%s", type);
	typed->size = size;
	typed->is_signed = is_signed;
}

/* create_hist_field() */
static void type_field(struct hist_typed *typed, const struct hist_node *node)
{
	const struct hist_event_field *f = typed->field;

	switch (typed->meaning) {
	case HIST_MEANS_STACK:
		set_type(typed, "unsigned long[]", STACK_BYTES, false);
		typed->is_stack = true;
		return;
	case HIST_MEANS_CPU:
		set_type(typed, "unsigned int", 4, false);
		return;
	case HIST_MEANS_COMM:
		set_type(typed, "char[]", STRING_BYTES, false);
		typed->is_string = true;
		return;
	case HIST_MEANS_FIELD:
		break;
	default:
		set_type(typed, "u64", 8, false);
		typed->is_usecs = node->modifier == HIST_MOD_USECS;
		return;
	}
	typed->is_string = f->type == HIST_FIELD_STRING;
	typed->is_stack = f->type == HIST_FIELD_STACK;
	if (typed->is_stack && node->modifier == HIST_MOD_STACKTRACE)
		set_type(typed, "unsigned long[]", STACK_BYTES, false);
	else if (typed->is_stack || (typed->is_string && f->is_dynamic))
		set_type(typed, f->ctype, STRING_BYTES, false);
	else
		set_type(typed, f->ctype, f->size,
			 f->is_signed && !typed->is_string && node->modifier != HIST_MOD_LOG2 &&
				 node->modifier != HIST_MOD_BUCKETS);
}

static const char *kind_name(const struct hist_typed *typed)
{
	return typed->is_stack	  ? "a stack"
	       : typed->is_string ? "a string"
				  : "neither number nor string";
}

/* Check a field that is an operand, or the whole definition of a variable. */
static int check_fit(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		     struct hist_span at, const struct hist_typed *typed)
{
	struct hist_span modifier_at =
		at.start == node->span.start && node->modifier_span.len ? node->modifier_span : at;
	enum hist_modifier m = node->modifier;
	bool fits;

	if (purpose == HIST_FOR_KEY || purpose == HIST_FOR_VALUE)
		return 0; /* check_field.c reports these errors */
	if (typed->meaning == HIST_MEANS_HITCOUNT)
		return hist_error_set(c->error, at.start, at.len,
				      "\"hitcount\" has no value but in vals= and sort=");
	if (purpose == HIST_FOR_OPERAND) {
		if (typed->is_stack || typed->is_string ||
		    (typed->field && typed->field->type != HIST_FIELD_NUMBER))
			return hist_error_set(c->error, at.start, at.len,
					      "\"%.*s\" is no number to calculate with",
					      HIST_SHOW(at.len), c->expr->text + at.start);
		fits = m == HIST_MOD_NONE || m == HIST_MOD_HEX || m == HIST_MOD_USECS ||
		       m == HIST_MOD_LOG2 || m == HIST_MOD_BUCKETS;
	} else {
		fits = m != HIST_MOD_LOG2 && m != HIST_MOD_BUCKETS;
	}
	if (fits && hist_fit(m, typed->meaning, typed->field, true) == HIST_FITS)
		return 0;
	if (m == HIST_MOD_NONE) {
		hist_error_set(c->error, at.start, at.len, "\"%s\" cannot be put into a variable",
			       node->name);
		hist_error_hint(c->error, "it is %s", kind_name(typed));
		return -EINVAL;
	}
	hist_error_set(c->error, modifier_at.start, modifier_at.len,
		       purpose == HIST_FOR_OPERAND ? "\".%s\" does not fit an operand"
						   : "\".%s\" does not fit a variable's \"%.*s\"",
		       hist_modifier_name(m), HIST_SHOW(strlen(node->name)), node->name);
	if (m == HIST_MOD_EXECNAME)
		hist_error_hint(c->error, "write common_pid.execname");
	else if (purpose == HIST_FOR_OPERAND && m == HIST_MOD_SYM)
		hist_error_hint(c->error, "did you mean \".sym-offset\"?");
	else if (m == HIST_MOD_USECS)
		hist_error_hint(c->error, "write common_timestamp.usecs");
	else if (purpose == HIST_FOR_VARIABLE && (m == HIST_MOD_LOG2 || m == HIST_MOD_BUCKETS))
		hist_error_hint(c->error, "put it on the key that uses the variable's value");
	return -EINVAL;
}

static int type_plain(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		      struct hist_span at, struct hist_typed *typed)
{
	bool own_place = at.start == node->span.start;
	struct hist_span name_at =
		own_place ? (struct hist_span){ at.start, strlen(node->name) } : at;
	int ret;

	typed->modifier = node->modifier;
	typed->meaning = hist_meaning_of(node->name,
					 purpose == HIST_FOR_KEY && node->modifier == HIST_MOD_NONE,
					 c->event, &typed->field);
	if (typed->meaning == HIST_MEANS_NOTHING)
		return hist_no_field(node->name, name_at,
				     purpose == HIST_FOR_KEY ? HIST_USE_KEY : HIST_USE_VALUE,
				     c->event, c->error);
	ret = hist_check_kernel_field(c, node->name, node->modifier, purpose == HIST_FOR_KEY,
				      name_at, own_place ? node->modifier_span : at);
	if (ret)
		return ret;
	type_field(typed, node);
	return check_fit(c, node, purpose, at, typed);
}

/* field_name_from_var(): a variable that this trigger sets to a plain field. */
static const struct hist_variable *local_field(const struct hist_check *c,
					       const struct hist_node *node,
					       const struct hist_variable **other)
{
	unsigned int i;

	*other = NULL;
	if (node->system && !hist_event_is(c->event, node->system, node->event))
		return NULL;
	for (i = 0; i < c->expr->nvariables; i++) {
		const struct hist_variable *v = &c->expr->variables[i];

		if (strcmp(v->name, node->name))
			continue;
		*other = v;
		if (v->tree && v->tree->kind == HIST_NODE_FIELD)
			return v;
	}
	return NULL;
}

static int type_reference(struct hist_check *c, const struct hist_node *node,
			  enum hist_purpose purpose, struct hist_span at, struct hist_typed *typed)
{
	const struct hist_variable *local, *other;
	struct hist_check there;
	struct hist_found found;
	int ret;

	if (!c->kernel->variables)
		return hist_kernel_lacks(c, at, "no variables", "Linux 4.17 has them");
	local = local_field(c, node, &other);
	if (local)
		return type_plain(c, local->tree, purpose, at, typed);
	ret = hist_find_variable(c, node->system, node->event, node->name, at, &found);
	if (ret)
		return ret;
	if (!found.trigger && other && !node->system) {
		hist_error_set(c->error, at.start, at.len,
			       "\"$%.*s\" is set by this same trigger, and not to a plain field",
			       HIST_SHOW(strlen(node->name)), node->name);
		hist_error_hint(c->error, "only variables of other triggers and plain fields can "
					  "be referred to; repeat the expression");
		return -EINVAL;
	}
	if (!found.trigger && c->context && c->context->all_triggers)
		return hist_no_variable(c, node->name, at);
	ret = hist_add_reference(c, node->name, at);
	if (ret)
		return ret;
	if (!found.trigger) {
		typed->unknown = true;
		typed->is_reference = true;
		return 0;
	}
	there = (struct hist_check){
		.expr = found.trigger->expr,
		.event = found.trigger->event,
		.context = c->context,
		.nbefore = found.index,
		.kernel = c->kernel,
	};
	ret = hist_type_of_variable(&there, found.variable, typed);
	/* this check refuses the variable, but it exists: another user set it */
	if (ret == -EINVAL) {
		memset(typed, 0, sizeof(*typed));
		typed->unknown = true;
	} else if (ret) {
		return ret;
	}
	typed->is_reference = true;
	typed->is_expression = false;
	typed->modifier = HIST_MOD_NONE;
	typed->meaning = HIST_MEANS_REFERENCE;
	typed->field = NULL;
	if (purpose != HIST_FOR_OPERAND || (!typed->is_string && !typed->is_stack))
		return 0;
	return hist_error_set(c->error, at.start, at.len,
			      "\"$%.*s\" is %s and no number to "
			      "calculate with",
			      HIST_SHOW(strlen(node->name)), node->name, kind_name(typed));
}

static int type_number(struct hist_check *c, const struct hist_node *node, struct hist_span at,
		       struct hist_typed *typed)
{
	if (!c->kernel->literals)
		return hist_kernel_lacks(c, at, "no numbers in expressions", "Linux 5.16 has them");
	set_type(typed, "u64", 8, false);
	typed->meaning = HIST_MEANS_CONSTANT;
	typed->is_constant = true;
	typed->constant = node->number;
	return 0;
}

static uint64_t calculate(enum hist_node_kind kind, uint64_t a, uint64_t b)
{
	switch (kind) {
	case HIST_NODE_ADD:
		return a + b;
	case HIST_NODE_SUB:
		return a - b;
	case HIST_NODE_MUL:
		return a * b;
	default:
		return b ? a / b : UINT64_MAX;
	}
}

static int check_operands(struct hist_check *c, const struct hist_node *node,
			  const struct hist_typed *left, const struct hist_typed *right)
{
	if (!left->unknown && !right->unknown && left->is_usecs != right->is_usecs) {
		hist_error_set(c->error, node->span.start, node->span.len,
			       "a time in .usecs and one that is not, in one expression");
		hist_error_hint(c->error, "the kernel wants .usecs on both sides, or on none");
		return -EINVAL;
	}
	if (node->kind == HIST_NODE_DIV && right->is_constant && !right->unknown &&
	    !right->constant)
		return hist_error_set(c->error, node->right->span.start, node->right->span.len,
				      "division by zero");
	if ((node->kind == HIST_NODE_DIV || node->kind == HIST_NODE_MUL) && !c->kernel->literals)
		return hist_kernel_lacks(c, node->span, "no * and / in expressions",
					 "Linux 5.16 has them");
	return 0;
}

static int type_binary(struct hist_check *c, const struct hist_node *node, struct hist_typed *typed)
{
	struct hist_typed left = { .size = 0 }, right = { .size = 0 };
	int ret;

	ret = hist_type_of(c, node->left, HIST_FOR_OPERAND, node->left->span, &left);
	if (!ret)
		ret = hist_type_of(c, node->right, HIST_FOR_OPERAND, node->right->span, &right);
	if (!ret)
		ret = check_operands(c, node, &left, &right);
	if (ret)
		return ret;
	*typed = left;
	typed->is_reference |= right.is_reference;
	typed->is_constant = left.is_constant && right.is_constant;
	if (typed->is_constant)
		typed->constant = calculate(node->kind, left.constant, right.constant);
	return 0;
}

static int type_operator(struct hist_check *c, const struct hist_node *node,
			 struct hist_typed *typed)
{
	int ret;

	if (node->kind == HIST_NODE_NEGATE) {
		ret = hist_type_of(c, node->left, HIST_FOR_OPERAND, node->left->span, typed);
		typed->is_constant = false;
	} else {
		ret = type_binary(c, node, typed);
	}
	typed->is_expression = true;
	typed->meaning = HIST_MEANS_EXPRESSION;
	typed->modifier = HIST_MOD_NONE;
	typed->field = NULL;
	return ret;
}

int hist_type_of(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		 struct hist_span at, struct hist_typed *typed)
{
	memset(typed, 0, sizeof(*typed));
	switch (node->kind) {
	case HIST_NODE_FIELD:
		return type_plain(c, node, purpose, at, typed);
	case HIST_NODE_VARIABLE:
		return type_reference(c, node, purpose, at, typed);
	case HIST_NODE_NUMBER:
		return type_number(c, node, at, typed);
	default:
		return type_operator(c, node, typed);
	}
}

int hist_type_of_variable(struct hist_check *c, const struct hist_variable *variable,
			  struct hist_typed *typed)
{
	int ret;

	ret = hist_type_of_text(c, variable->tree, variable->text, variable->text_span,
				HIST_FOR_VARIABLE, typed);
	if (ret || typed->modifier != HIST_MOD_EXECNAME)
		return ret;
	/* update_var_execname() */
	set_type(typed, "char[]", STRING_BYTES, false);
	typed->is_string = true;
	return 0;
}

/* expr_str() has a buffer of 256 bytes, and does not check the length before 6.3. */
static int check_length(struct hist_check *c, const struct hist_node *node)
{
	struct hist_strbuf b = { 0 };
	int ret = 0;

	hist_tree_print(&b, node);
	if (b.error)
		ret = -ENOMEM;
	else if (b.len >= STRING_BYTES)
		ret = hist_error_set(c->error, node->span.start, node->span.len,
				     "the expression is longer than the %u bytes the kernel takes",
				     STRING_BYTES - 1);
	hist_strbuf_free(&b);
	return ret;
}

int hist_type_of_text(struct hist_check *c, const struct hist_node *tree, const char *text,
		      struct hist_span at, enum hist_purpose purpose, struct hist_typed *typed)
{
	struct hist_node *parsed = NULL;
	int ret;

	memset(typed, 0, sizeof(*typed));
	if (tree) {
		ret = check_length(c, tree);
		return ret ? ret : hist_type_of(c, tree, purpose, at, typed);
	}
	ret = hist_tree_parse(&parsed, text, strlen(text), at.start, c->error);
	hist_tree_free(parsed);
	return ret;
}

int hist_add_reference(struct hist_check *c, const char *name, struct hist_span at)
{
	unsigned int i;

	for (i = 0; *name && i < c->nreferences; i++)
		if (!strcmp(c->references[i], name))
			return 0;
	if (c->nreferences == HIST_REFERENCES_MAX)
		return hist_error_set(c->error, at.start, at.len,
				      "too many references to variables: the kernel takes %u",
				      HIST_REFERENCES_MAX);
	c->references[c->nreferences++] = name;
	return 0;
}
