/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay_counter.h - the counter of a replay: the user-space engine over the events of a file
 *
 * Its one tick counts all events, and records each moment of the interval (lib/replay/replay.h).
 */
#ifndef TRACECMD_REPLAY_REPLAY_COUNTER_H
#define TRACECMD_REPLAY_REPLAY_COUNTER_H

#include "lib/replay/replay_recording.h"
#include "tracecmd/trigger/counter.h"

/*
 * The caller sets the members up to @data before the first operation, and @recording before the
 * tick.
 */
struct replay_counter {
	struct counter counter; /* first */
	struct hist_events *events;
	unsigned int buffer;
	uint64_t interval_ns; /* 0: only at the end */
	unsigned int threads; /* 0: one for each CPU */
	/* hist_replay.progress; called with @data */
	int (*progress)(void *data, uint64_t done, uint64_t all);
	void *data;

	struct hist_replay_recording recording; /* with the series, where moments go */
	struct hist_engine *engine;	  /* from attach() on */
	struct hist_replay_result result; /* of the tick */
	uint64_t *drops; /* of the helpers of each event of the set; NULL: not known */
};

/* Set the operations.  The session frees what they allocate, but not @r. */
void replay_counter_init(struct replay_counter *r);

/* Add the histograms of the set to the series of r->recording.  0, or -errno without a message. */
int replay_counter_define(struct replay_counter *r);

#endif
