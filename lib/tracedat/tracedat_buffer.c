// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_buffer.c - append buffers with events to a file that this library wrote
 *
 * A buffer is a section with the pages of all CPUs, and one option that says where they are.  The
 * section is written like any other.  The options wait in memory, and are written together as one
 * options section: the stock reader recurses over the chain of options sections.
 *
 * Invariant: until the link is written, readers see the file as it was, and pass over the sections.
 *
 * Names of tasks are written in the same way, because events have only the IDs of their tasks.
 *
 * Source of the layout: trace-cmd.dat.v7(5), BUFFER and CMDLINES.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "lib/base/strbuf.h"
#include "lib/tracedat/tracedat_format.h"

/* Limit for the pages of one buffer that is copied. */
#define BUFFER_MAX (UINT64_C(1) << 32)
/* Limit for the names of tasks: the kernel keeps at most 32,768. */
#define NAMES_MAX (1u << 20)
/* Size of an option's part for one CPU: u32 number, u64 offset, u64 size. */
#define BUFFER_CPU 20

/* The option of the buffer whose section is at @at and whose pages begin at @pages. */
static void tracedat_buffer_put_option(struct tracedat_writer *w, const char *name,
				       const char *clock, uint32_t page_size,
				       const struct tracedat_pages *cpus, unsigned int n,
				       uint64_t at, uint64_t pages)
{
	struct hist_strbuf *b = &w->buffers;
	size_t size = 8 + strlen(name) + 1 + strlen(clock) + 1 + 8 + (size_t)n * BUFFER_CPU;
	unsigned int i;

	tracedat_put_number(b, w->big_endian, 2, TRACEDAT_BUFFER);
	tracedat_put_number(b, w->big_endian, 4, size);
	tracedat_put_number(b, w->big_endian, 8, at);
	hist_strbuf_add(b, name, strlen(name) + 1);
	hist_strbuf_add(b, clock, strlen(clock) + 1);
	tracedat_put_number(b, w->big_endian, 4, page_size);
	tracedat_put_number(b, w->big_endian, 4, n);
	for (i = 0; i < n; i++) {
		tracedat_put_number(b, w->big_endian, 4, cpus[i].cpu);
		tracedat_put_number(b, w->big_endian, 8, pages);
		tracedat_put_number(b, w->big_endian, 8, cpus[i].len);
		pages += cpus[i].len;
	}
}

int tracedat_append_buffer(struct tracedat_writer *w, const char *name, const char *clock,
			   uint32_t page_size, const struct tracedat_pages *cpus, unsigned int n)
{
	uint64_t head = w->size + TRACEDAT_SECTION_HEADER, size, padding;
	unsigned char header[TRACEDAT_SECTION_HEADER];
	size_t options = w->buffers.len;
	struct iovec *v;
	void *zeros;
	unsigned int i;
	int ret;

	/* programs map the pages, which need the alignment of pages */
	padding = -head & (page_size - 1);
	size = padding;
	v = calloc(n + 2ul, sizeof(*v));
	zeros = calloc(1, padding + 1);
	ret = v && zeros ? 0 : -ENOMEM;
	if (ret)
		goto out;
	v[1] = (struct iovec){ zeros, padding };
	for (i = 0; i < n; i++) {
		v[i + 2] = (struct iovec){ (void *)cpus[i].data, cpus[i].len };
		size += cpus[i].len;
	}
	tracedat_put_section_header(w->big_endian, header, TRACEDAT_BUFFER, 0, UINT32_MAX, size);
	v[0] = (struct iovec){ header, sizeof(header) };
	tracedat_buffer_put_option(w, name, clock, page_size, cpus, n, w->size, head + padding);
	ret = w->buffers.error;
	if (!ret)
		ret = w->sink->put(w->sink, v, n + 2, w->size);
	if (ret)
		w->buffers.len = options;
	else
		w->size += sizeof(header) + size;
out:
	free(zeros);
	free(v);
	return ret;
}

int tracedat_append_names(struct tracedat_writer *w, const char *names, size_t len)
{
	unsigned char head[TRACEDAT_SECTION_HEADER + 8];
	struct iovec parts[] = { { head, sizeof(head) }, { (void *)names, len } };
	size_t options = w->buffers.len;
	int ret;

	tracedat_put_section_header(w->big_endian, head, TRACEDAT_CMDLINES, 0, UINT32_MAX, 8 + len);
	bytes_put_u64(w->big_endian, head + TRACEDAT_SECTION_HEADER, len);
	tracedat_put_number(&w->buffers, w->big_endian, 2, TRACEDAT_CMDLINES);
	tracedat_put_number(&w->buffers, w->big_endian, 4, 8);
	tracedat_put_number(&w->buffers, w->big_endian, 8, w->size);
	ret = w->buffers.error;
	if (!ret)
		ret = w->sink->put(w->sink, parts, 2, w->size);
	if (ret)
		w->buffers.len = options;
	else
		w->size += sizeof(head) + len;
	return ret;
}

int tracedat_link_buffers(struct tracedat_writer *w)
{
	int ret;

	if (w->attached || !w->last_done)
		return -EINVAL;
	if (!w->buffers.len)
		return 0;
	ret = tracedat_link_options(w, w->buffers.data, w->buffers.len, w->last_done);
	if (!ret)
		w->buffers.len = 0;
	return ret;
}

/* The first buffer with events of a file. */
struct found_buffer {
	bool packed;
	char *clock;
	uint32_t page_size;
	struct tracedat_pages *cpus; /* data is NULL */
	uint64_t *offsets;
	unsigned int n;
	uint64_t size;
	struct tracedat_reader *from;
};

/* u64 offset, name, clock, u32 page size, u32 CPUs, and the part for each CPU */
static int tracedat_buffer_take(void *arg, const struct tracedat_option *o)
{
	const unsigned char *p = o->data + 8, *end = o->data + o->size;
	struct found_buffer *f = arg;
	const char *clock = NULL;
	unsigned int i, cpus;
	const void *header;

	if (o->id != TRACEDAT_BUFFER || f->n)
		return 0;
	for (i = 0; i < 2 && p && p < end; i++) {
		clock = (const char *)p;
		p = memchr(p, '\0', end - p);
		p = p ? p + 1 : NULL;
	}
	if (o->size < 8 || i < 2 || !p || end - p < 8)
		return -EBADMSG;
	f->page_size = bytes_u32(o->big_endian, p);
	cpus = bytes_u32(o->big_endian, p + 4);
	p += 8;
	if (cpus > (size_t)(end - p) / BUFFER_CPU || !f->page_size ||
	    f->page_size & (f->page_size - 1))
		return cpus ? -EBADMSG : 0;
	if (!cpus)
		return 0;
	f->clock = strdup(clock);
	f->cpus = calloc(cpus, sizeof(*f->cpus));
	f->offsets = calloc(cpus, sizeof(*f->offsets));
	if (!f->clock || !f->cpus || !f->offsets)
		return -ENOMEM;
	for (f->n = 0; f->n < cpus; f->n++, p += BUFFER_CPU) {
		uint64_t size = bytes_u64(o->big_endian, p + 12);

		if (size > BUFFER_MAX - f->size || size % f->page_size)
			return -EBADMSG;
		f->cpus[f->n].cpu = bytes_u32(o->big_endian, p);
		f->cpus[f->n].len = size;
		f->offsets[f->n] = bytes_u64(o->big_endian, p + 4);
		f->size += size;
	}
	i = tracedat_read(f->from, bytes_u64(o->big_endian, o->data), TRACEDAT_SECTION_HEADER,
			  &header);
	if (i)
		return -EBADMSG;
	f->packed = bytes_u16(o->big_endian, (const char *)header + 2) & TRACEDAT_COMPRESSED;
	return 0;
}

int tracedat_copy_buffer(struct tracedat_writer *w, struct tracedat_reader *from, const char *name)
{
	struct found_buffer f = { .from = from };
	unsigned char *data = NULL, *at;
	const char *why;
	unsigned int i;
	int ret;

	ret = tracedat_options_visit(from, tracedat_buffer_take, &f, &why);
	if (!ret && (!f.n || f.packed || !f.size))
		ret = -ENODATA;
	if (!ret && f.size > from->size)
		ret = -EBADMSG;
	if (!ret)
		data = malloc(f.size);
	if (!ret && !data)
		ret = -ENOMEM;
	for (i = 0, at = data; !ret && i < f.n; i++) {
		ret = tracedat_read_all(from->fd, at, f.cpus[i].len, f.offsets[i]);
		f.cpus[i].data = at;
		at += f.cpus[i].len;
	}
	if (!ret)
		ret = tracedat_append_buffer(w, name, f.clock, f.page_size, f.cpus, f.n);
	free(data);
	free(f.clock);
	free(f.cpus);
	free(f.offsets);
	return ret;
}

/* The place of the last names; 0: none. */
static int tracedat_buffer_take_names(void *arg, const struct tracedat_option *o)
{
	if (o->id == TRACEDAT_CMDLINES && o->size >= 8)
		*(uint64_t *)arg = bytes_u64(o->big_endian, o->data);
	return 0;
}

int tracedat_read_names(struct tracedat_reader *r, char **names)
{
	struct tracedat_section section;
	const char *why;
	uint64_t at = 0;
	size_t len;
	int ret;

	ret = tracedat_options_visit(r, tracedat_buffer_take_names, &at, &why);
	if (!ret && !at) {
		*names = strdup("");
		return *names ? 0 : -ENOMEM;
	}
	if (!ret)
		ret = tracedat_read_section(r, at, &section);
	if (ret < 0)
		return ret == -ENODATA ? -EBADMSG : ret;
	if (!ret || section.id != TRACEDAT_CMDLINES || section.size < 8)
		return -EBADMSG;
	ret = tracedat_load(r, section.data, section.size, section.flags & TRACEDAT_COMPRESSED,
			    NAMES_MAX, names, &len);
	if (ret)
		return ret;
	/* a u64 has the size of the text */
	if (len >= 8)
		memmove(*names, *names + 8, len - 8 + 1);
	else
		**names = '\0';
	return 0;
}
