// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_top.c - make a named buffer of a finished trace.dat file its top buffer
 *
 * The options of a file are a chain of sections.  A buffer is one option with a name and the offset
 * of its data, and the top buffer has no name.  The data therefore stays in its place.
 *
 * A new section gets a copy of all options that begin with the first section that has a buffer.
 * The copy lacks the empty top buffer, and the name of the buffer that takes its place.  The
 * section before is then linked to the copy.  The replaced sections stay in the file, unused.
 *
 * Invariant: the old part of the file is unchanged until the link is written.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/tracedat/tracedat_format.h"

/* Limit of the copied options; a buffer with 4096 CPUs needs 80 KiB. */
#define OPTIONS_MAX (1u << 20)

struct copy {
	const char *name;
	uint64_t done;	  /* offset of the data of the last DONE option; 0: none yet */
	uint64_t pointer; /* @done before the first section with a buffer; 0: none yet */
	bool found;
	struct hist_strbuf options;
};

/* Copies the first @head bytes of an option, and those from @rest on. */
static void tracedat_top_put_option(struct copy *c, const struct tracedat_option *o, size_t head,
				    size_t rest)
{
	unsigned char header[TRACEDAT_OPTION_HEADER];

	bytes_put_u16(o->big_endian, header, o->id);
	bytes_put_u32(o->big_endian, header + 2, head + o->size - rest);
	hist_strbuf_add(&c->options, header, sizeof(header));
	hist_strbuf_add(&c->options, o->data, head);
	hist_strbuf_add(&c->options, o->data + rest, o->size - rest);
}

/* The clock, u32 page size and u32 CPUs follow the name; stock's empty top buffer has 0 CPUs. */
static bool is_empty(const unsigned char *p, const unsigned char *end, bool be)
{
	p = memchr(p, '\0', end - p);
	return p && end - p == 1 + 8 && !bytes_u32(be, p + 5);
}

/* u64 offset, name, and the rest. */
static int copy_buffer(struct copy *c, const struct tracedat_option *o)
{
	const unsigned char *end = o->data + o->size, *name = o->data + 8, *rest;

	rest = o->size > 8 ? memchr(name, '\0', end - name) : NULL;
	if (!rest)
		return -ENOENT;
	if (rest == name)
		return is_empty(rest + 1, end, o->big_endian) ? 0 : -ENOENT;
	if (strcmp((const char *)name, c->name)) {
		tracedat_top_put_option(c, o, 0, 0);
		return 0;
	}
	if (c->found)
		return -ENOENT;
	c->found = true;
	tracedat_top_put_option(c, o, 8, rest - o->data);
	return 0;
}

static int copy_option(void *arg, const struct tracedat_option *o)
{
	struct copy *c = arg;

	if (!o->at || o->size > OPTIONS_MAX || c->options.len > OPTIONS_MAX - o->size)
		return -ENOENT;
	if (o->id == TRACEDAT_DONE) {
		/* a section before the first buffer remains in the chain */
		if (!c->pointer)
			c->options.len = 0;
		c->done = o->at;
		return 0;
	}
	if (!c->pointer && (o->id == TRACEDAT_BUFFER || o->id == TRACEDAT_BUFFER_TEXT)) {
		if (!c->done)
			return -ENOENT;
		c->pointer = c->done;
	}
	if (o->id == TRACEDAT_BUFFER)
		return copy_buffer(c, o);
	tracedat_top_put_option(c, o, 0, 0);
	return 0;
}

int tracedat_link_top(struct tracedat_writer *w, const char *name)
{
	struct copy c = { .name = name };
	struct tracedat_reader *r;
	int ret;

	if (!w->attached)
		return -EINVAL;
	ret = tracedat_open_fd(&r, w->file.fd, NULL);
	if (ret)
		return ret;
	ret = tracedat_options_visit(r, copy_option, &c, NULL);
	tracedat_reader_free(r);
	if (!ret)
		ret = c.found ? c.options.error : -ENOENT;
	if (!ret)
		ret = tracedat_link_options(w, c.options.data, c.options.len, c.pointer);
	hist_strbuf_free(&c.options);
	return ret;
}
