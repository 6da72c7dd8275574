/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * switch_trigger.h - parse enable and disable triggers for histograms
 *
 *   enable_hist:SYSTEM:EVENT[:COUNT] [if FILTER]
 *   disable_hist:SYSTEM:EVENT[:COUNT] [if FILTER]
 *
 * The trigger is written into the `trigger` file of one event.  Each hit continues or pauses all
 * histograms of SYSTEM:EVENT, at most COUNT times.  Kernels accept COUNT 0, which never switches.
 * Source of the grammar: event_enable_trigger_parse() in kernel/trace/trace_events_trigger.c.
 * Kernels print :unlimited or :count=LEFT instead of :COUNT, but do not accept them.  This parser
 * accepts both (event_enable_trigger_print() in the same file).
 */
#ifndef LIB_EXPR_SWITCH_TRIGGER_H
#define LIB_EXPR_SWITCH_TRIGGER_H

#include "lib/expr/expr.h"

/* Plain data, made and freed by the functions below. */
struct hist_switch {
	char *text; /* trimmed; spans count in it */
	bool enable;
	char *system, *event;
	struct hist_span event_span; /* SYSTEM:EVENT */
	uint64_t count; /* 0 if not given: no limit */
	bool is_spent;	/* ":0" or ":count=0": the trigger does not switch any more */
	struct hist_span count_span;
	char *filter; /* NULL if there is none */
	size_t filter_start;
	struct hist_filter *filter_tree; /* NULL also if a kernel does not accept the filter */
};

/* Does @text begin with enable_hist or disable_hist? */
bool hist_switch_is_trigger(const char *text);

/* 0; -EINVAL with *@error (which may be NULL) filled, with a span in @text; -ENOMEM. */
int hist_switch_parse(struct hist_switch **sw, const char *text, struct hist_error *error);
void hist_switch_free(struct hist_switch *sw);

#endif
