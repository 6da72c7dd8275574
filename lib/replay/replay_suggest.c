// SPDX-License-Identifier: LGPL-2.1
/*
 * replay_suggest.c - a command line that counts the events of a file
 *
 * Only the first pages are read, because the user has not asked for a count.  Errors of pages do
 * not matter: the suggestion is then made of what can be read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/event.h"
#include "lib/replay/replay.h"
#include "lib/ringbuf/file_events.h"

/* The pages of each CPU that are read, and of all CPUs. */
#define PAGES_PER_CPU 4
#define PAGES 256
/* Numbers of events have 16 bits. */
#define NUMBERS 65536

static const char name_chars[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Tracers whose events have no key of their own, and what counts them. */
static const struct {
	const char *event, *options;
} suggest_tracers[] = {
	{ "function", "--function '*'" },
	{ "funcgraph_entry", "--function-latency '*'" },
	{ "timerlat", "--tracer timerlat" },
	{ "osnoise", "--tracer osnoise" },
	{ "hwlat", "--tracer hwlat" },
};

/* Text that is one word of a shell without quotes. */
static bool suggest_is_word(const char *text, size_t len)
{
	return len && strspn(text, name_chars) >= len;
}

static void suggest_count_page(uint32_t *counts, struct hist_ring_page *page)
{
	const unsigned char *data;
	uint32_t len;

	while (hist_ring_page_next(page, &data, &len)) {
		if (len >= 2)
			counts[hist_ring_page_number(page, data)]++;
	}
}

static void suggest_count_events(uint32_t *counts, const struct hist_events *events,
				 unsigned int buffer)
{
	const unsigned int cpus = hist_events_buffer(events, buffer)->cpus;
	struct hist_events_pages *pages;
	unsigned int cpu, n, left = PAGES;
	struct hist_ring_page page;
	int ret;

	for (cpu = 0; cpu < cpus && left; cpu++) {
		if (hist_events_pages_open(&pages, events, buffer, cpu))
			continue;
		for (n = 0; n < PAGES_PER_CPU && left; n++, left--) {
			ret = hist_events_pages_next(pages, &page);
			if (ret == 1)
				suggest_count_page(counts, &page);
			else if (ret != -EBADMSG)
				break;
		}
		hist_events_pages_free(pages);
	}
}

/* The options for an event of a tracer, or NULL. */
static const char *suggest_find_tracer(const char *event)
{
	size_t i;

	for (i = 0; i < sizeof(suggest_tracers) / sizeof(*suggest_tracers); i++) {
		if (!strcmp(suggest_tracers[i].event, event))
			return suggest_tracers[i].options;
	}
	return NULL;
}

/* True if `replay` can count the event: most events of ftrace itself cannot be counted. */
static bool suggest_can_count(const struct hist_event *event)
{
	if (!strcmp(event->system, "ftrace"))
		return suggest_find_tracer(event->name) != NULL;
	return suggest_is_word(event->system, strlen(event->system)) &&
	       suggest_is_word(event->name, strlen(event->name)) &&
	       hist_event_find(event, "common_pid");
}

/* Find the event that occurs most often; *@event is NULL if there is none. */
static int suggest_find_event(struct hist_event **event, const struct hist_events *events,
			      const uint32_t *counts)
{
	struct hist_event *one;
	const char *system, *text;
	uint32_t most = 0;
	unsigned int i;
	size_t len;
	int ret;

	*event = NULL;
	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++) {
		one = NULL;
		ret = hist_event_parse(&one, system, text, len);
		if (ret == -ENOMEM)
			return ret;
		if (ret)
			continue;
		if (one->id < NUMBERS && counts[one->id] > most && suggest_can_count(one)) {
			most = counts[one->id];
			hist_event_free(*event);
			*event = one;
		} else {
			hist_event_free(one);
		}
	}
	return 0;
}

/* As `replay` does without -B: the top-level buffer, or the first other one with events. */
static unsigned int suggest_find_buffer(const struct hist_events *events)
{
	unsigned int i, n = hist_events_nbuffers(events);

	for (i = 0; i < n; i++) {
		if (hist_events_buffer(events, i)->bytes)
			return i;
	}
	return 0;
}

int hist_replay_suggest(struct hist_strbuf *options, const struct hist_events *events)
{
	const unsigned int buffer = suggest_find_buffer(events);
	const char *name = hist_events_buffer(events, buffer)->name, *tracer;
	struct hist_event *event = NULL;
	uint32_t *counts;
	int ret;

	if (buffer && !suggest_is_word(name, strlen(name)))
		return 0;
	counts = calloc(NUMBERS, sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	suggest_count_events(counts, events, buffer);
	ret = suggest_find_event(&event, events, counts);
	free(counts);
	if (ret || !event) {
		hist_event_free(event);
		return ret;
	}
	if (buffer)
		hist_strbuf_printf(options, "-B %s ", name);
	tracer = strcmp(event->system, "ftrace") ? NULL : suggest_find_tracer(event->name);
	if (tracer)
		hist_strbuf_str(options, tracer);
	else
		hist_strbuf_printf(options, "-e %s:%s -k %s", event->system, event->name,
				   hist_event_find(event, "next_comm") ? "next_comm" :
				   "common_pid.execname");
	hist_event_free(event);
	return options->error;
}
