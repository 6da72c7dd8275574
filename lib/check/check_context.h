/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_context.h - look up variables and events in a context
 */
#ifndef LIB_CHECK_CHECK_CONTEXT_H
#define LIB_CHECK_CHECK_CONTEXT_H

#include "lib/check/check_type.h"

struct hist_found {
	const struct hist_check_trigger *trigger; /* NULL: not found */
	unsigned int index;			  /* index of the trigger in the context */
	const struct hist_variable *variable;
};

/*
 * hist_find_variable - find the variable that "[SYSTEM.EVENT.]$NAME" refers to
 * The order is that of find_event_var(): the variable of that event; otherwise, of the events in
 * the onmatch() of this trigger, the one that has the variable; otherwise the only event that has
 * it.
 * 0 with *@found; -EINVAL with *@c->error if the reference is not valid.
 */
int hist_find_variable(struct hist_check *c, const char *system, const char *event,
		       const char *name, struct hist_span at, struct hist_found *found);

/* Find the variable of that name that a trigger of SYSTEM:EVENT sets, if any. */
void hist_find_event_variable(const struct hist_check *c, const char *system, const char *event,
			      const char *name, struct hist_found *found);

/* -EINVAL with the error "no variable" and a near name. */
int hist_no_variable(struct hist_check *c, const char *name, struct hist_span at);

/*
 * hist_find_event - find the event SYSTEM:NAME in the context, or the trigger's own event
 * 0 with *@event, which is NULL if its fields are unknown; -EINVAL if the event does not exist.
 */
int hist_find_event(struct hist_check *c, const char *system, const char *name,
		    struct hist_span at, const struct hist_event **event);

/* -EINVAL with the error "no event", and a near name if @context has one. */
int hist_no_event(const struct hist_check_context *context, const char *system, const char *name,
		  struct hist_span at, struct hist_error *error);

bool hist_event_is(const struct hist_event *event, const char *system, const char *name);
bool hist_event_same(const struct hist_event *a, const struct hist_event *b);

/* Check names, duplicate triggers, :cont and :clear (check_duplicate.c). */
int hist_check_same(struct hist_check *c);

/* Check all actions of the trigger (check_action.c). */
int hist_check_actions(struct hist_check *c);

#endif
