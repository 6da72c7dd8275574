/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_type.h - make the typed tree of a value, from the leaves up
 */
#ifndef LIB_CHECK_CHECK_TYPE_H
#define LIB_CHECK_CHECK_TYPE_H

#include "lib/check/typed.h"
#include "lib/expr/expr_private.h"

#define HIST_REFERENCES_MAX 16 /* TRACING_MAP_VARS_MAX */

/* The state of the check of one trigger; see check.h for the members. */
struct hist_check {
	const struct hist_expr *expr;
	const struct hist_event *event;
	const struct hist_check_context *context;
	unsigned int nbefore; /* number of triggers in the context that exist before this one */
	const struct hist_kernel *kernel;
	struct hist_error *error;
	struct hist_typed_trigger *typed; /* owns all values */
	/* The references, each once: the variable's own name, "" for a field. */
	const char *references[HIST_REFERENCES_MAX];
	unsigned int nreferences;
};

/* The purpose of the expression: it decides which modifiers and names fit. */
enum hist_purpose {
	HIST_FOR_KEY,
	HIST_FOR_VALUE,
	HIST_FOR_VARIABLE,
	HIST_FOR_OPERAND,
};

/*
 * hist_type_of - the typed tree of @node in the trigger of @c
 * It does not check that a field fits a key or a value (hist_check_key_or_value()).
 * 0; -EINVAL with *@c->error, at position @at; -ENOMEM.
 */
int hist_type_of(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		 struct hist_span at, struct hist_typed **typed);

/* The value of the variable of "VAR=EXPR". */
int hist_type_of_variable(struct hist_check *c, const struct hist_variable *variable,
			  struct hist_typed **typed);

/* hist_type_of() for @text that may not be an expression; @tree is NULL then. */
int hist_type_of_text(struct hist_check *c, const struct hist_node *tree, const char *text,
		      struct hist_span at, enum hist_purpose purpose, struct hist_typed **typed);

/* A new value, which is unknown; NULL if out of memory. */
struct hist_typed *hist_type_unknown(struct hist_check *c, struct hist_span at);

/* The check of trigger @index of the context, without an error. */
struct hist_check hist_check_of(const struct hist_check *c, unsigned int index);

/* Add a reference, once per name except for ""; -EINVAL if there are too many. */
int hist_add_reference(struct hist_check *c, const char *name, struct hist_span at);

/* "a stack", "a string", "neither number nor string" */
const char *hist_type_name(const struct hist_typed *typed);

/* Check that a FIELD fits a key or a value; an operand or the definition of a variable. */
int hist_check_key_or_value(struct hist_check *c, const struct hist_typed *typed, bool is_key);
int hist_check_operand(struct hist_check *c, const struct hist_typed *typed);
int hist_check_definition(struct hist_check *c, const struct hist_typed *typed);

/* -EINVAL if this kernel lacks the field or its modifier (check_kernel.c). */
int hist_check_kernel_field(struct hist_check *c, const struct hist_typed *typed, bool is_key,
			    struct hist_span name_at);
/* -EINVAL with the error that the kernel lacks @what. */
int hist_kernel_lacks(struct hist_check *c, struct hist_span at, const char *what,
		      const char *hint);

#endif
