/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr_error.h - say what is wrong with an expression, with a caret below the place
 */
#ifndef LIB_EXPR_EXPR_ERROR_H
#define LIB_EXPR_EXPR_ERROR_H

#include <stdio.h>

#include "lib/expr/expr.h"

/*
 * hist_error_print - one error line, then the text with a caret
 *   PROGRAM: WHAT: HINT
 *     hist:keys=bytes_rq
 *               ^~~~~~~~
 * Without a @text (NULL or "") the first line only.  Control characters are
 * escaped (escape.h); the caret stays in its column.
 */
void hist_error_print(FILE *f, const char *program, const char *text,
		      const struct hist_error *error);

#endif
