// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_file.c - any bytes as a trace.dat, opened and walked in every way
 *
 * Checksums keep a fuzzer out, so each input is tried as it is, and again with
 * the checksums of our option and of every record put right.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/ringbuf/events.h"
#include "lib/series/series.h"
#include "lib/series/snapshot_heads.h"
#include "utest/fuzz/sections.h"
#include "utest/unit/lib/histfile/text_render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *null;

static void walk(struct hist_cursor *cursor)
{
	const struct hist_snapshot *snap;
	unsigned int n;

	for (n = 0; n < 200 && hist_cursor_next(cursor, &snap) == 1; n++)
		render_rows(null, hist_cursor_table(cursor), snap);
	hist_cursor_free(cursor);
}

static int pass_by(void *data, unsigned int hist, const struct hist_snapshot *head)
{
	(void)hist;
	*(uint64_t *)data += head->hits;
	return 0;
}

/* What a program with a time line reads before the rows, and the formats of events. */
static void look(const char *path, const struct hist_series *series)
{
	struct hist_events *events;
	struct hist_series *fork;
	uint64_t hits = 0;
	const char *text;
	struct hist_error error = { 0 };
	size_t len;

	if (!hist_series_fork(&fork, series)) {
		hist_series_visit_heads(fork, pass_by, &hits);
		hist_series_free(fork);
	}
	if (hist_events_open(&events, path, &error))
		return;
	hist_events_format(events, "timer", "tick_stop", &text, &len);
	hist_events_free(events);
}

static void try_file(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];
	struct hist_series *series;
	struct hist_cursor *cursor;
	struct hist_error error = { 0 };
	unsigned int i;

	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	if (hist_series_open(&series, path, &error))
		return;
	look(path, series);
	for (i = 0; i < hist_series_count(series) && i < 20; i++) {
		const struct hist_series_info *info = hist_series_info(series, i);

		if (!hist_cursor_open(&cursor, series, i, 0))
			walk(cursor);
		if (!hist_cursor_open(&cursor, series, i, info->last_seq))
			walk(cursor);
		if (!hist_cursor_open_at(&cursor, series, i, info->last_time))
			walk(cursor);
	}
	hist_series_free(series);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *fixed;

	if (!null)
		null = fopen("/dev/null", "w");
	try_file(data, size);
	fixed = malloc(size + 1);
	memcpy(fixed, data, size);
	sections_fix(fixed, size);
	try_file(fixed, size);
	free(fixed);
	return 0;
}
