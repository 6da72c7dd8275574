/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_counter.h - counter that uses hist triggers and reads their files at each tick
 */
#ifndef TRACECMD_TRIGGER_KERNEL_COUNTER_H
#define TRACECMD_TRIGGER_KERNEL_COUNTER_H

#include "lib/query/latency_expand.h"
#include "tracecmd/trigger/counter.h"

/* 0, or -ENOMEM after a message. */
int kernel_counter_new(struct counter **counter);

/*
 * The source of the latency of @source that has @role, or NULL; @source is an element of an array.
 */
struct traced_event *kernel_find_of_pair(struct traced_event *source, enum query_role role);

/*
 * A worst_join adds who ran before to the largest values that a latency keeps.
 *
 * The synthetic event of a latency would have to carry the task before for each pair, which costs
 * more than the rest of the worst. The histogram of END saves it instead, and only if the pair has
 * a new maximum. A row of the synthetic event gets what END saved with the same value, CPU and
 * task. END no longer has it if the same pair had a larger value since; the row then stays as it
 * is.
 */

struct worst_join;

/*
 * kernel_join_worst - complete the values HIST_VALUE_WORST in the snapshots of @source
 * @join: NULL at first; owned by the caller, for kernel_free_worst_join().
 * @end: its first hidden trigger has WORST_JOIN_SAVE. It is read only if @source has new values.
 * 0, or -errno after a message.
 */
int kernel_join_worst(struct worst_join **join, struct traced_event *source,
		      const struct traced_event *end, struct hist_target *t);
void kernel_free_worst_join(struct worst_join *join);

#endif
