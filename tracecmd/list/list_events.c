// SPDX-License-Identifier: GPL-2.0
/*
 * list_events.c - the events that match, and their fields
 *
 * One event is shown with its fields.  Several events are shown by name, and with their
 * fields if -v is given.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "tracecmd/base/message.h"
#include "tracecmd/list/list.h"
#include "tracecmd/target/target_path.h"

/* Similar names for a pattern without wildcards. */
static const char *list_events_suggest_name(const struct names *events, const char *pattern)
{
	bool whole = strpbrk(pattern, ":/");
	const char **names, *near = NULL, *colon;
	char *asked = strdup(pattern);
	size_t i;

	names = malloc((events->n + 1) * sizeof(*names));
	if (names && asked) {
		if (whole)
			asked[strcspn(asked, ":/")] = ':';
		for (i = 0; i < events->n; i++) {
			colon = strchr(events->names[i], ':');
			names[i] = whole ? events->names[i] : colon + 1;
		}
		near = hist_suggest(asked, names, events->n);
	}
	free(names);
	free(asked);
	return near;
}

static int list_events_refuse_pattern(const struct names *events, const char *pattern)
{
	const char *near = list_events_suggest_name(events, pattern);

	if (near)
		return message_refuse(-ENOENT, "%s: no event matches\ndid you mean \"%s\"?",
				      pattern, near);
	return message_refuse(-ENOENT, "%s: no event matches\nrun \"trace-cmd hist list '*:*'\"",
			      pattern);
}

/* Mark the events that match any pattern; each pattern must match at least one. */
static int list_events_choose_matching(const struct names *events, char **patterns,
				       unsigned int npatterns,
				       bool *chosen, size_t *count)
{
	unsigned int p;
	bool any;
	size_t i;

	*count = 0;
	for (p = 0; p < npatterns; p++) {
		any = false;
		for (i = 0; i < events->n; i++) {
			if (!list_name_matches(events->names[i], patterns[p]))
				continue;
			any = true;
			*count += !chosen[i];
			chosen[i] = true;
		}
		if (!any)
			return list_events_refuse_pattern(events, patterns[p]);
	}
	return 0;
}

static int show_fields(struct list *l, const char *name, bool last)
{
	size_t system_len = strcspn(name, ":");
	struct target_buf format = { 0 };
	struct hist_event *event = NULL;
	char *system = strndup(name, system_len);
	int ret = -ENOMEM;

	if (!system)
		goto out;
	ret = target_readf(l->target, &format, "events/%s/%s/format", system,
			   name + system_len + 1);
	if (!ret)
		ret = hist_event_parse(&event, system, format.data, format.len);
	if (!ret)
		ret = list_fields(l, event, last);
out:
	if (ret)
		message_error("%s: format: %s", name,
			      ret == -EINVAL ? "unknown syntax" : strerror(-ret));
	hist_event_free(event);
	free(format.data);
	free(system);
	return ret;
}

static int list_events_print_event(struct list *l, const char *name, bool fields, bool last)
{
	int ret = 0;

	if (l->json) {
		json_object_begin(l->json, NULL);
		list_member(l, "event", name);
		if (fields)
			ret = show_fields(l, name, last);
		json_object_end(l->json);
		return ret ? ret : json_writer_error(l->json);
	}
	list_line(l, name);
	return fields ? show_fields(l, name, last) : 0;
}

int list_events(struct list *l, char **patterns, unsigned int npatterns)
{
	struct names events = { 0 };
	bool *chosen = NULL, fields;
	size_t i, count, shown = 0;
	int ret;

	ret = list_names_read(&events, l->target);
	if (!ret) {
		chosen = calloc(events.n + 1, sizeof(*chosen));
		ret = chosen ? 0 : -ENOMEM;
	}
	if (ret) {
		message_error("available_events: %s", strerror(-ret));
		goto out;
	}
	ret = list_events_choose_matching(&events, patterns, npatterns, chosen, &count);
	if (ret)
		goto out;
	fields = l->verbose || count == 1;
	if (l->json)
		json_array_begin(l->json, "events");
	for (i = 0; i < events.n && !ret; i++)
		if (chosen[i])
			ret = list_events_print_event(l, events.names[i], fields, ++shown == count);
	if (l->json)
		json_array_end(l->json);
out:
	free(chosen);
	names_clear(&events);
	return ret;
}
