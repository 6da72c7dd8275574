// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_access.c - queries that search the parts of an expression
 */
#include <string.h>

#include "lib/expr/expr_parts.h"

#define TIMESTAMP "common_timestamp"

static bool names_timestamp(const char *s)
{
	const size_t n = strlen(TIMESTAMP);
	const char *p;

	/* "$common_timestamp" is a variable of that name, not the time stamp. */
	for (p = s; (p = strstr(p, TIMESTAMP)); p += n)
		if ((p == s || (p[-1] != '$' && !text_is_word(p[-1]))) && !text_is_word(p[n]))
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

bool hist_expr_field_is_hitcount(const struct hist_field *field)
{
	return !field->is_expression && field->modifier == HIST_MOD_NONE &&
	       !strcmp(field->name, "hitcount");
}
