/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * replay.h - the events of a trace.dat through an engine
 *
 * Where order matters, CPUs are merged by time and counted in one run; else each CPU is
 * walked by itself, in as many threads as are allowed.  Where a map overflows in
 * threads, all is done again in order.  Of a recording that moves its times
 * (hist_events_time()) all is done in order, by the times moved.
 */
#ifndef LIB_REPLAY_REPLAY_H
#define LIB_REPLAY_REPLAY_H

#include "lib/engine/engine.h"
#include "lib/ringbuf/events.h"

/* Where a snapshot is due: hist_runs_snapshot() fetches the counts of @runs. */
struct hist_replay_moment {
	struct hist_run *const *runs;
	unsigned int nruns;
	uint64_t time; /* the boundary of an interval; at the end, the time of the last event */
	/* events that the recorder missed up to here; a gap of unknown size counts as one */
	uint64_t lost;
	bool again; /* the replay began again, and this is the first moment since */
};

struct hist_replay {
	unsigned int buffer;
	uint64_t from, to;    /* events with from <= time < to; 0 and UINT64_MAX for all */
	uint64_t interval;    /* between snapshots, in the clock's unit; 0: only at the end */
	unsigned int threads; /* at most; 0: one for each CPU that we have */
	/*
	 * Moments come in the order of time.  Other than 0 ends the replay and is returned.
	 * The function passes on -EOVERFLOW from hist_runs_snapshot(): then the replay begins
	 * again, and moments come again from the first one.
	 */
	int (*snapshot)(void *data, const struct hist_replay_moment *moment);
	/* Now and then, from the thread of the caller: other than 0 ends it.  May be NULL. */
	int (*progress)(void *data, uint64_t done, uint64_t all);
	void *data;
};

/* What was lost or damaged; all of it is told to the user. */
struct hist_replay_result {
	struct hist_run_counts counts;
	uint64_t first_time, last_time; /* of the events seen */
	uint64_t lost;	       /* events that the recorder missed, as far as they were counted */
	uint64_t gaps;	       /* places where it missed some */
	uint64_t bad_pages;    /* damaged, left out */
	bool in_order;	       /* counted in one run, in the order of time */
	unsigned int threads;
};

/* 0, what @snapshot or @progress returned, -EIO, -ENOMEM. *@result is filled in any case. */
int hist_replay_run(const struct hist_replay *replay, struct hist_events *events,
		    const struct hist_engine *engine, struct hist_replay_result *result);

#endif
