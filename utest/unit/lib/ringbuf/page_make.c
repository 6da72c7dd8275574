// SPDX-License-Identifier: GPL-2.0
/*
 * page_make.c - see page_make.h
 *
 * Written from the kernel's side of it (rb_update_event(), rb_add_time_stamp(),
 * rb_event_discard() and ring_buffer_read_page()), apart from the reader.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utest/unit/lib/ringbuf/page_make.h"

static void put(struct page_make *p, size_t at, unsigned int size, uint64_t v)
{
	unsigned int i;

	if (at + size > PAGE_MAKE_SIZE) {
		fputs("page_make: the page is full\n", stderr);
		exit(2);
	}
	for (i = 0; i < size; i++)
		p->data[at + (p->big_endian ? size - 1 - i : i)] = v >> 8 * i;
}

void page_make_begin(struct page_make *p, bool big_endian, unsigned int long_size, uint64_t time)
{
	memset(p, 0, sizeof(*p));
	p->big_endian = big_endian;
	p->long_size = long_size;
	put(p, 0, 8, time);
	p->len = 8 + long_size;
}

void page_make_word(struct page_make *p, uint32_t word)
{
	put(p, p->len, 4, word);
	p->len += 4;
}

void page_make_head(struct page_make *p, unsigned int type, uint32_t delta)
{
	/* struct { u32 type_len:5, time_delta:27; } as compilers lay it out */
	page_make_word(p, p->big_endian ? type << 27 | delta : delta << 5 | type);
}

static void fill_bytes(struct page_make *p, unsigned char fill, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		put(p, p->len + i, 1, fill);
	p->len += len;
}

void page_make_long_event(struct page_make *p, uint32_t delta, unsigned char fill, uint32_t len)
{
	page_make_head(p, 0, delta);
	page_make_word(p, len + 4);
	fill_bytes(p, fill, len);
}

void page_make_event(struct page_make *p, uint32_t delta, unsigned char fill, uint32_t len)
{
	if (len > 112) {
		page_make_long_event(p, delta, fill, len);
		return;
	}
	page_make_head(p, len / 4, delta);
	fill_bytes(p, fill, len);
}

void page_make_extend(struct page_make *p, uint64_t delta)
{
	page_make_head(p, 30, delta & 0x7ffffff);
	page_make_word(p, delta >> 27);
}

void page_make_stamp(struct page_make *p, uint64_t time)
{
	page_make_head(p, 31, time & 0x7ffffff);
	page_make_word(p, time >> 27 & 0xffffffff);
}

void page_make_discarded(struct page_make *p, uint32_t delta, uint32_t len)
{
	page_make_head(p, 29, delta ? delta : 1);
	/* what was its first word of data is overwritten */
	page_make_word(p, len);
	fill_bytes(p, 0xdd, len - 4);
}

void page_make_end(struct page_make *p, uint32_t flags)
{
	put(p, 8, p->long_size, (p->len - 8 - p->long_size) | flags);
}

void page_make_end_lost(struct page_make *p, uint64_t lost)
{
	page_make_end(p, 0xc0000000);
	put(p, p->len, p->long_size, lost);
}
