/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dynevent.h - a synthetic event or a probe that is made for a plan
 *
 * Such events are the kernel's, not an instance's: their names are shared with
 * everybody.  One that is there already is somebody else's, so it is refused and
 * never removed.
 *
 * Functions return 0 or -errno after a message on stderr.
 */
#ifndef TRACECMD_TRIGGER_DYNEVENT_H
#define TRACECMD_TRIGGER_DYNEVENT_H

#include <stdbool.h>

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/undo/undo.h"

struct object {
	const struct plan_object *plan;
	const char *file; /* "synthetic_events" */
	char *system, *name; /* of the event that it makes */
	char *removal; /* "!NAME", "-:GROUP/EVENT" */
	bool of_engine; /* our engine makes it, not the kernel */
};

/*
 * object_look - what the plan's line would make, and that it can be
 * @engine: our engine counts, and makes the synthetic events itself.
 * Nothing is written.  -EEXIST: somebody has an event of this name; -EINVAL: not
 * a line with a name in it; -EOPNOTSUPP: this kernel has no such objects.
 */
int object_look(struct object *o, struct hist_target *t, const struct plan_object *plan, bool engine);

/* Makes it, noted in @undo before. */
int object_make(const struct object *o, struct hist_target *t, struct undo *undo);

/* Does @event, as -e gives it ("SYS:EVENT", "SYS/EVENT", "EVENT"), mean it? */
bool object_is(const struct object *o, const char *event);

/* Frees what is in it. */
void object_clear(struct object *o);

#endif
