/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_merge.h - merge live events of several ring buffers in the order of their times
 *
 * Each CPU has a ring buffer. If some triggers count in any task, and the others in the tasks of a
 * list, each CPU has two, of two instances: an event that is in both then counts for each trigger
 * once. A stream is one of these ring buffers: first those of the list, CPU by CPU, then the
 * others.
 *
 * Pages are kept until no stream can deliver an older event. When a round of reads begins at time
 * T, the buffers already have all events before T, and the round reads them. After the round, the
 * events before T are therefore complete and are counted; later ones wait for the next round.
 */
#ifndef TRACECMD_LIVE_LIVE_MERGE_H
#define TRACECMD_LIVE_LIVE_MERGE_H

#include "lib/engine/engine.h"

struct live_merge;

/* Create a merge of @streams: @cpus, or twice as many. NULL without memory. */
struct live_merge *live_merge_new(unsigned int cpus, unsigned int streams);
void live_merge_free(struct live_merge *merge);

/* Keep a copy of the events of @page. 0 or -ENOMEM. */
int live_merge_add(struct live_merge *merge, unsigned int stream,
		   const struct hist_ring_page *page);

/* Count all events older than @until. 0, or the error of hist_run_count_event(). */
int live_merge_count(struct live_merge *merge, struct hist_run *run, uint64_t until);

#endif
