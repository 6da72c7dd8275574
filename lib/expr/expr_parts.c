// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_parts.c - parse the variables and the actions of a trigger
 *
 * The kernel splits at ',' before it parses the pieces, so brackets do not protect a comma.  Each
 * part is stored as its text (struct hist_clause) and as parsed members.  Source: parse_var_defs(),
 * action_parse(), parse_action_params() and trace_action_create() in trace_events_hist.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"

int hist_expr_tree_try(struct hist_node **node, const char *text, size_t len, size_t start)
{
	int ret = hist_expr_tree_parse(node, text, len, start, NULL);

	if (ret)
		*node = NULL;
	return ret == -EINVAL ? 0 : ret;
}

static int add_clause(struct hist_expr *expr, size_t start, size_t len, bool is_action)
{
	char *text;

	if (array_add(&expr->clauses, expr->nclauses, sizeof(*expr->clauses)))
		return -ENOMEM;
	text = strndup(expr->text + start, len);
	if (!text)
		return -ENOMEM;
	expr->clauses[expr->nclauses++] = (struct hist_clause){
		.text = text,
		.is_action = is_action,
		.span = { start, len },
	};
	return 0;
}

/* "VAR=EXPR", its '=' at @equal */
static int add_variable(struct hist_expr *expr, const char *s, const char *equal, size_t len)
{
	const char *text = equal + 1;
	struct hist_variable *v;

	if (array_add(&expr->variables, expr->nvariables, sizeof(*expr->variables)))
		return -ENOMEM;
	v = &expr->variables[expr->nvariables++];
	memset(v, 0, sizeof(*v));
	v->span = (struct hist_span){ s - expr->text, len };
	v->text_span = (struct hist_span){ text - expr->text, s + len - text };
	v->name = strndup(s, equal - s);
	v->text = strndup(text, v->text_span.len);
	if (!v->name || !v->text)
		return -ENOMEM;
	return hist_expr_tree_try(&v->tree, text, v->text_span.len, v->text_span.start);
}

int hist_expr_parse_variables(struct hist_expr *expr, size_t start, size_t len,
			      struct hist_error *error)
{
	const char *s = expr->text + start, *end = s + len, *comma, *equal;
	int ret;

	for (;; s = comma + 1) {
		comma = memchr(s, ',', end - s);
		if (!comma)
			comma = end;
		equal = memchr(s, '=', comma - s);
		if (!equal || equal == s || equal + 1 == comma) {
			hist_expr_error_set(error, s - expr->text, comma - s,
					    "\"%.*s\" is not a variable definition",
					    HIST_SHOW(comma - s), s);
			return hist_expr_error_hint(error, "write VARIABLE=EXPRESSION");
		}
		if (!hist_expr_is_word(s, equal - s))
			return hist_expr_error_set(error, s - expr->text, equal - s,
						   "\"%.*s\" is not a valid variable name",
						   HIST_SHOW(equal - s), s);
		ret = add_variable(expr, s, equal, comma - s);
		if (ret)
			return ret;
		if (comma == end)
			return add_clause(expr, start, len, false);
	}
}

const char *const hist_expr_handler_names[] = {
	[HIST_ONMATCH] = "onmatch",
	[HIST_ONMAX] = "onmax",
	[HIST_ONCHANGE] = "onchange",
};

/* "HANDLER(": the length of the name; 0 if it is none. */
static size_t find_handler(const char *s, size_t len, enum hist_handler *handler)
{
	size_t n = strcspn(s, "(");

	for (*handler = HIST_ONMATCH; *handler <= HIST_ONCHANGE; (*handler)++)
		if (n < len && text_equals(s, n, hist_expr_handler_names[*handler]))
			return n;
	return 0;
}

bool hist_expr_is_action(const char *s, size_t len)
{
	enum hist_handler handler;

	return find_handler(s, len, &handler);
}

/* "[SYSTEM.EVENT.][$]NAME"; if there is only one dot, the whole text is the name. */
static int split_param(struct hist_param *param)
{
	const char *name = param->text, *dot = strchr(name, '.'), *second;

	second = dot ? strchr(dot + 1, '.') : NULL;
	if (second) {
		param->system = strndup(name, dot - name);
		param->event = strndup(dot + 1, second - dot - 1);
		name = second + 1;
		if (!param->system || !param->event)
			return -ENOMEM;
	}
	param->is_variable = *name == '$';
	param->name = strdup(name + param->is_variable);
	return param->name ? 0 : -ENOMEM;
}

static int add_param(struct hist_expr *expr, struct hist_action *action, const char *s,
		     size_t len)
{
	struct hist_param *param;

	if (array_add(&action->params, action->nparams, sizeof(*param)))
		return -ENOMEM;
	param = &action->params[action->nparams++];
	memset(param, 0, sizeof(*param));
	param->span = (struct hist_span){ s - expr->text, len };
	param->text = strndup(s, len);
	return param->text ? split_param(param) : -ENOMEM;
}

const char *hist_expr_next_item(const char **list, const char *end, size_t *len)
{
	const char *word = *list, *comma = memchr(word, ',', end - word);
	const char *stop = comma ? comma : end;

	*list = comma ? comma + 1 : NULL;
	while (word < stop && text_is_blank(*word))
		word++;
	while (stop > word && text_is_blank(stop[-1]))
		stop--;
	*len = stop - word;
	return word;
}

/* The text in the action's parentheses; the kernel strips blanks. */
static int parse_params(struct hist_expr *expr, struct hist_action *action, const char *s,
			const char *end, bool keyword)
{
	const char *word;
	size_t len;
	int ret = 0;

	if (action->kind == HIST_ACTION_SNAPSHOT)
		return 0;
	if (keyword) {
		word = hist_expr_next_item(&s, end, &len);
		action->synth_span = (struct hist_span){ word - expr->text, len };
		action->synth = strndup(word, len);
		ret = action->synth ? 0 : -ENOMEM;
	}
	while (!ret && s) {
		word = hist_expr_next_item(&s, end, &len);
		ret = add_param(expr, action, word, len);
	}
	return ret;
}

static int fill_action(struct hist_expr *expr, struct hist_action *action, const char *subject,
		       const char *close, const char *open, const char *end)
{
	const char *name = close + 2, *dot;
	size_t len = open - name;
	bool keyword = false;

	action->subject = strndup(subject, close - subject);
	action->subject_span = (struct hist_span){ subject - expr->text, close - subject };
	action->name = strndup(name, len);
	action->name_span = (struct hist_span){ name - expr->text, len };
	if (!action->subject || !action->name)
		return -ENOMEM;
	dot = strchr(action->subject, '.');
	if (action->handler == HIST_ONMATCH && dot && dot > action->subject && dot[1]) {
		action->system = strndup(action->subject, dot - action->subject);
		action->event = strdup(dot + 1);
		if (!action->system || !action->event)
			return -ENOMEM;
	}
	if (text_starts_with(name, len, "save")) {
		action->kind = HIST_ACTION_SAVE;
	} else if (text_starts_with(name, len, "snapshot")) {
		action->kind = HIST_ACTION_SNAPSHOT;
	} else {
		action->kind = HIST_ACTION_TRACE;
		keyword = text_starts_with(name, len, "trace");
	}
	if (action->kind == HIST_ACTION_TRACE && !keyword) {
		action->synth_span = action->name_span;
		action->synth = strdup(action->name);
		if (!action->synth)
			return -ENOMEM;
	}
	return parse_params(expr, action, open + 1, end, keyword);
}

int hist_expr_parse_action(struct hist_expr *expr, size_t start, size_t len,
			   struct hist_error *error)
{
	const char *s = expr->text + start, *end = s + len, *subject, *close, *open;
	struct hist_action *action;
	enum hist_handler handler;
	int ret;

	close = memchr(s, ')', len);
	open = close ? memchr(close, '(', end - close) : NULL;
	if (!open || close + 1 == end || close[1] != '.' || end[-1] != ')') {
		hist_expr_error_set(error, start, len, "incomplete action \"%.*s\"", HIST_SHOW(len),
				    s);
		return hist_expr_error_hint(error, "write HANDLER(WHAT).ACTION(PARAMETERS)");
	}
	if (!hist_expr_is_word(close + 2, open - close - 2))
		return hist_expr_error_set(error, close + 2 - expr->text, open - close - 2,
					   "\"%.*s\" is not an action", HIST_SHOW(open - close - 2),
					   close + 2);
	ret = add_clause(expr, start, len, true);
	if (!ret)
		ret = array_add(&expr->actions, expr->nactions, sizeof(*expr->actions));
	if (ret)
		return ret;
	subject = s + find_handler(s, len, &handler) + 1;
	action = &expr->actions[expr->nactions++];
	memset(action, 0, sizeof(*action));
	action->handler = handler;
	action->span = (struct hist_span){ start, len };
	return fill_action(expr, action, subject, close, open, end - 1);
}

static void clear_action(struct hist_action *action)
{
	unsigned int i;

	for (i = 0; i < action->nparams; i++) {
		free(action->params[i].text);
		free(action->params[i].system);
		free(action->params[i].event);
		free(action->params[i].name);
	}
	free(action->params);
	free(action->subject);
	free(action->system);
	free(action->event);
	free(action->name);
	free(action->synth);
}

void hist_expr_parts_clear(struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->nvariables; i++) {
		free(expr->variables[i].name);
		free(expr->variables[i].text);
		hist_expr_tree_free(expr->variables[i].tree);
	}
	free(expr->variables);
	for (i = 0; i < expr->nactions; i++)
		clear_action(&expr->actions[i]);
	free(expr->actions);
}
