/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr_parts.h - read the parts of an expression, and report errors in them
 *
 * lib/expr parses with these functions.  The checker and the engine use them for what the parser
 * leaves as text, such as parameters of actions.
 */
#ifndef LIB_EXPR_EXPR_PARTS_H
#define LIB_EXPR_EXPR_PARTS_H

#include <string.h>

#include "lib/base/text.h"
#include "lib/expr/expr.h"

enum hist_role {
	HIST_ROLE_KEY,
	HIST_ROLE_VALUE,
	HIST_ROLE_SORT,
	HIST_ROLE_DEFINITION, /* the definition of a variable */
};

/* Fill *@error, which may be NULL; return -EINVAL.  @hint of hist_expr_error_refuse() may be "". */
int hist_expr_error_set(struct hist_error *error, size_t start, size_t len, const char *what, ...)
	__attribute__((format(printf, 4, 5)));
int hist_expr_error_hint(struct hist_error *error, const char *hint, ...)
	__attribute__((format(printf, 2, 3)));
int hist_expr_error_refuse(struct hist_error *error, struct hist_span at, const char *hint,
			   const char *what, ...) __attribute__((format(printf, 4, 5)));

/* The maximum length of a user's word in a message. */
#define HIST_SHOWN 60
#define HIST_SHOW(len) ((len) > HIST_SHOWN ? HIST_SHOWN : (int)(len))

#define HIST_SPACES " \t\n\v\f\r"

static inline bool hist_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The offset of the first character of @text that is not a space; @len: up to the last one. */
size_t hist_expr_trim(const char *text, size_t *len);

bool hist_expr_is_word(const char *s, size_t len); /* a C identifier */

/*
 * hist_expr_next_item - the next item of a list with commas, without the blanks around it
 * *@list is moved behind the comma, or becomes NULL after the last item.
 */
const char *hist_expr_next_item(const char **list, const char *end, size_t *len);

/* kstrtoul(s, 0): decimal, 0x hexadecimal or 0 octal, all of @s. */
bool hist_expr_parse_number(const char *s, size_t len, uint64_t *value);

/*
 * Parse one "name.modifier" of @len bytes; @start is its position in the text.
 * -EINVAL with *@error filled, or -ENOMEM; @field is empty then.
 */
int hist_expr_field_parse(struct hist_field *field, const char *s, size_t len, size_t start,
			  enum hist_role role, struct hist_error *error);
void hist_expr_field_clear(struct hist_field *field);

extern const char *const hist_expr_handler_names[]; /* "onmatch" */

/* The next +, -, *, / or parenthesis at or after @s, except the '-' of .sym-offset. */
const char *hist_expr_find_operator(const char *s, const char *end);

/* hist_expr_parse() of text that does not end in [active] or [paused]. */
int hist_expr_parse_plain(struct hist_expr **expr, const char *text, struct hist_error *error);

/* The variable of this name that the expression sets, or NULL. */
const struct hist_variable *hist_expr_find_variable(const struct hist_expr *expr, const char *name);

/* "hitcount" without a modifier */
bool hist_expr_field_is_hitcount(const struct hist_field *field);

#endif
