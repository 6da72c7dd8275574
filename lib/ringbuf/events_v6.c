// SPDX-License-Identifier: LGPL-2.1
/*
 * events_v6.c - find the parts of a trace.dat file of version 6
 *
 * The parts follow each other, each after its size, without an index.  The reader skips the parts
 * that are not needed yet.  An instance is an option with the offset of its own "flyrecord", which
 * has the same layout as that of the top-level buffer.
 *
 * Invariant: a cursor never passes its end.  The end is that of the file, or the maximum size of
 * the part.  A huge file of zeros is therefore not walked in steps of 8 bytes.
 *
 * Source: trace-cmd.dat.v6(5).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

#define OPTIONS_MAX (16u << 20)

/* Words of ten bytes that name the next part. */
#define WORD_SIZE 10
static const char word_options[WORD_SIZE] = "options  ";
static const char word_latency[WORD_SIZE] = "latency  ";
static const char word_flyrecord[WORD_SIZE] = "flyrecord";

/* @error: the first error; the cursor does not move after it. */
struct cursor {
	struct hist_events *events;
	uint64_t at, end;
	int error;
};

/* Limit the cursor to the next @max bytes. */
static void set_end(struct cursor *c, uint64_t max)
{
	uint64_t size = c->events->file->size;

	c->end = max < size - c->at ? c->at + max : size;
}

/* The next @len bytes; NULL after an error. */
static const void *events_v6_get_data(struct cursor *c, size_t len)
{
	const void *data;

	if (!c->error)
		c->error = len <= c->end - c->at ? tracedat_read(c->events->file, c->at, len, &data)
						 : -ENODATA;
	if (c->error)
		return NULL;
	c->at += len;
	return data;
}

/* The next number of @size bytes; 0 after an error. */
static uint64_t events_v6_read_number(struct cursor *c, unsigned int size)
{
	const void *p = events_v6_get_data(c, size);
	struct events_bytes b;

	if (!p)
		return 0;
	b = events_bytes(c->events, p, size);
	return events_take_number(&b, size);
}

static void events_v6_skip_data(struct cursor *c, uint64_t len)
{
	if (!c->error && len > c->end - c->at)
		c->error = -ENODATA;
	if (!c->error)
		c->at += len;
}

/* Skip a size of @size bytes, and as many bytes as it says. */
static void pass_sized(struct cursor *c, unsigned int size)
{
	events_v6_skip_data(c, events_v6_read_number(c, size));
}

/* Skip a string with its NUL. */
static void pass_string(struct cursor *c)
{
	uint64_t rest = c->end - c->at;
	size_t most = rest < EVENTS_STRING_MAX ? rest : EVENTS_STRING_MAX;
	const char *nul;
	const void *p;

	if (!c->error)
		c->error = tracedat_read(c->events->file, c->at, most, &p);
	if (c->error)
		return;
	nul = memchr(p, '\0', most);
	if (nul)
		events_v6_skip_data(c, nul + 1 - (const char *)p);
	else
		c->error = -EBADMSG;
}

/* Skip a u32 and as many texts, each after its size. */
static void pass_texts(struct cursor *c)
{
	uint64_t n = events_v6_read_number(c, 4);

	while (n-- && !c->error)
		pass_sized(c, 8);
}

/* Read all bytes passed since @from and pass them to @take; or return the error of the cursor. */
static int take_passed(const struct cursor *c, uint64_t from, size_t max, events_take *take)
{
	struct events_part part = { .at = from, .size = c->at - from };

	return c->error ? c->error : events_part_take(c->events, &part, max, take);
}

static int events_v6_read_headers(struct cursor *c)
{
	uint64_t from = c->at;

	events_v6_skip_data(c, sizeof("header_page"));
	pass_sized(c, 8);
	events_v6_skip_data(c, sizeof("header_event"));
	pass_sized(c, 8);
	return take_passed(c, from, EVENTS_HEADERS_MAX, events_take_headers);
}

static int events_v6_read_formats(struct cursor *c)
{
	uint64_t from = c->at, systems;
	int ret;

	set_end(c, EVENTS_FORMATS_MAX);
	pass_texts(c);
	ret = take_passed(c, from, EVENTS_FORMATS_MAX, events_formats_ftrace);
	if (ret)
		return ret;
	from = c->at;
	set_end(c, EVENTS_FORMATS_MAX);
	for (systems = events_v6_read_number(c, 4); systems && !c->error; systems--) {
		pass_string(c);
		pass_texts(c);
	}
	ret = take_passed(c, from, EVENTS_FORMATS_MAX, events_formats_others);
	set_end(c, UINT64_MAX);
	return ret;
}

/* Note the place of names, which are read later. */
static void pass_part(struct cursor *c, unsigned int size, struct events_part *part)
{
	part->at = c->at;
	pass_sized(c, size);
	if (!c->error)
		part->size = c->at - part->at;
}

/* Parse u64 offset and the name of a buffer; read_places() reads the places of its pages. */
static int events_v6_read_buffer(struct hist_events *events, const struct tracedat_option *option)
{
	struct events_buffer *b;
	char *name;
	int ret = 0;

	if (option->size < 8)
		return -EBADMSG;
	name = strndup((const char *)option->data + 8, option->size - 8 < EVENTS_STRING_MAX
							       ? option->size - 8
							       : EVENTS_STRING_MAX);
	if (!name)
		return -ENOMEM;
	/* the top-level buffer follows the options, too */
	if (*name)
		ret = events_add_buffer(events, name, NULL, &b);
	if (!ret && *name)
		b->places = bytes_u64(option->big_endian, option->data);
	free(name);
	return ret;
}

static int read_options(struct cursor *c)
{
	struct tracedat_option o = { .big_endian = c->events->file->big_endian };
	int ret = 0;

	while (!ret) {
		o.id = events_v6_read_number(c, 2);
		if (c->error || o.id == TRACEDAT_DONE)
			return c->error;
		o.size = events_v6_read_number(c, 4);
		o.data = events_v6_get_data(c, o.size);
		if (c->error)
			return c->error;
		ret = o.id == TRACEDAT_BUFFER ? events_v6_read_buffer(c->events, &o)
					      : events_take_option(c->events, &o);
	}
	return ret;
}

/* Skip @word: 1; 0 if something else is here. */
static int events_v6_accept_word(struct cursor *c, const char *word)
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

/* "flyrecord", then u64 offset and u64 size for each CPU. */
static int read_places(struct cursor *c, struct events_buffer *b)
{
	int ret = events_v6_accept_word(c, word_flyrecord);
	uint64_t at, size;
	unsigned int cpu;

	if (ret != 1)
		return ret ? ret : -EBADMSG;
	ret = 0;
	for (cpu = 0; cpu < c->events->machine.cpus && !ret; cpu++) {
		at = events_v6_read_number(c, 8);
		size = events_v6_read_number(c, 8);
		ret = c->error;
		if (!ret && size)
			ret = events_add_cpu(b, cpu, at, size);
	}
	return ret;
}

/* Read the clock after the places, u64 size and "[mono]", if it is not in the options. */
static int events_v6_read_clock(struct cursor *c)
{
	struct tracedat_option clock = { .id = TRACEDAT_TRACECLOCK };
	uint64_t size;

	if (c->events->clock_text)
		return 0;
	size = events_v6_read_number(c, 8);
	if (!size || size > EVENTS_STRING_MAX || size > c->end - c->at)
		return 0;
	clock.size = size;
	clock.data = events_v6_get_data(c, size);
	return clock.data ? events_take_option(c->events, &clock) : c->error;
}

static int read_buffers(struct cursor *c, struct hist_error *error)
{
	struct hist_events *events = c->events;
	struct cursor at = *c;
	unsigned int i;
	int ret;

	ret = events_v6_accept_word(c, word_latency);
	if (ret)
		return ret < 0 ? ret : hist_error_set(error, -ENOTSUP, EVENTS_ONLY_TEXT);
	ret = read_places(c, &events->buffers[0]);
	if (!ret)
		ret = events_v6_read_clock(c);
	for (i = 1; i < events->nbuffers && !ret; i++) {
		at.at = events->buffers[i].places;
		if (at.at)
			ret = read_places(&at, &events->buffers[i]);
	}
	return ret;
}

static int events_v6_read_all(struct cursor *c, struct hist_error *error)
{
	uint64_t cpus;
	int ret;

	ret = events_v6_read_headers(c);
	if (ret)
		return events_explain(ret, error, "the page headers are damaged or truncated");
	ret = events_v6_read_formats(c);
	if (ret)
		return events_explain(ret, error, "the event formats are damaged or truncated");
	pass_part(c, 4, &c->events->kallsyms);
	pass_sized(c, 4); /* printk formats */
	pass_part(c, 8, &c->events->cmdlines);
	cpus = events_v6_read_number(c, 4);
	if (c->error || cpus >= EVENTS_CPUS_MAX)
		return events_explain(c->error ? c->error : -EBADMSG, error,
				      "the lists of symbols and "
				      "task names are damaged or truncated");
	c->events->machine.cpus = cpus;
	set_end(c, OPTIONS_MAX);
	ret = events_v6_accept_word(c, word_options);
	if (ret == 1)
		ret = read_options(c);
	if (ret)
		return events_explain(ret, error, "the options section is damaged or truncated");
	set_end(c, UINT64_MAX);
	return events_explain(read_buffers(c, error), error,
			      "the positions of the pages are damaged or truncated");
}

int events_open_v6(struct hist_events *events, struct hist_error *error)
{
	struct cursor c = { events, events->file->sections_at, events->file->size, 0 };

	return events_v6_read_all(&c, error);
}
