// SPDX-License-Identifier: LGPL-2.1
/*
 * events_v6.c - where things are in a trace.dat of version 6
 *
 * trace-cmd.dat.v6(5): one thing after the other, each behind its size, without an index.
 * What is not needed yet is passed over.  Instances are options with the offset of their
 * own "flyrecord", which is arranged as the top one.
 *
 * Invariant: a cursor is never behind its end, which is that of the file, or of how large
 * what it walks can be: a file of zeros as large as a disk is not walked in steps of 8 bytes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

#define STRING_MAX 4096
#define FORMATS_MAX (64u << 20)
#define HEADERS_MAX (256u << 10)
#define OPTIONS_MAX (16u << 20)

/* Words of ten bytes that tell what follows. */
#define WORD_SIZE 10
static const char word_options[WORD_SIZE] = "options  ";
static const char word_latency[WORD_SIZE] = "latency  ";
static const char word_flyrecord[WORD_SIZE] = "flyrecord";

struct cursor {
	struct hist_events *events;
	uint64_t at, end;
};

/* Not more than @max bytes from here on. */
static void set_end(struct cursor *c, uint64_t max)
{
	uint64_t size = c->events->file->size;

	c->end = max < size - c->at ? c->at + max : size;
}

static int get(struct cursor *c, size_t len, const void **data)
{
	int ret = -ENODATA;

	if (len <= c->end - c->at)
		ret = tracedat_read(c->events->file, c->at, len, data);
	if (!ret)
		c->at += len;
	return ret;
}

static int get_number(struct cursor *c, unsigned int size, uint64_t *v)
{
	bool be = c->events->file->big_endian;
	const void *p;
	int ret;

	ret = get(c, size, &p);
	if (!ret)
		*v = size == 2 ? bytes_u16(be, p)
			       : size == 4 ? bytes_u32(be, p) : bytes_u64(be, p);
	return ret;
}

static int pass(struct cursor *c, uint64_t len)
{
	if (len > c->end - c->at)
		return -ENODATA;
	c->at += len;
	return 0;
}

/* A size of @size bytes, and as much. */
static int pass_sized(struct cursor *c, unsigned int size)
{
	uint64_t len;
	int ret;

	ret = get_number(c, size, &len);
	return ret ? ret : pass(c, len);
}

/* A string with its NUL. */
static int pass_string(struct cursor *c)
{
	uint64_t rest = c->end - c->at;
	size_t most = rest < STRING_MAX ? rest : STRING_MAX;
	const char *nul;
	const void *p;
	int ret;

	ret = tracedat_read(c->events->file, c->at, most, &p);
	if (ret)
		return ret;
	nul = memchr(p, '\0', most);
	if (!nul)
		return -EBADMSG;
	return pass(c, nul + 1 - (const char *)p);
}

/* A u32, and as many texts behind their sizes. */
static int pass_texts(struct cursor *c)
{
	uint64_t n;
	int ret;

	ret = get_number(c, 4, &n);
	for (; n && !ret; n--)
		ret = pass_sized(c, 8);
	return ret;
}

/* What was passed since @from, malloc'ed. */
static int read_passed(const struct cursor *c, uint64_t from, size_t max, char **data, size_t *len)
{
	struct events_part part = { .at = from, .size = c->at - from };

	return events_part_read(c->events, &part, max, data, len);
}

static int read_headers(struct cursor *c)
{
	uint64_t from = c->at;
	char *data;
	size_t len;
	int ret;

	ret = pass(c, sizeof("header_page"));
	if (!ret)
		ret = pass_sized(c, 8);
	if (!ret)
		ret = pass(c, sizeof("header_event"));
	if (!ret)
		ret = pass_sized(c, 8);
	if (!ret)
		ret = read_passed(c, from, HEADERS_MAX, &data, &len);
	if (ret)
		return ret;
	ret = events_take_headers(c->events, data, len);
	free(data);
	return ret;
}

static int read_formats(struct cursor *c)
{
	uint64_t from = c->at, systems;
	char *data;
	size_t len;
	int ret;

	set_end(c, FORMATS_MAX);
	ret = pass_texts(c);
	if (!ret)
		ret = read_passed(c, from, FORMATS_MAX, &data, &len);
	if (!ret)
		ret = events_formats_ftrace(c->events, data, len);
	if (ret)
		return ret;
	from = c->at;
	set_end(c, FORMATS_MAX);
	ret = get_number(c, 4, &systems);
	for (; !ret && systems; systems--) {
		ret = pass_string(c);
		if (!ret)
			ret = pass_texts(c);
	}
	if (!ret)
		ret = read_passed(c, from, FORMATS_MAX, &data, &len);
	set_end(c, UINT64_MAX);
	return ret ? ret : events_formats_others(c->events, data, len);
}

/* Where the names are, for later. */
static int pass_part(struct cursor *c, unsigned int size, struct events_part *part)
{
	int ret;

	part->at = c->at;
	ret = pass_sized(c, size);
	if (!ret)
		part->size = c->at - part->at;
	return ret;
}

static int copy_string(struct cursor *c, uint64_t size, char **string)
{
	const void *p;
	int ret;

	ret = tracedat_read(c->events->file, c->at, size < STRING_MAX ? size : STRING_MAX, &p);
	if (ret)
		return ret;
	*string = strndup(p, size < STRING_MAX ? size : STRING_MAX);
	return *string ? 0 : -ENOMEM;
}

/* The offset of a buffer's pages, and its name; where they are is seen to at the end. */
static int take_buffer(struct cursor *c, uint64_t size)
{
	struct cursor at = *c;
	struct events_buffer *b;
	uint64_t offset;
	char *name;
	int ret;

	if (size < 8)
		return -EBADMSG;
	ret = get_number(&at, 8, &offset);
	if (!ret)
		ret = copy_string(&at, size - 8, &name);
	if (ret)
		return ret;
	/* the top one follows the options, too */
	if (*name)
		ret = events_add_buffer(c->events, name, NULL, &b);
	if (!ret && *name)
		b->places = offset;
	free(name);
	return ret;
}

static int take_option(struct cursor *c, uint16_t id, uint64_t size)
{
	struct hist_events *events = c->events;
	struct cursor at = *c;
	uint64_t cpus = 0;
	const void *p;
	int ret = 0;

	if (size > c->end - c->at)
		return -ENODATA;
	if (events_time_wants(id) && size) {
		ret = tracedat_read(events->file, c->at, size, &p);
		return ret ? ret : events_time_take(events, id, p, size);
	}
	switch (id) {
	case TRACEDAT_UNAME:
		return events->uname ? 0 : copy_string(c, size, &events->uname);
	case TRACEDAT_TRACECLOCK:
		/* in old files it is empty, and the clock behind the places of the pages */
		return events->clock_text || !size ? 0
						   : copy_string(c, size, &events->clock_text);
	case TRACEDAT_CPUCOUNT:
		if (size >= 4)
			ret = get_number(&at, 4, &cpus);
		if (!ret && cpus && cpus < EVENTS_CPUS_MAX)
			events->machine.cpus = cpus;
		return ret;
	case TRACEDAT_BUFFER:
		return take_buffer(c, size);
	}
	return 0;
}

static int read_options(struct cursor *c)
{
	uint64_t id, size;
	int ret;

	for (;;) {
		ret = get_number(c, 2, &id);
		if (ret || id == TRACEDAT_DONE)
			return ret;
		ret = get_number(c, 4, &size);
		if (!ret)
			ret = take_option(c, id, size);
		if (!ret)
			ret = pass(c, size);
		if (ret)
			return ret;
	}
}

/* 1: @word stands here, and was passed; 0: something else. */
static int is_word(struct cursor *c, const char *word)
{
	const void *p;
	int ret;

	ret = tracedat_read(c->events->file, c->at, WORD_SIZE, &p);
	if (ret)
		return ret;
	if (memcmp(p, word, WORD_SIZE))
		return 0;
	c->at += WORD_SIZE;
	return 1;
}

/* u64 offset and u64 size for each CPU. */
static int read_places(struct cursor *c, struct events_buffer *b)
{
	uint64_t at, size;
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; cpu < c->events->machine.cpus && !ret; cpu++) {
		ret = get_number(c, 8, &at);
		if (!ret)
			ret = get_number(c, 8, &size);
		if (!ret && size)
			ret = events_add_cpu(b, cpu, at, size);
	}
	return ret;
}

/* Behind the places: u64 size and "[mono]", where the options did not tell. */
static int read_clock(struct cursor *c)
{
	struct hist_events *events = c->events;
	uint64_t size;

	if (events->clock_text || get_number(c, 8, &size) || !size || size > STRING_MAX ||
	    size > events->file->size - c->at)
		return 0;
	return copy_string(c, size, &events->clock_text);
}

static int read_buffers(struct cursor *c, const char **why)
{
	struct hist_events *events = c->events;
	struct events_buffer *b;
	struct cursor at = *c;
	unsigned int i;
	int ret;

	ret = is_word(c, word_latency);
	if (ret) {
		*why = "it holds the text of a latency tracer, and no events";
		return ret < 0 ? ret : -ENOTSUP;
	}
	ret = is_word(c, word_flyrecord);
	if (ret != 1)
		return ret ? ret : -EBADMSG;
	ret = read_places(c, &events->buffers[0]);
	if (!ret)
		ret = read_clock(c);
	for (i = 1; i < events->nbuffers && !ret; i++) {
		b = &events->buffers[i];
		if (!b->places)
			continue;
		at.at = b->places;
		ret = is_word(&at, word_flyrecord);
		if (ret == 1)
			ret = read_places(&at, b);
		else if (!ret)
			ret = -EBADMSG;
	}
	return ret;
}

static int read_all(struct cursor *c, const char **why)
{
	uint64_t cpus;
	int ret;

	*why = "the headers of its pages are damaged or cut";
	ret = read_headers(c);
	if (ret)
		return ret;
	*why = "the formats of its events are damaged or cut";
	ret = read_formats(c);
	if (ret)
		return ret;
	*why = "the file is damaged or cut in its lists of names";
	ret = pass_part(c, 4, &c->events->kallsyms);
	if (!ret)
		ret = pass_sized(c, 4); /* printk formats */
	if (!ret)
		ret = pass_part(c, 8, &c->events->cmdlines);
	if (!ret)
		ret = get_number(c, 4, &cpus);
	if (!ret && cpus >= EVENTS_CPUS_MAX)
		ret = -EBADMSG;
	if (ret)
		return ret;
	c->events->machine.cpus = cpus;
	*why = "its options are damaged or cut";
	set_end(c, OPTIONS_MAX);
	ret = is_word(c, word_options);
	if (ret == 1)
		ret = read_options(c);
	if (ret)
		return ret;
	set_end(c, UINT64_MAX);
	*why = "the places of its pages are damaged or cut";
	return read_buffers(c, why);
}

int events_open_v6(struct hist_events *events, const char **why)
{
	struct cursor c = { events, events->file->sections_at, events->file->size };
	int ret = read_all(&c, why);

	return ret == -ENODATA ? -EBADMSG : ret;
}
