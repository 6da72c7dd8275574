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

#include "tracecmd/list/list.h"
#include "tracecmd/target/target_path.h"

#define MARKER "ftrace:print"

int list_names_read(struct names *events, struct hist_target *t)
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
			ret = names_add(events, line, nl - line);
	}
	free(buf.data);
	if (ret)
		return ret;
	ret = target_existsf(t, "events/ftrace/print/trigger");
	if (ret > 0)
		ret = names_add(events, MARKER, strlen(MARKER));
	if (ret)
		return ret;
	names_sort(events);
	return 0;
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
