// SPDX-License-Identifier: LGPL-2.1
/*
 * query_expand.c - check the needs of a query, and expand its options to events with triggers
 *
 * The events are taken out of the query, and put back one by one: as they are, or expanded.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hist/table.h"
#include "lib/query/fine_log2.h"
#include "lib/query/function_expand.h"
#include "lib/query/latency_expand.h"
#include "lib/query/query_expand.h"
#include "lib/query/sql.h"
#include "lib/query/tracer_expand.h"

/* The event of a need, "SYS:EVENT"; NULL: the need is not an event. */
static const char *query_expand_event_of(const struct query_need *need)
{
	return strchr(need->what, ':') ? need->what + strlen("event ") : NULL;
}

/* A recording lacks an event of the preset: name all its events for `trace-cmd record`. */
static int query_expand_refuse_recording(const struct query *query, const struct query_need *need,
					 const struct query_source *source,
					 struct hist_error *refusal)
{
	struct hist_strbuf events = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i < query->nneeds; i++)
		if (query_expand_event_of(&query->needs[i]) && !query->needs[i].omits &&
		    !strcmp(query->needs[i].preset, need->preset))
			hist_strbuf_printf(&events, " -e %s",
					   query_expand_event_of(&query->needs[i]));
	ret = events.error ? -ENOMEM
			   : hist_error_set(
				     refusal, -EOPNOTSUPP,
				     "--preset %s: %s does not contain the event %s\n"
				     "record the events of the preset with 'trace-cmd record%.*s'",
				     need->preset, source->recording, query_expand_event_of(need),
				     (int)events.len, events.data);
	hist_strbuf_free(&events);
	return ret;
}

/* @why is what the kernel lacks, such as "no event x:y", or a whole sentence. */
static int query_expand_refuse_need(const struct query *query, const struct query_need *need,
				    const struct query_source *source, const char *why,
				    struct hist_error *refusal)
{
	bool lacks = !strncmp(why, "no ", 3);

	if (source->recording && query_expand_event_of(need))
		return query_expand_refuse_recording(query, need, source, refusal);
	return hist_error_set(refusal, -EOPNOTSUPP, "--preset %s: %s%s%s%s%s", need->preset,
			      lacks ? "this kernel has " : "", why,
			      lacks && need->since ? "; the preset needs Linux " : "",
			      lacks && need->since ? need->since : "",
			      lacks && need->since ? " or later" : "");
}

/* @why is what the kernel lacks, such as "no event x:y". */
static int query_expand_leave_out(struct query *query, const struct query_need *need,
				  const struct query_source *source, const char *why)
{
	query_leave_out(query, need->what);
	if (!*need->omits)
		return 0;
	if (source->recording)
		return query_add_note(query, false, "--preset %s: %s, because %s does not contain "
				      "the event %s", need->preset, need->omits, source->recording,
				      query_expand_event_of(need));
	return query_add_note(query, false, "--preset %s: %s, because this kernel has %s",
			      need->preset, need->omits, why);
}

static int query_expand_check_needs(struct query *query, const struct query_source *source,
				    struct hist_error *refusal)
{
	const struct query_need *need;
	struct hist_error error = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i < query->nneeds; i++) {
		need = &query->needs[i];
		ret = source->ops->find_missing(source, need->what, &error);
		if (ret < 0)
			return hist_error_set(refusal, ret, "--preset %s: %s: %s", need->preset,
					      need->what, strerror(-ret));
		if (ret > 0)
			ret = need->omits ? query_expand_leave_out(query, need, source, error.what)
					  : query_expand_refuse_need(query, need, source,
								     error.what, refusal);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Replace kprobes at the start or the return of a function by fprobe events if the kernel has them:
 * they cost less, and a return is not missed while a handler runs. The kernel gets the kprobe if it
 * refuses the fprobe event.
 */
static int query_expand_use_fprobes(struct query *query, const struct query_source *source)
{
	struct query_dynevent *object;
	const char *text, *name;
	size_t head, place;
	unsigned int i;

	for (i = 0; i < query->ndynevents; i++) {
		object = &query->dynevents[i];
		if (!object->is_plain || !source->ops->has_fprobes ||
		    !source->ops->has_fprobes(source))
			continue;
		/* "p:GROUP/EVENT SYMBOL ARGS", "r4096:GROUP/EVENT SYMBOL ARGS" */
		text = object->definition;
		head = strcspn(text, ":");
		name = text + head;
		place = strcspn(name, " \t");
		place += strspn(name + place, " \t");
		place += strcspn(name + place, " \t");
		object->fallback = text;
		object->definition = query_own_printf(query, "f%.*s%.*s%s%s", (int)head - 1,
						      text + 1, (int)place, name,
						      *text == 'r' ? "%return" : "", name + place);
		if (!object->definition)
			return -ENOMEM;
	}
	return 0;
}

/* Fit the keys of presets to the kernel. */
static int query_expand_settle(struct query *query, const struct query_source *source)
{
	struct query_event *event;
	unsigned int i;
	int ret = 0;

	for (event = query->events; event < query->events + query->nevents; event++)
		for (i = 0; !ret && i < event->nhists; i++)
			if (event->hists[i].of_preset)
				ret = fine_log2_settle(query, source->kernel, &event->hists[i]);
	return ret;
}

static int query_expand_keep(struct query *query, struct query_event *event)
{
	int ret = query_add_event(query, event->name);

	if (ret)
		return ret;
	/* the ownership of the histograms moves */
	query->events[query->nevents - 1] = *event;
	event->hists = NULL;
	return 0;
}

static int query_expand_event(struct query *query, struct query_event *event, unsigned int number,
			      const struct query_source *source, struct hist_error *refusal)
{
	bool of_time = event->kind == QUERY_LATENCY || event->kind == QUERY_FUNCTION_LATENCY;
	char unique[32];

	if (event->kind == QUERY_EVENT)
		return query_expand_keep(query, event);
	snprintf(unique, sizeof(unique), "%s_%u", source->unique, number);
	if (of_time && source->clock && !hist_clock_is_ns(source->clock))
		return hist_error_set(refusal, -EINVAL,
				      "-C %s: this clock is not in nanoseconds, so %s "
				      "cannot use this clock\nuse a clock such as mono",
				      source->clock,
				      event->kind == QUERY_LATENCY ? "--latency"
								   : "--function-latency");
	switch (event->kind) {
	case QUERY_LATENCY:
		return latency_expand(query, event, unique, source, refusal);
	case QUERY_TRACER:
		return tracer_expand(query, event, unique, source, refusal);
	case QUERY_SQL:
		return source->sql ? sql_expand(query, event, unique, source, refusal)
				   : hist_error_set(refusal, -EOPNOTSUPP,
						    "--sql: cannot be used here\n"
						    "use 'trace-cmd hist replay --sql'");
	default:
		return function_expand(query, event, unique, source, refusal);
	}
}

int query_expand(struct query *query, const struct query_source *source, struct hist_error *refusal)
{
	struct query_event *events;
	unsigned int n, i;
	int ret;

	ret = query_expand_check_needs(query, source, refusal);
	if (!ret)
		ret = query_expand_use_fprobes(query, source);
	if (!ret)
		ret = query_expand_settle(query, source);
	if (ret)
		return ret;
	events = query->events;
	n = query->nevents;
	query->events = NULL;
	query->nevents = 0;
	for (i = 0; i < n; i++) {
		if (!ret)
			ret = query_expand_event(query, &events[i], i, source, refusal);
		free(events[i].hists);
	}
	free(events);
	return ret;
}
