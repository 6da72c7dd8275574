/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * compile.h - what the files share that make a histogram of an expression
 *
 * The order is that of create_hist_data() and create_actions() in trace_events_hist.c: values,
 * variables, keys, actions.  It decides in which order references are resolved.
 */
#ifndef LIB_ENGINE_COMPILE_H
#define LIB_ENGINE_COMPILE_H

#include "lib/engine/engine_private.h"

/* A histogram that is being made. */
struct making {
	struct hist_engine *engine;
	struct histogram *hist;
	struct engine_event *on;
	const struct hist_event *event; /* with the places of its fields */
	const struct hist_expr *expr;
	bool swap;		/* of the event's bytes */
	unsigned int long_size; /* in the event */
	struct hist_error *error;
};

/* compile_value.c: the tree of an expression.  -EOPNOTSUPP, -ENOMEM. */
int value_make(const struct value **value, struct making *m, const struct hist_node *node,
	       bool is_key);
/* A value that takes part in nothing but itself.  NULL without memory. */
struct value *value_add(struct making *m, enum value_fn fn);
/* NULL: @m's event has no such field. */
int value_make_field_named(const struct value **value, struct making *m, const char *text,
			   struct hist_span at);

/* compile_variable.c: the variable $NAME of another trigger; NULL: there is none. */
const struct engine_variable *variable_find(const struct making *m, const char *system,
					    const char *event, const char *name,
					    struct histogram **of);
/* One more variable; -EOPNOTSUPP where the kernel has no more.  The caller fills it. */
int variable_add(struct making *m, struct hist_span at, struct engine_variable **variable);
/* The place of a reference in refs[], new or known; -EOPNOTSUPP where there are too many. */
int reference_add(struct making *m, struct histogram *of, unsigned int index, struct hist_span at,
		  unsigned int *place);

/* compile_action.c */
int action_make_all(struct making *m);

#endif
