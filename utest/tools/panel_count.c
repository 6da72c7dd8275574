// SPDX-License-Identifier: GPL-2.0
/*
 * panel_count.c - count the events of a file as the panel of KernelShark does, for scripts
 *
 *   panel_count FILE BUFFER {OUTPUT TEXT}...
 *
 * TEXT is what a user types in the panel.  All events of BUFFER ("" is the top-level buffer) are
 * counted, and the recording that the panel then shows is copied to OUTPUT.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/expression.h"
#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "panel_count: %s: %s\n", what, why);
	return 2;
}

/* Read through a descriptor of our own: the position of the recording's reader is its own. */
static int copy_recording(const struct recording *r, const char *path)
{
	const struct tracedat_reader *file = hist_series_file(r->series);
	const uint64_t size = tracedat_part_end(file, 0);
	struct tracedat_reader *dat;
	const void *data;
	FILE *f;
	int ret;

	ret = tracedat_reopen(&dat, file);
	if (ret)
		return fail(path, strerror(-ret));
	ret = tracedat_read(dat, 0, size, &data);
	f = ret ? NULL : fopen(path, "wb");
	if (ret)
		fail(path, strerror(-ret));
	else if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		ret = fail(path, "cannot be written");
	tracedat_reader_free(dat);
	return ret ? 2 : 0;
}

static int refuse(const char *text, const struct hist_error *refusal)
{
	fprintf(stderr, "panel_count: %s: %s\n%s\n%*s^\n%s\n", text, refusal->what, text,
		(int)refusal->at.start, "", refusal->hint);
	return 2;
}

/* Notes and losses go to stderr: a script wants none. */
static int count(struct hist_events *events, unsigned int buffer, const char *path, const char *text)
{
	const struct expression_window all = { .from = 0, .to = UINT64_MAX };
	struct expression_result result;
	struct hist_error refusal = { 0 };
	struct expression *e;
	char note[256];
	unsigned int i;
	int ret;

	ret = expression_parse(&e, events, buffer, text, &refusal);
	if (ret)
		return refuse(text, &refusal);
	ret = expression_count(e, &all, NULL, NULL, &result, &refusal);
	expression_free(e);
	if (ret)
		return fail(text, hist_error_what(&refusal, ret));
	if (result.lost)
		fprintf(stderr, "panel_count: %s: events were lost\n", text);
	for (i = 0; expression_get_note(&result, i, note, sizeof(note)); i++)
		fprintf(stderr, "panel_count: %s: %s\n", text, note);
	ret = copy_recording(result.recording, path);
	recording_unref(result.recording);
	return ret;
}

int main(int argc, char **argv)
{
	const struct hist_events_buffer *b;
	struct hist_events *events;
	unsigned int buffer;
	struct hist_error error = { 0 };
	int i, ret = 0;

	if (argc < 5 || argc % 2 == 0)
		return fail("usage", "panel_count FILE BUFFER {OUTPUT TEXT}...");
	ret = hist_events_open(&events, argv[1], &error);
	if (ret)
		return fail(argv[1], hist_error_what(&error, ret));
	for (buffer = 0; (b = hist_events_buffer(events, buffer)); buffer++)
		if (!strcmp(b->name, argv[2]))
			break;
	if (!b)
		ret = fail(argv[2], "no such buffer");
	for (i = 3; i < argc && !ret; i += 2)
		ret = count(events, buffer, argv[i], argv[i + 1]);
	hist_events_free(events);
	return ret;
}
