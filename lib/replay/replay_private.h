/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * replay_private.h - what the parts of a replay share
 */
#ifndef LIB_REPLAY_REPLAY_PRIVATE_H
#define LIB_REPLAY_REPLAY_PRIVATE_H

#include <stdatomic.h>

#include "lib/replay/replay.h"

/* One CPU of the buffer, and where its walk stands. */
struct replay_cpu {
	const struct replay *replay;
	bool in_thread; /* walked by another thread than the caller's */
	unsigned int looks; /* pages since the last look */
	unsigned int cpu, buffer;
	const struct hist_events *moved; /* whose times are to be changed; else NULL */
	struct hist_pages *pages;
	struct hist_page page;
	bool has_page;
	uint64_t from; /* events before it are left out */
	uint64_t lost, gaps, bad_pages;
	uint64_t unknown; /* gaps of unknown size */
	uint64_t next; /* time of the event that it stopped at; UINT64_MAX: it is at its end */
};

struct replay {
	const struct hist_replay *options;
	const struct hist_engine *engine;
	struct hist_replay_result *result;
	struct replay_cpu *cpus; /* those that have pages */
	unsigned int ncpus;
	uint64_t bytes;	    /* of all their pages */
	uint64_t first;	    /* time of the first event; UINT64_MAX: there is none */
	uint64_t last;	    /* time of the last event given to a run */
	bool moves_time;    /* events' times are others than those of their pages */
	bool again;	    /* to be told with the next snapshot */
	atomic_bool ending; /* all threads are to stop */
};

/*
 * The page that the walk stands in, or the next one: 1, 0 at the end, -errno.  Looks now and
 * then whether the replay is to end.
 */
int replay_cpu_page(struct replay_cpu *c);

/* The time of an event of it, as its page has it, for all others. */
static inline uint64_t replay_time(const struct replay_cpu *c, uint64_t time)
{
	return c->moved ? hist_events_time(c->moved, c->buffer, c->cpu, time) : time;
}

/* Tells how far all are; what it gives other than 0 ends the replay. */
int replay_progress(const struct replay *r);

/* A moment for snapshots, and whether to go on after them. */
int replay_snapshot(struct replay *r, struct hist_run *const *runs, unsigned int nruns,
		    uint64_t time);

/*
 * replay_interval - go to the interval of the event at @next, which is before the end
 * *@boundary was the last boundary, and becomes the end of that interval.  If intervals without
 * an event lie between, there is one snapshot for all of them, at the beginning of that interval.
 */
int replay_interval(struct replay *r, struct hist_run *const *runs, unsigned int nruns,
		    uint64_t next, uint64_t *boundary);

/* All events, merged by time, in one run. */
int replay_in_order(struct replay *r);

/* Each CPU by itself, in at most @threads threads. */
int replay_side_by_side(struct replay *r, unsigned int threads);

#endif
