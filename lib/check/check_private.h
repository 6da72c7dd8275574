/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_private.h - what the files of lib/check share
 */
#ifndef LIB_CHECK_CHECK_PRIVATE_H
#define LIB_CHECK_CHECK_PRIVATE_H

#include "lib/check/typed.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/filter.h"

/* --- check_type.c: the typed tree of a value, from the leaves up --- */

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
	/* The names that sort= accepts besides hitcount. */
	const char *printed[HIST_TYPED_KEYS + HIST_TYPED_VALUES];
	unsigned int nprinted;
};

/* The purpose of the expression: it decides which modifiers and names fit. */
enum hist_purpose {
	HIST_FOR_KEY,
	HIST_FOR_VALUE,
	HIST_FOR_VARIABLE,
	HIST_FOR_OPERAND,
};

/*
 * hist_check_type - the typed tree of @node in the trigger of @c
 * It does not check that a field fits a key or a value (check_key_or_value()).
 * 0; -EINVAL with *@c->error, at position @at; -ENOMEM.
 */
int hist_check_type(struct hist_check *c, const struct hist_node *node, enum hist_purpose purpose,
		    struct hist_span at, struct hist_typed **typed);

/* The value of a key or a value, which must fit it. */
int hist_check_field_type(struct hist_check *c, const struct hist_field *field, bool is_key,
			  struct hist_typed **typed);

/* The value of the variable of "VAR=EXPR". */
int hist_check_variable_type(struct hist_check *c, const struct hist_variable *variable,
			     struct hist_typed **typed);

/* The check of trigger @index of the context, without an error. */
struct hist_check hist_check_of(const struct hist_check *c, unsigned int index);

/* Add a reference, once per name except for ""; -EINVAL if there are too many. */
int hist_check_add_reference(struct hist_check *c, const char *name, struct hist_span at);

#define HIST_SINCE(release) "use Linux " release " or later"

/* -EINVAL with the error that the kernel does not support @what. */
int hist_check_refuse_feature(struct hist_check *c, struct hist_span at, const char *what,
			      const char *hint);

/* --- check_context.c: variables and events of a context --- */

struct hist_found {
	const struct hist_check_trigger *trigger; /* NULL: not found */
	unsigned int index;			  /* index of the trigger in the context */
	const struct hist_variable *variable;
};

/*
 * hist_check_find_variable - find the variable that "[SYSTEM.EVENT.]$NAME" refers to
 * The order is that of find_event_var(): the variable of that event; otherwise, of the events in
 * the onmatch() of this trigger, the one that has the variable; otherwise the only event that has
 * it.
 * 0 with *@found; -EINVAL with *@c->error if the reference is not valid.
 */
int hist_check_find_variable(struct hist_check *c, const char *system, const char *event,
			     const char *name, struct hist_span at, struct hist_found *found);

/* Find the variable of that name that a trigger of SYSTEM:EVENT sets, if any. */
void hist_check_find_event_variable(const struct hist_check *c, const char *system,
				    const char *event,
				    const char *name, struct hist_found *found);

/*
 * hist_check_find_event - find the event SYSTEM:NAME in the context, or the trigger's own event
 * 0 with *@event, which is NULL if its fields are unknown; -EINVAL if the event does not exist.
 */
int hist_check_find_event(struct hist_check *c, const char *system, const char *name,
			  struct hist_span at, const struct hist_event **event);

/* Check all actions of the trigger (check_action.c). */
int hist_check_actions(struct hist_check *c);

/* --- check_names.c: errors for a field that does not exist --- */

/* The use of a field: it decides which names are possible besides the event's fields. */
enum hist_use {
	HIST_USE_KEY,
	HIST_USE_VALUE, /* also in definitions of variables */
	HIST_USE_FILTER,
};

/* -EINVAL with *@error filled: a near name, or the list of the event's fields; or -ENOMEM. */
int hist_check_refuse_field(const char *name, struct hist_span at, enum hist_use use,
			    const struct hist_event *event, struct hist_error *error);

/* Set the hint of @error to "its fields: ..."; returns -EINVAL. */
int hist_check_hint_fields(const struct hist_event *event, struct hist_error *error);

/* --- check_filter.c --- */

/*
 * hist_check_filter - check a filter
 * @tree: may be NULL; @text, at position @start, is then parsed again for the error.
 * 0; -EINVAL with *@error; -ENOMEM.
 */
int hist_check_filter(const struct hist_filter *tree, const char *text, size_t start,
		      const struct hist_event *event, const struct hist_kernel *kernel,
		      struct hist_error *error);

#endif
