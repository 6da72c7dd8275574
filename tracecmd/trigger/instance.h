/* SPDX-License-Identifier: GPL-2.0 */
/*
 * instance.h - the tracefs instance that a recording runs in
 *
 * By default one of its own, named trace-cmd-hist-PID-XXXX, with a small ring
 * buffer, that is removed at the end.  With -B one that the user named: made
 * when it is not there (and then removed at the end), else left as it was.
 */
#ifndef TRACECMD_TRIGGER_INSTANCE_H
#define TRACECMD_TRIGGER_INSTANCE_H

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/undo/undo.h"

struct instance {
	char *name;
	char *dir; /* "instances/NAME" */
	char *clock; /* what trace_clock says */
	char *clock_text; /* all of trace_clock: "local [mono] ..." */
	char *clock_dir; /* a private instance for the marks that tell the time, or NULL */
	bool made;
};

/*
 * instance_look - does this kernel have the clock of -C?
 * 0, or -errno after a message.  Only reads.
 */
int instance_look(struct hist_target *t, const struct plan *plan);

/*
 * instance_open - make or take the instance, and set its clock and pid filter
 * 0, or -errno after a message; what was changed is noted in @undo.
 */
int instance_open(struct instance *in, struct hist_target *t, struct undo *undo,
		  const struct plan *plan);

/*
 * instance_settle_clock - after the triggers are set: a trigger that uses
 * timestamps may have changed the clock
 * Also makes sure that the clock can be read.
 */
int instance_settle_clock(struct instance *in, struct hist_target *t, struct undo *undo);

/* Now, on the instance's clock. */
int instance_now(const struct instance *in, struct hist_target *t, uint64_t *now);

/* Writes a mark into the instance's ring buffer. */
void instance_mark(const struct instance *in, struct hist_target *t, const char *text);

void instance_clear(struct instance *in);

#endif
