/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_parse.h - the time from one event to another, as a histogram
 *
 *   START:KEY[,KEY..][[FILTER]]..END:KEY[,KEY..][[FILTER]][:UNIT]
 *
 * START and END are SYS:EVENT; UNIT is usecs (default) or nsecs.  A START and the
 * next END of the same keys are a pair.  In the kernel that takes a synthetic
 * event, a trigger that saves the time, one that subtracts and fires the
 * synthetic event, and the histogram on that (Documentation/trace/
 * histogram.rst, "inter-event hist triggers").
 *
 * The synthetic event has a field lat_us or lat_ns, so that every output tells
 * the unit; "lat" is short for it in keys, values, sort keys and filters.  Other
 * words there that are fields of END, or else of START, are carried along.
 */
#ifndef TRACECMD_PLAN_LATENCY_PARSE_H
#define TRACECMD_PLAN_LATENCY_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"

#define LATENCY_KEYS_MAX 3

struct latency_side {
	char *event; /* "sched:sched_waking" */
	char *keys[LATENCY_KEYS_MAX];
	unsigned int nkeys;
	char *filter; /* or NULL */
};

struct latency {
	struct latency_side start, end;
	bool nsecs;
};

/*
 * latency_parse - take the text apart
 * -EINVAL with @why (one line); -ENOMEM.  latency_clear() in every case.
 */
int latency_parse(struct latency *latency, const char *text, char *why, size_t why_len);

/* Frees what is in it. */
void latency_clear(struct latency *latency);

/*
 * latency_expand - add the object and the three events to @plan
 * @event: of kind PLAN_LATENCY, with its histograms; not one of @plan's array.
 * @unique: for the names of the synthetic event and the variables, "123_1".
 * @clock: for both triggers.
 * -EINVAL or what reading a format gave, after a message; -ENOMEM.
 */
int latency_expand(struct plan *plan, const struct plan_event *event, const char *unique,
		   const char *clock, struct hist_target *t);

/* Room for this many pairs that are under way; dead tasks keep their place. */
#define LATENCY_SIZE "16384"

#endif
