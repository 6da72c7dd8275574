/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_counter.h - counter that uses hist triggers and reads their files at each tick
 */
#ifndef TRACECMD_TRIGGER_KERNEL_COUNTER_H
#define TRACECMD_TRIGGER_KERNEL_COUNTER_H

#include "lib/query/latency_worst.h"
#include "tracecmd/trigger/counter.h"

/* 0, or -ENOMEM after a message. */
int kernel_counter_new(struct counter **counter);

/*
 * worst_join.c - add who ran before to the largest values that a latency keeps
 *
 * The synthetic event of a latency would have to carry the task before for each pair, which costs
 * more than the rest of the worst. The histogram of END saves it instead, and only if the pair has
 * a new maximum. A row of the synthetic event gets what END saved with the same value, CPU and
 * task.
 * END no longer has it if the same pair had a larger value since; the row then stays as it is.
 */

struct worst_join;

/*
 * worst_join_apply - complete the values HIST_VALUE_WORST in the snapshots of @source
 * @join: NULL at first; owned by the caller, for worst_join_free().
 * @end: its first hidden trigger has WORST_JOIN_SAVE. It is read only if @source has new values.
 * 0, or -errno after a message.
 */
int worst_join_apply(struct worst_join **join, struct traced_event *source,
		     const struct traced_event *end, struct hist_target *t);
void worst_join_free(struct worst_join *join);

#endif
