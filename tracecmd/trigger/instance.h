/* SPDX-License-Identifier: GPL-2.0 */
/*
 * instance.h - the tracefs instance that a recording runs in
 *
 * The default is a private instance trace-cmd-hist-PID-XXXX with a small ring buffer, which is
 * removed at the end. With -B NAME it is instance NAME. That instance is created and removed if it
 * does not exist; otherwise its settings are restored at the end.
 */
#ifndef TRACECMD_TRIGGER_INSTANCE_H
#define TRACECMD_TRIGGER_INSTANCE_H

#include "helper/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/undo/undo.h"

struct instance {
	char *name;
	char *dir; /* "instances/NAME" */
	const char *tracer_dir; /* where the tracer of the plan runs: "instances/NAME" or "." */
	char *clock; /* name of the current trace clock */
	char *clock_text; /* text of trace_clock: "local [mono] ..." */
	/* private instance of this session that counts all tasks: "instances/NAME", or NULL */
	char *anywhere_dir;
	char *clock_dir; /* private instance for the marks that read the clock, or NULL */
	bool made; /* created by this session */
};

/*
 * instance_check - check that the kernel has the clock of -C
 * 0, or -errno after a message. Only reads.
 */
int instance_check(struct hist_target *t, const struct plan *plan);

/*
 * instance_open - create or open the instance, and set its clock
 * Records each change in @undo. 0, or -errno after a message.
 */
int instance_open(struct instance *in, struct hist_target *t, struct undo *undo,
		  const struct plan *plan);

/*
 * instance_make_dir - create another instance of the session, with a small ring buffer
 * *@dir: "instances/trace-cmd-hist-PID-SUFFIX", which the caller frees; NULL without memory.
 * Records the change in @undo. 0, or -errno after a message.
 */
int instance_make_dir(char **dir, const char *suffix, struct hist_target *t, struct undo *undo);

/*
 * instance_settle_clock - read the clock name again after the triggers are set
 * A trigger that uses timestamps may have changed the clock. Creates @in->clock_dir if the clock
 * cannot be read otherwise. 0, or -errno after a message.
 */
int instance_settle_clock(struct instance *in, struct hist_target *t, struct undo *undo);

/* Read the current time of the instance's clock. */
int instance_get_time(const struct instance *in, struct hist_target *t, uint64_t *now);

void instance_clear(struct instance *in);

#endif
