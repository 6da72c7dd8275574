// SPDX-License-Identifier: LGPL-2.1
/*
 * events_parts.c - what both versions of a trace.dat file have: options, headers and buffers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/ringbuf/events_private.h"

/* header_page and header_event are a few lines. */
#define HEADER_MAX 65536

/* Copy the first option of its kind; the clock is empty in old files.  Long strings are cut. */
static int copy_string(const struct tracedat_option *option, char **string)
{
	uint32_t size = option->size < EVENTS_STRING_MAX ? option->size : EVENTS_STRING_MAX;

	if (*string || !size)
		return 0;
	*string = strndup((const char *)option->data, size);
	return *string ? 0 : -ENOMEM;
}

int events_take_option(struct hist_events *events, const struct tracedat_option *option)
{
	uint32_t cpus;

	switch (option->id) {
	case TRACEDAT_UNAME:
		return copy_string(option, &events->machine.uname);
	case TRACEDAT_TRACECLOCK:
		return copy_string(option, &events->clock_text);
	case TRACEDAT_CPUCOUNT:
		cpus = option->size < 4 ? 0 : bytes_u32(option->big_endian, option->data);
		if (cpus && cpus < EVENTS_CPUS_MAX)
			events->machine.cpus = cpus;
		return 0;
	}
	return events_time_take(events, option);
}

/* Parse NAME, u64 and text; *@text is a copy with a NUL. */
static int take_header(struct events_bytes *b, const char *name, char **text)
{
	const char *title = events_take_string(b), *p;
	size_t len;

	if (!title || strcmp(title, name))
		return -EBADMSG;
	p = events_take_sized(b, &len);
	if (!p || len > HEADER_MAX || *text)
		return -EBADMSG;
	*text = strndup(p, len);
	return *text ? 0 : -ENOMEM;
}

/* "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;" and the like; 0: none */
static unsigned int field_size(const char *header, const char *field)
{
	const char *line = strstr(header, field), *size;

	if (!line)
		return 0;
	size = strstr(line, "size:");
	return size && size < line + strcspn(line, "\n") ? atoi(size + 5) : 0;
}

static int events_parse_headers(struct hist_events *events, const char *data, size_t len)
{
	struct events_bytes b = events_bytes(events, data, len);
	struct hist_events_machine *m = &events->machine;
	unsigned int long_size;
	int ret;

	ret = take_header(&b, "header_page", &m->header_page);
	if (!ret)
		ret = take_header(&b, "header_event", &m->header_event);
	if (ret)
		return ret;
	if (field_size(m->header_page, " timestamp;") != 8)
		return -EBADMSG;
	/* the long of the kernel; a 32-bit trace-cmd may have recorded */
	long_size = field_size(m->header_page, " commit;");
	if (long_size != 4 && long_size != 8)
		return -EBADMSG;
	m->layout.long_size = long_size;
	return 0;
}

int events_take_headers(struct hist_events *events, char *data, size_t len)
{
	int ret = events_parse_headers(events, data, len);

	free(data);
	return ret;
}

static struct events_buffer *new_buffer(struct hist_events *events)
{
	if (array_add(&events->buffers, events->nbuffers, sizeof(*events->buffers)))
		return NULL;
	events->buffers[events->nbuffers] = (struct events_buffer){ 0 };
	return &events->buffers[events->nbuffers++];
}

int events_add_buffer(struct hist_events *events, const char *name, const char *clock,
		      struct events_buffer **buffer)
{
	struct events_buffer *b = events->buffers;

	if (events->nbuffers > EVENTS_BUFFERS_MAX)
		return -EBADMSG;
	if (*name || !b)
		b = new_buffer(events);
	else
		events_clear_buffer(b);
	if (!b)
		return -ENOMEM;
	b->facts.name = strdup(name);
	b->clock = clock && *clock ? strdup(clock) : NULL;
	if (!b->facts.name || (clock && *clock && !b->clock))
		return -ENOMEM;
	b->page_size = events->machine.page_size;
	*buffer = b;
	return 0;
}

int events_add_cpu(struct events_buffer *b, uint32_t cpu, uint64_t at, uint64_t size)
{
	unsigned int i;

	if (cpu >= EVENTS_CPUS_MAX)
		return -EBADMSG;
	if (array_add(&b->cpus, b->ncpus, sizeof(*b->cpus)))
		return -ENOMEM;
	/* usually they are in ascending order */
	for (i = b->ncpus; i > 0 && b->cpus[i - 1].cpu >= cpu; i--)
		if (b->cpus[i - 1].cpu == cpu)
			return -EBADMSG;
	memmove(&b->cpus[i + 1], &b->cpus[i], (b->ncpus - i) * sizeof(*b->cpus));
	b->cpus[i] = (struct events_cpu){ cpu, at, size };
	b->ncpus++;
	return 0;
}
