/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * latency_worst.h - let the histograms of a latency keep the largest value of each row
 */
#ifndef LIB_QUERY_LATENCY_WORST_H
#define LIB_QUERY_LATENCY_WORST_H

#include "lib/query/query.h"

/*
 * What END adds to the latency in ns before it keeps the largest, so that a latency below zero is
 * small: 18 minutes.  Kernels before 5.16 cannot add numbers.
 */
#define WORST_JOIN_LIFT "1099511627776"
/* What the trigger of END does with onmax(); the fields before prev_prio identify the hit. */
#define WORST_JOIN_SAVE "save(cpu,common_pid,prev_prio,prev_comm)"

/*
 * latency_wants_worst - true if a histogram of @event is not from -R
 * latency_keep_worst - let such histograms keep their worst (HIST_VALUE_WORST)
 * A histogram of -R keeps only what its own actions save.
 * @lat: the field with the latency.  @previous: further fields to save, ",prev_prio,prev_comm".
 * 0 or -ENOMEM.
 */
bool latency_wants_worst(const struct query_event *event);
int latency_keep_worst(struct query *query, const struct query_event *event, const char *lat,
		       const char *previous);

#endif
