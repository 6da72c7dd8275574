// SPDX-License-Identifier: GPL-2.0
/*
 * format_file.c - the format files under utest/data/formats
 *
 * Without its data a test proves nothing, so that a missing file is fatal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/test_data.h"

char *format_text(const char *name, size_t *len)
{
	char path[256];

	snprintf(path, sizeof(path), "formats/%s", name);
	return test_read_file(test_data_path(path), len);
}

struct hist_event *format_event(const char *system_and_name)
{
	const char *colon = strchr(system_and_name, ':');
	struct hist_event *event = NULL;
	char system[64], *text;
	size_t len;

	snprintf(system, sizeof(system), "%.*s", (int)(colon - system_and_name), system_and_name);
	text = format_text(colon + 1, &len);
	if (hist_event_parse(&event, system, text, len)) {
		fprintf(stderr, "%s: cannot parse the format\n", system_and_name);
		exit(2);
	}
	free(text);
	return event;
}
