/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_merge.h - events of several CPUs in the order of their times, while they come
 *
 * Pages are kept until all that is older than they are has been read.  What happened before
 * a moment stands in the buffers when they are read after it, so events are counted up to
 * the moment at which a round of reading began.
 */
#ifndef TRACECMD_LIVE_LIVE_MERGE_H
#define TRACECMD_LIVE_LIVE_MERGE_H

#include "lib/engine/engine.h"

struct live_merge;

/*
 * live_merge_new - times are of the trace clock @clock; NULL: live_merge_now() is not asked for
 * -EOPNOTSUPP after a message: a clock that no system call knows; -ENOMEM after one.
 */
int live_merge_new(struct live_merge **merge, unsigned int cpus, const char *clock);
void live_merge_free(struct live_merge *merge);

/* Now, to be asked before a round of reading. */
uint64_t live_merge_now(const struct live_merge *merge);

/* Keeps a copy of the events of @page.  -ENOMEM. */
int live_merge_add(struct live_merge *merge, unsigned int cpu, const struct hist_page *page);

/* Counts all that is older than @until.  0, or what hist_run_event() gave. */
int live_merge_count(struct live_merge *merge, struct hist_run *run, uint64_t until);

#endif
