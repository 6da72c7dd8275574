// SPDX-License-Identifier: LGPL-2.1
/*
 * events.c - open a trace.dat file for its events: the part that both versions share
 *
 * events_v6.c and events_v7.c find the parts of a file and pass headers, formats and buffers.
 *
 * Invariant: buffers[0] is the top-level buffer, even if the file does not have it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/ringbuf/events_private.h"

/* header_page and header_event are a few lines. */
#define HEADER_MAX 65536

struct events_bytes events_bytes(const struct hist_events *events, const void *data, size_t len)
{
	return (struct events_bytes){ varint_begin(data, len), events->file->big_endian };
}

uint64_t events_number(bool big_endian, const void *p, unsigned int size)
{
	return size == 2 ? bytes_u16(big_endian, p)
			 : size == 4 ? bytes_u32(big_endian, p) : bytes_u64(big_endian, p);
}

uint64_t events_take_number(struct events_bytes *b, unsigned int size)
{
	const void *p = varint_read_bytes(&b->take, size);

	return p ? events_number(b->big_endian, p, size) : 0;
}

const char *events_take_string(struct events_bytes *b)
{
	const unsigned char *at = b->take.at, *nul = memchr(at, '\0', b->take.end - at);

	if (!nul)
		b->take.failed = true;
	return nul ? varint_read_bytes(&b->take, nul + 1 - at) : NULL;
}

const char *events_take_sized(struct events_bytes *b, size_t *len)
{
	uint64_t size = events_take_number(b, 8);

	if (size > (uint64_t)(b->take.end - b->take.at))
		b->take.failed = true;
	*len = size;
	return b->take.failed ? NULL : varint_read_bytes(&b->take, size);
}

int events_read(const struct hist_events *events, uint64_t at, void *data, size_t len)
{
	int ret = tracedat_source_read_all(events->file->source, data, len, at);

	return ret == -ENODATA ? -EBADMSG : ret;
}

int events_part_read(const struct hist_events *events, const struct events_part *part, size_t max,
		     char **data, size_t *len)
{
	int ret = tracedat_load(events->file, part->at, part->size, part->packed, max, data, len);

	return ret == -ENODATA ? -EBADMSG : ret;
}

int events_part_take(struct hist_events *events, const struct events_part *part, size_t max,
		     events_take *take)
{
	char *data;
	size_t len;
	int ret = events_part_read(events, part, max, &data, &len);

	return ret ? ret : take(events, data, len);
}

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

	if (events_time_wants(option->id))
		return option->size ? events_time_take(events, option->id, option->data,
						       option->size) : 0;
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
	return 0;
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

static void clear_buffer(struct events_buffer *b)
{
	free((char *)b->facts.name);
	free(b->clock);
	free(b->cpus);
	*b = (struct events_buffer){ 0 };
}

int events_add_buffer(struct hist_events *events, const char *name, const char *clock,
		      struct events_buffer **buffer)
{
	struct events_buffer *b = events->buffers;

	if (events->nbuffers > EVENTS_BUFFERS_MAX)
		return -EBADMSG;
	if (*name)
		b = new_buffer(events);
	else
		clear_buffer(b);
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

/* "local global [mono] tai\n": a copy of mono. */
static char *chosen_clock(const char *text)
{
	const char *start = strchr(text, '['), *end = start ? strchr(start, ']') : NULL;

	return end ? strndup(start + 1, end - start - 1) : strdup("local");
}

static int finish_buffers(struct hist_events *events)
{
	struct hist_events_machine *m = &events->machine;
	struct events_buffer *b;
	unsigned int i, j;

	events->clock = chosen_clock(events->clock_text ? events->clock_text : "");
	if (!events->clock)
		return -ENOMEM;
	for (i = 0; i < events->nbuffers; i++) {
		b = &events->buffers[i];
		/*
		 * "local" is also what stock record writes into a buffer when it was not
		 * told the clock, whatever that is; the text is of its trace_clock.
		 */
		b->facts.clock = b->clock && strcmp(b->clock, "local") ? b->clock : events->clock;
		b->facts.clock_text = events->clock_text;
		/* as stock trace-cmd calls it; no kernel lists it */
		if (events->time.mult) {
			b->facts.clock = "tsc2nsec";
			b->facts.clock_text = NULL;
		}
		b->facts.cpus = b->ncpus ? b->cpus[b->ncpus - 1].cpu + 1 : 0;
		for (j = 0; j < b->ncpus; j++)
			if (__builtin_add_overflow(b->facts.bytes, b->cpus[j].size,
						   &b->facts.bytes))
				return -EBADMSG;
		if (m->cpus < b->facts.cpus)
			m->cpus = b->facts.cpus;
		if (b->ncpus && (b->page_size < EVENTS_PAGE_MIN || b->page_size > EVENTS_PAGE_MAX ||
				 b->page_size % 8))
			return -EBADMSG;
	}
	return 0;
}

/* "Linux host 6.12.0 x86_64": the second word. */
static int finish_machine(struct hist_events *events)
{
	struct hist_events_machine *m = &events->machine;
	const char *host;

	if (!m->header_page) {
		m->header_page = strdup("");
		m->header_event = strdup("");
		if (!m->header_page || !m->header_event)
			return -ENOMEM;
	}
	host = m->uname ? strchr(m->uname, ' ') : NULL;
	if (!host || !host[1])
		return 0;
	m->host = strndup(host + 1, strcspn(host + 1, " "));
	return m->host ? 0 : -ENOMEM;
}

int events_explain(int ret, struct hist_error *error, const char *damaged)
{
	return ret == -EBADMSG || ret == -ENODATA ? hist_error_set(error, -EBADMSG, "%s", damaged)
						  : ret;
}

static int events_read_layout(struct hist_events *events, struct hist_error *error)
{
	const struct tracedat_reader *file = events->file;
	struct events_buffer *top;
	int ret;

	events->machine.page_size = file->page_size;
	events->packers = chunk_decompressors_new();
	if (!events->packers || !new_buffer(events) || events_add_buffer(events, "", NULL, &top))
		return -ENOMEM;
	events->machine.user_long_size = file->long_size;
	events->machine.layout = hist_ring_page_layout(file->big_endian, file->long_size);
	if (!file->version)
		return hist_error_set(error, -ENOTSUP,
				      "unknown version of trace.dat (6 and 7 are supported)");
	ret = file->version == 6 ? events_open_v6(events, error) : events_open_v7(events, error);
	if (ret)
		return ret;
	ret = finish_buffers(events);
	if (!ret)
		ret = finish_machine(events);
	if (ret)
		return events_explain(ret, error, "the descriptions of the buffers are damaged");
	if (events->has_text && !events->buffers[0].ncpus && events->nbuffers == 1)
		return hist_error_set(error, -ENOTSUP, EVENTS_ONLY_TEXT);
	return 0;
}

int hist_events_open_in(struct tracedat_pool *pool, struct hist_events **result, const char *path,
			struct hist_error *error)
{
	struct hist_events *events;
	int ret;

	events = calloc(1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	pthread_mutex_init(&events->names_lock, NULL);
	ret = tracedat_open_header(pool, &events->file, path, error);
	if (!ret)
		ret = events_read_layout(events, error);
	if (ret)
		hist_events_free(events);
	else
		*result = events;
	return ret;
}

int hist_events_open(struct hist_events **result, const char *path, struct hist_error *error)
{
	return hist_events_open_in(NULL, result, path, error);
}

void hist_events_free(struct hist_events *events)
{
	unsigned int i;

	if (!events)
		return;
	for (i = 0; i < events->nbuffers; i++)
		clear_buffer(&events->buffers[i]);
	free(events->buffers);
	free(events->machine.uname);
	free(events->machine.host);
	free(events->machine.header_page);
	free(events->machine.header_event);
	free(events->clock);
	free(events->clock_text);
	events_formats_free(&events->formats);
	events_names_free(events);
	chunk_decompressors_free(events->packers);
	events_time_clear(&events->time);
	tracedat_reader_free(events->file);
	pthread_mutex_destroy(&events->names_lock);
	free(events);
}

const struct hist_events_machine *hist_events_machine(const struct hist_events *events)
{
	return &events->machine;
}

unsigned int hist_events_nbuffers(const struct hist_events *events)
{
	return events->nbuffers;
}

const struct hist_events_buffer *hist_events_buffer(const struct hist_events *events,
						    unsigned int buffer)
{
	return buffer < events->nbuffers ? &events->buffers[buffer].facts : NULL;
}
