/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * latency_parse.h - parse and expand --latency, the histogram of the time between two events
 *
 *   START:KEY[,KEY..][[FILTER]]..END:KEY[,KEY..][[FILTER]][:UNIT]
 *
 * START and END are SYS:EVENT, or EVENT if its name is unique, as that of a probe of the same
 * recording; UNIT is usecs (default) or nsecs. A pair is a START and the next END
 * with the same keys. The kernel needs a synthetic event, a trigger that saves the time, a trigger
 * that subtracts the times and generates the synthetic event, and the histogram of that event
 * (Documentation/trace/histogram.rst, "inter-event hist triggers").
 *
 * The synthetic event has a field lat_us or lat_ns, so that all output shows the unit. "lat" is
 * short for that field in keys, values, sort keys and filters. Other names in these texts are
 * fields of END, otherwise of START, and the synthetic event carries them.
 */
#ifndef LIB_QUERY_LATENCY_PARSE_H
#define LIB_QUERY_LATENCY_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

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
 * latency_parse - parse the argument of --latency
 * 0; -EINVAL with @error (one line); -ENOMEM. Call latency_clear() in any case.
 */
int latency_parse(struct latency *latency, const char *text, struct hist_error *error);

/* Free the members of @latency. */
void latency_clear(struct latency *latency);

/* Maximum number of pairs in progress. An entry of a dead task is not freed. */
#define LATENCY_SIZE "16384"

#endif
