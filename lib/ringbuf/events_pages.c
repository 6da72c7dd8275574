// SPDX-License-Identifier: LGPL-2.1
/*
 * events_pages.c - walk the pages of one CPU in sequence
 *
 * One block at a time is in memory: a window of the file, or a chunk of a compressed file.  The
 * window is small enough to stay in the cache of the processor until its pages are walked.  The
 * file is not mapped, because a mapped file that is truncated raises SIGBUS.
 *
 * A compressed file has u32 number of chunks; then for each chunk u32 compressed size, u32 size,
 * and the data.  Each chunk has a whole number of pages, except the last one.  There is no index.
 * A walk forward decompresses each chunk once.  The first seek reads the sizes of all chunks and
 * stores a mark for every n-th chunk; n doubles if there are too many marks.  A seek bisects over
 * the times of the marked chunks, and then goes on chunk by chunk.  A thread can decompress the
 * next chunks of a walk ahead (events_ahead.c); they become one block.
 *
 * Invariants: data[0 .. len) is the block, and the pages before pos were returned.  n chunks end at
 * start + at.  If no more chunks can be read, n is nchunks.
 *
 * Source: trace-cmd.dat.v7(5), COMPRESSION FORMAT OF THE TRACE DATA.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
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

/* Limit for a chunk.  Stock trace-cmd writes 10 pages. */
#define CHUNK_PAGES 16
#define CHUNK_LEAST_MAX (1u << 20)

/*
 * Limits in bytes for the data of a run of chunks: for one walk, and for all walks over a buffer.
 */
#define RUN (512u << 10)
#define RUNS (8u << 20)

/* Maximum number of marks: 16 KiB. */
#define MARKS_MAX 1024

static size_t chunk_max(const struct hist_events_pages *p)
{
	return p->page_size * CHUNK_PAGES > CHUNK_LEAST_MAX ? p->page_size * CHUNK_PAGES
							    : CHUNK_LEAST_MAX;
}

/* Read @len bytes at offset @at of the CPU's data; -EBADMSG if the data ends before. */
static int read_at(const struct hist_events_pages *p, uint64_t at, void *data, size_t len)
{
	if (at > p->size || len > p->size - at)
		return -EBADMSG;
	return events_read(p->events, p->start + at, data, len);
}

/* Bytes from p->at to where the chunks should end. */
static uint64_t events_chunks_count_rest(const struct hist_events_pages *p)
{
	uint64_t end = p->whole + CHUNKS_NUMBER;

	return p->whole && p->at < end ? end - p->at : 0;
}

/* Stop the walk: later chunks cannot be found. */
static int events_chunks_end(struct hist_events_pages *p, int error)
{
	uint64_t rest = events_chunks_count_rest(p);

	/* the number of chunks may be wrong */
	p->damage.missing_bytes += rest ? rest : 1;
	p->n = p->nchunks;
	p->at = p->size;
	p->ended = true;
	return error;
}

static int events_chunks_begin_walk(struct hist_events_pages *p)
{
	unsigned char number[CHUNKS_NUMBER];
	int ret;

	p->begun = true;
	p->ended = false;
	p->n = p->nchunks = 0;
	p->at = 0;
	if (!p->size)
		return 0;
	ret = read_at(p, 0, number, sizeof(number));
	if (ret)
		return events_chunks_end(p, ret);
	p->nchunks = bytes_u32(p->events->machine.layout.big_endian, number);
	p->at = sizeof(number);
	return 0;
}

/* Read the sizes of the chunk at @at, and check them. */
static int events_chunks_read_header(const struct hist_events_pages *p, uint64_t at,
				     struct chunk *chunk)
{
	bool be = p->events->machine.layout.big_endian;
	unsigned char head[CHUNK_HEADER];
	int ret;

	ret = read_at(p, at, head, sizeof(head));
	if (ret)
		return ret;
	chunk->packed = bytes_u32(be, head);
	chunk->raw = bytes_u32(be, head + 4);
	return chunk->packed > p->size - at - CHUNK_HEADER ? -EBADMSG : 0;
}

/* @n: the number of chunks before it. */
static bool events_chunks_fits(const struct hist_events_pages *p, uint32_t n,
			       const struct chunk *chunk)
{
	/* the last page may be incomplete */
	return chunk->raw && (!(chunk->raw % p->page_size) || n + 1 >= p->nchunks) &&
	       chunk->raw <= chunk_max(p) && chunk->packed <= 2 * chunk_max(p);
}

static size_t run_max(const struct hist_events_pages *p)
{
	size_t most = RUNS / (p->buffer->ncpus ? p->buffer->ncpus : 1);

	return most < RUN ? most : RUN;
}

/* Let the thread decompress the chunks at p->at.  The walk reports what is wrong with them. */
static void events_chunks_want(const struct hist_events_pages *p)
{
	struct chunk_run run = { .at = p->start + p->at };
	uint64_t at = p->at;
	struct chunk *chunk;

	for (; run.n < CHUNK_RUN_MAX && run.n < p->nchunks - p->n; run.n++) {
		chunk = &run.chunks[run.n];
		if (events_chunks_read_header(p, at, chunk) ||
		    !events_chunks_fits(p, p->n + run.n, chunk) ||
		    (run.n && run.len + chunk->raw > run_max(p)))
			break;
		run.len += chunk->raw;
		at += CHUNK_HEADER + chunk->packed;
	}
	if (run.n)
		events_ahead_want(p->ahead, &run);
}

/* 1 if the thread has the chunks at p->at, which are the block then. */
static int events_chunks_take(struct hist_events_pages *p)
{
	struct chunk_run run;
	unsigned int i;

	if (!events_ahead_take(p->ahead, p->start + p->at, &p->data, &p->room, &run))
		return 0;
	for (i = 0; i < run.n; i++)
		p->at += CHUNK_HEADER + run.chunks[i].packed;
	p->n += run.n;
	p->len = run.len;
	return 1;
}

/* Read the chunk at p->at: 1 or -errno. */
static int events_chunks_read(struct hist_events_pages *p)
{
	struct chunk chunk;
	int ret;

	ret = events_chunks_read_header(p, p->at, &chunk);
	if (ret)
		return events_chunks_end(p, ret);
	ret = events_chunks_fits(p, p->n, &chunk) ? 0 : -EBADMSG;
	if (!ret)
		ret = array_renew(&p->data, &p->room, chunk.raw);
	if (!ret)
		ret = chunk_decompress(p->events, p->start + p->at + CHUNK_HEADER, chunk.packed,
				       p->data, chunk.raw);
	/* the place of the next chunk is known, even if the data of this one is damaged */
	p->at += CHUNK_HEADER + chunk.packed;
	p->n++;
	if (ret) {
		if (events_chunks_fits(p, p->n - 1, &chunk))
			p->damage.damaged_pages += (chunk.raw + p->page_size - 1) / p->page_size;
		else
			p->damage.missing_bytes += CHUNK_HEADER + chunk.packed;
		return ret;
	}
	p->len = chunk.raw;
	return 1;
}

/* hist_events_pages_next() for chunks */
static int events_chunks_next(struct hist_events_pages *p)
{
	int ret = 0;

	p->len = p->pos = 0;
	if (!p->begun)
		ret = events_chunks_begin_walk(p);
	if (ret)
		return ret;
	/* the number of chunks is wrong, or all are missing */
	if (p->n == p->nchunks)
		return !p->ended && events_chunks_count_rest(p) ? events_chunks_end(p, -EBADMSG)
								: 0;
	ret = p->ahead ? events_chunks_take(p) : 0;
	if (!ret)
		ret = events_chunks_read(p);
	if (p->ahead)
		events_chunks_want(p);
	return ret;
}

/* Mark every @stride-th chunk.  There is at least one mark if there are chunks. */
static int make_marks(struct hist_events_pages *p)
{
	struct chunk chunk;
	unsigned int i;
	int ret;

	p->marks = malloc(MARKS_MAX * sizeof(*p->marks));
	if (!p->marks)
		return -ENOMEM;
	p->stride = 1;
	ret = events_chunks_begin_walk(p);
	while (!ret && p->n < p->nchunks) {
		if (p->nmarks == MARKS_MAX) {
			for (i = 0; i < MARKS_MAX / 2; i++)
				p->marks[i] = p->marks[i * 2];
			p->nmarks = MARKS_MAX / 2;
			p->stride *= 2;
		}
		if (p->n % p->stride == 0)
			p->marks[p->nmarks++] = (struct chunk_mark){ p->at, p->n };
		ret = events_chunks_read_header(p, p->at, &chunk);
		if (ret)
			break;
		p->at += CHUNK_HEADER + chunk.packed;
		p->n++;
	}
	/* the walk will report the damage */
	return ret == -EBADMSG ? 0 : ret;
}

static void go_to(struct hist_events_pages *p, const struct chunk_mark *mark)
{
	p->at = mark->at;
	p->n = mark->n;
	p->len = p->pos = 0;
	p->ended = false;
}

/* The time of the page at p->data + @pos. */
static uint64_t page_time(const struct hist_events_pages *p, size_t pos)
{
	return bytes_u64(p->events->machine.layout.big_endian, p->data + pos);
}

/* Read the chunk at @mark, and get the time of its first page; 0 if it is damaged. */
static int chunk_time(struct hist_events_pages *p, const struct chunk_mark *mark, uint64_t *time)
{
	int ret;

	go_to(p, mark);
	*time = 0;
	ret = events_chunks_next(p);
	if (ret == 1)
		*time = page_time(p, 0);
	return ret == 1 || ret == -EBADMSG ? 0 : ret;
}

/*
 * Go to the last chunk that begins at or before @until.  The chunk at @mark does, or is the first.
 */
static int last_chunk(struct hist_events_pages *p, struct chunk_mark mark, uint64_t until)
{
	struct chunk_mark last = mark;
	uint64_t time;
	int ret;

	while (mark.n < p->nchunks) {
		ret = chunk_time(p, &mark, &time);
		if (ret)
			return ret;
		if (time > until)
			break;
		last = mark;
		mark = (struct chunk_mark){ p->at, p->n };
	}
	go_to(p, &last);
	return 0;
}

/* hist_events_pages_seek() for chunks */
static int events_chunks_seek(struct hist_events_pages *p, uint64_t until)
{
	unsigned int low = 0, high, mid;
	uint64_t time;
	size_t pos;
	int ret;

	ret = p->marks ? 0 : make_marks(p);
	if (!ret)
		ret = events_chunks_begin_walk(p);
	if (ret || !p->nmarks)
		return ret == -EBADMSG ? 0 : ret;
	high = p->nmarks;
	while (low < high) {
		mid = low + (high - low) / 2;
		ret = chunk_time(p, &p->marks[mid], &time);
		if (ret)
			return ret;
		if (time <= until)
			low = mid + 1;
		else
			high = mid;
	}
	ret = last_chunk(p, p->marks[low ? low - 1 : 0], until);
	if (ret)
		return ret;
	/* go to the last page of the chunk that begins in time */
	ret = events_chunks_next(p);
	if (ret != 1)
		return ret == -EBADMSG ? 0 : ret;
	for (pos = p->page_size; pos < p->len && page_time(p, pos) <= until; pos += p->page_size)
		p->pos = pos;
	return 0;
}

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
