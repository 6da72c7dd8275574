/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger_context.h - check the triggers of a plan against everything they can refer to
 *
 * A trigger can refer to clocks, synthetic events, other events, and triggers that are set before
 * it. In an existing instance it can also refer to the triggers of other programs.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_SESSION_TRIGGER_CONTEXT_H
#define TRACECMD_SESSION_TRIGGER_CONTEXT_H

#include "lib/check/check.h"
#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/traced_event.h"

struct trigger_context {
	struct hist_target *target;
	const struct dynevent *dynevents; /* the plan's objects */
	unsigned int ndynevents;
	bool made;	/* the objects exist as events */
	bool synths_are_ours; /* except synthetic events: the user-space engine generates them */
	char *instance; /* "instances/NAME" of an existing instance, or NULL */
	char *clocks;	/* text of trace_clock, or NULL */
	struct hist_synth **synths;
	unsigned int nsynths;
	unsigned int nplanned; /* the first nplanned of them are defined by the plan */
	bool all_synths;
	/* events that were looked up; each is allocated separately, so pointers stay valid */
	struct hist_event **events;
	unsigned int nevents;
	/* triggers of other programs in @instance; their expressions are owned */
	struct hist_check_trigger *others;
	unsigned int nothers;
	bool all_others;
	bool looked; /* @others were read */
	char near[128]; /* last result of event_suggest_nearest() */
};

/*
 * trigger_context_open - begin to check triggers for an instance
 * @instance: name of the instance, which may exist already, or NULL for a private one.
 * @objects must outlive @scope. The definitions of synthetic events among them are parsed.
 */
int trigger_context_open(struct trigger_context *scope, struct hist_target *t, const char *instance,
			 const struct dynevent *dynevents, unsigned int ndynevents);

/*
 * trigger_context_check - check all histograms of @sources, in the order of traced_event_attach()
 * Shows the first trigger that the kernel would refuse, with a caret. Before the objects are
 * created, histograms of a probe are checked by the definition of the probe (probe_event.h).
 * References of other triggers to them are not checked, because only the kernel knows all types.
 * Sets the origins of the fields of synthetic events among @sources.
 */
int trigger_context_check(struct trigger_context *scope, const struct hist_kernel *kernel,
			  struct traced_event *sources, unsigned int nsources);

/* Call it after the objects were created: their events are then read from the kernel. */
void trigger_context_set_made(struct trigger_context *scope);

/* Free the members of @scope. A zeroed scope is valid. */
void trigger_context_clear(struct trigger_context *scope);

#endif
