/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_type.h - the type of a value in the kernel: struct hist_field's type
 *
 * The types decide which operands fit together and which parameters fit a synthetic event.
 */
#ifndef LIB_CHECK_CHECK_TYPE_H
#define LIB_CHECK_CHECK_TYPE_H

#include "lib/check/check.h"
#include "lib/expr/expr_private.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/field_resolve.h"

#define HIST_REFERENCES_MAX 16 /* TRACING_MAP_VARS_MAX */

/* The state of the check of one trigger; see check.h for the members. */
struct hist_check {
	const struct hist_expr *expr;
	const struct hist_event *event;
	const struct hist_check_context *context; /* may be NULL */
	unsigned int nbefore; /* number of triggers in the context that exist before this one */
	const struct hist_kernel *kernel;
	struct hist_error *error;
	/* The references, each once: the variable's own name, "" for a field. */
	const char *references[HIST_REFERENCES_MAX];
	unsigned int nreferences;
};

struct hist_typed {
	char type[48]; /* the kernel's type: "u64", "char[16]", "pid_t" */
	unsigned int size;
	bool is_signed;
	bool is_string;
	bool is_stack;
	bool is_usecs;	   /* HIST_FIELD_FL_TIMESTAMP_USECS */
	bool is_expression; /* the result of an operator */
	bool is_reference; /* a reference, or an expression that contains a reference */
	bool is_constant;
	uint64_t constant;
	bool unknown; /* a variable that is not in the context: the members above are not valid */
	enum hist_modifier modifier;	      /* for a plain field */
	enum hist_meaning meaning;	      /* for a plain field */
	const struct hist_event_field *field; /* for HIST_MEANS_FIELD */
};

/* The purpose of the expression: it decides which modifiers and names fit. */
enum hist_purpose {
	HIST_FOR_KEY,
	HIST_FOR_VALUE,
	HIST_FOR_VARIABLE,
	HIST_FOR_OPERAND,
};

/*
 * hist_type_of - the type of @node in the trigger of @c
 * 0; -EINVAL with *@c->error, at position @at if @at has a length; -ENOMEM.
 */
int hist_type_of(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		 struct hist_span at, struct hist_typed *typed);

/* The type of the variable of "VAR=EXPR". */
int hist_type_of_variable(struct hist_check *c, const struct hist_variable *variable,
			  struct hist_typed *typed);

/* hist_type_of() for @text that may not be an expression; @tree is NULL then. */
int hist_type_of_text(struct hist_check *c, const struct hist_node *tree, const char *text,
		      struct hist_span at, enum hist_purpose purpose, struct hist_typed *typed);

/* Add a reference, once per name except for ""; -EINVAL if there are too many. */
int hist_add_reference(struct hist_check *c, const char *name, struct hist_span at);

/* -EINVAL if this kernel lacks the name or the modifier (check_kernel.c). */
int hist_check_kernel_field(struct hist_check *c, const char *name, enum hist_modifier modifier,
			    bool is_key, struct hist_span name_at, struct hist_span modifier_at);
/* -EINVAL with the error that the kernel lacks @what. */
int hist_kernel_lacks(struct hist_check *c, struct hist_span at, const char *what,
		      const char *hint);

#endif
