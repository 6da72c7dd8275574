/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr_error.h - print an error of an expression, with a caret below its position
 */
#ifndef LIB_EXPR_EXPR_ERROR_H
#define LIB_EXPR_EXPR_ERROR_H

#include <stdio.h>

#include "lib/expr/expr.h"

/*
 * hist_expr_error_print - print one error line, then the text with a caret
 *   PROGRAM: WHAT: HINT
 *     hist:keys=bytes_rq
 *               ^~~~~~~~
 * Only the first line is printed if @text is NULL or "".  Control characters are escaped
 * (escape.h); the caret still points to the right column.
 */
void hist_expr_error_print(FILE *f, const char *program, const char *text,
			   const struct hist_error *error);

#endif
