/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr_tree.h - the tree of a value, a key or a variable's definition
 *
 *   common_timestamp.usecs-$ts0      bytes_alloc-bytes_req*2      -(a+b)-c
 *
 * Source of the grammar: parse_expr(), contains_operator(), parse_unary() and parse_atom() in
 * kernel/trace/trace_events_hist.c.  `*` and `/` bind tighter than `+` and `-`; operators of equal
 * precedence are left-associative.  An expression has at most three operators.  Parentheses are
 * allowed only in -(...) at the beginning.
 *
 * The kernel computes with unsigned 64-bit numbers that wrap.  It extends a field by the field's
 * own sign.  A division by zero gives all ones.  It divides a value v < 2^20 by a constant d <=
 * 2^20 that is not a power of two as
 *
 *   (v * (2^20 / d) + 2^20 - 1) >> 20
 *
 * and the result can be off by one (div_by_mult_and_shift()).  One .usecs in a trigger converts all
 * its time stamps to microseconds (parse_field(), hist_field_timestamp()).
 */
#ifndef LIB_EXPR_EXPR_TREE_H
#define LIB_EXPR_EXPR_TREE_H

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"

enum hist_node_kind {
	HIST_NODE_FIELD,    /* name[.modifier[=N]]; also common_timestamp and similar names */
	HIST_NODE_VARIABLE, /* [system.event.]$name */
	HIST_NODE_NUMBER,
	HIST_NODE_NEGATE,   /* -(left) */
	HIST_NODE_ADD,
	HIST_NODE_SUB,
	HIST_NODE_MUL,
	HIST_NODE_DIV,
};

/* Plain data; a node owns its strings and children. */
struct hist_node {
	enum hist_node_kind kind;
	struct hist_span span;

	char *name;		    /* FIELD, VARIABLE (without the $) */
	char *system, *event;	    /* VARIABLE: both given or both NULL */
	enum hist_modifier modifier; /* FIELD */
	uint64_t bucket;	    /* FIELD: N of .buckets=N */
	struct hist_span modifier_span;

	uint64_t number; /* NUMBER */

	struct hist_node *left, *right; /* the operators; NEGATE has no right */
};

/*
 * hist_expr_tree_parse - parse @len bytes of @text
 * @start: the position of @text in the whole text, for spans.
 * 0; -EINVAL with *@error (which may be NULL) filled; -ENOMEM.
 */
int hist_expr_tree_parse(struct hist_node **node, const char *text, size_t len, size_t start,
			 struct hist_error *error);
void hist_expr_tree_free(struct hist_node *node);

/* Print the tree in the kernel's syntax, without blanks.  Errors are kept in the buffer. */
void hist_expr_tree_print(struct hist_strbuf *b, const struct hist_node *node);

#endif
