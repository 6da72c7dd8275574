/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * latency_guard.h - leave latencies that cannot be out of histograms
 *
 * A difference of times below zero is an unsigned number near 2^64.  The guard of a histogram is a
 * condition at the end of its filter (guard.h).  It belongs to how the latency is measured and not
 * to what the user asked for, so files contain the trigger without it.
 *
 * Functions return 0 or -ENOMEM.
 */
#ifndef LIB_QUERY_LATENCY_GUARD_H
#define LIB_QUERY_LATENCY_GUARD_H

#include "lib/query/query.h"

/*
 * Add the guard of the field @lat, in ns or us, to a filter, which may be NULL, or to a trigger
 * "hist:..".
 */
int latency_guard_add(struct query *query, const char **filter, const char *lat, bool nsecs);
int latency_guard_add_raw(struct query *query, const char **trigger, const char *lat, bool nsecs);

/* Add a hidden trigger to the last event of @query that counts what the guard leaves out. */
int latency_guard_count(struct query *query, const char *lat, bool nsecs, const char *unique);

/* Add a hidden trigger to the last event of @query, END, that counts all ENDs; @filter: or NULL. */
int latency_guard_count_ends(struct query *query, const char *filter, const char *unique);

#endif
