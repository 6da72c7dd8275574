// SPDX-License-Identifier: LGPL-2.1
/*
 * ring_page.c - read the header and the less common events of a ring buffer page
 *
 * Invariant: end - at is a multiple of four bytes; each step keeps it so and moves forward.
 *
 * Source of the times: rb_read_data_buffer() and rb_fix_abs_ts() in kernel/trace/ring_buffer.c.
 */
#include <errno.h>

#include "lib/base/bytes.h"
#include "lib/ringbuf/ring_page.h"
#include "lib/tracedat/tracedat.h"

/* Flags in the lower 32 bits of the commit, RB_MISSED_EVENTS and RB_MISSED_STORED. */
#define MISSED (UINT32_C(1) << 31)
#define MISSED_STORED (UINT32_C(1) << 30)

#define TIME_BITS 27
/* The bits that an absolute time does not contain: TS_MSB. */
#define TIME_TOP (UINT64_C(0x1f) << 59)

/* Types of events that are not a length. */
enum { LONG = 0, PADDING = 29, TIME_EXTEND = 30, TIME_STAMP = 31 };

/* A long of the kernel: 8 or 4 bytes. */
static uint64_t get_long(const struct hist_ring_page_layout *layout, const unsigned char *p)
{
	return layout->long_size == 8 ? bytes_u64(layout->big_endian, p)
				      : bytes_u32(layout->big_endian, p);
}

int hist_ring_page_begin(struct hist_ring_page *page, const struct hist_ring_page_layout *layout,
			 const void *data, size_t len)
{
	size_t head = 8 + layout->long_size;
	const unsigned char *p = data;
	uint32_t commit, size;
	uint64_t lost = 0;

	if (len < head)
		return -EBADMSG;
	/* the upper half of a long of 8 bytes may be a sign extension */
	commit = get_long(layout, p + 8);
	size = commit & ~(MISSED | MISSED_STORED);
	if (size > len - head || size % 4)
		return -EBADMSG;
	if (commit & MISSED) {
		lost = HIST_RING_PAGE_LOST_SOME;
		if (commit & MISSED_STORED && len - head - size >= layout->long_size)
			lost = get_long(layout, p + head + size);
		/* the kernel never stores a 0 */
		if (!lost)
			lost = HIST_RING_PAGE_LOST_SOME;
	}
	*page = (struct hist_ring_page){
		.at = p + head,
		.end = p + head + size,
		.fast = layout->big_endian ? NULL : p + head + size,
		.time = bytes_u64(layout->big_endian, p),
		.lost = lost,
		.swap = layout->swap,
		.big_endian = layout->big_endian,
	};
	return 0;
}

static bool ring_page_set_damaged(struct hist_ring_page *page)
{
	page->damaged = true;
	page->at = page->end;
	return false;
}

/* Add the upper bits of the previous time to an absolute time of 59 bits that may have wrapped. */
static uint64_t whole_time(uint64_t before, uint64_t time)
{
	if (before & TIME_TOP) {
		time |= before & TIME_TOP;
		if (time < before)
			time += UINT64_C(1) << 59;
	}
	return time;
}

/* Skip @size bytes at @data, rounded up to words.  False if the page ends before. */
static bool ring_page_take_data(struct hist_ring_page *page, const unsigned char *data,
				uint32_t size,
				const unsigned char **result, uint32_t *len)
{
	/* the rest of the page also consists of whole words */
	if (size < 4 || size > (size_t)(page->end - data))
		return ring_page_set_damaged(page);
	page->at = data + (size + 3) / 4 * 4;
	*result = data;
	*len = size;
	return true;
}

bool hist_ring_page_next_slow(struct hist_ring_page *page, const unsigned char **data,
			      uint32_t *len)
{
	uint32_t head, type, delta, word;
	const unsigned char *at;
	bool be = page->big_endian;

	while ((at = page->at) != page->end) {
		head = bytes_u32(be, at);
		/*
		 * bit fields of the machine's compiler: the first one is the lowest, or the highest
		 */
		type = be ? head >> TIME_BITS : head & 31;
		delta = be ? head & ((1u << TIME_BITS) - 1) : head >> 5;
		if (type != LONG && type < PADDING) {
			page->time += delta;
			return ring_page_take_data(page, at + 4, type * 4, data, len);
		}
		/* padding without a time: the end of the page */
		if (type == PADDING && !delta) {
			page->at = page->end;
			return false;
		}
		if (page->end - at < 8)
			return ring_page_set_damaged(page);
		word = bytes_u32(be, at + 4);
		switch (type) {
		case LONG:
			/* the word counts itself; a smaller number wraps and is refused */
			page->time += delta;
			return ring_page_take_data(page, at + 8, word - 4, data, len);
		case PADDING:
			/* a discarded event; the kernel stores a time of 0 as 1 */
			if (delta != 1)
				page->time += delta;
			/* a length of 0 does not even contain the word: skip the event's head */
			if (word && !ring_page_take_data(page, at + 4, word, data, len))
				return false;
			if (!word)
				page->at = at + 4;
			break;
		case TIME_EXTEND:
			page->time += ((uint64_t)word << TIME_BITS) + delta;
			page->at = at + 8;
			break;
		default:
			page->time = whole_time(page->time,
						((uint64_t)word << TIME_BITS) + delta);
			page->at = at + 8;
		}
	}
	return false;
}
