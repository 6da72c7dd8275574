/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr_private.h - what expr*.c, field_resolve.c, check.c and schema.c share
 */
#ifndef LIB_EXPR_EXPR_PRIVATE_H
#define LIB_EXPR_EXPR_PRIVATE_H

#include "lib/expr/expr.h"

struct hist_fields {
	struct hist_field *field;
	unsigned int n;
};

struct hist_expr {
	char *text;
	size_t params; /* where the first attribute begins in @text */
	size_t end;    /* one past the last attribute; then comes " if FILTER" or nothing */
	struct hist_fields keys;
	struct hist_fields values;
	struct hist_fields sorts;
	struct hist_clause *clauses;
	unsigned int nclauses;
	struct hist_variable *variables;
	unsigned int nvariables;
	struct hist_action *actions;
	unsigned int nactions;
	uint64_t size;
	struct hist_span size_span;
	char *clock;
	struct hist_span clock_span;
	char *name;
	struct hist_span name_span;
	char *filter;
	size_t filter_start;
	struct hist_filter *filter_tree;
	bool nohitcount;
	struct hist_span nohitcount_span;
	bool paused;
	bool continued; /* :cont or :continue */
	bool cleared;
	bool changes_existing;
	struct hist_span changes_span;
};

enum hist_role {
	HIST_ROLE_KEY,
	HIST_ROLE_VALUE,
	HIST_ROLE_SORT,
	HIST_ROLE_DEFINITION, /* what a variable is set to */
};

/* Fill *@error, which may be NULL; returns -EINVAL. */
int hist_error_set(struct hist_error *error, size_t start, size_t len, const char *what, ...)
	__attribute__((format(printf, 4, 5)));
void hist_error_hint(struct hist_error *error, const char *hint, ...)
	__attribute__((format(printf, 2, 3)));

/* Longest part of a user's word that is shown in a message. */
#define HIST_SHOWN 60
#define HIST_SHOW(len) ((len) > HIST_SHOWN ? HIST_SHOWN : (int)(len))

bool hist_is_word(const char *s, size_t len); /* a C identifier */

/* kstrtoul(s, 0): decimal, 0x hexadecimal or 0 octal, all of @s. */
bool hist_parse_number(const char *s, size_t len, uint64_t *value);

/*
 * One "name.modifier" of @len bytes, which stands at @start of the text.
 * -EINVAL with *@error filled, -ENOMEM; @field is then empty.
 */
int hist_field_parse(struct hist_field *field, const char *s, size_t len, size_t start,
		     enum hist_role role, struct hist_error *error);
void hist_field_clear(struct hist_field *field);

/*
 * "VAR=EXPR[,VAR=EXPR..]" and "HANDLER(SUBJECT).ACTION(PARAMETERS)", @len bytes
 * at @start of the text, added to @expr (expr_parts.c).
 */
int hist_parse_variables(struct hist_expr *expr, size_t start, size_t len,
			 struct hist_error *error);
int hist_parse_action(struct hist_expr *expr, size_t start, size_t len, struct hist_error *error);
/* Does this part begin as an action does? */
bool hist_is_action(const char *s, size_t len);
void hist_parts_clear(struct hist_expr *expr);

/* hist_tree_parse() that leaves *@node NULL for what is no expression; 0 or -ENOMEM. */
int hist_tree_try(struct hist_node **node, const char *text, size_t len, size_t start);

/* The next +, -, *, / or parenthesis at or after @s, the '-' of .sym-offset not among them. */
const char *hist_find_operator(const char *s, const char *end);

/* hist_expr_parse() of text that ends where it ends: no [active] or [paused] to take off. */
int hist_expr_parse_plain(struct hist_expr **expr, const char *text, struct hist_error *error);

/* What variable @name (@len bytes) is set to in this expression, or NULL. */
const char *hist_expr_definition(const struct hist_expr *expr, const char *name, size_t len,
				 size_t *definition_len);

#endif
