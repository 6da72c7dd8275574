/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dynevent.h - create and remove the synthetic events and probes of a plan
 *
 * The kernel has one list of these events for all instances, shared by all programs. An event that
 * exists already belongs to another program: it is refused, and never removed.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_TRIGGER_DYNEVENT_H
#define TRACECMD_TRIGGER_DYNEVENT_H

#include <stdbool.h>

#include "helper/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/undo/undo.h"

struct dynevent {
	const struct query_dynevent *plan;
	const char *file; /* "synthetic_events" */
	char *system, *name; /* of the event that it defines */
	char *removal; /* "!NAME", "-:GROUP/EVENT" */
	bool of_engine; /* the user-space engine generates the event, not the kernel */
	bool is_optional; /* the caller tells what it means that the kernel refuses the event */
};

/*
 * dynevent_check - parse a definition of the plan, and check that the event can be created
 * @engine: true if the user-space engine counts and generates synthetic events itself.
 * Writes nothing. -EEXIST: an event of this name exists; -EINVAL: the definition has no
 * valid event name; -EOPNOTSUPP: the kernel does not support such objects.
 */
int dynevent_check(struct dynevent *o, struct hist_target *t, const struct query_dynevent *plan,
		   bool engine);

/* Create the event, after an entry in the undo log. -ENOENT: a probe in an unknown function. */
int dynevent_create(const struct dynevent *o, struct hist_target *t, struct undo *undo);

/* Free the members of @o, not @o itself. */
void dynevent_clear(struct dynevent *o);

#endif
