/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * compile.h - interfaces of the files that compile a trigger expression into a histogram
 *
 * The order of compilation determines the order in which references are resolved: values,
 * variables, keys, actions.
 *
 * Source: create_hist_data() and create_actions() in kernel/trace/trace_events_hist.c.
 */
#ifndef LIB_ENGINE_COMPILE_H
#define LIB_ENGINE_COMPILE_H

#include "lib/check/typed.h"
#include "lib/engine/engine_private.h"

/* The state of one compilation. */
struct making {
	struct hist_engine *engine;
	struct histogram *hist;
	struct engine_event *on;
	const struct hist_event *event; /* with the places of its fields */
	const struct hist_expr *expr;
	const struct hist_typed_trigger *typed; /* of @expr */
	bool swap;		/* of the event's bytes */
	unsigned int long_size; /* in the event */
	struct hist_error *error;
};

/* compile_value.c: a value.  -EINVAL with *@m->error, -ENOMEM. */
int value_make(const struct value **value, struct making *m, const struct hist_typed *typed);
/* A new value without operands.  NULL if out of memory. */
struct value *value_add(struct making *m, enum value_fn fn);
/* Adds a variable, which the caller fills.  -EINVAL: more than the kernel supports. */
int variable_add(struct making *m, struct hist_span at, struct engine_variable **variable);
/* Finds or adds a reference; *@place is its index in refs[].  -EINVAL: too many. */
int reference_add(struct making *m, struct histogram *of, unsigned int index, struct hist_span at,
		  unsigned int *place);

/* compile_action.c */
int action_make_all(struct making *m);

#endif
