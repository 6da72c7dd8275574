// SPDX-License-Identifier: GPL-2.0
/*
 * live_pages.c - read the ring buffer pages of one CPU
 *
 * With mmap(), the meta page names the reader page and the number of bytes that count as read. An
 * ioctl moves this position to the end of the available data or, if there is no new data, to the
 * next page (include/uapi/linux/trace_mmap.h, ring_buffer_map_get_reader() in
 * kernel/trace/ring_buffer.c). A page that is still being written is returned several times. Event
 * times are relative to the start of the page, so the events that were returned before are walked
 * over.
 *
 * With read(), each call copies the available data of one page. The page time is then that of its
 * first event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "tracecmd/live/live_pages.h"
#include "tracecmd/target/cpu_pages.h"

/* Copy of struct trace_buffer_meta, which older system headers do not have. */
struct meta {
	uint32_t meta_page_size, meta_struct_len;
	uint32_t subbuf_size, nr_subbufs;
	struct {
		uint64_t lost_events;
		uint32_t id, read;
	} reader;
	uint64_t flags, entries, overrun, read, reserved1, reserved2;
};

/* GET_READER_OLD is the number of the first releases of Linux 6.10 to 6.12. */
#define GET_READER _IO('R', 0x20)
#define GET_READER_OLD _IO('T', 0x1)

struct live_pages {
	int fd;
	bool present; /* the CPU has a ring buffer */
	struct hist_ring_page_layout layout;
	size_t page_size;
	unsigned char *page; /* copy of the page, by read() or live_pages_copy(); or NULL */
	const struct meta *meta; /* mapped, or NULL */
	unsigned char *data;
	size_t data_size;
	unsigned long get_reader;
	uint32_t id, given; /* the last page returned, and how many of its bytes */
	bool continued; /* that page was returned before, with fewer bytes */
	bool lost; /* events were lost before that page */
	bool short_page;
};

static void live_pages_unmap_buffer(struct live_pages *p)
{
	if (p->data)
		munmap(p->data, p->data_size);
	if (p->meta)
		munmap((void *)p->meta, p->page_size);
	p->data = NULL;
	p->meta = NULL;
}

/* Map the ring buffer. If that fails, p->meta stays NULL and read() is used. */
static void live_pages_map_buffer(struct live_pages *p)
{
	size_t meta_size;
	void *at;

	at = mmap(NULL, p->page_size, PROT_READ, MAP_SHARED, p->fd, 0);
	if (at == MAP_FAILED)
		return;
	p->meta = at;
	meta_size = p->meta->meta_page_size;
	p->data_size = (size_t)p->meta->subbuf_size * p->meta->nr_subbufs;
	if (p->meta->meta_struct_len < sizeof(struct meta) ||
	    p->meta->subbuf_size != p->page_size || meta_size % p->page_size) {
		live_pages_unmap_buffer(p);
		return;
	}
	at = mmap(NULL, p->data_size, PROT_READ, MAP_SHARED, p->fd, meta_size);
	if (at == MAP_FAILED) {
		live_pages_unmap_buffer(p);
		return;
	}
	p->data = at;
	p->get_reader = GET_READER;
	if (ioctl(p->fd, p->get_reader) && errno == ENOTTY)
		p->get_reader = GET_READER_OLD;
	else
		return;
	if (ioctl(p->fd, p->get_reader) && errno == ENOTTY)
		live_pages_unmap_buffer(p);
}

/*
 * Look if the CPU has a ring buffer now.  Events that read(2) takes would be in the mapped page
 * again.
 */
static bool live_pages_look(struct live_pages *p)
{
	if (!p->present && cpu_pages_is_absent(p->fd))
		return false;
	if (!p->present)
		live_pages_map_buffer(p);
	p->present = true;
	return true;
}

int live_pages_open(struct live_pages **pages, int fd, const struct hist_ring_page_layout *layout,
		    size_t page_size)
{
	struct live_pages *p = calloc(1, sizeof(*p));

	if (!p) {
		close(fd);
		return -ENOMEM;
	}
	p->fd = fd;
	p->layout = *layout;
	p->page_size = page_size;
	p->id = UINT32_MAX;
	live_pages_look(p);
	*pages = p;
	return 0;
}

void live_pages_free(struct live_pages *p)
{
	if (!p)
		return;
	live_pages_unmap_buffer(p);
	free(p->page);
	close(p->fd);
	free(p);
}

int live_pages_fd(const struct live_pages *p)
{
	return p->present ? p->fd : -1;
}

bool live_pages_caught_up(const struct live_pages *p)
{
	return p->short_page;
}

static int next_read(struct live_pages *p, struct hist_ring_page *page)
{
	ssize_t n;

	if (!p->page)
		p->page = malloc(p->page_size);
	if (!p->page)
		return -ENOMEM;
	do {
		n = read(p->fd, p->page, p->page_size);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (!n)
		return 0;
	return hist_ring_page_begin(page, &p->layout, p->page, n) ? -EBADMSG : 1;
}

static int next_mapped(struct live_pages *p, struct hist_ring_page *page)
{
	const unsigned char *data, *from;
	uint32_t len, id, size;
	int ret;

	do {
		ret = ioctl(p->fd, p->get_reader);
	} while (ret && errno == EINTR);
	if (ret)
		return errno == EAGAIN ? 0 : -errno;
	/* the kernel may write these members at any time: load each once */
	id = __atomic_load_n(&p->meta->reader.id, __ATOMIC_ACQUIRE);
	size = __atomic_load_n(&p->meta->reader.read, __ATOMIC_ACQUIRE);
	if (id != p->id)
		p->given = 0;
	if (size == p->given)
		return 0;
	if (id >= p->data_size / p->page_size ||
	    hist_ring_page_begin(page, &p->layout, p->data + id * p->page_size, p->page_size) ||
	    size > (size_t)(page->end - page->at) || size < p->given)
		return -EBADMSG;
	if (!p->given && !page->lost)
		page->lost = p->meta->reader.lost_events;
	else if (p->given)
		page->lost = 0;
	hist_ring_page_cut(page, size);
	from = page->at + p->given;
	p->continued = p->given;
	p->lost = p->continued ? p->lost : page->lost;
	p->id = id;
	p->given = size;
	while (page->at < from && hist_ring_page_next(page, &data, &len))
		;
	return page->at < page->end;
}

/* In the commit of a page: events were lost before it (RB_MISSED_EVENTS). */
#define COMMIT_LOST 0x80000000u

const void *live_pages_copy(struct live_pages *p, bool *again)
{
	size_t head = 8 + p->layout.long_size, len = head + p->given;
	uint32_t commit = p->given | (p->lost ? COMMIT_LOST : 0);

	*again = p->meta && p->continued;
	if (!p->meta)
		return p->page;
	if (!p->page)
		p->page = malloc(p->page_size);
	if (!p->page)
		return NULL;
	memcpy(p->page, p->data + p->id * p->page_size, len);
	memset(p->page + len, 0, p->page_size - len);
	if (p->layout.long_size == 8)
		bytes_put_u64(p->layout.big_endian, p->page + 8, commit);
	else
		bytes_put_u32(p->layout.big_endian, p->page + 8, commit);
	return p->page;
}

int live_pages_next(struct live_pages *p, struct hist_ring_page *page)
{
	int ret = !live_pages_look(p) ? 0 : p->meta ? next_mapped(p, page) : next_read(p, page);

	/* a page that is more than half full may have had no room for the next event */
	p->short_page = ret == 1 && p->meta && p->given < p->page_size / 2;
	return ret;
}
