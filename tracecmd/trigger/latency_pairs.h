/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_pairs.h - count the pairs of a latency that never close, and those below zero
 *
 * The table of END has a hit for each END that found its START, so the kernel's totals tell all:
 *   STARTs without END = hits of START - hits of END
 *   ENDs without START = hits of the trigger that counts all ENDs - hits of END
 *   below zero         = hits of the hidden trigger of the synthetic event
 * Reading these totals means reading whole hist files.  A recording therefore spends at most a
 * hundredth of its time on it: the numbers of a snapshot may be older than the snapshot, except
 * those of the last one.
 */
#ifndef TRACECMD_TRIGGER_LATENCY_PAIRS_H
#define TRACECMD_TRIGGER_LATENCY_PAIRS_H

#include "tracecmd/trigger/traced_event.h"

/* Of one source with the histograms of a latency; zeroed at first. */
struct latency_pairs {
	uint64_t due; /* timer_now() */
	uint64_t losses[HIST_LOSS_KINDS];
};

/*
 * The source of the latency of @source that has @role, or NULL; @source is an element of an array.
 */
struct traced_event *latency_pairs_find(struct traced_event *source, enum query_role role);

/*
 * latency_pairs_update - set the losses of all snapshots of @source
 * @last: read the totals in any case. Does nothing if @source does not belong to a latency. Totals
 * that cannot be read keep their last value.
 */
void latency_pairs_update(struct latency_pairs *p, struct traced_event *source,
			  struct hist_target *t, bool last);

#endif
