/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr_error.h - print an error of an expression, with a caret below its position
 */
#ifndef LIB_EXPR_EXPR_ERROR_H
#define LIB_EXPR_EXPR_ERROR_H

#include <stdio.h>

#include "lib/expr/expr.h"

/*
 * hist_expr_error_print - print an error, the text with a caret, and the hint if there is one
 *   PREFIXWHAT
 *     hist:keys=bytes_rq
 *               ^~~~~~~~
 *   hint: HINT
 * The text and the caret are left out if @text is NULL or "".  Control characters are escaped
 * (escape.h); the caret still points to the right column.
 */
void hist_expr_error_print(FILE *f, const char *prefix, const char *text,
			   const struct hist_error *error);

#endif
