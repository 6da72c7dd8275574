/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * switch_trigger.h - triggers that switch histograms on and off
 *
 *   enable_hist:SYSTEM:EVENT[:COUNT] [if FILTER]
 *   disable_hist:SYSTEM:EVENT[:COUNT] [if FILTER]
 *
 * Written into the `trigger` file of one event, they continue or pause all
 * histograms of another each time they are hit, at most COUNT times: with 0,
 * which kernels take, never.  Source of the grammar: event_enable_trigger_parse()
 * in kernel/trace/trace_events_trigger.c.
 * Kernels print :unlimited or :count=LEFT in place of :COUNT, which they do not
 * take; both are read here (event_enable_trigger_print() in the same file).
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
	uint64_t count; /* 0 when not given: no limit */
	bool is_spent;	/* ":0", ":count=0": it has switched as often as it may */
	struct hist_span count_span;
	char *filter; /* NULL without one */
	size_t filter_start;
	struct hist_filter *filter_tree; /* NULL also where it is none that a kernel takes */
};

/* Does @text begin with enable_hist or disable_hist? */
bool hist_is_switch(const char *text);

/* 0; -EINVAL with *@error (which may be NULL) filled, its span counting in @text; -ENOMEM. */
int hist_switch_parse(struct hist_switch **sw, const char *text, struct hist_error *error);
void hist_switch_free(struct hist_switch *sw);

/*
 * In one form, as hist_expr_print(), with a count that kernels take.  malloc'ed;
 * NULL without memory.
 */
char *hist_switch_print(const struct hist_switch *sw);

#endif
