/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check.h - is this expression one that the kernel takes for this event?
 *
 * Triggers that belong together are checked in the order in which they will be
 * set, each with a context of those before it.
 */
#ifndef LIB_CHECK_CHECK_H
#define LIB_CHECK_CHECK_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/kernel_features.h"

struct hist_synth; /* synth.h */

/* A trigger that is there, or will be, before the one that is checked. */
struct hist_check_trigger {
	const struct hist_event *event;
	const struct hist_expr *expr;
};

struct hist_switch; /* switch_trigger.h */

/* enable_hist or disable_hist in the `trigger` file of @event. */
struct hist_check_switch {
	const struct hist_event *event;
	const struct hist_switch *sw;
};

/*
 * What a trigger can refer to.  All of it may be NULL or 0; what is not known
 * is not refused.  Nothing is owned or changed.
 */
struct hist_check_context {
	/* What the kernel can do; NULL for all of 6.12. */
	const struct hist_kernel *kernel;
	/* The text of tracefs's trace_clock; NULL: any clock= passes. */
	const char *clocks;
	/* The triggers of the same instance, oldest first. */
	const struct hist_check_trigger *triggers;
	unsigned int ntriggers;
	/* So many of them, the first, are somebody else's: errors say so. */
	unsigned int nothers;
	/* There are no others: an unknown $variable is an error. */
	bool all_triggers;
	const struct hist_check_switch *switches;
	unsigned int nswitches;
	/* The definitions of synthetic events. */
	const struct hist_synth *const *synths;
	unsigned int nsynths;
	/* There are no others: an unknown synthetic event is an error. */
	bool all_synths;
	/*
	 * The event SYSTEM:NAME.  0 with *event, which stays valid while the
	 * context is used, or with NULL where there is or will be one of which
	 * nothing more is known; -ENOENT: there is none, which is an error;
	 * -ENOMEM.  NULL: all events pass.
	 */
	int (*find_event)(void *data, const char *system, const char *name,
			  const struct hist_event **event);
	/*
	 * For the error about an event that is not there: the name nearest to
	 * @name in @system, or to @system where there is no such system.  Valid
	 * until the next call; NULL when none is near.  May be NULL itself.
	 */
	const char *(*near_event)(void *data, const char *system, const char *name);
	void *data;
	/*
	 * :pause, :cont and :clear pass where @triggers has that trigger (and it
	 * has no variables: for those the kernel refuses it).  Without it they
	 * are an error, :pause as the same trigger again.
	 */
	bool may_change;
};

/*
 * hist_expr_check - check @expr for the `trigger` file of @event
 * hist_expr_check_in - the same with what is known of other triggers
 *
 * Refused is what the kernel refuses (trace_events_hist.c, in the order of the
 * text): unknown fields (with a near name) and modifiers that do not fit, too
 * many keys, values, sort keys, operators, variables, actions and references,
 * keys and expressions that are too long, bad sort keys, variables that cannot
 * be referred to, units that do not match, a division by zero, bad actions and
 * their parameters, bad filters, a size out of range, what this kernel does not
 * have; of what only a context tells, unknown and ambiguous variables,
 * variables set twice, unknown events, parameters that do not fit the synthetic
 * event, a named histogram of another shape, and the same trigger again.
 *
 * Also refused is what the kernel takes without making sense of it (modifier_fit.h, and
 * numbers passed for strings), and what is known to crash one: a field of
 * another event as a parameter beside a stack, CPU or time key, and expressions
 * of more than 255 characters, before 6.3.
 *
 * 0; -EINVAL with *@error (which may be NULL) filled, its span counting in
 * hist_expr_text(); -ENOMEM.  @expr, @event and @context are not changed.
 */
int hist_expr_check(const struct hist_expr *expr, const struct hist_event *event,
		    struct hist_error *error);
int hist_expr_check_in(const struct hist_expr *expr, const struct hist_event *event,
		       const struct hist_check_context *context, struct hist_error *error);

/*
 * hist_switch_check - check it for the `trigger` file of @event
 * The filter is for fields of @event; that the other event exists is looked up
 * if @context can, and that @event does not switch it already: the kernel
 * takes one of enable_hist and disable_hist for each pair of events.  @context
 * may be NULL.  As hist_expr_check().
 */
int hist_switch_check(const struct hist_switch *sw, const struct hist_event *event,
		      const struct hist_check_context *context, struct hist_error *error);

#endif
