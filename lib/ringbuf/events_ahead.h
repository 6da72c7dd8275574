/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events_ahead.h - a thread that decompresses the next chunks of each walk before the walk needs
 * them
 *
 * The unit is a run of chunks: to decompress one takes about as long as to wake a thread up.
 *
 * A walk alternates: events_ahead_take() for the run that it needs, then events_ahead_want() for
 * the one after it.  All functions are for the thread of the walks.
 */
#ifndef LIB_RINGBUF_EVENTS_AHEAD_H
#define LIB_RINGBUF_EVENTS_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist_events_ahead;

#define CHUNK_HEADER 8

struct chunk {
	uint32_t packed, raw; /* sizes */
};

#define CHUNK_RUN_MAX 16

/* Chunks that follow each other, and the size of their data. */
struct chunk_run {
	uint64_t at; /* of the header of the first one in the file */
	unsigned int n;
	struct chunk chunks[CHUNK_RUN_MAX];
	size_t len;
};

/* The next run of one walk.  NULL: out of memory. */
struct run_ahead;
struct run_ahead *events_ahead_open(struct hist_events_ahead *ahead);
void events_ahead_close(struct run_ahead *next);

/* events_ahead_want - the walk will need @run; the thread holds as much memory as its data */
void events_ahead_want(struct run_ahead *next, const struct chunk_run *run);

/*
 * events_ahead_take - get the run at @at of the file
 * If it is the wanted one, decompress what is left of it, exchange its data for *@data of *@room
 * bytes, and fill *@run.  False: it is not, or a chunk cannot be decompressed; the walk reads its
 * chunks itself.
 */
bool events_ahead_take(struct run_ahead *next, uint64_t at, unsigned char **data, size_t *room,
		       struct chunk_run *run);

#endif
