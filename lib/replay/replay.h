/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * replay.h - count the events of a trace.dat file with an engine
 *
 * If order matters, the replay merges the CPUs by time and counts in one run.  Otherwise it walks
 * each CPU separately, in up to the allowed number of threads.  If a map overflows in threads, the
 * replay starts again in order.  A recording with adjusted times (hist_events_time()) is always
 * counted in order of the adjusted times.
 */
#ifndef LIB_REPLAY_REPLAY_H
#define LIB_REPLAY_REPLAY_H

#include "lib/base/strbuf.h"
#include "lib/engine/engine.h"
#include "lib/ringbuf/events.h"

/* A point at which a snapshot is due: hist_engine_snapshot() fetches the counts of @runs. */
struct hist_replay_moment {
	struct hist_run *const *runs;
	unsigned int nruns;
	uint64_t time; /* the boundary of an interval; at the end, the time of the last event */
	/* events that the recorder missed so far; a gap of unknown size counts as one */
	uint64_t lost;
	struct hist_events_damage damage; /* so far */
	bool at_end; /* all events of the recording were counted, not only those from a time to a
			time */
	bool again; /* first moment after the replay started again */
};

struct hist_replay {
	unsigned int buffer;
	uint64_t from, to;    /* events with from <= time < to; 0 and UINT64_MAX for all */
	uint64_t interval;    /* between snapshots, in the clock's unit; 0: only at the end */
	unsigned int threads; /* at most; 0: one for each CPU of the host */
	/*
	 * Moments come in order of time.  A result other than 0 ends the replay and is returned.
	 * The function must return -EOVERFLOW from hist_engine_snapshot().  The replay then starts
	 * again and repeats all moments from the first one.
	 */
	int (*snapshot)(void *data, const struct hist_replay_moment *moment);
	/* Called at times from the caller's thread.  Other than 0 ends it.  May be NULL. */
	int (*progress)(void *data, uint64_t done, uint64_t all);
	void *data;
};

/* Counts of the replay, and loss and damage, which the caller must report to the user. */
struct hist_replay_result {
	struct hist_run_counts counts;
	uint64_t first_time, last_time; /* of the events seen */
	uint64_t lost;	       /* events that the recorder missed, if it counted them */
	uint64_t gaps;	       /* places where the recorder missed events */
	struct hist_events_damage damage;
	bool in_order;	       /* counted in one run, in the order of time */
	unsigned int threads;
};

/* 0, the result of @snapshot or @progress, -EIO, -ENOMEM.  *@result is always filled. */
int hist_replay_run(const struct hist_replay *replay, struct hist_events *events,
		    const struct hist_engine *engine, struct hist_replay_result *result);

/*
 * hist_replay_suggest - append options of `replay` that count something in the file
 * "-e sched:sched_switch -k next_comm": of the events in the first pages, the one that occurs most
 * often.  The words need no quotes in a shell, except '*'.  Nothing is appended if the file has no
 * events that can be counted.  0, or -ENOMEM.
 */
int hist_replay_suggest(struct hist_strbuf *options, const struct hist_events *events);

#endif
