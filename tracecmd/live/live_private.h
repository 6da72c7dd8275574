/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_private.h - the counter of the user-space engine, shared by the files of this folder
 */
#ifndef TRACECMD_LIVE_LIVE_PRIVATE_H
#define TRACECMD_LIVE_LIVE_PRIVATE_H

#include <pthread.h>

#include "tracecmd/live/live_loss.h"
#include "tracecmd/target/cpu_pages.h"
#include "tracecmd/trigger/counter.h"

struct live_merge;
struct live_pages;

struct reader {
	struct live *live;
	pthread_t thread;
	const unsigned int *streams; /* one, all, or those of absent CPUs */
	unsigned int n;
	int wake; /* eventfd: a round was requested */
	int arrivals; /* a CPU may have come online; -1: none of its CPUs is absent, or not known */
	pid_t tid; /* 0: not known yet */
	uint64_t cpu_ns;
};

struct live {
	struct counter counter;
	struct live_names *names;
	struct hist_engine *engine;
	struct hist_run *run;
	struct live_merge *merge; /* or NULL */
	struct live_pages **pages; /* pages of all streams, see live_merge.h; some may be NULL */
	unsigned int *order; /* streams, those of absent CPUs last */
	struct live_watch *watches; /* or NULL */
	bool pulls; /* remote target: the waiting thread fetches pages, without readers */
	struct hist_ring_page_layout layout;
	struct cpu_pages from[2]; /* pages of the list, and of the others */
	struct target_buf pulled; /* pages of one stream */
	uint64_t newest; /* time of the last event that was pulled */
	uint64_t pull_cpu_ns;
	unsigned int streams,
		npresent; /* number of streams; of CPUs that are not absent at first */
	struct reader *readers;
	unsigned int nreaders;
	uint64_t bad_pages; /* atomic */
	pthread_mutex_t lock; /* protects the members below and the run */
	pthread_cond_t answered, released;
	unsigned int asked, done; /* rounds requested; readers that have finished the last round */
	unsigned int released_round;
	bool ending, stopped;
	int error;
	struct live_loss loss;
	uint64_t started; /* CLOCK_MONOTONIC, ns */
};

/* --- live_count.c --- */

/* Count the events of a page of @stream, or keep them until they are in order. 0 or -ENOMEM. */
int live_count_page(struct live *l, unsigned int stream, struct hist_ring_page *page);

/* Pass a page of trace_pipe_raw to the recorder, if it keeps the events. 0 or -errno. */
int live_take_page(struct live *l, unsigned int stream, const void *data, bool again);

/* Get the time of the instance's clock. -ENOTSUP: no system call reads this clock. */
int live_read_clock(struct live *l, uint64_t *now);

/* Count the kept events before @until in their order. 0 or -errno. */
int live_count_merged(struct live *l, uint64_t until);

/* --- live_readers.c --- */

/* Open the ring buffers, and start the threads that read them. 0, or -errno after a message. */
int live_readers_start(struct live *l);
/* End the threads, if they run, and close the ring buffers. */
void live_readers_stop(struct live *l);

/* Let all readers read their buffers. They then wait until live.c releases them. */
void live_readers_begin_round(struct live *l);

#endif
