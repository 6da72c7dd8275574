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
/* Limit for the names of tasks, of which the kernel keeps at most 32,768, and for symbols. */
#define TEXT_MAX (1u << 20)
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

/* The size of the number before the text of a section. */
static unsigned int tracedat_text_head(unsigned int id)
{
	return id == TRACEDAT_CMDLINES ? 8 : 4;
}

/* Append the text of the section @id, with its size before it. */
static int tracedat_append_text(struct tracedat_writer *w, unsigned int id, const char *text,
				size_t len)
{
	unsigned int own = tracedat_text_head(id);
	unsigned char head[TRACEDAT_SECTION_HEADER + 8];
	struct iovec parts[] = { { head, TRACEDAT_SECTION_HEADER + own }, { (void *)text, len } };
	size_t options = w->buffers.len;
	int ret;

	if (len > TEXT_MAX)
		return -EFBIG;
	tracedat_put_section_header(w->big_endian, head, id, 0, UINT32_MAX, own + len);
	if (own == 8)
		bytes_put_u64(w->big_endian, head + TRACEDAT_SECTION_HEADER, len);
	else
		bytes_put_u32(w->big_endian, head + TRACEDAT_SECTION_HEADER, len);
	tracedat_put_number(&w->buffers, w->big_endian, 2, id);
	tracedat_put_number(&w->buffers, w->big_endian, 4, 8);
	tracedat_put_number(&w->buffers, w->big_endian, 8, w->size);
	ret = w->buffers.error;
	if (!ret)
		ret = w->sink->put(w->sink, parts, 2, w->size);
	if (ret)
		w->buffers.len = options;
	else
		w->size += parts[0].iov_len + len;
	return ret;
}

int tracedat_append_names(struct tracedat_writer *w, const char *names, size_t len)
{
	return tracedat_append_text(w, TRACEDAT_CMDLINES, names, len);
}

int tracedat_append_symbols(struct tracedat_writer *w, const char *symbols, size_t len)
{
	return tracedat_append_text(w, TRACEDAT_KALLSYMS, symbols, len);
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
	unsigned int i;
	int ret;

	ret = tracedat_options_visit(from, tracedat_buffer_take, &f, NULL);
	if (!ret && (!f.n || f.packed || !f.size))
		ret = -ENODATA;
	if (!ret && f.size > from->size)
		ret = -EBADMSG;
	if (!ret)
		data = malloc(f.size);
	if (!ret && !data)
		ret = -ENOMEM;
	for (i = 0, at = data; !ret && i < f.n; i++) {
		ret = tracedat_source_read_all(from->source, at, f.cpus[i].len,
					       f.offsets[i]);
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

/* The place of the last section with a text; 0: none. */
struct found_text {
	unsigned int id;
	uint64_t at;
};

static int tracedat_buffer_take_text(void *arg, const struct tracedat_option *o)
{
	struct found_text *f = arg;

	if (o->id == f->id && o->size >= 8)
		f->at = bytes_u64(o->big_endian, o->data);
	return 0;
}

static int tracedat_read_text(struct tracedat_reader *r, unsigned int id, char **text)
{
	unsigned int head = tracedat_text_head(id);
	struct found_text f = { .id = id };
	struct tracedat_section section;
	size_t len;
	int ret;

	ret = tracedat_options_visit(r, tracedat_buffer_take_text, &f, NULL);
	if (!ret && !f.at) {
		*text = strdup("");
		return *text ? 0 : -ENOMEM;
	}
	if (!ret)
		ret = tracedat_read_section(r, f.at, &section);
	if (ret < 0)
		return ret == -ENODATA ? -EBADMSG : ret;
	if (!ret || section.id != id || section.size < head)
		return -EBADMSG;
	ret = tracedat_load(r, section.data, section.size, section.flags & TRACEDAT_COMPRESSED,
			    TEXT_MAX, text, &len);
	if (ret)
		return ret;
	if (len >= head)
		memmove(*text, *text + head, len - head + 1);
	else
		**text = '\0';
	return 0;
}

int tracedat_read_names(struct tracedat_reader *r, char **names)
{
	return tracedat_read_text(r, TRACEDAT_CMDLINES, names);
}

int tracedat_read_symbols(struct tracedat_reader *r, char **symbols)
{
	return tracedat_read_text(r, TRACEDAT_KALLSYMS, symbols);
}
