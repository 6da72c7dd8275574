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
struct compilation {
	struct hist_engine *engine;
	struct engine_histogram *hist;
	struct engine_event *on;
	const struct hist_event *event; /* with the places of its fields */
	const struct hist_expr *expr;
	const struct hist_typed_trigger *typed; /* of @expr */
	bool swap;		/* of the event's bytes */
	unsigned int long_size; /* in the event */
	struct hist_error *error;
};

/* compile_value.c: a value.  -EINVAL with *@m->error, -ENOMEM. */
int compile_value_tree(const struct value **value, struct compilation *m,
		       const struct hist_typed *typed);
/* A new value without operands.  NULL if out of memory. */
struct value *compile_add_value(struct compilation *m, enum value_fn fn);
/* Adds a variable, which the caller fills.  -EINVAL: more than the kernel supports. */
int compile_add_variable(struct compilation *m, struct hist_span at,
			 struct engine_variable **variable);
/* Finds or adds a reference; *@place is its index in refs[].  -EINVAL: too many. */
int compile_add_reference(struct compilation *m, struct engine_histogram *of, unsigned int index,
			  struct hist_span at,
			  unsigned int *place);

/* compile_action.c */
int compile_actions(struct compilation *m);

#endif
