// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_access.c - read the parts of a parsed expression
 *
 * Plain getters, and queries that search all parts.
 */
#include <string.h>

#include "lib/expr/expr_private.h"

#define TIMESTAMP "common_timestamp"

const char *hist_expr_text(const struct hist_expr *expr)
{
	return expr->text;
}

static const struct hist_field *nth(const struct hist_fields *fields, unsigned int i)
{
	return i < fields->n ? &fields->field[i] : NULL;
}

unsigned int hist_expr_nkeys(const struct hist_expr *expr)
{
	return expr->keys.n;
}

const struct hist_field *hist_expr_key(const struct hist_expr *expr, unsigned int i)
{
	return nth(&expr->keys, i);
}

unsigned int hist_expr_nvalues(const struct hist_expr *expr)
{
	return expr->values.n;
}

const struct hist_field *hist_expr_value(const struct hist_expr *expr, unsigned int i)
{
	return nth(&expr->values, i);
}

unsigned int hist_expr_nsorts(const struct hist_expr *expr)
{
	return expr->sorts.n;
}

const struct hist_field *hist_expr_sort(const struct hist_expr *expr, unsigned int i)
{
	return nth(&expr->sorts, i);
}

const struct hist_clause *hist_expr_clause(const struct hist_expr *expr, unsigned int i)
{
	return i < expr->nclauses ? &expr->clauses[i] : NULL;
}

unsigned int hist_expr_nvariables(const struct hist_expr *expr)
{
	return expr->nvariables;
}

const struct hist_variable *hist_expr_variable(const struct hist_expr *expr, unsigned int i)
{
	return i < expr->nvariables ? &expr->variables[i] : NULL;
}

unsigned int hist_expr_nactions(const struct hist_expr *expr)
{
	return expr->nactions;
}

const struct hist_action *hist_expr_action(const struct hist_expr *expr, unsigned int i)
{
	return i < expr->nactions ? &expr->actions[i] : NULL;
}

uint64_t hist_expr_size(const struct hist_expr *expr)
{
	return expr->size;
}

const char *hist_expr_clock(const struct hist_expr *expr)
{
	return expr->clock;
}

const char *hist_expr_name(const struct hist_expr *expr)
{
	return expr->name;
}

const char *hist_expr_filter(const struct hist_expr *expr)
{
	return expr->filter;
}

const struct hist_filter *hist_expr_filter_tree(const struct hist_expr *expr)
{
	return expr->filter_tree;
}

bool hist_expr_nohitcount(const struct hist_expr *expr)
{
	return expr->nohitcount;
}

bool hist_expr_paused(const struct hist_expr *expr)
{
	return expr->paused;
}

bool hist_expr_changes_existing(const struct hist_expr *expr)
{
	return expr->changes_existing;
}

static bool names_timestamp(const char *s)
{
	const size_t n = strlen(TIMESTAMP);
	const char *p;

	/* "$common_timestamp" is a variable of that name, not the time stamp. */
	for (p = s; (p = strstr(p, TIMESTAMP)); p += n)
		if ((p == s || (p[-1] != '$' && !hist_is_word(p - 1, 1) &&
				!(p[-1] >= '0' && p[-1] <= '9'))) &&
		    !hist_is_word(p, n + 1))
			return true;
	return false;
}

static bool any_timestamp(const struct hist_fields *fields)
{
	unsigned int i;

	for (i = 0; i < fields->n; i++)
		if (names_timestamp(fields->field[i].name))
			return true;
	return false;
}

bool hist_expr_uses_timestamp(const struct hist_expr *expr)
{
	unsigned int i;

	if (any_timestamp(&expr->keys) || any_timestamp(&expr->values))
		return true;
	for (i = 0; i < expr->nclauses; i++)
		if (names_timestamp(expr->clauses[i].text))
			return true;
	return false;
}

const struct hist_variable *hist_expr_find_variable(const struct hist_expr *expr, const char *name)
{
	unsigned int i;

	for (i = 0; i < expr->nvariables; i++)
		if (!strcmp(expr->variables[i].name, name))
			return &expr->variables[i];
	return NULL;
}

bool hist_field_is_hitcount(const struct hist_field *field)
{
	return !field->is_expression && field->modifier == HIST_MOD_NONE &&
	       !strcmp(field->name, "hitcount");
}
