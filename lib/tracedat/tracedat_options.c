// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_options.c - walk the chain of options sections of a trace.dat file
 *
 * Each options section ends with a DONE option, which has the offset of the next one.
 * Invariant: the offsets must ascend, as in every file that was written front to back.  A circular
 * chain thus ends with an error, and the walk reads each byte at most once.
 * An options section may be compressed.  All sections together may expand to OPTIONS_RAW_MAX.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/tracedat/tracedat_private.h"

/* No known writer compresses options. */
#define OPTIONS_RAW_MAX (16u << 20)

/* Maximum of bytes of a BUFFER option that are read for its names. */
#define BUFFER_HEAD_MAX 4096

static int source_read(const struct tracedat_source *s, uint64_t at, size_t len, const void **data)
{
	if (at > s->len || len > s->len - at)
		return -ENODATA;
	if (!s->raw)
		return tracedat_read(s->reader, s->section.data + at, len, data);
	*data = s->raw + at;
	return 0;
}

int tracedat_option_read(const struct tracedat_option *option, uint32_t at, size_t len,
			 const void **data)
{
	if (at > option->size || len > option->size - at)
		return -ENODATA;
	return source_read(option->source, option->at + at, len, data);
}

/*
 * BUFFER: u64 offset, name, clock, u32 page size, u32 CPUs, and for each CPU
 * u32 id, u64 offset, u64 size.  A listener adds a BUFFER option without CPUs to files without
 * events.  An option that cannot be decoded counts as a buffer with events.
 */
static int take_buffer(const struct tracedat_option *option, bool *has_events)
{
	bool be = option->source->reader->big_endian;
	uint32_t size = option->size, at, cpus;
	const unsigned char *p, *end;
	const void *data;
	unsigned int i;
	int ret;

	/* a kernel's names are never so long that the CPU count is past BUFFER_HEAD_MAX */
	ret = tracedat_option_read(option, 0, size < BUFFER_HEAD_MAX ? size : BUFFER_HEAD_MAX,
				   &data);
	if (ret)
		return ret;
	p = data;
	end = p + (size < BUFFER_HEAD_MAX ? size : BUFFER_HEAD_MAX);
	p = end - p < 8 ? NULL : p + 8;
	for (i = 0; i < 2 && p; i++) {
		p = memchr(p, '\0', end - p);
		p = p ? p + 1 : NULL;
	}
	if (!p || end - p < 8) {
		*has_events = true;
		return 0;
	}
	cpus = tracedat_u32(be, p + 4);
	at = p + 8 - (const unsigned char *)data;
	if (cpus > (size - at) / 20)
		*has_events = true;
	for (i = 0; i < cpus && !*has_events; i++) {
		ret = tracedat_option_read(option, at + i * 20 + 12, 8, &data);
		if (ret)
			return ret;
		*has_events = tracedat_u64(be, data);
	}
	return 0;
}

static int take_hist(const struct tracedat_option *option, struct tracedat_options *o)
{
	const struct tracedat_source *s = option->source;
	bool be = s->reader->big_endian;
	const unsigned char *p;
	const void *data;
	int ret;

	o->has_hist = true;
	o->hist_good = false;
	if (option->size != TRACEDAT_HIST_OPTION_SIZE)
		return 0;
	ret = tracedat_option_read(option, 0, option->size, &data);
	if (ret)
		return ret;
	p = data;
	o->hist_good = tracedat_u32(be, p) == TRACEDAT_HIST_MAGIC &&
		       tracedat_u16(be, p + 4) == TRACEDAT_HIST_VERSION &&
		       tracedat_u32(be, p + 16) == crc32(0, p, 16);
	o->hist_offset = tracedat_u64(be, p + 8);
	o->hist_home = s->section.offset;
	o->hist_home_end = s->section.data + s->section.size;
	return 0;
}

/* If there are several, the last one counts.  Its user detects an invalid offset. */
static int take_formats(const struct tracedat_option *option, struct tracedat_options *o)
{
	const void *data;
	int ret;

	if (option->size != 8)
		return 0;
	ret = tracedat_option_read(option, 0, 8, &data);
	if (!ret)
		o->formats = tracedat_u64(option->source->reader->big_endian, data);
	return ret;
}

/* Handles one option and ignores those that are not needed. */
static int take_option(void *data, const struct tracedat_option *option)
{
	const struct tracedat_source *s = option->source;
	struct tracedat_options *o = data;

	switch (option->id) {
	case TRACEDAT_DONE:
		o->last_done = s->raw ? 0 : s->section.data + option->at;
		return 0;
	case TRACEDAT_BUFFER:
		return take_buffer(option, &o->has_events);
	case TRACEDAT_BUFFER_TEXT:
		o->has_events = true;
		return 0;
	case TRACEDAT_EVENT_FORMATS:
		return take_formats(option, o);
	case TRACEDAT_HIST_ID:
		return take_hist(option, o);
	}
	return 0;
}

struct taker {
	int (*take)(void *data, const struct tracedat_option *option);
	void *data;
};

/* Walks all options of a section; *@next is the offset in DONE. */
static int take_section(const struct tracedat_source *s, const struct taker *taker, uint64_t *next)
{
	struct tracedat_option option = { .source = s };
	bool be = s->reader->big_endian;
	const void *data;
	uint64_t at = 0;
	int ret;

	for (;;) {
		ret = source_read(s, at, TRACEDAT_OPTION_HEADER, &data);
		if (ret)
			return ret;
		option.id = tracedat_u16(be, data);
		option.size = tracedat_u32(be, (const char *)data + 2);
		option.at = at + TRACEDAT_OPTION_HEADER;
		if (option.size > s->len - option.at)
			return -ENODATA;
		if (option.id == TRACEDAT_DONE)
			break;
		ret = taker->take(taker->data, &option);
		if (ret)
			return ret;
		at = option.at + option.size;
	}
	ret = tracedat_option_read(&option, 0, 8, &data);
	if (ret)
		return ret;
	*next = tracedat_u64(be, data);
	return taker->take(taker->data, &option);
}

/* Uncompresses the section and reduces *@budget.  The data belongs to @compressor. */
static int unpack(struct tracedat_source *s, struct hist_compressor *compressor, uint32_t *budget)
{
	bool be = s->reader->big_endian;
	uint32_t len, raw_len;
	const void *data;
	int ret;

	ret = source_read(s, 0, TRACEDAT_COMPRESSED_HEADER, &data);
	if (ret)
		return ret;
	len = tracedat_u32(be, data);
	raw_len = tracedat_u32(be, (const char *)data + 4);
	if (raw_len > *budget)
		return -EBADMSG;
	*budget -= raw_len;
	ret = source_read(s, TRACEDAT_COMPRESSED_HEADER, len, &data);
	if (!ret)
		ret = hist_decompress(compressor, data, len, raw_len, &data);
	if (ret)
		return ret;
	s->raw = data;
	s->len = raw_len;
	return 0;
}

static int read_chain(struct tracedat_reader *r, struct hist_compressor *compressor,
		      const struct taker *taker, const char **why)
{
	struct tracedat_source s = { .reader = r };
	uint32_t budget = OPTIONS_RAW_MAX;
	uint64_t at = r->options_at, next;
	int ret;

	*why = "the file holds no options: its recording did not end";
	if (!at)
		return -EBADMSG;
	*why = "the options are damaged";
	if (at < r->sections_at)
		return -EBADMSG;
	for (;; at = next) {
		/* the offset in the header is written last, so the file was longer before */
		*why = "the options are missing: the file was cut";
		ret = tracedat_section_at(r, at, &s.section);
		if (ret != 1)
			return ret ? ret : -ENODATA;
		*why = "the options are damaged";
		if (s.section.id != TRACEDAT_DONE)
			return -EBADMSG;
		s.raw = NULL;
		s.len = s.section.size;
		ret = 0;
		if (s.section.flags & TRACEDAT_COMPRESSED)
			ret = unpack(&s, compressor, &budget);
		if (!ret)
			ret = take_section(&s, taker, &next);
		if (ret)
			return ret;
		if (!next)
			return 0;
		if (next < s.section.data + s.section.size) {
			*why = "the options run in a circle";
			return -EBADMSG;
		}
	}
}

int tracedat_options_walk(struct tracedat_reader *r,
			  int (*take)(void *data, const struct tracedat_option *option), void *data,
			  const char **why)
{
	struct hist_compressor *compressor = hist_compressor_new(r->compression);
	struct taker taker = { take, data };
	int ret;

	*why = "not enough memory";
	if (!compressor)
		return -ENOMEM;
	ret = read_chain(r, compressor, &taker, why);
	/* a read past a bound inside the file is also damage */
	if (ret == -ENODATA)
		ret = -EBADMSG;
	if (ret == -ENOMEM)
		*why = "not enough memory";
	hist_compressor_free(compressor);
	return ret;
}

int tracedat_options_read(struct tracedat_reader *r, const char **why)
{
	return tracedat_options_walk(r, take_option, &r->options, why);
}
