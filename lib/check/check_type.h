/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_type.h - what the kernel knows of a value: struct hist_field's type
 *
 * The types decide which operands go together and which parameters fit a
 * synthetic event.
 */
#ifndef LIB_CHECK_CHECK_TYPE_H
#define LIB_CHECK_CHECK_TYPE_H

#include "lib/check/check.h"
#include "lib/expr/expr_private.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/field_resolve.h"

#define HIST_REFERENCES_MAX 16 /* TRACING_MAP_VARS_MAX */

/* One trigger that is being checked; see check.h for the parts. */
struct hist_check {
	const struct hist_expr *expr;
	const struct hist_event *event;
	const struct hist_check_context *context; /* may be NULL */
	unsigned int nbefore; /* how many of the context's triggers are there before it */
	const struct hist_kernel *kernel;
	struct hist_error *error;
	/* What it refers to, each once: the variable's own name, "" for a field. */
	const char *references[HIST_REFERENCES_MAX];
	unsigned int nreferences;
};

struct hist_typed {
	char type[48]; /* as the kernel has it: "u64", "char[16]", "pid_t" */
	unsigned int size;
	bool is_signed;
	bool is_string;
	bool is_stack;
	bool is_usecs;	   /* HIST_FIELD_FL_TIMESTAMP_USECS */
	bool is_expression; /* made by an operator */
	bool is_reference; /* or has one in it */
	bool is_constant;
	uint64_t constant;
	bool unknown; /* a variable that is not in the context: nothing of the above holds */
	enum hist_modifier modifier;	      /* of a plain field */
	enum hist_meaning meaning;	      /* of a plain field */
	const struct hist_event_field *field; /* HIST_MEANS_FIELD */
};

/* What the expression is for: decides which modifiers and names fit. */
enum hist_purpose {
	HIST_FOR_KEY,
	HIST_FOR_VALUE,
	HIST_FOR_VARIABLE,
	HIST_FOR_OPERAND,
};

/*
 * hist_type_of - the type of @node in the trigger of @c
 * 0; -EINVAL with *@c->error, its place @at where that has a length; -ENOMEM.
 */
int hist_type_of(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		 struct hist_span at, struct hist_typed *typed);

/* The same of "VAR=EXPR" as a variable. */
int hist_type_of_variable(struct hist_check *c, const struct hist_variable *variable,
			  struct hist_typed *typed);

/* hist_type_of() for @text that may be no expression, so that @tree is NULL. */
int hist_type_of_text(struct hist_check *c, const struct hist_node *tree, const char *text,
		      struct hist_span at, enum hist_purpose purpose, struct hist_typed *typed);

/* One more reference, once for each name but ""; -EINVAL when there are too many. */
int hist_add_reference(struct hist_check *c, const char *name, struct hist_span at);

/* -EINVAL where this kernel has no such name or modifier (check_kernel.c). */
int hist_check_kernel_field(struct hist_check *c, const char *name, enum hist_modifier modifier,
			    bool is_key, struct hist_span name_at, struct hist_span modifier_at);
/* -EINVAL with the words for what it lacks. */
int hist_kernel_lacks(struct hist_check *c, struct hist_span at, const char *what,
		      const char *hint);

#endif
