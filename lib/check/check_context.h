/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_context.h - look things up among the other triggers of a context
 */
#ifndef LIB_CHECK_CHECK_CONTEXT_H
#define LIB_CHECK_CHECK_CONTEXT_H

#include "lib/check/check_type.h"

struct hist_found {
	const struct hist_check_trigger *trigger; /* NULL: not found */
	unsigned int index;			  /* of it in the context */
	const struct hist_variable *variable;
};

/*
 * hist_find_variable - the variable that "[SYSTEM.EVENT.]$NAME" refers to
 * As find_event_var(): that event's; or else, of the events that an onmatch()
 * of this trigger names, the one that has it; or else the one event that has it.
 * 0 with *@found; -EINVAL with *@c->error where it cannot be.
 */
int hist_find_variable(struct hist_check *c, const char *system, const char *event,
		       const char *name, struct hist_span at, struct hist_found *found);

/* The variable of that name which a trigger of SYSTEM:EVENT sets, if any. */
void hist_find_event_variable(const struct hist_check *c, const char *system, const char *event,
			      const char *name, struct hist_found *found);

/* -EINVAL with "no variable", and a near one. */
int hist_no_variable(struct hist_check *c, const char *name, struct hist_span at);

/*
 * hist_find_event - the event SYSTEM:NAME, of the context or the trigger's own
 * 0 with *@event, NULL where it is not known; -EINVAL where there is none.
 */
int hist_find_event(struct hist_check *c, const char *system, const char *name,
		    struct hist_span at, const struct hist_event **event);

/* -EINVAL with "no event", and a near one where @context knows. */
int hist_no_event(const struct hist_check_context *context, const char *system, const char *name,
		  struct hist_span at, struct hist_error *error);

bool hist_event_is(const struct hist_event *event, const char *system, const char *name);

/* Names, the same trigger again, :cont and :clear (check_duplicate.c). */
int hist_check_same(struct hist_check *c);

/* All actions of the trigger (check_action.c). */
int hist_check_actions(struct hist_check *c);

#endif
