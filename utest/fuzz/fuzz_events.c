// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_events.c - any bytes as a trace.dat with events: all of its pages, names and formats
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/ringbuf/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes are read, so that a sanitizer sees those that are not there. */
static uint32_t sum;

/* The last time in it. */
static uint64_t walk_page(struct hist_ring_page *page)
{
	const unsigned char *data;
	uint32_t len, i;

	while (hist_ring_page_next(page, &data, &len)) {
		if (len < 4)
			abort();
		for (i = 0; i < len; i++)
			sum += data[i];
	}
	if (page->at != page->end)
		abort();
	return page->time;
}

/* Each call gives a page, an error that is passed over, or the end: @most are enough. */
static uint64_t walk(struct hist_events_pages *pages, uint64_t most)
{
	struct hist_ring_page page;
	uint64_t n, time = 0, done = 0;
	int ret;

	for (n = 0; (ret = hist_events_pages_next(pages, &page)); n++) {
		if (n > most || (ret != 1 && ret != -EBADMSG && ret != -ENOMEM))
			abort();
		if (hist_events_pages_done(pages) < done ||
		    hist_events_pages_done(pages) > hist_events_pages_bytes(pages))
			abort();
		done = hist_events_pages_done(pages);
		if (ret == 1)
			time = walk_page(&page);
	}
	return time;
}

static void walk_cpu(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
		     size_t size)
{
	struct hist_events_pages *pages;
	uint64_t time;

	if (hist_events_pages_open(&pages, events, buffer, cpu))
		return;
	/* a chunk has at least 8 bytes and gives at most 2048 pages */
	time = walk(pages, size * 256 + 16);
	if (!hist_events_pages_seek(pages, time / 2))
		walk(pages, size * 256 + 16);
	hist_events_pages_free(pages);
}

static void ask(struct hist_events *events)
{
	const char *system, *text, *name;
	struct hist_symbol symbol;
	uint64_t address;
	unsigned int i;
	size_t len;

	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++) {
		sum += strlen(system);
		if (len)
			sum += text[0] + text[len - 1];
	}
	hist_events_format(events, "sched", "sched_switch", &text, &len);
	for (address = 1; address; address <<= 1) {
		if (!hist_events_symbol(events, address | 0xffffffff80000000, &symbol))
			sum += strlen(symbol.name) + symbol.size;
	}
	for (i = 0; i < 300; i++) {
		name = hist_events_comm(events, i);
		sum += name ? strlen(name) : 0;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct hist_events_buffer *buffer;
	static int fd = -1;
	static char path[64];
	struct hist_events *events;
	unsigned int i, cpu;
	struct hist_error error = { 0 };
	int ret;

	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	ret = hist_events_open(&events, path, &error);
	if (ret) {
		/* always with a reason */
		if (!*hist_error_what(&error, ret))
			abort();
		return 0;
	}
	ask(events);
	for (i = 0; (buffer = hist_events_buffer(events, i)) && i < 8; i++)
		for (cpu = 0; cpu < buffer->cpus && cpu < 8; cpu++)
			walk_cpu(events, i, cpu, size);
	hist_events_free(events);
	return 0;
}
