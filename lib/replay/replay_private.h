/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * replay_private.h - the state of a replay, and interfaces of its parts
 */
#ifndef LIB_REPLAY_REPLAY_PRIVATE_H
#define LIB_REPLAY_REPLAY_PRIVATE_H

#include <stdatomic.h>

#include "lib/replay/replay.h"

/* One CPU of the buffer, and the state of its walk. */
struct replay_cpu {
	const struct replay *replay;
	bool in_thread; /* walked by a thread that is not the caller's */
	unsigned int looks; /* pages since the last look */
	unsigned int cpu, buffer;
	const struct hist_events *moved; /* set if its times are adjusted; otherwise NULL */
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	bool has_page;
	uint64_t from; /* events before this time are skipped */
	uint64_t lost, gaps;
	uint64_t bad_pages; /* an event extends past their end */
	uint64_t unknown; /* gaps of unknown size */
	uint64_t next; /* time of the event that the walk stopped at; UINT64_MAX: at the end */
};

struct replay {
	const struct hist_replay *options;
	const struct hist_engine *engine;
	struct hist_replay_result *result;
	struct replay_cpu *cpus; /* those that have pages */
	unsigned int ncpus;
	struct hist_events_ahead *ahead; /* of the walks in order, or NULL */
	struct hist_events_damage damage; /* of CPUs without any page */
	uint64_t bytes;	    /* of all their pages */
	uint64_t first;	    /* time of the first event; UINT64_MAX: there is none */
	uint64_t last;	    /* time of the last event given to a run */
	bool moves_time;    /* times of events differ from those of their pages */
	bool again;	    /* for hist_replay_moment.again of the next snapshot */
	atomic_bool ending; /* all threads must stop */
};

/* --- replay_walk.c --- */

/*
 * Gets the current page of the walk, or the next one: 1; 0: at the end; -errno.  The function
 * checks at times if the replay must end.
 */
int replay_get_page(struct replay_cpu *c);

/* Adds the damage that a walk has found up to now. */
static inline void replay_add_damage(const struct replay_cpu *c, struct hist_events_damage *damage)
{
	hist_events_pages_damage(c->pages, damage);
	damage->damaged_pages += c->bad_pages;
}

/* Converts @time of an event in a page to the adjusted time. */
static inline uint64_t replay_time(const struct replay_cpu *c, uint64_t time)
{
	return c->moved ? hist_events_time(c->moved, c->buffer, c->cpu, time) : time;
}

/*
 * replay_count_cpu - count the events of one CPU before @until, page by page
 * c->next becomes the time of the first event that is left.  *@last becomes the time of the last
 * counted event if that is later.  0 or an error.
 */
int replay_count_cpu(struct replay_cpu *c, struct hist_run *run, uint64_t until, uint64_t *last);

/* Reports the progress of all walks.  A result other than 0 ends the replay. */
int replay_report_progress(const struct replay *r);

/*
 * Calls the snapshot function for one moment; @at_end: for the last one.  A result other than 0
 * ends the replay.
 */
int replay_take_snapshot(struct replay *r, struct hist_run *const *runs, unsigned int nruns,
			 uint64_t time, bool at_end);

/*
 * replay_intervals - count interval by interval, with a snapshot at each boundary
 * The caller makes the last snapshot, of time r->last.
 * @walk counts all events before @until.  *@next becomes the time of the first event that is left,
 * or UINT64_MAX.  A result of @walk other than 0 ends the replay.
 */
int replay_intervals(struct replay *r, struct hist_run *const *runs, unsigned int nruns,
		     int (*walk)(void *data, uint64_t until, uint64_t *next), void *data);

/* --- replay_threads.c --- */

/* Counts each CPU separately, in at most @threads threads. */
int replay_count_parallel(struct replay *r, unsigned int threads);

#endif
