/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * print_expr.h - the text that an argument of a print fmt gives for one number
 *
 * The language is what kernels use around names: the operators of C except division, casts,
 * numbers, one field "REC->NAME", strings, __print_symbolic() and __print_flags().
 */
#ifndef LIB_EVENT_PRINT_EXPR_H
#define LIB_EVENT_PRINT_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

/* The only field that the expression may use, and its number. */
struct print_number {
	const char *field;
	bool is_signed;
	uint64_t num; /* sign-extended if signed */
};

struct print_result {
	bool has_list; /* the text has __print_symbolic() or __print_flags() with a known number */
	bool has_field;	 /* the text uses the field */
	bool is_unnamed; /* a list does not have the number, so the output is not complete */
};

/*
 * print_expr_eval - write the text of the expression @text for @number to @out
 * False: the expression is not a text, or has a constant, a function or a field that is not known.
 * The output is then not complete.  An item of a list whose number is not known is passed.  Errors
 * of memory are kept in @out.
 */
bool print_expr_eval(const char *text, size_t len, const struct print_number *number,
		     struct hist_strbuf *out, struct print_result *result);

/*
 * print_expr_read_string - read the string literals at *@at: "a" "b" is one string
 * @out: gets the characters; may be NULL.  False if a string does not end before @end.
 */
bool print_expr_read_string(const char **at, const char *end, struct hist_strbuf *out);

#endif
