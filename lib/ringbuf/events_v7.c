// SPDX-License-Identifier: LGPL-2.1
/*
 * events_v7.c - find the parts of a trace.dat file of version 7
 *
 * Options in a chain of sections have the offsets of other sections.  The reader first collects
 * all offsets, because the last one of a kind counts, and then reads the sections.
 *
 * Source: trace-cmd.dat.v7(5).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

/* Offsets of section headers, by the ids of their options; 0: none. */
#define SECTIONS (TRACEDAT_CMDLINES + 1)

struct places {
	struct hist_events *events;
	uint64_t sections[SECTIONS];
	bool bad_buffer;
};

/* Read from the section header at @at if the pages are compressed. */
static int events_v7_read_section(struct hist_events *events, uint64_t at, struct events_buffer *b)
{
	bool be = events->file->big_endian;
	const void *data;
	int ret;

	ret = tracedat_read(events->file, at, TRACEDAT_SECTION_HEADER, &data);
	if (ret)
		return ret;
	if (bytes_u16(be, data) != TRACEDAT_BUFFER)
		return -EBADMSG;
	b->packed = bytes_u16(be, (const char *)data + 2) & TRACEDAT_COMPRESSED;
	return 0;
}

/*
 * u64 offset, name, clock, u32 page size, u32 CPUs, and for each CPU u32 id, u64 offset,
 * u64 size.  A listener adds one without CPUs to files that hold a top one already.
 */
static int events_v7_read_buffer(struct hist_events *events, const struct tracedat_option *option)
{
	const unsigned char *end = (const unsigned char *)option->data + option->size;
	struct events_bytes bytes = events_bytes(events, option->data,
						 option->size < EVENTS_STRING_MAX
							 ? option->size : EVENTS_STRING_MAX);
	uint64_t offset = events_take_number(&bytes, 8), at;
	const char *name = events_take_string(&bytes), *clock = events_take_string(&bytes);
	uint32_t page_size = events_take_number(&bytes, 4), cpus = events_take_number(&bytes, 4),
		 id, i;
	struct events_buffer *b;
	int ret;

	if (bytes.take.failed || cpus > (size_t)(end - bytes.take.at) / 20)
		return -EBADMSG;
	if (!*name && !cpus && events->buffers[0].ncpus)
		return 0;
	ret = events_add_buffer(events, name, clock, &b);
	if (ret)
		return ret;
	b->page_size = page_size;
	bytes.take.end = end;
	for (i = 0; i < cpus && !ret; i++) {
		id = events_take_number(&bytes, 4);
		at = events_take_number(&bytes, 8);
		ret = events_add_cpu(b, id, at, events_take_number(&bytes, 8));
	}
	return ret || !cpus ? ret : events_v7_read_section(events, offset, b);
}

/* Handle one option. */
static int events_v7_read_option(void *data, const struct tracedat_option *option)
{
	struct places *places = data;
	struct hist_events *events = places->events;
	int ret;

	switch (option->id) {
	case TRACEDAT_BUFFER:
		ret = events_v7_read_buffer(events, option);
		places->bad_buffer = ret == -EBADMSG || ret == -ENODATA;
		return ret;
	case TRACEDAT_BUFFER_TEXT:
		events->has_text = true;
		return 0;
	case TRACEDAT_HEADER_INFO:
	case TRACEDAT_FTRACE_EVENTS:
	case TRACEDAT_EVENT_FORMATS:
	case TRACEDAT_KALLSYMS:
	case TRACEDAT_CMDLINES:
		if (option->size >= 8)
			places->sections[option->id] = bytes_u64(option->big_endian, option->data);
		return 0;
	}
	return events_take_option(events, option);
}

/* Find the data of a section; size 0 if the file does not have it. */
static int find_part(const struct places *places, uint16_t id, struct events_part *part)
{
	struct tracedat_section section;
	int ret;

	*part = (struct events_part){ 0 };
	if (!places->sections[id])
		return 0;
	ret = tracedat_read_section(places->events->file, places->sections[id], &section);
	if (ret < 0 && ret != -ENODATA)
		return ret;
	if (ret != 1 || section.id != id)
		return -EBADMSG;
	part->at = section.data;
	part->size = section.size;
	part->packed = section.flags & TRACEDAT_COMPRESSED;
	return 0;
}

/* Read a section and pass it to @take; nothing if the file does not have it. */
static int events_v7_take_section(const struct places *places, uint16_t id, size_t max,
				  events_take *take)
{
	struct events_part part;
	int ret = find_part(places, id, &part);

	return ret || !part.size ? ret : events_part_take(places->events, &part, max, take);
}

int events_open_v7(struct hist_events *events, struct hist_error *error)
{
	struct places places = { .events = events };
	int ret;

	ret = tracedat_options_visit(events->file, events_v7_read_option, &places, error);
	if (ret)
		return places.bad_buffer ? hist_error_set(error, ret,
							  "the description of a buffer is "
							  "damaged")
					 : ret;
	ret = events_v7_take_section(&places, TRACEDAT_HEADER_INFO, EVENTS_HEADERS_MAX,
				     events_take_headers);
	if (ret)
		return events_explain(ret, error, "the page headers are damaged");
	ret = events_v7_take_section(&places, TRACEDAT_FTRACE_EVENTS, EVENTS_FORMATS_MAX,
				     events_formats_ftrace);
	if (!ret)
		ret = events_v7_take_section(&places, TRACEDAT_EVENT_FORMATS, EVENTS_FORMATS_MAX,
					     events_formats_others);
	if (ret)
		return events_explain(ret, error, "the event formats are damaged");
	/* the events can be used without names */
	if (find_part(&places, TRACEDAT_KALLSYMS, &events->kallsyms) == -EBADMSG)
		events->kallsyms.size = 0;
	if (find_part(&places, TRACEDAT_CMDLINES, &events->cmdlines) == -EBADMSG)
		events->cmdlines.size = 0;
	return 0;
}
