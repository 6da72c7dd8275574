/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr_tree.h - a value, a variable's definition or a key as a tree
 *
 *   common_timestamp.usecs-$ts0      bytes_alloc-bytes_req*2      -(a+b)-c
 *
 * Source of the grammar: parse_expr(), contains_operator(), parse_unary() and
 * parse_atom() in kernel/trace/trace_events_hist.c.  `*` and `/` bind tighter
 * than `+` and `-`, operators of one kind go from left to right, at most three
 * of them, and the only parentheses are those of -(...) at the beginning.
 *
 * What the kernel computes with it: unsigned 64-bit numbers that wrap; a field
 * is extended by its own sign; a division by zero gives all ones.  Dividing by a
 * constant d that is no power of two and at most 2^20, it takes for values v
 * below 2^20 the short cut (v * (2^20 / d) + 2^20 - 1) >> 20, which can be one
 * off (div_by_mult_and_shift()).  One .usecs in a trigger turns all of its time
 * stamps into microseconds (parse_field(), hist_field_timestamp()).
 */
#ifndef LIB_EXPR_EXPR_TREE_H
#define LIB_EXPR_EXPR_TREE_H

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"

enum hist_node_kind {
	HIST_NODE_FIELD,    /* name[.modifier[=N]]; also common_timestamp and its like */
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
 * hist_tree_parse - parse @len bytes of @text, which stand at @start of the
 * whole text that spans count in
 * 0; -EINVAL with *@error (which may be NULL) filled; -ENOMEM.
 */
int hist_tree_parse(struct hist_node **node, const char *text, size_t len, size_t start,
		    struct hist_error *error);
void hist_tree_free(struct hist_node *node);

/* As the kernel takes it, with no blanks.  Errors are in the buffer. */
void hist_tree_print(struct hist_strbuf *b, const struct hist_node *node);

#endif
