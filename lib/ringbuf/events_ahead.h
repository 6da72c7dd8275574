/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events_ahead.h - a thread that decompresses the next chunk of each walk before the walk needs it
 *
 * A walk alternates: events_ahead_take() for the chunk that it needs, then events_ahead_want() for the
 * one after it.  All functions are for the thread of the walks.
 */
#ifndef LIB_RINGBUF_EVENTS_AHEAD_H
#define LIB_RINGBUF_EVENTS_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist_events_ahead;

/* The next chunk of one walk.  NULL: out of memory. */
struct chunk_ahead;
struct chunk_ahead *events_ahead_open(struct hist_events_ahead *ahead);
void events_ahead_close(struct chunk_ahead *chunk);

/*
 * events_ahead_want - the walk will need the chunk at @at of the file, of @packed bytes
 * @len: its size when it is decompressed.  The thread holds as much memory as that.
 */
void events_ahead_want(struct chunk_ahead *chunk, uint64_t at, size_t packed, size_t len);

/*
 * events_ahead_take - get the chunk at @at of the file
 * If the thread has it, exchange it for *@data of *@room bytes, and *@ret is the result of
 * chunk_decompress(), or -ENOMEM.  False: the thread has not begun it, and will not.
 */
bool events_ahead_take(struct chunk_ahead *chunk, uint64_t at, unsigned char **data, size_t *room,
		      int *ret);

#endif
