/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * latency_expand.h - make --latency the triggers of START and END, and the synthetic event between
 */
#ifndef LIB_QUERY_LATENCY_EXPAND_H
#define LIB_QUERY_LATENCY_EXPAND_H

#include "lib/query/source.h"

/*
 * What END adds to the latency in ns before it keeps the largest, so that a latency below zero is
 * small: 18 minutes.  Kernels before 5.16 cannot add numbers.
 */
#define WORST_JOIN_LIFT "1099511627776"
/* What the trigger of END does with onmax(); the fields before prev_prio identify the hit. */
#define WORST_JOIN_SAVE "save(cpu,common_pid,prev_prio,prev_comm)"

/*
 * latency_expand - add the object and the three events to @query
 * @event: of kind QUERY_LATENCY, with its histograms; not one of the array of @query.
 * @unique: for the names of the synthetic event and the variables, "123_1".
 * -EINVAL, -EOPNOTSUPP or what the source gave, with @refusal, which is always set; -ENOMEM. @query
 * can then have some of the events.
 */
int latency_expand(struct query *query, const struct query_event *event, const char *unique,
		   const struct query_source *source, struct hist_error *refusal);

#endif
