// SPDX-License-Identifier: LGPL-2.1
/*
 * check_action.c - check HANDLER(SUBJECT).ACTION(PARAMETERS)
 *
 * Errors are reported in the order of the text.  The kernel checks in two passes, parse_actions()
 * before and create_actions() after all fields.  It may therefore report a different error if a
 * trigger has two.  check_param.c checks the parameters of trace().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check_context.h"
#include "lib/check/check_param.h"

#define VARIABLES_MAX 16 /* TRACING_MAP_VARS_MAX */
#define PARAMS_MAX 64	 /* SYNTH_FIELDS_MAX */

static int check_match(struct hist_check *c, const struct hist_action *action)
{
	const char *dot = strchr(action->subject, '.');
	const struct hist_event *event;
	char *system;
	int ret;

	if (!dot || dot == action->subject || !dot[1]) {
		hist_error_set(c->error, action->subject_span.start, action->subject_span.len,
			       "\"%.*s\" is no event", HIST_SHOW(strlen(action->subject)),
			       action->subject);
		hist_error_hint(c->error, "write onmatch(SYSTEM.EVENT)");
		return -EINVAL;
	}
	system = strndup(action->subject, dot - action->subject);
	if (!system)
		return -ENOMEM;
	ret = hist_find_event(c, system, dot + 1, action->subject_span, &event);
	free(system);
	return ret;
}

static int no_tracked(struct hist_check *c, const struct hist_action *action, const char *name)
{
	const char *candidates[VARIABLES_MAX], *near;
	unsigned int i;

	hist_error_set(c->error, action->subject_span.start, action->subject_span.len,
		       "this trigger sets no variable \"$%.*s\"", HIST_SHOW(strlen(name)), name);
	for (i = 0; i < c->expr->nvariables && i < VARIABLES_MAX; i++)
		candidates[i] = c->expr->variables[i].name;
	near = hist_suggest(name, candidates, i);
	if (near)
		hist_error_hint(c->error, "did you mean \"$%.*s\"?", HIST_SHOW(strlen(near)), near);
	else
		hist_error_hint(c->error, "set it here: %.*s=$%.*s, or =FIELD",
				HIST_SHOW(strlen(name)), name, HIST_SHOW(strlen(name)), name);
	return -EINVAL;
}

/* onmax($v), onchange($v): $v must be a variable of this trigger. */
static int check_tracked(struct hist_check *c, const struct hist_action *action)
{
	const char *name = action->subject + 1;
	unsigned int i;

	if (action->handler == HIST_ONCHANGE && !c->kernel->onchange)
		return hist_kernel_lacks(c, action->span, "no onchange()", "Linux 5.1 has it");
	if (action->subject[0] != '$') {
		hist_error_set(c->error, action->subject_span.start, action->subject_span.len,
			       "\"%.*s\" is no variable", HIST_SHOW(strlen(action->subject)),
			       action->subject);
		hist_error_hint(c->error, "write %s($VARIABLE)",
				action->handler == HIST_ONMAX ? "onmax" : "onchange");
		return -EINVAL;
	}
	for (i = 0; i < c->expr->nvariables; i++)
		if (!strcmp(c->expr->variables[i].name, name))
			return hist_add_reference(c, c->expr->variables[i].name,
						  action->subject_span);
	return no_tracked(c, action, name);
}

/* The kernel selects the action by prefix, so longer names are errors here. */
static int check_name(struct hist_check *c, const struct hist_action *action)
{
	const char *word = action->kind == HIST_ACTION_SAVE	  ? "save"
			   : action->kind == HIST_ACTION_SNAPSHOT ? "snapshot"
								  : "trace";

	if (strncmp(action->name, word, strlen(word)) || !strcmp(action->name, word))
		return 0;
	hist_error_set(c->error, action->name_span.start, action->name_span.len,
		       "the kernel takes \"%.*s\" for %s()", HIST_SHOW(strlen(action->name)),
		       action->name, word);
	hist_error_hint(c->error, "write trace(%.*s,...)", HIST_SHOW(strlen(action->name)),
			action->name);
	return -EINVAL;
}

static int check_mismatch(struct hist_check *c, const struct hist_action *action)
{
	hist_error_set(c->error, action->name_span.start, action->name_span.len,
		       "%s() does not go with onmatch()", action->name);
	hist_error_hint(c->error, "onmatch() can only trace(); onmax($VAR) and onchange($VAR) do "
				  "all");
	return -EINVAL;
}

static int check_save(struct hist_check *c, const struct hist_action *action)
{
	const struct hist_param *param;
	struct hist_typed typed;
	struct hist_node *node;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < action->nparams; i++) {
		param = &action->params[i];
		ret = hist_check_param_text(c, param);
		if (ret)
			break;
		ret = hist_tree_parse(&node, param->text, param->span.len, param->span.start,
				      c->error);
		if (ret)
			break;
		if (node->kind != HIST_NODE_FIELD && node->kind != HIST_NODE_VARIABLE) {
			ret = hist_error_set(c->error, param->span.start, param->span.len,
					     "only fields can be saved");
			hist_error_hint(c->error, "put it into a variable: NAME=%.*s",
					HIST_SHOW(strlen(param->text)), param->text);
		} else {
			ret = hist_type_of(c, node, HIST_FOR_VARIABLE, param->span, &typed);
		}
		hist_tree_free(node);
		if (!ret)
			ret = hist_check_field_variable(c, param);
	}
	return ret;
}

/* tr->cond_snapshot: only one per instance */
static int check_snapshot(struct hist_check *c, const struct hist_action *action)
{
	const struct hist_expr *expr;
	unsigned int i, j, n = 0;

	if (!c->kernel->snapshot)
		return hist_kernel_lacks(c, action->span, "no snapshot()",
					 "Linux 5.1 has it, with CONFIG_TRACER_SNAPSHOT");
	for (i = 0; i <= c->nbefore; i++) {
		expr = i < c->nbefore ? c->context->triggers[i].expr : c->expr;
		for (j = 0; j < expr->nactions; j++)
			n += expr->actions[j].kind == HIST_ACTION_SNAPSHOT;
	}
	if (n <= 1)
		return 0;
	hist_error_set(c->error, action->span.start, action->span.len,
		       "more than one snapshot() in an instance");
	hist_error_hint(c->error, "the kernel has one buffer for them");
	return -EINVAL;
}

static int check_action(struct hist_check *c, const struct hist_action *action)
{
	int ret;

	ret = action->handler == HIST_ONMATCH ? check_match(c, action) : check_tracked(c, action);
	if (!ret)
		ret = check_name(c, action);
	if (ret)
		return ret;
	if (action->handler == HIST_ONMATCH && action->kind != HIST_ACTION_TRACE)
		return check_mismatch(c, action);
	if (action->nparams > PARAMS_MAX)
		return hist_error_set(c->error, action->params[PARAMS_MAX].span.start,
				      action->params[PARAMS_MAX].span.len,
				      "too many parameters: the kernel takes %u", PARAMS_MAX);
	switch (action->kind) {
	case HIST_ACTION_SAVE:
		return check_save(c, action);
	case HIST_ACTION_SNAPSHOT:
		return check_snapshot(c, action);
	default:
		return hist_check_trace(c, action);
	}
}

/* The number of variables that an action adds to the trigger's own variables. */
static unsigned int variables_of(const struct hist_check *c, const struct hist_action *action)
{
	unsigned int n = action->handler != HIST_ONMATCH, i;

	for (i = 0; i < action->nparams; i++)
		n += action->kind == HIST_ACTION_SAVE ||
		     hist_param_is_own_field(c, action, &action->params[i]);
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
			return hist_kernel_lacks(c, action->span, "no actions",
						 "Linux 4.17 has them");
		ret = check_action(c, action);
		if (ret)
			return ret;
		saves += action->kind == HIST_ACTION_SAVE;
		if (saves > 1)
			return hist_error_set(c->error, action->span.start, action->span.len,
					      "more than one save() in a trigger");
		variables += variables_of(c, action);
		if (variables <= VARIABLES_MAX)
			continue;
		hist_error_set(c->error, action->span.start, action->span.len,
			       "too many variables: the kernel takes %u", VARIABLES_MAX);
		hist_error_hint(c->error, "fields in save() and trace(), onmax() and onchange() "
					  "count too");
		return -EINVAL;
	}
	return 0;
}
