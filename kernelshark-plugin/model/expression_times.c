// SPDX-License-Identifier: GPL-2.0
/*
 * expression_times.c - the times in the statements of an expression
 *
 * A latency is a difference of two time stamps.  It is in microseconds by the unit of the time
 * stamps, so that without this unit the expression computes nanoseconds.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/base/error.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"

#define TIMESTAMP "common_timestamp"
/* Two ways to have a time in us: the kernel rounds it, or a latency of record divides it */
#define ROUNDED TIMESTAMP ".usecs"
#define DIVIDED TIMESTAMP "/1000"

/* A statement of the expression, without the blanks before it. */
struct statement {
	const char *text;
	size_t len;
};

/* Get the statement at *@at, and move *@at to the next one; NULL after the last. */
static bool expression_next_statement(const char **at, struct statement *s)
{
	const char *end;

	if (!*at)
		return false;
	end = *at + expression_statement_len(*at);
	s->text = *at + strspn(*at, BLANKS);
	s->len = end - s->text;
	*at = *end ? end + 1 : NULL;
	return true;
}

/* The offset of the last statement. */
static size_t expression_last_statement(const char *text)
{
	const char *at = text, *from = text, *last = text;
	struct statement s;

	for (; expression_next_statement(&at, &s); from = at)
		last = s.len ? from : last;
	return last - text;
}

/* The trigger of a statement; NULL for a definition, or if there is none. */
static struct hist_expr *expression_parse_statement(const struct statement *s)
{
	struct hist_expr *expr = NULL;
	char *copy = strndup(s->text, s->len), *at = copy;

	if (!copy)
		return NULL;
	at += strcspn(at, BLANKS);
	at += strspn(at, BLANKS);
	if (strncmp(copy, "s:", 2) && hist_expr_parse(&expr, at, NULL))
		expr = NULL;
	free(copy);
	return expr;
}

/* "common_timestamp-$ts" */
static bool expression_is_difference(const struct hist_node *node)
{
	const struct hist_node *time = node && node->kind == HIST_NODE_SUB ? node->left : NULL;

	if (time && time->kind == HIST_NODE_DIV)
		time = time->left;
	return time && time->kind == HIST_NODE_FIELD && !strcmp(time->name, TIMESTAMP) &&
	       node->right->kind == HIST_NODE_VARIABLE;
}

/* True if a trigger passes a difference of time stamps for parameter @number of @synth. */
static bool expression_passes(const struct hist_expr *expr, const char *synth, unsigned int number)
{
	const struct hist_variable *v;
	const struct hist_action *a;
	unsigned int i;

	for (i = 0; i < expr->nactions; i++) {
		a = &expr->actions[i];
		if (!a->synth || strcmp(a->synth, synth) || number >= a->nparams ||
		    !a->params[number].is_variable)
			continue;
		v = hist_expr_find_variable(expr, a->params[number].name);
		if (v && expression_is_difference(v->tree))
			return true;
	}
	return false;
}

/* A product or a quotient, whose meaning depends on the unit of times */
static bool expression_variable_scales(const char *text)
{
	const char *at = text;

	while ((at = strpbrk(at, "*/"))) {
		if (at - text < (ptrdiff_t)strlen(TIMESTAMP) ||
		    strncmp(at - strlen(TIMESTAMP), DIVIDED, strlen(DIVIDED)))
			return true;
		at++;
	}
	return false;
}

static bool expression_scales(const char *text)
{
	struct hist_expr *expr;
	struct statement s;
	bool scales = false;
	unsigned int i;

	while (!scales && expression_next_statement(&text, &s)) {
		expr = expression_parse_statement(&s);
		for (i = 0; expr && i < expr->nvariables; i++)
			scales |= expression_variable_scales(expr->variables[i].text);
		hist_expr_free(expr);
	}
	return scales;
}

/* The number of the field @name in the definition of @synth; -1: not found. */
static int expression_find_param(const char *text, const char *synth, const char *name)
{
	struct hist_synth *made;
	struct statement s;
	unsigned int i;
	int found = -1;
	char *copy;

	while (found < 0 && expression_next_statement(&text, &s)) {
		copy = strndup(s.text, s.len);
		if (copy && !strncmp(copy, "s:", 2) && !hist_synth_parse(&made, copy, NULL)) {
			for (i = 0; !strcmp(made->name, synth) && i < made->nfields; i++)
				if (!strcmp(made->fields[i].name, name))
					found = i;
			hist_synth_free(made);
		}
		free(copy);
	}
	return found;
}

bool expression_computes_latency(const char *text, const char *event, const char *field)
{
	const char *synth = strncmp(event, "synthetic:", 10) ? NULL : event + 10;
	struct hist_expr *expr;
	struct statement s;
	bool passes = false;
	int number;

	number = synth ? expression_find_param(text, synth, field) : -1;
	while (number >= 0 && !passes && expression_next_statement(&text, &s)) {
		expr = expression_parse_statement(&s);
		passes = expr && expression_passes(expr, synth, number);
		hist_expr_free(expr);
	}
	return passes;
}

void expression_put_before_last(struct hist_strbuf *to, const char *text)
{
	hist_strbuf_add(to, text, expression_last_statement(text));
}

int expression_put_in_ns(struct hist_strbuf *to, const char *text, struct hist_error *error)
{
	static const struct {
		const char *from, *to;
	} units[] = {
		{ ROUNDED, TIMESTAMP }, { DIVIDED, TIMESTAMP }, { TIMESTAMP, TIMESTAMP },
	};
	const char *at = text, *end = text + expression_last_statement(text), *time;
	unsigned int i;

	if (expression_scales(text))
		return hist_error_set(error, -EOPNOTSUPP,
				      "the expression multiplies or divides a "
				      "time, so the result is not a time");
	while ((time = memmem(at, end - at, TIMESTAMP, strlen(TIMESTAMP)))) {
		for (i = 0; strncmp(time, units[i].from, strlen(units[i].from)); i++)
			;
		hist_strbuf_add(to, at, time - at);
		hist_strbuf_str(to, units[i].to);
		at = time + strlen(units[i].from);
	}
	hist_strbuf_add(to, at, end - at);
	return 0;
}

bool expression_rounds_times(const char *text)
{
	return strstr(text, ROUNDED);
}
