// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_top.c - make a named buffer of a finished trace.dat file its top buffer
 *
 * A buffer is an option with its name and the offset of its data, so the data need not move.
 * The options sections from the first with a buffer on are copied into one new section.  The copy
 * omits the empty top buffer and the name of the other one.  The previous section then links to
 * the new one.  The old sections stay in the file without a reference.
 *
 * Invariant: the old part of the file is unchanged until the link is written.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tracedat/tracedat_private.h"

/* Limit of the copied options; a buffer with 4096 CPUs needs 80 KiB. */
#define OPTIONS_MAX (1u << 20)

struct copy {
	struct tracedat_reader *reader;
	const char *name;
	uint64_t pointer; /* in the section before the first with a buffer; 0: none yet */
	bool found;
	unsigned char *data;
	size_t len;
};

/* One option of a section, and the position of the next one. */
struct option {
	uint16_t id;
	uint32_t size;
	const unsigned char *data;
};

/* False: no further option fits into the section. */
static bool next_option(const unsigned char **p, const unsigned char *end, bool be,
			struct option *o)
{
	if (end - *p < TRACEDAT_OPTION_HEADER)
		return false;
	o->id = tracedat_u16(be, *p);
	o->size = tracedat_u32(be, *p + 2);
	o->data = *p + TRACEDAT_OPTION_HEADER;
	if (o->size > (size_t)(end - o->data))
		return false;
	*p = o->data + o->size;
	return true;
}

static bool has_buffer(const unsigned char *p, const unsigned char *end, bool be)
{
	struct option o;

	while (next_option(&p, end, be, &o) && o.id != TRACEDAT_DONE)
		if (o.id == TRACEDAT_BUFFER || o.id == TRACEDAT_BUFFER_TEXT)
			return true;
	return false;
}

/* Needs no bounds check: the copy has room for the whole section, and no option grows. */
static void put(struct copy *c, uint16_t id, const void *head, size_t head_len, const void *rest,
		size_t rest_len)
{
	bool be = c->reader->big_endian;
	unsigned char *p = c->data + c->len;

	tracedat_put_u16(be, p, id);
	tracedat_put_u32(be, p + 2, head_len + rest_len);
	p += TRACEDAT_OPTION_HEADER;
	memcpy(p, head, head_len);
	memcpy(p + head_len, rest, rest_len);
	c->len += TRACEDAT_OPTION_HEADER + head_len + rest_len;
}

/* The clock, u32 page size and u32 CPUs follow the name; stock's empty top buffer has 0 CPUs. */
static bool is_empty(const unsigned char *p, const unsigned char *end, bool be)
{
	p = memchr(p, '\0', end - p);
	return p && end - p == 1 + 8 && !tracedat_u32(be, p + 5);
}

/* u64 offset, name, and the rest. */
static int copy_buffer(struct copy *c, const struct option *o)
{
	const unsigned char *end = o->data + o->size, *name = o->data + 8, *rest;

	rest = o->size > 8 ? memchr(name, '\0', end - name) : NULL;
	if (!rest)
		return -ENOENT;
	if (rest == name)
		return is_empty(rest + 1, end, c->reader->big_endian) ? 0 : -ENOENT;
	if (strcmp((const char *)name, c->name)) {
		put(c, o->id, o->data, o->size, "", 0);
		return 0;
	}
	if (c->found)
		return -ENOENT;
	c->found = true;
	put(c, o->id, o->data, 8, rest, end - rest);
	return 0;
}

/* Copies a section; *@next is the offset in its DONE option, *@done the position of that offset. */
static int copy_section(struct copy *c, const struct tracedat_section *section, uint64_t *next,
			uint64_t *done)
{
	const unsigned char *p, *end, *begin;
	bool be = c->reader->big_endian;
	unsigned char *data;
	struct option o;
	const void *raw;
	int ret;

	if (section->flags & TRACEDAT_COMPRESSED || section->size > OPTIONS_MAX - c->len)
		return -ENOENT;
	ret = tracedat_read(c->reader, section->data, section->size, &raw);
	if (ret)
		return ret;
	begin = p = raw;
	end = p + section->size;
	if (!c->data && has_buffer(p, end, be)) {
		c->pointer = *done;
		if (!c->pointer)
			return -ENOENT;
	}
	if (c->pointer) {
		data = realloc(c->data, c->len + section->size);
		if (!data)
			return -ENOMEM;
		c->data = data;
	}
	while (next_option(&p, end, be, &o)) {
		if (o.id == TRACEDAT_DONE) {
			if (o.size < 8)
				return -ENOENT;
			*next = tracedat_u64(be, o.data);
			*done = section->data + (o.data - begin);
			return 0;
		}
		if (!c->pointer)
			continue;
		if (o.id == TRACEDAT_BUFFER) {
			ret = copy_buffer(c, &o);
			if (ret)
				return ret;
		} else {
			put(c, o.id, o.data, o.size, "", 0);
		}
	}
	return -ENOENT;
}

/* The loop ends, because the reader checked that the offsets ascend. */
static int copy_chain(struct copy *c)
{
	struct tracedat_section section;
	uint64_t at = c->reader->options_at, done = 0;
	int ret;

	while (at) {
		ret = tracedat_section_at(c->reader, at, &section);
		if (ret != 1)
			return ret ? ret : -EBADMSG;
		ret = copy_section(c, &section, &at, &done);
		if (ret)
			return ret;
	}
	return c->found ? 0 : -ENOENT;
}

int tracedat_link_top(struct tracedat_writer *w, const char *name)
{
	struct copy c = { .name = name };
	const char *why;
	int ret;

	if (!w->attached)
		return -EINVAL;
	ret = tracedat_open_fd(&c.reader, w->file.fd, &why);
	if (!ret)
		ret = copy_chain(&c);
	if (!ret)
		ret = tracedat_link_options(w, c.data, c.len, c.pointer);
	free(c.data);
	tracedat_reader_free(c.reader);
	return ret;
}
