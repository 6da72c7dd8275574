/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_guard.h - leave latencies that cannot be out of histograms
 *
 * A difference of times below zero is an unsigned number near 2^64.  The guard of a histogram is a
 * condition at the end of its filter (guard.h).  It belongs to how the latency is measured and not to
 * what the user asked for, so files contain the trigger without it.
 *
 * Functions return 0 or -ENOMEM.
 */
#ifndef TRACECMD_SESSION_LATENCY_GUARD_H
#define TRACECMD_SESSION_LATENCY_GUARD_H

#include "tracecmd/plan/plan.h"

/*
 * Add the guard of the field @lat, in ns or us, to a filter, which may be NULL, or to a trigger
 * "hist:..".
 */
int latency_guard_add(struct plan *plan, const char **filter, const char *lat, bool nsecs);
int latency_guard_add_raw(struct plan *plan, const char **trigger, const char *lat, bool nsecs);

/* Add a hidden trigger to the last event of @plan that counts what the guard leaves out. */
int latency_guard_count(struct plan *plan, const char *lat, bool nsecs, const char *unique);

/* Add a hidden trigger to the last event of @plan, END, that counts all ENDs; @filter: or NULL. */
int latency_guard_count_ends(struct plan *plan, const char *filter, const char *unique);

#endif
