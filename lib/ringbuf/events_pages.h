/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events_pages.h - the state of a walk over the pages of one CPU, compressed or not
 */
#ifndef LIB_RINGBUF_EVENTS_PAGES_H
#define LIB_RINGBUF_EVENTS_PAGES_H

#include "lib/ringbuf/events_ahead.h"
#include "lib/ringbuf/events_private.h"

/* Size of the number of chunks, which precedes the chunks. */
#define CHUNKS_NUMBER 4

/* The offset of a chunk, and the number of chunks before it. */
struct chunk_mark {
	uint64_t at;
	uint32_t n;
};

struct hist_events_pages {
	const struct hist_events *events;
	const struct events_buffer *buffer;
	uint32_t page_size;
	uint64_t start, size; /* in the file, limited to the size of the file */
	uint64_t whole;	      /* size according to the file's options */
	bool is_cut;	      /* the file is truncated */
	bool left_out;	      /* pages: the truncation is not reported yet */
	struct hist_events_damage damage;
	uint64_t at;	      /* offset of the next block, from start */
	size_t len, pos;
	unsigned char *data; /* the block, of @room bytes */
	size_t room;
	/* for chunks */
	bool begun;	      /* nchunks is known */
	bool ended;	      /* later chunks were given up */
	uint32_t nchunks, n;  /* number of all, and of those before @at */
	struct chunk_mark *marks; /* see events_chunks_seek() */
	unsigned int nmarks, stride;
	struct run_ahead *ahead; /* or NULL */
};

/* --- events_chunks.c: hist_events_pages_next() and _seek() for chunks --- */

int events_chunks_next(struct hist_events_pages *pages);
int events_chunks_seek(struct hist_events_pages *pages, uint64_t time);

#endif
