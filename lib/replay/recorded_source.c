// SPDX-License-Identifier: LGPL-2.1
/*
 * recorded_source.c - the events of a file answer what the expansion of a query asks
 *
 * A file does not say which tracer was used, but the first event of a tracer does.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/base/text.h"
#include "lib/query/capability_info.h"
#include "lib/query/function_field.h"
#include "lib/replay/recorded_source.h"
#include "lib/ringbuf/file_events.h"

static const struct recorded_source *recorded_source_from(const struct query_source *source)
{
	return (const struct recorded_source *)source;
}

/* --- events --- */

/* The only system with the event @name. */
static int recorded_source_find_system(const struct hist_events *events, const char *name,
				       const char **found, struct hist_error *refusal)
{
	const char *system, *one;
	unsigned int i;
	size_t len;

	*found = NULL;
	for (i = 0; file_events_get(events, i, &system, &one, &len); i++) {
		if (!text_equals(one, len, name) || (*found && !strcmp(*found, system)))
			continue;
		if (*found)
			return hist_error_set(refusal, -EINVAL,
					      "%s: the event exists in both %s and %s\n"
					      "use SYS:EVENT",
					      name, *found, system);
		*found = system;
	}
	return *found ? 0
		      : hist_error_set(refusal, -EINVAL, "%s: no such event in the recording",
				       name);
}

/* An unknown system comes before an unknown event: events of another system would not help. */
static int recorded_source_refuse_event(const struct hist_events *events, const char *system,
					const char *name, struct hist_error *refusal)
{
	struct names names = { 0 };
	bool has_system = false;
	const char *near = NULL;
	int ret;

	ret = file_events_list(&names, events, system);
	if (!ret && names.n) {
		has_system = true;
		near = hist_suggest(name, (const char *const *)names.names, names.n);
	} else if (!ret) {
		ret = file_events_list(&names, events, NULL);
		if (!ret && names.n)
			near = hist_suggest(system, (const char *const *)names.names, names.n);
	}
	if (!ret && near)
		ret = hist_error_set(refusal, -ENOENT, "%s:%s: no such %s\ndid you mean \"%s\"?",
				     system, name, has_system ? "event" : "event system", near);
	else if (!ret)
		ret = hist_error_set(refusal, -ENOENT, "%s:%s: no such %s in the recording", system,
				     name, has_system ? "event" : "event system");
	names_clear(&names);
	return ret;
}

static int recorded_source_parse_event(const struct recorded_source *s, const char *system,
				       const char *name, const char *function_field,
				       struct query_found *found, struct hist_error *refusal)
{
	int ret;

	if (!*name || !*system || strpbrk(name, ":/.") || *system == '.')
		return hist_error_set(refusal, -EINVAL, "%s:%s: not an event name\nuse SYS:EVENT",
				      system, name);
	ret = file_events_read(&found->event, s->events, system, name);
	if (ret == -ENOENT)
		return recorded_source_refuse_event(s->events, system, name, refusal);
	if (!ret && function_field)
		ret = function_field_rename(found->event, function_field);
	if (ret)
		return hist_error_set(refusal, ret, "%s:%s: cannot parse the format file: %s",
				      system, name, strerror(-ret));
	if (asprintf(&found->full_name, "%s:%s", system, name) < 0) {
		found->full_name = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int recorded_source_find(const struct query_source *source, const struct query *query,
				const struct query_event *wanted, const char *name,
				struct query_found *found, struct hist_error *refusal)
{
	const struct recorded_source *s = recorded_source_from(source);
	const char *field = wanted->of_tracer ? wanted->function_field : NULL, *colon, *system;
	char *own;
	int ret;

	(void)query;
	colon = strpbrk(name, ":/");
	if (!colon) {
		ret = recorded_source_find_system(s->events, name, &system, refusal);
		return ret ? ret
			   : recorded_source_parse_event(s, system, name, field, found, refusal);
	}
	own = strndup(name, colon - name);
	if (!own)
		return -ENOMEM;
	ret = recorded_source_parse_event(s, own, colon + 1, field, found, refusal);
	free(own);
	return ret;
}

/* --- needs --- */

static bool recorded_source_has_event(const struct recorded_source *s, const char *name)
{
	const char *colon = strchr(name, ':'), *text;
	char *system = strndup(name, colon - name);
	size_t len;
	bool has;

	has = system && !hist_events_format(s->events, system, colon + 1, &text, &len);
	free(system);
	return has;
}

static int recorded_source_find_recorded_tracer(const struct query_source *source,
						const char **tracer)
{
	const struct recorded_source *s = recorded_source_from(source);

	*tracer = s->tracer;
	return *tracer ? 0 : recorded_source_find_tracer(s, 0, tracer);
}

/* A need such as "timerlat_tracer": 1 if no event of this tracer was recorded. */
static int recorded_source_lacks_tracer(const struct query_source *source, const char *need,
					struct hist_error *error)
{
	const size_t len = strlen(need) - strlen("_tracer");
	const char *tracer;
	int ret = recorded_source_find_recorded_tracer(source, &tracer);

	/* function_graph records the calls, too */
	if (ret || text_equals(need, len, tracer) ||
	    (text_equals(need, len, "function") && !strcmp(tracer, "function_graph")))
		return ret;
	hist_error_set(error, -ENOENT, "the recording has no events of the \"%.*s\" tracer",
		       (int)len, need);
	return 1;
}

static int recorded_source_find_missing(const struct query_source *source, const char *what,
					struct hist_error *error)
{
	static const char tracer[] = "_tracer";
	const struct recorded_source *s = recorded_source_from(source);
	const struct capability_info *info = capability_info_find(what);
	const size_t len = strlen(what);

	if (strchr(what, ':')) {
		what += strlen("event ");
		hist_error_set(error, -ENOENT, "no event %s", what);
		return !recorded_source_has_event(s, what);
	}
	if (len > strlen(tracer) && !strcmp(what + len - strlen(tracer), tracer))
		return recorded_source_lacks_tracer(source, what, error);
	if (!info || (info->base != CAP_KPROBES && info->base != CAP_UPROBES))
		return 0; /* the engine has it */
	hist_error_set(error, -EOPNOTSUPP, "a recording has no events of new probes");
	return 1;
}

/* --- functions and tracers --- */

static int recorded_source_list_functions(const struct query_source *source,
					  struct hist_strbuf *list)
{
	const struct recorded_source *s = recorded_source_from(source);
	const char *name;
	size_t i = 0;

	/* of all that the recording knows, any may have been traced */
	while (!list->error && (name = hist_events_next_function(s->events, &i)))
		hist_strbuf_printf(list, "%s\n", name);
	return list->error;
}

/* A tracer, and the event that it writes. */
static const struct {
	const char *tracer, *event;
} recorded_tracers[] = {
	{ "function", "function" }, { "function_graph", "funcgraph_entry" },
	{ "timerlat", "timerlat" }, { "osnoise", "osnoise" },
	{ "hwlat", "hwlat" },
};

#define N_TRACERS (sizeof(recorded_tracers) / sizeof(*recorded_tracers))

static unsigned int recorded_source_event_number(const struct hist_events *events, const char *name)
{
	struct hist_event *event = NULL;
	unsigned int number = 0;
	const char *text;
	size_t len;

	if (!hist_events_format(events, "ftrace", name, &text, &len) &&
	    !hist_event_parse(&event, "ftrace", text, len))
		number = event->id;
	hist_event_free(event);
	return number;
}

/* The tracer that wrote an event of @page, or NULL. @numbers: of the events of recorded_tracers. */
static const char *recorded_source_tracer_in_page(struct hist_ring_page *page,
						  const unsigned int *numbers)
{
	const unsigned char *data;
	unsigned int number, i;
	uint32_t len;

	while (hist_ring_page_next(page, &data, &len)) {
		number = len < 2 ? 0 : hist_ring_page_number(page, data);
		for (i = 0; number && i < N_TRACERS; i++) {
			if (number == numbers[i])
				return recorded_tracers[i].tracer;
		}
	}
	return NULL;
}

int recorded_source_find_tracer(const struct recorded_source *s, unsigned int most,
				const char **tracer)
{
	const unsigned int cpus = hist_events_buffer(s->events, s->buffer)->cpus;
	unsigned int numbers[N_TRACERS], cpu, n, i;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	const char *found = NULL;
	int ret = 0;

	for (i = 0; i < N_TRACERS; i++)
		numbers[i] = recorded_source_event_number(s->events, recorded_tracers[i].event);
	for (cpu = 0; !ret && !found && cpu < cpus; cpu++) {
		ret = hist_events_pages_open(&pages, s->events, s->buffer, cpu);
		if (ret)
			break;
		for (n = 0; !found && (!most || n < most); n++) {
			ret = hist_events_pages_next(pages, &page);
			if (ret == 1)
				found = recorded_source_tracer_in_page(&page, numbers);
			else if (ret != -EBADMSG)
				break;
		}
		hist_events_pages_free(pages);
		ret = ret < 0 && ret != -EBADMSG ? ret : 0;
	}
	*tracer = found ? found : "nop";
	return ret;
}

static const struct query_source_ops recorded_source_ops = {
	.find = recorded_source_find,
	.find_missing = recorded_source_find_missing,
	.list_functions = recorded_source_list_functions,
	.find_recorded_tracer = recorded_source_find_recorded_tracer,
};

void recorded_source_init(struct recorded_source *s, struct hist_events *events,
			  unsigned int buffer, const char *file)
{
	*s = (struct recorded_source){
		.source = {
			.ops = &recorded_source_ops,
			.recording = file,
			.clock = hist_events_buffer(events, buffer)->clock,
			.unique = "replay",
		},
		.events = events,
		.buffer = buffer,
	};
}
