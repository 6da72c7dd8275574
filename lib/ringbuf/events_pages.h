/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events_pages.h - the state of a walk over the pages of one CPU, compressed or not
 */
#ifndef LIB_RINGBUF_EVENTS_PAGES_H
#define LIB_RINGBUF_EVENTS_PAGES_H

#include "lib/ringbuf/events_private.h"

/* Bytes of the number of chunks, which stands before them. */
#define CHUNKS_NUMBER 4

/* Where a chunk stands: at its sizes; @n are before it. */
struct chunk_mark {
	uint64_t at;
	uint32_t n;
};

struct hist_pages {
	const struct hist_events *events;
	const struct events_buffer *buffer;
	uint32_t page_size;
	uint64_t start, size; /* in the file, as far as it goes */
	uint64_t whole;	      /* as it was to go */
	bool is_cut;	      /* there is less */
	bool left_out;	      /* and it is still to be said */
	uint64_t at;	      /* behind start: where the next block begins */
	const unsigned char *block; /* in data or in the mapping */
	size_t len, pos;
	unsigned char *data; /* of @room bytes */
	size_t room;
	void *map; /* of @map_len bytes, or NULL */
	size_t map_len;
	/* of chunks */
	bool begun;	      /* their number is known */
	uint32_t nchunks, n;  /* in all; before @at */
	struct chunk_mark *marks; /* see chunks_seek() */
	unsigned int nmarks, stride;
};

/* A block of @room bytes; what is in it is lost. */
int pages_reserve(struct hist_pages *pages, size_t room);

/* --- events_chunks.c: as hist_pages_next() and _seek(), for blocks --- */

int chunks_next(struct hist_pages *pages);
int chunks_seek(struct hist_pages *pages, uint64_t time);

#endif
