/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger_context.h - what the triggers of a plan can refer to
 *
 * Their clocks, synthetic events, other events and each other, in the order in
 * which they will be set; and, in an instance that is there already, the
 * triggers of others.
 *
 * Functions return 0 or -errno after a message on stderr.
 */
#ifndef TRACECMD_SESSION_TRIGGER_CONTEXT_H
#define TRACECMD_SESSION_TRIGGER_CONTEXT_H

#include "lib/check/check.h"
#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/traced_event.h"

struct scope {
	struct hist_target *target;
	const struct object *objects; /* of the plan's */
	unsigned int nobjects;
	bool made;	/* the objects are events now */
	bool synths_are_ours; /* but for synthetic events, which no kernel makes */
	char *instance; /* "instances/NAME" of somebody else's, or NULL */
	char *clocks;	/* text of trace_clock, or NULL */
	struct hist_synth **synths;
	unsigned int nsynths;
	unsigned int nplanned; /* of them the first, which the plan defines */
	bool all_synths;
	/* events that were looked up, each by itself: pointers to them stay valid */
	struct hist_event **events;
	unsigned int nevents;
	/* of others in @instance, with expressions that are owned */
	struct hist_check_trigger *others;
	unsigned int nothers;
	bool all_others;
	bool looked; /* for them */
	char near[128]; /* what near_event() found last */
};

/*
 * scope_open - for triggers in an instance of their own, or in @instance (a
 * name, or NULL) where there is one of this name
 * @objects must stay.  Definitions of synthetic events among them are parsed.
 */
int scope_open(struct scope *scope, struct hist_target *t, const char *instance,
	       const struct object *objects, unsigned int nobjects);

/*
 * scope_check - all histograms of @sources, in the order of source_attach()
 * The first that the kernel would refuse is shown with a caret.  Before the
 * objects are made, histograms of a probe are checked by its definition
 * (probe_event.h); what others say of them is not, as the kernel alone knows all types.
 */
int scope_check(struct scope *scope, const struct hist_kernel *kernel,
		const struct source *sources, unsigned int nsources);

/* The objects have been made: their events are as the kernel made them. */
void scope_made(struct scope *scope);

/* Frees what is in it. A zeroed one is fine. */
void scope_clear(struct scope *scope);

#endif
