// SPDX-License-Identifier: LGPL-2.1
/*
 * expr.c - parse a hist trigger expression
 *
 * The steps are in the order of the kernel: trim; cut the filter off at the first "if" between
 * blanks; split the rest at every ':'; classify each part by the word before '='.  As in the
 * kernel, a part with an unknown word before '=' is a variable.  A mistyped attribute is therefore
 * detected only when the fields of the variable are looked up.
 *
 * The kernel splits at ',' before it parses the pieces, so brackets do not protect a comma.  Each
 * variable and each action is stored as its text (struct hist_clause) and as parsed members.
 * Source: parse_var_defs(), action_parse(), parse_action_params() and trace_action_create() in
 * trace_events_hist.c.
 *
 * Invariant: expr->text is the trimmed text and never changes; all spans count in it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/suggest.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/filter.h"

/* hist_expr_tree_parse() that sets *@node to NULL if the text is not an expression; or -ENOMEM. */
static int hist_expr_tree_try(struct hist_node **node, const char *text, size_t len, size_t start)
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

/* Parse "VAR=EXPR[,VAR=EXPR..]", @len bytes at @start of the text, and add it to @expr. */
static int hist_expr_parse_variables(struct hist_expr *expr, size_t start, size_t len,
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

/* Does this part begin like an action? */
static bool hist_expr_is_action(const char *s, size_t len)
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

/* The same for "HANDLER(SUBJECT).ACTION(PARAMETERS)". */
static int hist_expr_parse_action(struct hist_expr *expr, size_t start, size_t len,
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

static void hist_expr_parts_clear(struct hist_expr *expr)
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

static int expr_parse_field_list(struct hist_expr *expr, struct hist_fields *fields, size_t start,
				 size_t len, enum hist_role role, struct hist_error *error)
{
	const char *s = expr->text + start, *end = s + len, *comma;
	struct hist_field *field;
	int ret;

	for (;; s = comma + 1) {
		comma = memchr(s, ',', end - s);
		if (!comma)
			comma = end;
		ret = array_add(&fields->field, fields->n, sizeof(*field));
		if (ret)
			return ret;
		field = &fields->field[fields->n];
		ret = hist_expr_field_parse(field, s, comma - s, s - expr->text, role, error);
		if (ret)
			return ret;
		fields->n++;
		if (role != HIST_ROLE_SORT)
			ret = hist_expr_tree_try(&field->tree, s, comma - s, s - expr->text);
		if (ret)
			return ret;
		if (comma == end)
			return 0;
	}
}

static int expr_set_string(struct hist_expr *expr, char **string, size_t start, size_t len)
{
	*string = strndup(expr->text + start, len);
	return *string ? 0 : -ENOMEM;
}

static int parse_size(struct hist_expr *expr, size_t start, size_t len, struct hist_error *error)
{
	const char *s = expr->text + start;

	if (!hist_expr_parse_number(s, len, &expr->size) || !expr->size)
		return hist_expr_error_set(error, start, len,
					   "size=%.*s: must be a number from 65 to 131072",
					   HIST_SHOW(len), s);
	expr->size_span = (struct hist_span){ start, len };
	return 0;
}

enum attribute { ATTR_KEYS, ATTR_VALUES, ATTR_SORT, ATTR_SIZE, ATTR_CLOCK, ATTR_NAME, N_ATTRS };

static const struct {
	const char *prefix;
	enum attribute attribute;
} attributes[] = {
	{ "keys=", ATTR_KEYS },	  { "key=", ATTR_KEYS },    { "values=", ATTR_VALUES },
	{ "vals=", ATTR_VALUES }, { "val=", ATTR_VALUES },  { "sort=", ATTR_SORT },
	{ "size=", ATTR_SIZE },	  { "clock=", ATTR_CLOCK }, { "name=", ATTR_NAME },
};

static int parse_attribute(struct hist_expr *expr, enum attribute attribute, size_t start,
			   size_t len, struct hist_error *error)
{
	switch (attribute) {
	case ATTR_KEYS:
		return expr_parse_field_list(expr, &expr->keys, start, len, HIST_ROLE_KEY, error);
	case ATTR_VALUES:
		return expr_parse_field_list(expr, &expr->values, start, len, HIST_ROLE_VALUE,
					     error);
	case ATTR_SORT:
		return expr_parse_field_list(expr, &expr->sorts, start, len, HIST_ROLE_SORT, error);
	case ATTR_SIZE:
		return parse_size(expr, start, len, error);
	case ATTR_CLOCK:
		expr->clock_span = (struct hist_span){ start, len };
		return expr_set_string(expr, &expr->clock, start, len);
	case ATTR_NAME:
		expr->name_span = (struct hist_span){ start, len };
		return expr_set_string(expr, &expr->name, start, len);
	default:
		return -EINVAL;
	}
}

static int unknown_part(const char *s, size_t len, size_t start, struct hist_error *error)
{
	static const char *const words[] = {
		"keys",	 "values",     "vals",	  "sort",     "size",
		"clock", "name",       "pause",	  "continue", "cont",
		"clear", "nohitcount", "onmatch", "onmax",    "onchange",
	};
	const char *near;
	char *word;

	if (!len)
		return hist_expr_error_set(error, start, 0, "empty attribute");
	hist_expr_error_set(error, start, len, "unknown attribute \"%.*s\"", HIST_SHOW(len), s);
	word = strndup(s, len);
	if (!word)
		return -ENOMEM;
	near = hist_suggest(word, words, sizeof(words) / sizeof(*words));
	free(word);
	if (near)
		return hist_expr_error_hint(error, "did you mean \"%s\"?", near);
	return hist_expr_error_hint(
		error, "use one of: keys=, values=, sort=, size=, clock=, name=, pause, "
		       "continue, clear, nohitcount, VARIABLE=EXPRESSION");
}

/* Refuse blanks.  The kernel would make a blank the last letter of a field name, or refuse it. */
static int refuse_blank(const struct hist_expr *expr, size_t start, size_t len,
			struct hist_error *error)
{
	const char *s = expr->text + start;
	size_t i;

	for (i = 0; i < len; i++) {
		if (!text_is_blank(s[i]))
			continue;
		return hist_expr_error_refuse(error, (struct hist_span){ start + i, 1 },
					      "remove it, or write \"if\" before a filter",
					      "unexpected white space in \"%.*s\"",
					      HIST_SHOW(len), s);
	}
	return 0;
}

static int parse_part(struct hist_expr *expr, size_t start, size_t len, bool *seen,
		      struct hist_error *error)
{
	const char *s = expr->text + start;
	size_t i, n;
	int ret;

	if (hist_expr_is_action(s, len) && !memchr(s, '=', len))
		return hist_expr_parse_action(expr, start, len, error);
	ret = refuse_blank(expr, start, len, error);
	if (ret)
		return ret;

	for (i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		if (!text_starts_with(s, len, attributes[i].prefix))
			continue;
		n = strlen(attributes[i].prefix);
		if (n == len)
			return hist_expr_error_set(error, start, len, "no value after \"%.*s\"",
						   (int)len, s);
		if (seen[attributes[i].attribute])
			return hist_expr_error_set(error, start, len, "\"%s\" is given twice",
						   attributes[i].prefix);
		seen[attributes[i].attribute] = true;
		return parse_attribute(expr, attributes[i].attribute, start + n, len - n, error);
	}
	if (memchr(s, '=', len))
		return hist_expr_parse_variables(expr, start, len, error);

	if (text_equals(s, len, "nohitcount") || text_equals(s, len, "NOHC")) {
		expr->nohitcount = true;
		expr->nohitcount_span = (struct hist_span){ start, len };
	} else if (text_equals(s, len, "pause")) {
		expr->paused = true;
	} else if (text_equals(s, len, "cont") || text_equals(s, len, "continue") ||
		   text_equals(s, len, "clear")) {
		*(s[1] == 'l' ? &expr->cleared : &expr->continued) = true;
		expr->changes_existing = true;
		expr->changes_span = (struct hist_span){ start, len };
	} else {
		return unknown_part(s, len, start, error);
	}
	return 0;
}

static int parse_parts(struct hist_expr *expr, struct hist_error *error)
{
	bool seen[N_ATTRS] = { false };
	size_t start = expr->params, len;
	const char *colon;
	int ret;

	for (; start < expr->end || start > expr->params; start += len + 1) {
		colon = memchr(expr->text + start, ':', expr->end - start);
		len = colon ? (size_t)(colon - expr->text) - start : expr->end - start;
		ret = parse_part(expr, start, len, seen, error);
		if (ret)
			return ret;
		if (!colon)
			break;
	}
	if (!seen[ATTR_KEYS]) {
		hist_expr_error_set(error, expr->params, expr->end - expr->params, "no keys");
		return hist_expr_error_hint(error, "write hist:keys=FIELD");
	}
	return 0;
}

/* Find " if FILTER" and set expr->end. */
static int cut_filter(struct hist_expr *expr, struct hist_error *error)
{
	const char *params = expr->text + expr->params, *p = params, *filter = NULL;
	int ret;

	expr->end = strlen(expr->text);
	while ((p = strstr(p, "if"))) {
		if (p > params && text_is_blank(p[-1]) && (!p[2] || text_is_blank(p[2]))) {
			filter = p + 2;
			break;
		}
		p++;
	}
	if (!filter)
		return 0;
	filter += strspn(filter, " \t");
	if (!*filter)
		return hist_expr_error_set(error, p - expr->text, 2, "no filter after \"if\"");
	expr->end = p - expr->text;
	while (expr->end > expr->params && text_is_blank(expr->text[expr->end - 1]))
		expr->end--;
	expr->filter_start = filter - expr->text;
	ret = hist_filter_parse(&expr->filter_tree, filter, strlen(filter), expr->filter_start,
				NULL);
	if (ret && ret != -EINVAL)
		return ret;
	expr->filter_hash = hash_bytes(1, filter, strlen(filter));
	return expr_set_string(expr, &expr->filter, expr->filter_start, strlen(filter));
}

static int cut_prefix(struct hist_expr *expr, struct hist_error *error)
{
	const char *s = expr->text;
	size_t i, len = strlen(s);

	for (i = 0; i < len; i++)
		if (((unsigned char)s[i] < ' ' && s[i] != '\t') || s[i] == 0x7f)
			return hist_expr_error_set(error, i, 1, "unexpected control character");
	if (!text_starts_with(s, len, "hist") || (s[4] && s[4] != ':' && !text_is_blank(s[4]))) {
		for (i = 0; i < len && s[i] != ':' && !text_is_blank(s[i]); i++)
			;
		hist_expr_error_set(error, 0, i, "not a hist trigger");
		return hist_expr_error_hint(error, "begin the expression with hist:keys=");
	}
	expr->params = len > 4 ? 5 : 4;
	expr->params += strspn(s + expr->params, " \t");
	return 0;
}

/* Cut " [active]" or " [paused]", which the kernel prints after a trigger. */
static void cut_state(struct hist_expr *expr)
{
	const size_t n = strlen("[active]");
	size_t len = strlen(expr->text);
	char *state;

	if (len <= n || !text_is_blank(expr->text[len - n - 1]))
		return;
	state = expr->text + len - n;
	if (!strcmp(state, "[paused]"))
		expr->paused = true;
	else if (strcmp(state, "[active]"))
		return;
	while (state > expr->text && text_is_blank(state[-1]))
		state--;
	*state = '\0';
}

static int expr_parse_text(struct hist_expr **result, const char *text, bool with_state,
			   struct hist_error *error)
{
	struct hist_expr *expr;
	size_t len, start = hist_expr_trim(text, &len);
	int ret = -ENOMEM;

	expr = calloc(1, sizeof(*expr));
	if (!expr)
		return -ENOMEM;
	expr->text = strndup(text + start, len);
	if (!expr->text)
		goto fail;
	if (with_state)
		cut_state(expr);
	ret = cut_prefix(expr, error);
	if (!ret)
		ret = cut_filter(expr, error);
	if (!ret)
		ret = parse_parts(expr, error);
	if (ret)
		goto fail;
	*result = expr;
	return 0;
fail:
	if (ret == -EINVAL && error)
		error->at.start += start;
	hist_expr_free(expr);
	return ret;
}

int hist_expr_parse(struct hist_expr **expr, const char *text, struct hist_error *error)
{
	return expr_parse_text(expr, text, true, error);
}

int hist_expr_parse_plain(struct hist_expr **expr, const char *text, struct hist_error *error)
{
	return expr_parse_text(expr, text, false, error);
}

static void free_fields(struct hist_fields *fields)
{
	unsigned int i;

	for (i = 0; i < fields->n; i++)
		hist_expr_field_clear(&fields->field[i]);
	free(fields->field);
}

void hist_expr_free(struct hist_expr *expr)
{
	unsigned int i;

	if (!expr)
		return;
	free_fields(&expr->keys);
	free_fields(&expr->values);
	free_fields(&expr->sorts);
	for (i = 0; i < expr->nclauses; i++)
		free(expr->clauses[i].text);
	free(expr->clauses);
	hist_expr_parts_clear(expr);
	hist_filter_free(expr->filter_tree);
	free(expr->clock);
	free(expr->name);
	free(expr->filter);
	free(expr->text);
	free(expr);
}
