// SPDX-License-Identifier: LGPL-2.1
/*
 * events_pages.c - walk the pages of one CPU in sequence
 *
 * One block at a time is in memory: a window of the file, or a chunk of a compressed file
 * (events_chunks.c).  The window is small enough to stay in the cache of the processor until its
 * pages are walked.  The file is not mapped, because a mapped file that is truncated raises SIGBUS.
 *
 * Invariant: data[0 .. len) is the block, and the pages before pos were returned.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/ringbuf/events_pages.h"

/* Limits in bytes: for one walk, and for all walks over a buffer. */
#define WINDOW (64u << 10)
#define WINDOWS (4u << 20)

static const struct events_cpu *find_cpu(const struct events_buffer *b, unsigned int cpu)
{
	unsigned int low = 0, high = b->ncpus, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (b->cpus[mid].cpu < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return low < b->ncpus && b->cpus[low].cpu == cpu ? &b->cpus[low] : NULL;
}

int hist_events_pages_open(struct hist_events_pages **pages, const struct hist_events *events,
			   unsigned int buffer, unsigned int cpu)
{
	const struct events_cpu *found;
	uint64_t size, extra;
	struct hist_events_pages *p;

	if (buffer >= events->nbuffers)
		return -EINVAL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->events = events;
	p->buffer = &events->buffers[buffer];
	p->page_size = p->buffer->page_size;
	found = find_cpu(p->buffer, cpu);
	if (found && found->size) {
		p->start = found->at;
		p->whole = found->size;
		/* the size does not count the number of chunks */
		extra = p->buffer->packed ? CHUNKS_NUMBER : 0;
		if (__builtin_add_overflow(found->size, extra, &p->size))
			p->size = UINT64_MAX;
		/* the end of the walk reports the truncation */
		size = events->file->size;
		if (p->start > size)
			p->start = size;
		if (p->size > size - p->start) {
			p->size = size - p->start;
			p->is_cut = p->left_out = true;
		}
	}
	*pages = p;
	return 0;
}

void hist_events_pages_free(struct hist_events_pages *p)
{
	if (!p)
		return;
	events_ahead_close(p->ahead);
	free(p->data);
	free(p->marks);
	free(p);
}

void hist_events_pages_read_ahead(struct hist_events_pages *p, struct hist_events_ahead *ahead)
{
	if (ahead && !p->ahead)
		p->ahead = events_ahead_open(ahead);
}

/* Size of a window: whole pages, less if many CPUs are walked at the same time. */
static size_t window_size(const struct hist_events_pages *p)
{
	size_t most = WINDOWS / (p->buffer->ncpus ? p->buffer->ncpus : 1);

	if (most > WINDOW)
		most = WINDOW;
	return most < p->page_size ? p->page_size : most - most % p->page_size;
}

/* Get the next window: 1; 0 at the end; or -errno. */
static int next_window(struct hist_events_pages *p)
{
	uint64_t left = p->size - p->at;
	size_t window = window_size(p), len = left < window ? left : window;
	int ret;

	p->pos = p->len = 0;
	if (!len)
		return 0;
	/* use only as much memory as the file has bytes */
	ret = array_renew(&p->data, &p->room, len);
	if (!ret)
		ret = tracedat_source_read_all(p->events->file->source, p->data, len,
					       p->start + p->at);
	if (ret) {
		p->at = p->size;
		return ret;
	}
	p->at += len;
	p->len = len;
	return 1;
}

/* Pages in @bytes, including one that is truncated. */
static uint64_t count_pages(const struct hist_events_pages *p, uint64_t bytes)
{
	return bytes / p->page_size + (bytes % p->page_size != 0);
}

static int next_block(struct hist_events_pages *p)
{
	int ret;

	ret = p->buffer->packed ? events_chunks_next(p) : next_window(p);
	if (!ret && p->left_out && !p->buffer->packed) {
		/* report it once */
		p->left_out = false;
		p->damage.missing_pages += count_pages(p, p->whole) - count_pages(p, p->size);
		return -EBADMSG;
	}
	return ret;
}

/* The recorder has put events into each page; a hole of the file has zeros. */
static bool is_hole(const unsigned char *data, size_t len)
{
	return len >= 8 && !text_word((const char *)data) && !memcmp(data, data + 1, len - 1);
}

int hist_events_pages_next(struct hist_events_pages *p, struct hist_ring_page *page)
{
	const unsigned char *data;
	size_t len;
	int ret;

	if (p->pos == p->len) {
		ret = next_block(p);
		if (ret != 1)
			return ret;
	}
	data = p->data + p->pos;
	len = p->len - p->pos < p->page_size ? p->len - p->pos : p->page_size;
	p->pos += len;
	ret = is_hole(data, len) ? -EBADMSG :
	      hist_ring_page_begin(page, &p->events->machine.layout, data, len);
	if (!ret)
		return 1;
	if (p->is_cut && !p->buffer->packed && len < p->page_size)
		p->damage.missing_pages++;
	else
		p->damage.damaged_pages++;
	return ret;
}

void hist_events_pages_damage(const struct hist_events_pages *p, struct hist_events_damage *damage)
{
	damage->missing_pages += p->damage.missing_pages;
	damage->damaged_pages += p->damage.damaged_pages;
	damage->missing_bytes += p->damage.missing_bytes;
}

uint64_t hist_events_pages_done(const struct hist_events_pages *p)
{
	return p->at < p->whole ? p->at : p->whole;
}

uint64_t hist_events_pages_bytes(const struct hist_events_pages *p)
{
	return p->whole;
}

/* The time of page @n of an uncompressed file; 0 if it cannot be read. */
static uint64_t events_pages_read_time(const struct hist_events_pages *p, uint64_t n)
{
	unsigned char time[8];

	if (tracedat_source_read_all(p->events->file->source, time, sizeof(time),
			      p->start + n * p->page_size))
		return 0;
	return bytes_u64(p->events->machine.layout.big_endian, time);
}

static int seek_window(struct hist_events_pages *p, uint64_t time)
{
	uint64_t low = 0, high = p->size / p->page_size, mid;

	/* pages before low begin at or before @time, pages from high on begin later */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (events_pages_read_time(p, mid) <= time)
			low = mid + 1;
		else
			high = mid;
	}
	p->at = low ? (low - 1) * p->page_size : 0;
	p->pos = p->len = 0;
	return 0;
}

int hist_events_pages_seek(struct hist_events_pages *p, uint64_t time)
{
	int ret;

	p->left_out = p->is_cut;
	ret = p->buffer->packed ? events_chunks_seek(p, time) : seek_window(p, time);
	p->damage = (struct hist_events_damage){ 0 };
	return ret;
}
