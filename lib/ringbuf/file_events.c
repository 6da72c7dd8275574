// SPDX-License-Identifier: LGPL-2.1
/*
 * file_events.c - the names of the events in a file
 *
 * "name: kmalloc\n" is the first line of a format; a format without this line has the
 * name "".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/ringbuf/file_events.h"

bool file_events_get(const struct hist_events *events, unsigned int i, const char **system,
		     const char **name, size_t *len)
{
	static const char head[] = "name: ";
	const char *text, *end;
	size_t text_len;

	if (!hist_events_format_at(events, i, system, &text, &text_len))
		return false;
	*name = "";
	*len = 0;
	if (!text_starts_with(text, text_len, head))
		return true;
	end = memchr(text, '\n', text_len);
	if (!end)
		return true;
	*name = text + strlen(head);
	*len = end - *name;
	return true;
}

int file_events_list(struct names *names, const struct hist_events *events, const char *wanted)
{
	const char *system, *name;
	unsigned int i;
	int ret = 0;
	size_t len;

	for (i = 0; !ret && file_events_get(events, i, &system, &name, &len); i++) {
		if (!wanted)
			ret = names_add_new(names, system, strlen(system));
		else if (len && !strcmp(system, wanted))
			ret = names_add_new(names, name, len);
	}
	return ret;
}

const char *file_events_find_system(const struct hist_events *events, const char *wanted)
{
	const char *system, *name;
	unsigned int i;
	size_t len;

	for (i = 0; file_events_get(events, i, &system, &name, &len); i++)
		if (text_equals(name, len, wanted))
			return system;
	return NULL;
}

int file_events_read(struct hist_event **event, const struct hist_events *events,
		     const char *system, const char *name)
{
	const char *text;
	size_t len;
	int ret = hist_events_format(events, system, name, &text, &len);

	if (!ret)
		ret = hist_event_parse(event, system, text, len);
	if (!ret)
		(*event)->big_endian = hist_events_machine(events)->layout.big_endian;
	return ret;
}

int file_events_parse(struct hist_event **event, const struct hist_events *events,
		      const char *word, size_t len)
{
	char *system = strndup(word, len), *name;
	int ret;

	if (!system)
		return -ENOMEM;
	name = strchr(system, ':');
	if (name)
		*name++ = '\0';
	ret = name ? file_events_read(event, events, system, name) : -ENOENT;
	free(system);
	return ret == -ENOMEM ? ret : 0;
}
