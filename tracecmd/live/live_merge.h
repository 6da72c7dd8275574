/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_merge.h - merge live events of several CPUs in the order of their times
 *
 * Pages are kept until no CPU can deliver an older event. When a round of reads begins at time T,
 * the buffers already have all events before T, and the round reads them. After the round, the
 * events before T are therefore complete and are counted; later ones wait for the next round.
 */
#ifndef TRACECMD_LIVE_LIVE_MERGE_H
#define TRACECMD_LIVE_LIVE_MERGE_H

#include "lib/engine/engine.h"

struct live_merge;

/* Create a merge of @cpus queues. NULL without memory. */
struct live_merge *live_merge_new(unsigned int cpus);
void live_merge_free(struct live_merge *merge);

/* Keep a copy of the events of @page. 0 or -ENOMEM. */
int live_merge_add(struct live_merge *merge, unsigned int cpu, const struct hist_ring_page *page);

/* Count all events older than @until. 0, or the error of hist_run_count_event(). */
int live_merge_count(struct live_merge *merge, struct hist_run *run, uint64_t until);

#endif
