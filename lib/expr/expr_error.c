// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_error.c - the errors of an expression: -EINVAL, and a place in its text
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/expr/expr_parts.h"

static void expr_error_fill(struct hist_error *error, struct hist_span at, const char *hint,
			    const char *what,
			    va_list ap)
{
	if (!error)
		return;
	hist_error_vset(error, -EINVAL, what, ap);
	error->at = at;
	snprintf(error->hint, sizeof(error->hint), "%s", hint);
}

int hist_expr_error_set(struct hist_error *error, size_t start, size_t len, const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	expr_error_fill(error, (struct hist_span){ start, len }, "", what, ap);
	va_end(ap);
	return -EINVAL;
}

int hist_expr_error_refuse(struct hist_error *error, struct hist_span at, const char *hint,
			   const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	expr_error_fill(error, at, hint, what, ap);
	va_end(ap);
	return -EINVAL;
}

int hist_expr_error_hint(struct hist_error *error, const char *hint, ...)
{
	va_list ap;

	if (!error)
		return -EINVAL;
	va_start(ap, hint);
	vsnprintf(error->hint, sizeof(error->hint), hint, ap);
	va_end(ap);
	return -EINVAL;
}
