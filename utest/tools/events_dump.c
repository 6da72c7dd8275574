// SPDX-License-Identifier: GPL-2.0
/*
 * events_dump.c - what our reader makes of a trace.dat with events, for scripts
 *
 *   events_dump FILE            each event: BUFFER CPU TIME TYPE LENGTH, and what was lost
 *   events_dump --machine FILE  the machine, its buffers, and how many formats there are
 *   events_dump --walk FILE     only how many events and bytes there are
 *   events_dump --symbol FILE ADDRESS...
 *   events_dump --seek FILE     seeks to some pages of each CPU, and how often that went wrong
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events.h"

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "events_dump: %s: %s\n", what, why);
	return 2;
}

static unsigned int type_of(const struct hist_ring_page *page, const unsigned char *data)
{
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	return page->big_endian ? be16toh(type) : le16toh(type);
}

struct sums {
	uint64_t events, bytes, lost, gaps, damaged;
};

static void dump_page(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
		      struct hist_ring_page *page, bool print, struct sums *sums)
{
	const char *name = hist_events_buffer(events, buffer)->name;
	const unsigned char *data;
	uint32_t len;

	if (page->lost) {
		sums->gaps++;
		sums->lost += page->lost == HIST_RING_PAGE_LOST_SOME ? 0 : page->lost;
		if (print)
			printf("%s %u lost %" PRId64 "\n", name, cpu, (int64_t)page->lost);
	}
	while (hist_ring_page_next(page, &data, &len)) {
		sums->events++;
		sums->bytes += len;
		if (print)
			printf("%s %u %" PRIu64 " %u %u\n", name, cpu,
			       hist_events_time(events, buffer, cpu, page->time), type_of(page, data), len);
	}
	sums->damaged += page->damaged;
}

static int dump(const struct hist_events *events, bool print)
{
	const struct hist_events_buffer *buffer;
	struct hist_events_pages *pages;
	struct sums sums = { 0 };
	struct hist_ring_page page;
	unsigned int b, cpu;
	int ret;

	for (b = 0; (buffer = hist_events_buffer(events, b)); b++) {
		for (cpu = 0; cpu < buffer->cpus; cpu++) {
			if (hist_events_pages_open(&pages, events, b, cpu))
				return fail("pages", "cannot be opened");
			while ((ret = hist_events_pages_next(pages, &page))) {
				if (ret == 1)
					dump_page(events, b, cpu, &page, print, &sums);
				else if (ret == -EBADMSG)
					sums.damaged++;
				else
					return fail("pages", strerror(-ret));
			}
			hist_events_pages_free(pages);
		}
	}
	if (!print)
		printf("%" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64 " lost, %" PRIu64
		       " gaps, %" PRIu64 " damaged\n",
		       sums.events, sums.bytes, sums.lost, sums.gaps, sums.damaged);
	return 0;
}

/* To every @step-th page, and to just before it. */
static int seek(const struct hist_events *events)
{
	const struct hist_events_buffer *buffer = hist_events_buffer(events, 0);
	uint64_t *times = NULL, seeks = 0, wrong = 0;
	unsigned int cpu, n, i, step = 97;
	struct hist_events_pages *pages;
	struct hist_ring_page page;

	for (cpu = 0; cpu < buffer->cpus; cpu++) {
		if (hist_events_pages_open(&pages, events, 0, cpu))
			return fail("pages", "cannot be opened");
		for (n = 0; hist_events_pages_next(pages, &page) == 1; n++) {
			if (!(n & (n - 1)))
				times = realloc(times, (n ? n * 2 : 1) * sizeof(*times));
			if (!times)
				return fail("pages", "no memory");
			times[n] = page.time;
		}
		for (i = 0; i < n; i += step) {
			seeks++;
			wrong += hist_events_pages_seek(pages, times[i]) ||
				 hist_events_pages_next(pages, &page) != 1 || page.time != times[i];
			if (!i)
				continue;
			wrong += hist_events_pages_seek(pages, times[i] - 1) ||
				 hist_events_pages_next(pages, &page) != 1 ||
				 page.time != times[i - 1] ||
				 hist_events_pages_next(pages, &page) != 1 || page.time != times[i];
		}
		hist_events_pages_free(pages);
	}
	free(times);
	printf("%" PRIu64 " seeks, %" PRIu64 " wrong\n", seeks, wrong);
	return 0;
}

static int machine(const struct hist_events *events)
{
	const struct hist_events_machine *m = hist_events_machine(events);
	const struct hist_events_buffer *buffer;
	const char *system, *text;
	unsigned int i;
	size_t len;

	printf("host %s, %u CPUs, pages of %u, %s endian, long %u, of user space %u\n",
	       m->host ? m->host : "-", m->cpus, m->page_size,
	       m->layout.big_endian ? "big" : "little", m->layout.long_size, m->user_long_size);
	for (i = 0; (buffer = hist_events_buffer(events, i)); i++)
		printf("buffer '%s', clock %s, %u CPUs, %" PRIu64 " bytes\n", buffer->name,
		       buffer->clock, buffer->cpus, buffer->bytes);
	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++)
		;
	printf("%u formats\n", i);
	return 0;
}

static int symbols(struct hist_events *events, char **addresses)
{
	struct hist_symbol symbol;
	uint64_t address;

	for (; *addresses; addresses++) {
		address = strtoull(*addresses, NULL, 16);
		if (hist_events_symbol(events, address, &symbol))
			printf("%" PRIx64 "\n", address);
		else
			printf("%" PRIx64 " %s+0x%" PRIx64 "/0x%" PRIx64 "\n", address, symbol.name,
			       symbol.offset, symbol.size);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *option = argc > 2 ? argv[1] : "";
	const char *path = argc > 2 ? argv[2] : argv[1];
	struct hist_events *events;
	struct hist_error error = { 0 };
	int ret;

	if (argc < 2)
		return fail("usage", "events_dump [--machine | --walk | --seek | --symbol] FILE [ADDRESS...]");
	ret = hist_events_open(&events, path, &error);
	if (ret)
		return fail(path, hist_error_what(&error, ret));
	if (!strcmp(option, "--machine"))
		ret = machine(events);
	else if (!strcmp(option, "--seek"))
		ret = seek(events);
	else if (!strcmp(option, "--symbol"))
		ret = symbols(events, argv + 3);
	else
		ret = dump(events, strcmp(option, "--walk"));
	hist_events_free(events);
	return ret;
}
