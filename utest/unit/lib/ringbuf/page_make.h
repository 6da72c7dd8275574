/* SPDX-License-Identifier: GPL-2.0 */
/*
 * page_make.h - pages of a ring buffer, of any machine, put together by hand
 */
#ifndef UTEST_UNIT_LIB_RINGBUF_PAGE_MAKE_H
#define UTEST_UNIT_LIB_RINGBUF_PAGE_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_MAKE_SIZE 4096

struct page_make {
	bool big_endian;
	unsigned int long_size;
	size_t len; /* so far, the header included */
	unsigned char data[PAGE_MAKE_SIZE];
};

void page_make_begin(struct page_make *page, bool big_endian, unsigned int long_size,
		     uint64_t time);
/* The first word of an event: its type, and a time of 27 bits. */
void page_make_head(struct page_make *page, unsigned int type, uint32_t delta);
void page_make_word(struct page_make *page, uint32_t word);
/* @len bytes @fill, in a short event where they fit into one. */
void page_make_event(struct page_make *page, uint32_t delta, unsigned char fill, uint32_t len);
/* With the length in a word of its own, as machines without unaligned access have it. */
void page_make_long_event(struct page_make *page, uint32_t delta, unsigned char fill,
			  uint32_t len);
/* @delta of up to 59 bits more; or the time itself. */
void page_make_extend(struct page_make *page, uint64_t delta);
void page_make_stamp(struct page_make *page, uint64_t time);
/* An event that was taken back, @len bytes behind its head. */
void page_make_discarded(struct page_make *page, uint32_t delta, uint32_t len);
/* Enters the commit; @flags are its upper bits. */
void page_make_end(struct page_make *page, uint32_t flags);
/* The same, and @lost behind the events. */
void page_make_end_lost(struct page_make *page, uint64_t lost);

#endif
