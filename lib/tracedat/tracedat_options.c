// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_options.c - walk the chain of options sections of a trace.dat file
 *
 * Each options section ends with a DONE option, which has the offset of the next one.  A section is
 * read into memory as a whole, and uncompressed if necessary.
 * Invariant: the offsets must ascend, as in every file that was written front to back.  A circular
 * chain thus ends with an error, and the walk reads each byte at most once.  All sections together
 * may need OPTIONS_RAW_MAX bytes of memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/tracedat/tracedat_format.h"

/* The options of 4096 CPUs need 80 KiB. */
#define OPTIONS_RAW_MAX (16u << 20)

/*
 * BUFFER: u64 offset, name, clock, u32 page size, u32 CPUs, and for each CPU
 * u32 id, u64 offset, u64 size.  A listener adds a BUFFER option without CPUs to files without
 * events.  An option that cannot be decoded counts as a buffer with events.
 */
static bool buffer_has_events(const struct tracedat_option *option)
{
	const unsigned char *p = option->data + 8, *end = option->data + option->size;
	unsigned int i;
	uint32_t cpus;

	if (option->size < 8)
		return true;
	for (i = 0; i < 2; i++) {
		p = memchr(p, '\0', end - p);
		if (!p)
			return true;
		p++;
	}
	if (end - p < 8)
		return true;
	cpus = bytes_u32(option->big_endian, p + 4);
	p += 8;
	if (cpus > (size_t)(end - p) / 20)
		return true;
	for (; cpus; cpus--, p += 20)
		if (bytes_u64(option->big_endian, p + 12))
			return true;
	return false;
}

static void take_hist(const struct tracedat_option *option, struct tracedat_options *o)
{
	const struct tracedat_section *home = option->section;
	const unsigned char *p = option->data;
	bool be = option->big_endian;

	o->has_hist = true;
	o->hist_good = false;
	if (option->size != TRACEDAT_HIST_OPTION_SIZE)
		return;
	o->hist_good = bytes_u32(be, p) == TRACEDAT_HIST_MAGIC &&
		       bytes_u16(be, p + 4) == TRACEDAT_HIST_VERSION &&
		       bytes_u32(be, p + 16) == crc32(0, p, 16);
	o->hist_offset = bytes_u64(be, p + 8);
	o->hist_home = home->offset;
	o->hist_home_end = home->data + home->size;
}

/* Handles one option and ignores those that are not needed. */
static int tracedat_options_read_option(void *data, const struct tracedat_option *option)
{
	struct tracedat_options *o = data;

	if (option->id == TRACEDAT_DONE)
		o->last_done = option->at;
	else if (option->id == TRACEDAT_BUFFER)
		o->has_events |= buffer_has_events(option);
	else if (option->id == TRACEDAT_BUFFER_TEXT)
		o->has_events = true;
	else if (option->id == TRACEDAT_TRACEID && option->size == 8)
		o->trace_id = bytes_u64(option->big_endian, option->data);
	else if (option->id == TRACEDAT_HIST_ID)
		take_hist(option, o);
	return 0;
}

/* Passes all options of a section to @take; *@next is the offset in DONE. */
static int tracedat_options_visit_section(const struct tracedat_reader *r,
					  const struct tracedat_section *section,
					  const unsigned char *data, size_t len,
					  tracedat_option_take *take,
					  void *arg, uint64_t *next)
{
	struct tracedat_option o = { .section = section, .big_endian = r->big_endian };
	const unsigned char *p = data, *end = data + len;
	int ret = 0;

	do {
		if (end - p < TRACEDAT_OPTION_HEADER)
			return -EBADMSG;
		o.id = bytes_u16(o.big_endian, p);
		o.size = bytes_u32(o.big_endian, p + 2);
		o.data = p + TRACEDAT_OPTION_HEADER;
		if (o.size > (size_t)(end - o.data) || (o.id == TRACEDAT_DONE && o.size < 8))
			return -EBADMSG;
		if (o.id == TRACEDAT_DONE)
			*next = bytes_u64(o.big_endian, o.data);
		if (!(section->flags & TRACEDAT_COMPRESSED))
			o.at = section->data + (o.data - data);
		p = o.data + o.size;
		ret = take(arg, &o);
	} while (!ret && o.id != TRACEDAT_DONE);
	return ret;
}

static int read_chain(struct tracedat_reader *r, tracedat_option_take *take, void *arg,
		      const char **why)
{
	struct tracedat_section section;
	size_t budget = OPTIONS_RAW_MAX, len;
	uint64_t at = r->options_at, next = 0;
	char *data;
	int ret;

	*why = "the file has no options section because its recording did not end";
	if (!at)
		return -EBADMSG;
	*why = "the options section is damaged";
	if (at < r->sections_at)
		return -EBADMSG;
	for (;; at = next) {
		/* the offset in the header is written last, so the file was longer before */
		*why = "the options section is missing because the file is truncated";
		ret = tracedat_read_section(r, at, &section);
		if (ret != 1)
			return ret ? ret : -ENODATA;
		*why = "the options section is damaged";
		if (section.id != TRACEDAT_DONE)
			return -EBADMSG;
		ret = tracedat_load(r, section.data, section.size,
				    section.flags & TRACEDAT_COMPRESSED, budget, &data, &len);
		if (ret)
			return ret;
		budget -= len;
		ret = tracedat_options_visit_section(r, &section, (unsigned char *)data, len, take,
						     arg, &next);
		free(data);
		if (ret || !next)
			return ret;
		if (next < section.data + section.size) {
			*why = "the options sections refer to each other in a loop";
			return -EBADMSG;
		}
	}
}

int tracedat_options_visit(struct tracedat_reader *r, tracedat_option_take *take, void *arg,
			   const char **why)
{
	int ret = read_chain(r, take, arg, why);

	if (ret == -ENOMEM)
		*why = "out of memory";
	/* a read past a bound inside the file is also damage */
	return ret == -ENODATA ? -EBADMSG : ret;
}

int tracedat_options_read(struct tracedat_reader *r, const char **why)
{
	return tracedat_options_visit(r, tracedat_options_read_option, &r->options, why);
}
