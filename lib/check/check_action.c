// SPDX-License-Identifier: LGPL-2.1
/*
 * check_action.c - check HANDLER(SUBJECT).ACTION(PARAMETERS)
 *
 * Errors are reported in the order of the text.  The kernel checks in two passes, parse_actions()
 * before and create_actions() after all fields.  It may therefore report a different error if a
 * trigger has two.  check_param.c checks the parameters of trace().
 */
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check_private.h"

static int check_onmatch(struct hist_check *c, const struct hist_action *action)
{
	const struct hist_event *event;

	if (!action->system)
		return hist_expr_error_refuse(c->error, action->subject_span,
					      "write onmatch(SYS.EVENT)",
					      "\"%.*s\" is not an event",
					      HIST_SHOW(strlen(action->subject)), action->subject);
	return hist_check_find_event(c, action->system, action->event, action->subject_span,
				     &event);
}

static int no_tracked(struct hist_check *c, const struct hist_action *action, const char *name)
{
	const char *candidates[HIST_TYPED_VARIABLES], *near;
	unsigned int i;

	hist_expr_error_refuse(c->error, action->subject_span, "",
			       "this trigger does not set the variable \"$%.*s\"",
			       HIST_SHOW(strlen(name)), name);
	for (i = 0; i < c->expr->nvariables; i++)
		candidates[i] = c->expr->variables[i].name;
	near = hist_suggest(name, candidates, i);
	if (near)
		return hist_expr_error_hint(c->error, "did you mean \"$%.*s\"?",
					    HIST_SHOW(strlen(near)), near);
	return hist_expr_error_hint(c->error,
				    "set it in this trigger: %.*s=FIELD or %.*s=$VARIABLE",
				    HIST_SHOW(strlen(name)), name, HIST_SHOW(strlen(name)), name);
}

/* onmax($v), onchange($v): $v must be a variable of this trigger. */
static int check_tracked(struct hist_check *c, const struct hist_action *action,
			 struct hist_typed_action *typed)
{
	const struct hist_variable *variable;

	if (action->handler == HIST_ONCHANGE && !c->kernel->onchange)
		return hist_check_refuse_feature(c, action->span, "onchange()",
						 HIST_SINCE("5.1"));
	if (action->subject[0] != '$')
		return hist_expr_error_refuse(c->error, action->subject_span,
					      action->handler == HIST_ONMAX ?
						 "write onmax($VARIABLE)" :
						 "write onchange($VARIABLE)",
					      "\"%.*s\" is not a variable",
					      HIST_SHOW(strlen(action->subject)), action->subject);
	variable = hist_expr_find_variable(c->expr, action->subject + 1);
	if (!variable)
		return no_tracked(c, action, action->subject + 1);
	typed->tracked = variable - c->expr->variables;
	return hist_check_add_reference(c, variable->name, action->subject_span);
}

/* The kernel selects the action by prefix, so longer names are errors here. */
static int check_action_name(struct hist_check *c, const struct hist_action *action)
{
	const char *word = action->kind == HIST_ACTION_SAVE	  ? "save"
			   : action->kind == HIST_ACTION_SNAPSHOT ? "snapshot"
								  : "trace";

	if (strncmp(action->name, word, strlen(word)) || !strcmp(action->name, word))
		return 0;
	hist_expr_error_refuse(c->error, action->name_span, "",
			       "the kernel mistakes \"%.*s\" for %s()",
			       HIST_SHOW(strlen(action->name)), action->name, word);
	return hist_expr_error_hint(c->error, "write trace(%.*s,...)",
				    HIST_SHOW(strlen(action->name)),
				    action->name);
}

static int check_saved(struct hist_check *c, const struct hist_param *param,
		       struct hist_typed_param *typed)
{
	struct hist_typed *value;
	struct hist_node *node;
	int ret;

	ret = hist_check_param_text(c, param);
	if (!ret)
		ret = hist_expr_tree_parse(&node, param->text, param->span.len, param->span.start,
					   c->error);
	if (ret)
		return ret;
	if (node->kind != HIST_NODE_FIELD && node->kind != HIST_NODE_VARIABLE) {
		hist_expr_error_refuse(c->error, param->span, "",
				       "save() accepts only fields and variables");
		ret = hist_expr_error_hint(c->error, "assign it to a variable first: NAME=%.*s",
					   HIST_SHOW(strlen(param->text)), param->text);
	} else {
		ret = hist_check_type(c, node, HIST_FOR_VARIABLE, param->span, &value);
		typed->value = value;
		/* the node of the name ends here */
		if (value)
			value->name = param->text;
	}
	hist_expr_tree_free(node);
	return ret ? ret : hist_check_field_variable(c, param);
}

/* tr->cond_snapshot: only one per instance */
static int check_snapshot(struct hist_check *c, const struct hist_action *action)
{
	const struct hist_expr *expr;
	unsigned int i, j, n = 0;

	if (!c->kernel->snapshot)
		return hist_check_refuse_feature(c, action->span, "snapshot()",
						 HIST_SINCE("5.1") " with CONFIG_TRACER_SNAPSHOT");
	for (i = 0; i <= c->nbefore; i++) {
		expr = i < c->nbefore ? c->context->triggers[i].expr : c->expr;
		for (j = 0; j < expr->nactions; j++)
			n += expr->actions[j].kind == HIST_ACTION_SNAPSHOT;
	}
	if (n <= 1)
		return 0;
	return hist_expr_error_refuse(c->error, action->span, "",
				      "an instance can have only one snapshot()");
}

static int check_action(struct hist_check *c, const struct hist_action *action,
			struct hist_typed_action *typed)
{
	unsigned int i;
	int ret;

	ret = action->handler == HIST_ONMATCH ? check_onmatch(c, action) :
						check_tracked(c, action, typed);
	if (!ret)
		ret = check_action_name(c, action);
	if (ret)
		return ret;
	if (action->handler == HIST_ONMATCH && action->kind != HIST_ACTION_TRACE)
		return hist_expr_error_refuse(
			c->error, action->name_span,
			"use trace(), or the handler onmax($VARIABLE) or onchange($VARIABLE)",
			"onmatch() does not support %s()", action->name);
	if (action->nparams > HIST_TYPED_PARAMS)
		return hist_expr_error_refuse(c->error, action->params[HIST_TYPED_PARAMS].span, "",
					      "the kernel accepts at most %u parameters",
					      HIST_TYPED_PARAMS);
	switch (action->kind) {
	case HIST_ACTION_SAVE:
		for (i = 0; !ret && i < action->nparams; i++)
			ret = check_saved(c, &action->params[i], &typed->params[i]);
		return ret;
	case HIST_ACTION_SNAPSHOT:
		return check_snapshot(c, action);
	default:
		return hist_check_trace(c, action, typed);
	}
}

/* The number of variables that an action adds to the trigger's own variables. */
static unsigned int check_action_count_variables(const struct hist_check *c,
						 const struct hist_action *action)
{
	unsigned int n = action->handler != HIST_ONMATCH, i;

	for (i = 0; i < action->nparams; i++)
		n += action->kind == HIST_ACTION_SAVE ||
		     hist_check_param_is_own_field(c, action, &action->params[i]);
	return n;
}

int hist_check_actions(struct hist_check *c)
{
	unsigned int i, saves = 0, variables = c->expr->nvariables;
	const struct hist_action *action;
	int ret;

	for (i = 0; i < c->expr->nactions; i++) {
		action = &c->expr->actions[i];
		if (!c->kernel->variables)
			return hist_check_refuse_feature(c, action->span, "actions",
							 HIST_SINCE("4.17"));
		ret = check_action(c, action, &c->typed->actions[i]);
		if (ret)
			return ret;
		saves += action->kind == HIST_ACTION_SAVE;
		if (saves > 1)
			return hist_expr_error_refuse(c->error, action->span, "",
						      "a trigger can have only one save()");
		variables += check_action_count_variables(c, action);
		if (variables > HIST_TYPED_VARIABLES)
			return hist_expr_error_refuse(
				c->error, action->span, "",
				"the kernel accepts at most %u variables; each onmax(), onchange() "
				"and field of save() or trace() counts as one",
				HIST_TYPED_VARIABLES);
	}
	return 0;
}
