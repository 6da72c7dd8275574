/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * ring_page.h - read the events of a page of the kernel's ring buffer
 *
 * The pages come from per_cpu/cpuN/trace_pipe_raw, or from the data of a CPU in a trace.dat file.
 *
 *   u64 time | long commit | events...
 *
 * commit is the number of bytes of events, plus two flags: events were lost before this page, and
 * their number follows the last event.  An event begins with a u32: 5 bits type and 27 bits of
 * time since the previous event.  Types 1 to 28 are the length in words of 4 bytes.  Type 0: the
 * length is in the next word.  Type 29 is padding, type 30 has more bits of time, and type 31 has
 * an absolute time of 59 bits.
 *
 * The functions copy and allocate nothing.
 * Invariant: no byte after @len is read, for any contents of the page.
 *
 * Source: events/header_page and events/header_event of tracefs; rb_event_length(),
 * rb_update_event() and ring_buffer_read_page() in kernel/trace/ring_buffer.c.
 */
#ifndef LIB_RINGBUF_RING_PAGE_H
#define LIB_RINGBUF_RING_PAGE_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The layout of the pages of a machine. */
struct hist_ring_page_layout {
	bool swap;		/* its byte order differs from that of this machine */
	bool big_endian;	/* its byte order */
	unsigned int long_size; /* of its kernel: 4 or 8 */
};

static inline struct hist_ring_page_layout hist_ring_page_layout(bool big_endian,
								 unsigned int long_size)
{
	return (struct hist_ring_page_layout){
		.swap = big_endian != (__BYTE_ORDER == __BIG_ENDIAN),
		.big_endian = big_endian,
		.long_size = long_size,
	};
}

/* Events were lost before the page; their number is unknown. */
#define HIST_RING_PAGE_LOST_SOME UINT64_MAX

struct hist_ring_page {
	/*
	 * The next event, and the end of all events.  Between them are whole words of four bytes.
	 */
	const unsigned char *at, *end;
	const unsigned char *fast; /* @end if the byte order is little-endian; otherwise NULL */
	uint64_t time;		       /* of the last event; at the beginning of the page */
	uint64_t lost; /* events lost before this page; 0, or HIST_RING_PAGE_LOST_SOME */
	bool swap, big_endian;
	bool damaged; /* an event extends past the end of the page; the rest was skipped */
};

/* hist_ring_page_begin - 0; -EBADMSG: @data is not a page of @len bytes, and @page is unchanged */
int hist_ring_page_begin(struct hist_ring_page *page, const struct hist_ring_page_layout *layout,
			 const void *data, size_t len);

/* hist_ring_page_cut - end the page @len bytes after the start of its next event */
static inline void hist_ring_page_cut(struct hist_ring_page *page, size_t len)
{
	page->end = page->at + len;
	page->fast = page->fast ? page->end : NULL;
}

/* hist_ring_page_move - continue with a copy of the rest of the page at @data */
static inline void hist_ring_page_move(struct hist_ring_page *page, const unsigned char *data)
{
	size_t len = page->end - page->at;

	page->at = data;
	hist_ring_page_cut(page, len);
}

/* For events that are not short events of a little-endian machine. */
bool hist_ring_page_next_slow(struct hist_ring_page *page, const unsigned char **data,
			      uint32_t *len);

/*
 * hist_ring_page_next - get the data of the next event, which starts with common_type
 * *@data has at least *@len bytes, 4 or more, valid as long as the page.
 * False at the end of the page, or if page->damaged is set.
 */
static inline bool hist_ring_page_next(struct hist_ring_page *page, const unsigned char **data,
				       uint32_t *len)
{
	const unsigned char *at = page->at, *fast = page->fast, *next;
	uint32_t head, size;

	if (__builtin_expect(at < fast, 1)) {
		memcpy(&head, at, sizeof(head));
		head = le32toh(head);
		size = (head & 31) * 4;
		next = at + 4 + size;
		if (__builtin_expect(size - 4 < 28 * 4 && next <= fast, 1)) {
			page->time += head >> 5;
			page->at = next;
			*data = at + 4;
			*len = size;
			return true;
		}
	}
	return hist_ring_page_next_slow(page, data, len);
}

/* The number of the event whose @data hist_ring_page_next() gave: its common_type. */
static inline unsigned int hist_ring_page_number(const struct hist_ring_page *page,
						 const unsigned char *data)
{
	return page->big_endian ? data[0] << 8 | data[1] : data[1] << 8 | data[0];
}

#endif
