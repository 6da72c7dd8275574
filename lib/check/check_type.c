// SPDX-License-Identifier: LGPL-2.1
/*
 * check_type.c - make the typed tree of a value, and check that its fields fit
 *
 * The algorithm follows parse_expr(), parse_atom(), check_expr_operands(), create_hist_field() and
 * init_var_ref() in trace_events_hist.c.  Types are computed from the leaves up; an operator has
 * the type of its left operand.  A $variable that this trigger sets to a plain field has the type
 * of that field.  Any other $variable is looked up among the earlier triggers.
 *
 * The table in lib/expr/modifier_fit.c decides which fields and modifiers fit a purpose; this file
 * has the error messages.  It refuses what the kernel refuses (parse_field(), create_key_field(),
 * __create_val_field()).  It also refuses what the kernel accepts without a meaningful result: a
 * sum or the log2 of pointers to strings, and .usecs of a field that is not a time stamp.  Features
 * that this kernel lacks have messages of their own.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check_private.h"
#include "lib/event/address.h"
#include "lib/expr/modifier_fit.h"

static bool check_field_fits(const struct hist_typed *typed, enum hist_modifier modifier,
			     bool is_key)
{
	return hist_modifier_fits_meaning(modifier, typed->meaning, typed->field,
					  is_key) == HIST_FITS;
}

/* An address is a number for the kernel, but not a quantity. */
static bool is_number(const struct hist_typed *typed)
{
	return !typed->is_string && !typed->is_stack &&
	       (!typed->field ||
		(hist_field_is_number(typed->field) && !hist_field_address(typed->field)));
}

/* "a stack", "a string", "neither a number nor a string" */
static const char *check_type_name(const struct hist_typed *typed)
{
	const char *address =
		typed->field ? hist_address_name(hist_field_address(typed->field)) : NULL;

	return address		  ? address
	       : typed->is_stack  ? "a stack"
	       : typed->is_string ? "a string"
				  : "neither a number nor a string";
}

static int refuse_modifier(struct hist_check *c, const struct hist_typed *typed, const char *hint)
{
	const char *name = hist_field_printed_name(typed->meaning, typed->name);

	return hist_expr_error_refuse(c->error, typed->modifier_at, hint,
				      "\".%s\" cannot be used with \"%.*s\"%s%s",
				      hist_modifier_name(typed->modifier), HIST_SHOW(strlen(name)),
				      name, *hint || is_number(typed) ? "" : ", which is ",
				      *hint || is_number(typed) ? "" : check_type_name(typed));
}

/* --- features that this kernel lacks --- */

int hist_check_refuse_feature(struct hist_check *c, struct hist_span at, const char *what,
			      const char *hint)
{
	return hist_expr_error_refuse(c->error, at, hint, "this kernel does not support %s", what);
}

#define REPORT_SHARES "leave out the modifier; 'trace-cmd hist report' computes the shares"

static const char no_stacks[] = "stacks that are not keys";

static int check_kernel_name(struct hist_check *c, const char *name, bool bare_key,
			     struct hist_span at)
{
	if (!strcmp(name, "common_stacktrace") && !c->kernel->stacks) {
		if (bare_key)
			return hist_check_refuse_feature(c, at, name, "write stacktrace");
		return hist_check_refuse_feature(c, at, no_stacks, HIST_SINCE("6.4"));
	}
	/* These kernels accept the name only as a bare key; newer kernels accept it elsewhere */
	if (!strcasecmp(name, "stacktrace") && !c->kernel->stacks && !bare_key)
		return hist_check_refuse_feature(c, at, no_stacks, HIST_SINCE("6.4"));
	if (!strcmp(name, "STACKTRACE") && !c->kernel->stacks)
		return hist_check_refuse_feature(c, at, name, "write stacktrace");
	if (!strcmp(name, "common_cpu") && !c->kernel->common_cpu)
		return hist_check_refuse_feature(c, at, name, "write cpu");
	/* a kernel prints this form, but does not accept it */
	if (hist_field_is_printed_cpu(name))
		return hist_check_refuse_field(name, at, HIST_USE_VALUE, c->event, c->error);
	if (!strcmp(name, "common_comm") && !c->kernel->common_comm)
		return hist_check_refuse_feature(c, at, name, "write common_pid.execname");
	if (!strcasecmp(name, "comm") && !c->kernel->common_comm)
		return hist_check_refuse_field(name, at, HIST_USE_VALUE, c->event, c->error);
	return 0;
}

/* -EINVAL if this kernel lacks the field or its modifier. */
static int check_kernel_field(struct hist_check *c, const struct hist_typed *typed, bool is_key,
			      struct hist_span name_at)
{
	struct hist_span modifier_at = typed->modifier_at;
	enum hist_modifier modifier = typed->modifier;
	int ret = 0;

	if (!typed->field)
		ret = check_kernel_name(c, typed->name, is_key && modifier == HIST_MOD_NONE,
					name_at);
	if (ret)
		return ret;
	if (modifier == HIST_MOD_STACKTRACE && !c->kernel->stacks)
		return hist_check_refuse_feature(c, modifier_at, ".stacktrace", HIST_SINCE("6.4"));
	if (modifier == HIST_MOD_BUCKETS && !c->kernel->buckets)
		return hist_check_refuse_feature(c, modifier_at, ".buckets=N",
						 "use .log2, or upgrade to Linux 5.14 or later");
	/* other kernels divide by numbers: lib/query/fine_log2.h */
	if (modifier == HIST_MOD_LOG2 && typed->bucket && !c->kernel->fine_log2 &&
	    !c->kernel->literals)
		return hist_check_refuse_feature(c, modifier_at, ".log2=K",
						 "use .log2, or --engine user, or upgrade to Linux "
						 "5.16 or later");
	if ((modifier == HIST_MOD_PERCENT || modifier == HIST_MOD_GRAPH) && !c->kernel->percent)
		return hist_check_refuse_feature(c, modifier_at, ".percent and .graph",
						 REPORT_SHARES);
	/* others fit no value on any kernel: check_key_or_value() says so */
	if (typed->meaning == HIST_MEANS_HITCOUNT && modifier != HIST_MOD_NONE &&
	    hist_modifier_fits_meaning(modifier, typed->meaning, NULL, is_key) == HIST_FITS &&
	    !c->kernel->nohitcount)
		return hist_check_refuse_feature(c, modifier_at, "modifiers of hitcount",
						 REPORT_SHARES);
	return 0;
}

/* The reason why modifier_fit.c refuses: the most general one first. */
static int check_modifier(struct hist_check *c, const struct hist_typed *typed, bool is_key)
{
	enum hist_modifier modifier = typed->modifier;
	bool for_values = modifier == HIST_MOD_PERCENT || modifier == HIST_MOD_GRAPH;
	const char *word = hist_modifier_name(modifier);

	if (modifier == HIST_MOD_NONE || check_field_fits(typed, modifier, is_key))
		return 0;
	if (is_key && for_values) {
		hist_expr_error_refuse(c->error, typed->modifier_at, "",
				       "\".%s\" cannot be used with a key", word);
		return hist_expr_error_hint(c->error,
					    "use it with a value, such as vals=hitcount.%s",
					    word);
	}
	if (!is_key && !for_values && modifier != HIST_MOD_HEX && modifier != HIST_MOD_USECS)
		return hist_expr_error_refuse(c->error, typed->modifier_at,
					      "use .hex, .percent, .graph or no modifier",
					      "\".%s\" cannot be used with a value", word);
	if (modifier == HIST_MOD_STACKTRACE)
		return refuse_modifier(c, typed, typed->meaning == HIST_MEANS_STACK ? "leave it out"
				       : "use it with a field of type long[] of a synthetic event");
	if (!is_number(typed))
		return refuse_modifier(c, typed, "");
	switch (modifier) {
	case HIST_MOD_EXECNAME:
		return refuse_modifier(c, typed, "write common_pid.execname");
	case HIST_MOD_USECS:
		return refuse_modifier(c, typed, "write common_timestamp.usecs");
	case HIST_MOD_SYSCALL:
		return refuse_modifier(c, typed, "use it with a field that contains a system call "
				       "number");
	default:
		/* hitcount as a key: check_field_check_modifier() reports it */
		return 0;
	}
}

static int check_field_check_modifier(struct hist_check *c, const struct hist_typed *typed,
				      bool is_key)
{
	const char *name = hist_field_printed_name(typed->meaning, typed->name);
	const struct hist_event_field *field = typed->field;
	int len = HIST_SHOW(strlen(name));

	if (check_field_fits(typed, HIST_MOD_NONE, is_key))
		return 0;
	if (typed->meaning == HIST_MEANS_HITCOUNT) {
		hist_expr_error_refuse(c->error, typed->at, "",
				       "\"hitcount\" cannot be a key");
		return hist_check_hint_fields(c->event, c->error);
	}
	if (!is_key)
		return hist_expr_error_refuse(
			c->error, typed->at,
			check_field_fits(typed, HIST_MOD_NONE, true) ? "use it as a key" : "",
			"\"%.*s\" is %s, but a value must be a number", len, name,
			check_type_name(typed));
	if (!field->size)
		return hist_expr_error_refuse(c->error, typed->at, "",
					      "\"%.*s\" has no fixed length and cannot be a key",
					      len, name);
	return hist_expr_error_refuse(
		c->error, typed->at,
		hist_field_address(field)
			? "the kernel counts only strings and fields of 1, 2, 4 or 8 "
			  "bytes"
			: "",
		"\"%.*s\" (%.*s) is %s and cannot be a key", len, name,
		HIST_SHOW(strlen(field->ctype)), field->ctype, check_type_name(typed));
}

/* Check that a FIELD fits a key or a value. */
static int check_key_or_value(struct hist_check *c, const struct hist_typed *typed, bool is_key)
{
	int ret = check_modifier(c, typed, is_key);

	return ret ? ret : check_field_check_modifier(c, typed, is_key);
}

static int refuse_hitcount(struct hist_check *c, const struct hist_typed *typed)
{
	return hist_expr_error_refuse(c->error, typed->at, "",
				      "\"hitcount\" can be used only in vals= and sort=");
}

static int hist_check_operand(struct hist_check *c, const struct hist_typed *typed)
{
	enum hist_modifier m = typed->modifier;

	if (typed->meaning == HIST_MEANS_HITCOUNT)
		return refuse_hitcount(c, typed);
	if (!is_number(typed)) {
		bool address = typed->field && hist_field_address(typed->field);

		return hist_expr_error_refuse(
			c->error, typed->at, "", "\"%.*s\" is %s%snot a number",
			HIST_SHOW(typed->at.len), c->expr->text + typed->at.start,
			address ? check_type_name(typed) : "", address ? ", " : "");
	}
	if (hist_modifier_fits_operand(m) && check_field_fits(typed, m, true))
		return 0;
	return hist_expr_error_refuse(c->error, typed->modifier_at,
				      m == HIST_MOD_EXECNAME ? "write common_pid.execname"
				      : m == HIST_MOD_SYM    ? "did you mean \".sym-offset\"?"
				      : m == HIST_MOD_USECS  ? "write common_timestamp.usecs"
							     : "",
				      "\".%s\" cannot be used with an operand",
				      hist_modifier_name(m));
}

static int hist_check_definition(struct hist_check *c, const struct hist_typed *typed)
{
	enum hist_modifier m = typed->modifier;
	bool is_range = hist_modifier_makes_range(m);

	if (typed->meaning == HIST_MEANS_HITCOUNT)
		return refuse_hitcount(c, typed);
	if (!is_range && check_field_fits(typed, m, true))
		return 0;
	if (m == HIST_MOD_NONE)
		return hist_expr_error_refuse(c->error, typed->at, "",
					      "\"%s\" is %s and cannot be stored in a variable",
					      typed->name, check_type_name(typed));
	return hist_expr_error_refuse(c->error, typed->modifier_at,
				      m == HIST_MOD_EXECNAME ? "write common_pid.execname" :
				      m == HIST_MOD_USECS	? "write common_timestamp.usecs" :
				      is_range ?
				      "add the modifier to the key that uses the variable" : "",
				      "\".%s\" cannot be used with \"%.*s\" in a variable",
				      hist_modifier_name(m), HIST_SHOW(strlen(typed->name)),
				      typed->name);
}

#define STRING_BYTES 256 /* MAX_FILTER_STR_VAL */
#define STACK_BYTES 128	 /* HIST_STACKTRACE_SIZE */

static struct hist_typed *new_typed(struct hist_check *c, enum hist_node_kind kind,
				    struct hist_span at)
{
	struct hist_typed *typed = calloc(1, sizeof(*typed));

	if (!typed)
		return NULL;
	typed->kind = kind;
	typed->at = at;
	typed->type = "u64";
	typed->size = 8;
	typed->next = c->typed->all;
	c->typed->all = typed;
	return typed;
}

/* A new value, which is unknown; NULL if out of memory. */
static struct hist_typed *check_type_unknown(struct hist_check *c, struct hist_span at)
{
	struct hist_typed *typed = new_typed(c, HIST_NODE_FIELD, at);

	if (typed)
		typed->unknown = true;
	return typed;
}

struct hist_check hist_check_of(const struct hist_check *c, unsigned int index)
{
	return (struct hist_check){
		.expr = c->context->triggers[index].expr,
		.event = c->context->triggers[index].event,
		.context = c->context,
		.nbefore = index,
		.kernel = c->kernel,
		.typed = c->typed,
	};
}

static void set_string(struct hist_typed *typed, const char *type)
{
	typed->is_string = true;
	typed->type = type;
	typed->size = STRING_BYTES;
}

static void set_stack(struct hist_typed *typed)
{
	typed->is_stack = true;
	typed->type = "unsigned long[]";
	typed->size = STACK_BYTES;
}

/* create_hist_field() */
static void set_field_type(struct hist_typed *typed)
{
	const struct hist_event_field *f = typed->field;

	switch (typed->meaning) {
	case HIST_MEANS_STACK:
		set_stack(typed);
		return;
	case HIST_MEANS_CPU:
		typed->type = "unsigned int";
		typed->size = 4;
		return;
	case HIST_MEANS_COMM:
		set_string(typed, "char[]");
		return;
	case HIST_MEANS_FIELD:
		break;
	default:
		typed->is_usecs = typed->modifier == HIST_MOD_USECS;
		return;
	}
	typed->type = f->ctype;
	typed->size = f->size;
	if (hist_field_is_stack(f)) {
		set_stack(typed);
		if (typed->modifier != HIST_MOD_STACKTRACE) {
			typed->type = f->ctype;
			typed->size = STRING_BYTES;
		}
	} else if (hist_field_is_string(f)) {
		typed->is_string = true;
		typed->size = f->is_dynamic ? STRING_BYTES : f->size;
	} else {
		typed->is_signed = f->is_signed && !hist_modifier_makes_range(typed->modifier);
	}
}

static int type_plain(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		      struct hist_typed *typed)
{
	bool is_key = purpose == HIST_FOR_KEY, is_own = typed->at.start == node->span.start;
	struct hist_span name_at = typed->at;
	int ret = 0;

	if (is_own)
		name_at.len = strlen(node->name);
	typed->kind = HIST_NODE_FIELD;
	typed->name = node->name;
	typed->modifier = node->modifier;
	typed->bucket = node->bucket;
	typed->modifier_at = is_own && node->modifier_span.len ? node->modifier_span : typed->at;
	typed->meaning = hist_field_find_meaning(node->name,
						 is_key && node->modifier == HIST_MOD_NONE,
						 c->event, &typed->field);
	if (typed->meaning == HIST_MEANS_NOTHING)
		return hist_check_refuse_field(node->name, name_at,
					       is_key ? HIST_USE_KEY : HIST_USE_VALUE,
					       c->event, c->error);
	/* the check of the definition reports what a key or a value cannot have of "$x" */
	if (is_own || purpose == HIST_FOR_OPERAND || purpose == HIST_FOR_VARIABLE)
		ret = check_kernel_field(c, typed, is_key, name_at);
	if (ret)
		return ret;
	set_field_type(typed);
	if (purpose == HIST_FOR_VARIABLE && typed->meaning == HIST_MEANS_FIELD && typed->is_stack &&
	    !c->kernel->stack_chains)
		return hist_expr_error_refuse(
			c->error, name_at,
			"pass common_stacktrace of the first event instead, or use "
			"Linux 6.6.122, 6.12.68, 6.18.8, or 6.19 and later",
			"this kernel can crash if a stack field is passed to "
			"another event (fixed by commit 90f9f5d64cae)");
	if (purpose == HIST_FOR_OPERAND)
		return hist_check_operand(c, typed);
	return purpose == HIST_FOR_VARIABLE ? hist_check_definition(c, typed) : 0;
}

/* Fill @typed with the type of the variable at @found, the definition of which is @definition. */
static void check_type_refer(struct hist_typed *typed, const struct hist_found *found,
			     const struct hist_typed *definition)
{
	const struct hist_typed old = *typed;

	*typed = *definition;
	typed->kind = HIST_NODE_VARIABLE;
	typed->at = old.at;
	typed->next = old.next;
	typed->is_reference = true;
	/* parse_expr() looks at the variable itself: what repeats a constant is not one */
	typed->is_constant &= definition->kind != HIST_NODE_VARIABLE;
	typed->meaning = HIST_MEANS_REFERENCE;
	typed->modifier = HIST_MOD_NONE;
	typed->name = NULL;
	typed->field = NULL;
	typed->left = typed->right = NULL;
	typed->trigger = found->index;
	typed->variable = found->variable - found->trigger->expr->variables;
}

/* The names of all variables that are possible, for a suggestion. */
static const char **check_type_list_variables(const struct hist_check *c, size_t *n)
{
	const struct hist_expr *expr;
	const char **names;
	unsigned int i, j;
	size_t room = c->expr->nvariables;

	for (i = 0; i < c->nbefore; i++)
		room += c->context->triggers[i].expr->nvariables;
	names = calloc(room + 1, sizeof(*names));
	*n = 0;
	for (i = 0; names && i <= c->nbefore; i++) {
		expr = i < c->nbefore ? c->context->triggers[i].expr : c->expr;
		for (j = 0; j < expr->nvariables; j++)
			names[(*n)++] = expr->variables[j].name;
	}
	return names;
}

/* -EINVAL with the error "no variable" and a near name. */
static int check_type_refuse_variable(struct hist_check *c, const char *name, struct hist_span at)
{
	const char **names, *near;
	size_t n;

	hist_expr_error_refuse(c->error, at, "", "no variable \"$%.*s\"", HIST_SHOW(strlen(name)),
			       name);
	names = check_type_list_variables(c, &n);
	if (!names)
		return -ENOMEM;
	near = hist_suggest(name, names, n);
	if (near && strcmp(near, name))
		hist_expr_error_hint(c->error, "did you mean \"$%.*s\"?", HIST_SHOW(strlen(near)),
				     near);
	else
		hist_expr_error_hint(c->error, "define it with %.*s=... in an earlier trigger",
				     HIST_SHOW(strlen(name)), name);
	free(names);
	return -EINVAL;
}

static int type_reference(struct hist_check *c, const struct hist_node *node,
			  enum hist_purpose purpose, struct hist_typed *typed)
{
	const struct hist_variable *own = NULL;
	struct hist_span at = typed->at;
	struct hist_typed *definition;
	struct hist_check there;
	struct hist_found found;
	int ret;

	if (!c->kernel->variables)
		return hist_check_refuse_feature(c, at, "variables", HIST_SINCE("4.17"));
	/* field_name_from_var() */
	if (!node->system || hist_event_is(c->event, node->system, node->event))
		own = hist_expr_find_variable(c->expr, node->name);
	if (own && own->tree && own->tree->kind == HIST_NODE_FIELD)
		return type_plain(c, own->tree, purpose, typed);
	ret = hist_check_find_variable(c, node->system, node->event, node->name, at, &found);
	if (ret)
		return ret;
	if (!found.trigger && own && !node->system)
		return hist_expr_error_refuse(c->error, at,
					      "write the expression instead of the variable",
					      "cannot use \"$%.*s\": the same trigger sets this "
					      "variable to an expression",
					      HIST_SHOW(strlen(node->name)), node->name);
	if (!found.trigger && c->context->all_triggers)
		return check_type_refuse_variable(c, node->name, at);
	ret = hist_check_add_reference(c, node->name, at);
	if (ret)
		return ret;
	typed->is_reference = true;
	typed->meaning = HIST_MEANS_REFERENCE;
	typed->unknown = !found.trigger;
	if (!found.trigger)
		return 0;
	there = hist_check_of(c, found.index);
	ret = hist_check_variable_type(&there, found.variable, &definition);
	if (ret == -ENOMEM)
		return ret;
	/* this check refuses the variable, but it exists: another user set it */
	if (ret)
		definition = check_type_unknown(c, at);
	if (!definition)
		return -ENOMEM;
	check_type_refer(typed, &found, definition);
	if (purpose != HIST_FOR_OPERAND || (!typed->is_string && !typed->is_stack))
		return 0;
	return hist_expr_error_refuse(c->error, at, "", "\"$%.*s\" is %s, not a number",
				      HIST_SHOW(strlen(node->name)), node->name,
				      check_type_name(typed));
}

static int type_number(struct hist_check *c, const struct hist_node *node, struct hist_typed *typed)
{
	if (!c->kernel->literals)
		return hist_check_refuse_feature(c, typed->at, "numbers in expressions",
						 HIST_SINCE("5.16"));
	typed->meaning = HIST_MEANS_CONSTANT;
	typed->is_constant = true;
	typed->constant = node->number;
	return 0;
}

static uint64_t check_type_fold_constants(enum hist_node_kind kind, uint64_t a, uint64_t b)
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
	if (!left->unknown && !right->unknown && left->is_usecs != right->is_usecs)
		return hist_expr_error_refuse(c->error, node->span,
					      "use .usecs on both sides, or on neither",
					      "only one side of the expression has .usecs");
	if (node->kind == HIST_NODE_DIV && right->is_constant && !right->unknown &&
	    !right->constant)
		return hist_expr_error_refuse(c->error, node->right->span, "", "division by zero");
	if ((node->kind == HIST_NODE_DIV || node->kind == HIST_NODE_MUL) && !c->kernel->literals)
		return hist_check_refuse_feature(c, node->span, "* and / in expressions",
						 HIST_SINCE("5.16"));
	return 0;
}

static int type_operator(struct hist_check *c, const struct hist_node *node,
			 struct hist_typed *typed)
{
	struct hist_typed *left, *right = NULL;
	int ret;

	ret = hist_check_type(c, node->left, HIST_FOR_OPERAND, node->left->span, &left);
	if (!ret && node->right)
		ret = hist_check_type(c, node->right, HIST_FOR_OPERAND, node->right->span, &right);
	if (!ret && right)
		ret = check_operands(c, node, left, right);
	if (ret)
		return ret;
	typed->type = left->type;
	typed->size = left->size;
	typed->is_signed = left->is_signed;
	typed->is_usecs = left->is_usecs;
	typed->is_reference = left->is_reference || (right && right->is_reference);
	typed->unknown = left->unknown;
	typed->meaning = HIST_MEANS_EXPRESSION;
	typed->is_constant = right && left->is_constant && right->is_constant;
	if (typed->is_constant)
		typed->constant = check_type_fold_constants(node->kind, left->constant,
							    right->constant);
	typed->left = left;
	typed->right = right;
	return 0;
}

int hist_check_type(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		    struct hist_span at, struct hist_typed **typed)
{
	*typed = new_typed(c, node->kind, at);
	if (!*typed)
		return -ENOMEM;
	if (!c->event) {
		(*typed)->unknown = true;
		return 0;
	}
	switch (node->kind) {
	case HIST_NODE_FIELD:
		return type_plain(c, node, purpose, *typed);
	case HIST_NODE_VARIABLE:
		return type_reference(c, node, purpose, *typed);
	case HIST_NODE_NUMBER:
		return type_number(c, node, *typed);
	default:
		return type_operator(c, node, *typed);
	}
}

/* expr_str() has a buffer of 256 bytes, and does not check the length before 6.3. */
static int check_type_check_length(struct hist_check *c, const struct hist_node *node)
{
	struct hist_strbuf b = { 0 };
	int ret = 0;

	hist_expr_tree_print(&b, node);
	if (b.error)
		ret = -ENOMEM;
	else if (b.len >= STRING_BYTES)
		ret = hist_expr_error_refuse(
			c->error, node->span, "",
			"the expression is longer than the kernel's limit of %u "
			"bytes",
			STRING_BYTES - 1);
	hist_strbuf_free(&b);
	return ret;
}

/* hist_check_type() for @text that may not be an expression; @tree is NULL then. */
static int check_text_type(struct hist_check *c, const struct hist_node *tree, const char *text,
			   struct hist_span at, enum hist_purpose purpose,
			   struct hist_typed **typed)
{
	struct hist_node *parsed = NULL;
	int ret = 0;

	if (!tree) {
		ret = hist_expr_tree_parse(&parsed, text, strlen(text), at.start, c->error);
		hist_expr_tree_free(parsed);
		return ret ? ret : -EINVAL;
	}
	if (tree->kind != HIST_NODE_FIELD || purpose == HIST_FOR_VARIABLE)
		ret = check_type_check_length(c, tree);
	return ret ? ret : hist_check_type(c, tree, purpose, at, typed);
}

int hist_check_variable_type(struct hist_check *c, const struct hist_variable *variable,
			     struct hist_typed **typed)
{
	int ret;

	ret = check_text_type(c, variable->tree, variable->text, variable->text_span,
			      HIST_FOR_VARIABLE, typed);
	/* update_var_execname() */
	if (!ret && (*typed)->modifier == HIST_MOD_EXECNAME)
		set_string(*typed, "char[]");
	return ret;
}

int hist_check_add_reference(struct hist_check *c, const char *name, struct hist_span at)
{
	unsigned int i;

	for (i = 0; *name && i < c->nreferences; i++)
		if (!strcmp(c->references[i], name))
			return 0;
	if (c->nreferences == HIST_REFERENCES_MAX)
		return hist_expr_error_refuse(
			c->error, at, "", "the kernel accepts at most %u references to variables",
			HIST_REFERENCES_MAX);
	c->references[c->nreferences++] = name;
	return 0;
}

static int check_type_expression(struct hist_check *c, const struct hist_field *field,
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
				      field->name, check_type_name(typed));
}

int hist_check_field_type(struct hist_check *c, const struct hist_field *field, bool is_key,
			  struct hist_typed **typed)
{
	int ret = check_text_type(c, field->tree, field->name, field->span,
				  is_key ? HIST_FOR_KEY : HIST_FOR_VALUE, typed);

	if (ret)
		return ret;
	return (*typed)->kind == HIST_NODE_FIELD ? check_key_or_value(c, *typed, is_key)
						 : check_type_expression(c, field, *typed, is_key);
}
