/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_merge.h - merge live events of several CPUs in the order of their times
 *
 * A page is kept until all older events have been read. An event that happened before a moment is
 * in the buffers if they are read after that moment. Events are therefore counted up to the time
 * at which a round of reads began.
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
