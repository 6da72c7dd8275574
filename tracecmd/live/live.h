/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - events counted here while they happen, where no kernel counts them
 *
 * The events of a session's histograms go into the ring buffer of its instance; threads of
 * ours, one a CPU, read it and hand them to our engine.  Where an expression depends on their
 * order one thread reads all CPUs and merges them by time.  Of our own process's events none are
 * recorded, where the kernel can leave them out (5.7).  Of a machine elsewhere the pages are fetched,
 * as long as it is waited for something, by who waits (live_remote.h).
 *
 * Functions return 0 or -errno after a message.
 */
#ifndef TRACECMD_LIVE_LIVE_H
#define TRACECMD_LIVE_LIVE_H

#include "tracecmd/session/session.h"

struct live;

/* Can events of this target be counted here at all? */
bool live_can(const struct hist_target *t);

/*
 * live_look - can this session be counted here?
 * Changes nothing.  -EOPNOTSUPP: not on this target, or not with this clock.
 */
int live_look(const struct session *s);

/* live_start - behind session_begin(): from here on events are counted */
int live_start(struct live **live, struct session *s);

/* live_snapshot - all that has happened up to now, into the histograms of @source */
int live_snapshot(struct live *live, struct source *source);

/*
 * Of a machine elsewhere: after how many ms events are to be fetched, lest its ring buffer gets full;
 * -1: never, threads do it.  live_stay() does it: -errno after a message.
 */
int live_stay_ms(const struct live *live);
int live_stay(struct live *live);

/* No more events: the next snapshots are the last. */
void live_stop(struct live *live);

/* On stderr: how many events were read, what was lost, and what it cost. */
void live_tell(struct live *live);

/* Ends the threads.  NULL is fine. */
void live_free(struct live *live);

#endif
