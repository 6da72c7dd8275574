// SPDX-License-Identifier: LGPL-2.1
/*
 * query.c - add objects, events and histograms to a query
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/query/query.h"

int query_add_dynevent(struct query *query, enum query_dynevent_kind kind, const char *definition)
{
	if (array_add(&query->dynevents, query->ndynevents, sizeof(*query->dynevents)))
		return -ENOMEM;
	query->dynevents[query->ndynevents++] =
		(struct query_dynevent){ .kind = kind, .definition = definition };
	return 0;
}

/* The name in a definition of a probe, "GROUP/EVENT"; 0: @definition does not have one. */
static size_t query_find_probe_name(const char *definition, const char **name)
{
	const char *colon = strpbrk(definition, ": \t");

	if (!colon || *colon != ':')
		return 0;
	*name = colon + 1;
	return strcspn(*name, " \t");
}

struct query_dynevent *query_find_dynevent(const struct query *query, const char *event)
{
	const char *separator = strpbrk(event, ":/"), *name, *slash;
	size_t len, group;
	unsigned int i;

	for (i = 0; i < query->ndynevents; i++) {
		if (query->dynevents[i].kind != QUERY_DYNAMIC)
			continue;
		len = query_find_probe_name(query->dynevents[i].definition, &name);
		slash = len ? memchr(name, '/', len) : NULL;
		if (!slash)
			continue;
		group = slash - name;
		if (separator &&
		    (group != (size_t)(separator - event) || memcmp(name, event, group)))
			continue;
		if (text_equals(slash + 1, len - group - 1, separator ? separator + 1 : event))
			return &query->dynevents[i];
	}
	return NULL;
}

void query_leave_out(struct query *query, const char *what)
{
	unsigned int i, n = 0;

	for (i = 0; i < query->nevents; i++) {
		if (query->events[i].optional == what)
			free(query->events[i].hists);
		else
			query->events[n++] = query->events[i];
	}
	query->nevents = n;
}

int query_add_event(struct query *query, const char *name)
{
	if (array_add(&query->events, query->nevents, sizeof(*query->events)))
		return -ENOMEM;
	query->events[query->nevents++] = (struct query_event){ .name = name };
	return 0;
}

struct query_hist *query_add_hist(struct query *query)
{
	struct query_event *event = &query->events[query->nevents - 1];

	if (array_add(&event->hists, event->nhists, sizeof(*event->hists)))
		return NULL;
	return memset(&event->hists[event->nhists++], 0, sizeof(*event->hists));
}

int query_add_note(struct query *query, bool is_warning, const char *fmt, ...)
{
	struct query_note *note;
	va_list args;
	char *text;

	if (array_add(&query->notes, query->nnotes, sizeof(*query->notes)))
		return -ENOMEM;
	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	note = &query->notes[query->nnotes];
	*note = (struct query_note){ .is_warning = is_warning, .text = query_own(query, text) };
	query->nnotes += note->text != NULL;
	return note->text ? 0 : -ENOMEM;
}

const char *query_own(struct query *query, char *text)
{
	if (!text || array_add(&query->owned, query->nowned, sizeof(*query->owned))) {
		free(text);
		return NULL;
	}
	return query->owned[query->nowned++] = text;
}

const char *query_own_text(struct query *query, struct hist_strbuf *b)
{
	const char *text = query_own(query, hist_strbuf_string(b));

	memset(b, 0, sizeof(*b));
	return text;
}

const char *query_own_printf(struct query *query, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	return query_own(query, text);
}

int query_add_trigger(struct query *query, const char *event, const char *trigger, bool hidden)
{
	struct query_hist *hist;

	if (!event || !trigger || query_add_event(query, event))
		return -ENOMEM;
	hist = query_add_hist(query);
	if (!hist)
		return -ENOMEM;
	hist->raw = trigger;
	hist->hidden = hidden;
	return 0;
}

int query_add_synthetic(struct query *query, const char *name, const char *title)
{
	const char *event = name ? query_own_printf(query, "synthetic:%s", name) : NULL;

	if (!event || !title || query_add_event(query, event))
		return -ENOMEM;
	query->events[query->nevents - 1].title = title;
	return 0;
}

void query_clear(struct query *query)
{
	unsigned int i;

	for (i = 0; i < query->nevents; i++)
		free(query->events[i].hists);
	for (i = 0; i < query->nowned; i++)
		free(query->owned[i]);
	free(query->events);
	free(query->dynevents);
	free(query->needs);
	free(query->settings);
	free(query->owned);
	free(query->captured);
	free(query->notes);
	memset(query, 0, sizeof(*query));
}
