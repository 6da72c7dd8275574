/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - counter that feeds live events to the user-space engine
 *
 * Used if the kernel does not count the events itself. The events of the triggers go to the ring
 * buffer of the instance; reader threads, one per CPU, read it and pass the events to the engine. A
 * single thread reads all CPUs and merges events by time if an expression depends on their order.
 * Events of this process are not recorded if the kernel can exclude them (Linux 5.7). For a remote
 * target the waiting thread fetches the pages; between two rounds no process on the target reads
 * them, and events for which the buffer has no room are lost and reported.
 */
#ifndef TRACECMD_LIVE_LIVE_H
#define TRACECMD_LIVE_LIVE_H

#include "tracecmd/trigger/counter.h"

/* True if the user-space engine can count events of this target; a helper sends no symbols. */
bool live_is_possible(const struct hist_target *t);

/* 0, or -ENOMEM after a message. */
int live_new(struct counter **counter);

#endif
