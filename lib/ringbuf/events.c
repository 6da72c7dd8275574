// SPDX-License-Identifier: LGPL-2.1
/*
 * events.c - open a trace.dat file for its events
 *
 * events_v6.c and events_v7.c find the parts of a file, and pass headers, options and buffers to
 * events_parts.c, and formats to events_formats.c.
 *
 * Invariant: buffers[0] is the top-level buffer, even if the file does not have it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

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

static int events_read_layout(struct hist_events *events, struct hist_error *error)
{
	const struct tracedat_reader *file = events->file;
	struct events_buffer *top;
	int ret;

	events->machine.page_size = file->page_size;
	events->packers = chunk_decompressors_new();
	if (!events->packers || events_add_buffer(events, "", NULL, &top))
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
		events_clear_buffer(&events->buffers[i]);
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
