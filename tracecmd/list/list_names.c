// SPDX-License-Identifier: GPL-2.0
/*
 * list_names.c - the names of the events that a target has
 *
 * available_events lists all events except those of the system ftrace, which cannot be
 * enabled.  However, ftrace:print, which is the writes to trace_marker, accepts triggers.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tracecmd/list/list.h"

#define MARKER "ftrace:print"

static int list_names_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_names_add_name(struct event_list *events, const char *name, size_t len)
{
	if (array_add(&events->names, events->n, sizeof(*events->names)))
		return -ENOMEM;
	events->names[events->n] = strndup(name, len);
	if (!events->names[events->n])
		return -ENOMEM;
	events->n++;
	return 0;
}

int list_names_read(struct event_list *events, struct hist_target *t)
{
	struct target_buf buf = { 0 };
	const char *line, *end, *nl;
	int ret;

	ret = t->ops->read(t, "available_events", &buf);
	for (line = buf.data; !ret && line < buf.data + buf.len; line = nl + 1) {
		end = buf.data + buf.len;
		nl = memchr(line, '\n', end - line);
		if (!nl)
			nl = end;
		if (memchr(line, ':', nl - line))
			ret = list_names_add_name(events, line, nl - line);
	}
	free(buf.data);
	if (ret)
		return ret;
	ret = target_existsf(t, "events/ftrace/print/trigger");
	if (ret > 0)
		ret = list_names_add_name(events, MARKER, strlen(MARKER));
	if (ret)
		return ret;
	if (events->n)
		qsort(events->names, events->n, sizeof(*events->names), list_names_compare_names);
	return 0;
}

void list_names_clear(struct event_list *events)
{
	size_t i;

	for (i = 0; i < events->n; i++)
		free(events->names[i]);
	free(events->names);
	memset(events, 0, sizeof(*events));
}

/* Match the first @len bytes of @text against the first @pattern_len bytes of @pattern. */
static bool part_matches(const char *pattern, size_t pattern_len, const char *text, size_t len)
{
	char *p = strndup(pattern, pattern_len), *s = strndup(text, len);
	bool matches = p && s && !fnmatch(p, s, 0);

	free(p);
	free(s);
	return matches;
}

bool list_name_matches(const char *name, const char *pattern)
{
	size_t system = strcspn(name, ":"), first = strcspn(pattern, ":/");
	const char *event = name[system] ? name + system + 1 : "";

	if (!pattern[first])
		return part_matches(pattern, first, name, system) ||
		       part_matches(pattern, first, event, strlen(event));
	pattern += first + 1;
	return part_matches(pattern - first - 1, first, name, system) &&
	       part_matches(pattern, strlen(pattern), event, strlen(event));
}
