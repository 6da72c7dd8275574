/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check.h - check whether the kernel accepts an expression for an event
 *
 * Triggers that belong together are checked in the order in which they will be set.  The context of
 * each check holds the triggers set before.
 */
#ifndef LIB_CHECK_CHECK_H
#define LIB_CHECK_CHECK_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/kernel_features.h"

struct hist_synth; /* synth.h */

/* A trigger that exists, or will exist, before the checked one is set. */
struct hist_check_trigger {
	const struct hist_event *event;
	const struct hist_expr *expr;
};

struct hist_switch; /* switch_trigger.h */

/* An enable_hist or disable_hist trigger in the `trigger` file of @event. */
struct hist_check_switch {
	const struct hist_event *event;
	const struct hist_switch *sw;
};

/*
 * The objects that a trigger can refer to.  Every member may be NULL or 0; unknown objects are not
 * refused.  The check does not own or change anything in the context.
 */
struct hist_check_context {
	/* The features of the kernel; NULL for all features of 6.12. */
	const struct hist_kernel *kernel;
	/* The text of tracefs's trace_clock; NULL: any clock= is accepted. */
	const char *clocks;
	/* The triggers of the same instance, oldest first. */
	const struct hist_check_trigger *triggers;
	unsigned int ntriggers;
	/* The first @nothers triggers belong to other users; error messages say so. */
	unsigned int nothers;
	/* The list of triggers is complete: an unknown $variable is an error. */
	bool all_triggers;
	const struct hist_check_switch *switches;
	unsigned int nswitches;
	/* The definitions of synthetic events. */
	const struct hist_synth *const *synths;
	unsigned int nsynths;
	/* The list of synthetic events is complete: an unknown synthetic event is an error. */
	bool all_synths;
	/*
	 * Look up the event SYSTEM:NAME.  0 with *event, which stays valid while the context is
	 * used; *event is NULL if the event exists, or will exist, but its fields are unknown.
	 * -ENOENT: the event does not exist, which is an error.  -ENOMEM.  If the function is NULL,
	 * all events are accepted.
	 */
	int (*find_event)(void *data, const char *system, const char *name,
			  const struct hist_event **event);
	/*
	 * The name nearest to @name in @system, for the error about a missing event.  If @system
	 * does not exist, the system nearest to @system.  The result is valid until the next call,
	 * and NULL if none is near.  The function may be NULL.
	 */
	const char *(*suggest_event)(void *data, const char *system, const char *name);
	void *data;
	/*
	 * :pause, :cont and :clear are accepted if @triggers has that trigger and the trigger does
	 * not have variables.  The kernel refuses them for a trigger with variables.  If false,
	 * they are errors; :pause is an error as a duplicate trigger.
	 */
	bool may_change;
	/* A parameter "comm" is a field of the onmatch() event, as before Linux 6.16. */
	bool comm_is_field;
};

/*
 * hist_check_expr - check @expr for the `trigger` file of @event
 * hist_check_expr_in - the same, with a context of other triggers
 *
 * The check refuses what the kernel refuses (trace_events_hist.c, in the order of the text):
 * - unknown fields (the hint has a near name) and modifiers that do not fit
 * - too many keys, values, sort keys, operators, variables, actions and references
 * - keys and expressions that are too long, and bad sort keys
 * - variables that cannot be referred to, units that do not match, a division by zero
 * - bad actions and parameters, bad filters, a size out of range
 * - features that this kernel lacks.
 *
 * hist_check_expr_in() also refuses, by the context:
 * - unknown and ambiguous variables, and variables set twice
 * - unknown events, and parameters that do not fit the synthetic event
 * - a named histogram with other fields, and duplicate triggers.
 *
 * It also refuses what the kernel accepts although the result is meaningless (modifier_fit.h, and
 * numbers passed for strings), and what can crash a kernel before 6.3: a field of another event as
 * a parameter next to a stack, CPU or time key, and expressions of more than 255 characters.
 *
 * 0; -EINVAL with *@error (which may be NULL) filled, with a span in the text; -ENOMEM.
 * @expr, @event and @context are not changed.
 */
int hist_check_expr(const struct hist_expr *expr, const struct hist_event *event,
		    struct hist_error *error);
int hist_check_expr_in(const struct hist_expr *expr, const struct hist_event *event,
		       const struct hist_check_context *context, struct hist_error *error);

/*
 * hist_check_find_origins - find the fields whose numbers the fields of @event carry, and their
 * units
 * @clock_is_ns: common_timestamp counts nanoseconds if the trigger has no clock=.
 * Does nothing if @event is not synthetic.  A field has an origin if all trace() in the triggers of
 * @context that generate @event give it the same field of an event, directly or by variables.
 * It has a unit if all give it a time in this unit, whatever the field is called.
 * The origins point to events of @context; names and units of schemas that are made later use them.
 */
void hist_check_find_origins(struct hist_event *event, const struct hist_check_context *context,
			     bool clock_is_ns);

/*
 * hist_check_switch_trigger - check @sw for the `trigger` file of @event
 * The filter refers to fields of @event.  If @context allows, the function checks that the other
 * event exists and that @event does not switch that event already.  The kernel accepts only one
 * enable_hist or disable_hist for each pair of events.
 * @context: may be NULL.
 * Returns the same values as hist_check_expr().
 */
int hist_check_switch_trigger(const struct hist_switch *sw, const struct hist_event *event,
			      const struct hist_check_context *context, struct hist_error *error);

/*
 * hist_refusal_explain - the likely reason why a kernel refused the trigger @expr
 * It explains errors that are not in error_log.  event_hist_trigger_parse() and the functions it
 * calls often refuse with only an errno, and hist_err() does not report problems of the instance.
 * Callers must read error_log first: the kernel's own message is certain, this reason is only
 * likely.
 * @event: may be NULL.
 * @err: the positive errno.
 * @error: what and hint are set, each in one line; hint may be "".
 * False if what is only the text of strerror().
 */
bool hist_refusal_explain(const struct hist_expr *expr, const struct hist_event *event, int err,
			  struct hist_error *error);

#endif
