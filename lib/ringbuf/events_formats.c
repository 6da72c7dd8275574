// SPDX-License-Identifier: LGPL-2.1
/*
 * events_formats.c - read the event formats of a trace.dat file
 *
 * FTRACE EVENT FORMATS: u32 number of events; then for each event u64 length and text.
 * EVENT FORMATS: u32 number of systems; then for each system its name with a NUL, and such a list.
 * Version 6 has both without section headers.  The list points into the memory that was read.
 *
 * Source: trace-cmd.dat.v7(5).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/ringbuf/events_private.h"

/* The limit of the kernel: ids of events have 16 bits. */
#define FORMATS_MAX 65536

/* The first line is "name: kmalloc\n".  A format without it has no name. */
static void events_formats_find_name(struct events_format *format)
{
	static const char title[] = "name: ";
	size_t n = sizeof(title) - 1;
	const char *nl;

	if (format->len < n || memcmp(format->text, title, n))
		return;
	nl = memchr(format->text + n, '\n', format->len - n);
	if (!nl)
		return;
	format->name = format->text + n;
	format->name_len = nl - format->name;
}

static int events_formats_add_format(struct events_formats *f, const char *system, const char *text,
				     size_t len)
{
	if (f->n == FORMATS_MAX)
		return -EBADMSG;
	if (array_add(&f->list, f->n, sizeof(*f->list)))
		return -ENOMEM;
	f->list[f->n] = (struct events_format){ .system = system, .text = text, .len = len };
	events_formats_find_name(&f->list[f->n++]);
	return 0;
}

static int take_list(struct events_formats *f, struct events_bytes *b, const char *system)
{
	uint32_t events = events_take_number(b, 4);
	const char *text;
	size_t len;
	int ret = 0;

	while (!ret && events--) {
		text = events_take_sized(b, &len);
		ret = text ? events_formats_add_format(f, system, text, len) : -EBADMSG;
	}
	return b->take.failed ? -EBADMSG : ret;
}

int events_formats_ftrace(struct hist_events *events, char *data, size_t len)
{
	struct events_bytes b = events_bytes(events, data, len);

	events->formats.ftrace = data;
	return take_list(&events->formats, &b, "ftrace");
}

int events_formats_others(struct hist_events *events, char *data, size_t len)
{
	struct events_bytes b = events_bytes(events, data, len);
	const char *system;
	uint32_t systems;
	int ret = 0;

	events->formats.others = data;
	systems = events_take_number(&b, 4);
	while (!ret && systems--) {
		system = events_take_string(&b);
		ret = system ? take_list(&events->formats, &b, system) : -EBADMSG;
	}
	return b.take.failed ? -EBADMSG : ret;
}

void events_formats_free(struct events_formats *f)
{
	free(f->list);
	free(f->ftrace);
	free(f->others);
}

int hist_events_format(const struct hist_events *events, const char *system, const char *name,
		       const char **text, size_t *len)
{
	const struct events_formats *f = &events->formats;
	size_t name_len = strlen(name);
	unsigned int i;

	for (i = 0; i < f->n; i++) {
		if (!f->list[i].name || f->list[i].name_len != name_len ||
		    strcmp(f->list[i].system, system) || memcmp(f->list[i].name, name, name_len))
			continue;
		*text = f->list[i].text;
		*len = f->list[i].len;
		return 0;
	}
	return -ENOENT;
}

bool hist_events_format_at(const struct hist_events *events, unsigned int i, const char **system,
			   const char **text, size_t *len)
{
	const struct events_formats *f = &events->formats;

	if (i >= f->n)
		return false;
	*system = f->list[i].system;
	*text = f->list[i].text;
	*len = f->list[i].len;
	return true;
}
