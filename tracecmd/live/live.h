/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - a counter for events that happen, if the kernel does not count them
 *
 * The events of the triggers go into the ring buffer of the instance; threads of
 * ours, one a CPU, read it and hand them to our engine.  Where an expression depends on their
 * order one thread reads all CPUs and merges them by time.  Of our own process's events none are
 * recorded, where the kernel can leave them out (5.7).  Of a machine elsewhere the pages are fetched,
 * as long as it is waited for something, by who waits (live_remote.h).
 */
#ifndef TRACECMD_LIVE_LIVE_H
#define TRACECMD_LIVE_LIVE_H

#include "tracecmd/trigger/counter.h"

/* Can events of this target be counted here at all? */
bool live_can(const struct hist_target *t);

/* live_look - the same, with a message: 0 or -EOPNOTSUPP */
int live_look(const struct hist_target *t);

/* -ENOMEM after a message. */
int live_new(struct counter **counter);

#endif
