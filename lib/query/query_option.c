// SPDX-License-Identifier: LGPL-2.1
/*
 * query_option.c - add the options that say what to count to a query
 *
 * -e begins an event. -R or -k begins a histogram of it. The options -v, -s and -f belong to the
 * histogram of the -k before or after them: parts are collected until a second -k, or a second -v,
 * -s or -f, begins the next histogram.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/expr/switch_trigger.h"
#include "lib/query/query_option.h"

/* An option whose value is an event, to be expanded or not. */
static const struct {
	const char *name;
	enum query_event_kind kind;
} query_option_events[] = {
	{ "-e", QUERY_EVENT },
	{ "--latency", QUERY_LATENCY },
	{ "--sql", QUERY_SQL },
	{ "--function", QUERY_FUNCTION },
	{ "--function-latency", QUERY_FUNCTION_LATENCY },
	{ "--tracer", QUERY_TRACER },
};

/* An option whose value is a part of a histogram. */
static const struct {
	const char *name;
	size_t member; /* of struct query_hist */
} query_option_parts[] = {
	{ "-k", offsetof(struct query_hist, keys) },
	{ "-v", offsetof(struct query_hist, values) },
	{ "-s", offsetof(struct query_hist, sort) },
	{ "-f", offsetof(struct query_hist, filter) },
	{ "-R", offsetof(struct query_hist, raw) },
};

#define N_EVENTS (sizeof(query_option_events) / sizeof(*query_option_events))
#define N_PARTS (sizeof(query_option_parts) / sizeof(*query_option_parts))

static const char **query_option_place(struct query_hist *hist, size_t member)
{
	return (const char **)((char *)hist + member);
}

static int query_option_add_part(struct query *query, unsigned int part, const char *value,
				 struct hist_error *error)
{
	const char *name = query_option_parts[part].name;
	const size_t member = query_option_parts[part].member;
	const bool is_raw = member == offsetof(struct query_hist, raw);
	struct query_event *event;
	struct query_hist *hist;

	if (!query->nevents)
		return hist_error_set(error, -EINVAL,
				      "%s %s: needs an event\n"
				      "put -e SYS:EVENT before %s",
				      name, value, name);
	event = &query->events[query->nevents - 1];
	hist = event->nhists ? &event->hists[event->nhists - 1] : NULL;
	if (!hist || hist->raw || is_raw || *query_option_place(hist, member)) {
		hist = query_add_hist(query);
		if (!hist)
			return -ENOMEM;
	}
	*query_option_place(hist, member) = value;
	if (is_raw)
		hist->is_switch = hist_switch_is_trigger(value);
	return 0;
}

int query_option_apply(struct query *query, const char *name, const char *value,
		       struct hist_error *error)
{
	unsigned int i;
	int ret;

	for (i = 0; i < N_PARTS; i++) {
		if (!strcmp(name, query_option_parts[i].name))
			return query_option_add_part(query, i, value, error);
	}
	if (!strcmp(name, "--synthetic"))
		return query_add_dynevent(query, QUERY_SYNTHETIC, value);
	for (i = 0; i < N_EVENTS && strcmp(name, query_option_events[i].name); i++)
		;
	if (i == N_EVENTS)
		return -ENOENT;
	ret = query_add_event(query, value);
	if (!ret)
		query->events[query->nevents - 1].kind = query_option_events[i].kind;
	return ret;
}

/* True for a probe that --latency, --sql or an action of -R may refer to. */
static bool query_option_serves_others(const struct query *query, const struct query_event *probe)
{
	const char *name = strchr(probe->name, ':');
	unsigned int e;

	for (e = 0; probe->of_probe && name && e < query->nevents; e++) {
		if ((query->events[e].kind == QUERY_LATENCY ||
		     query->events[e].kind == QUERY_SQL) &&
		    strstr(query->events[e].name, name + 1))
			return true;
	}
	return false;
}

/* Check the histograms of @event. */
static int query_option_check_event(const struct query_event *event, struct hist_error *error)
{
	unsigned int h;

	for (h = 0; h < event->nhists; h++) {
		if (event->hists[h].is_switch && event->kind != QUERY_EVENT)
			return hist_error_set(error, -EINVAL,
					      "-R %s: needs an event\n"
					      "put -e SYS:EVENT before -R",
					      event->hists[h].raw);
		if (event->kind == QUERY_EVENT && !event->hists[h].raw && !event->hists[h].keys)
			return hist_error_set(error, -EINVAL,
					      "-e %s: the histogram needs keys\n"
					      "add -k KEYS",
					      event->name);
	}
	return 0;
}

int query_option_check(const struct query *query, bool events_suffice, struct hist_error *error)
{
	unsigned int e, h, hists = 0;
	int ret;

	for (e = 0; e < query->nevents; e++) {
		const struct query_event *event = &query->events[e];

		ret = query_option_check_event(event, error);
		if (ret)
			return ret;
		if (event->kind != QUERY_EVENT) {
			hists++; /* theirs come by themselves */
			continue;
		}
		if (!event->nhists && !events_suffice && !query_option_serves_others(query, event))
			return hist_error_set(error, -EINVAL,
					      "-e %s: the histogram needs keys\n"
					      "add -k KEYS, or -R 'hist:keys=...'",
					      event->name);
		for (h = 0; h < event->nhists; h++)
			hists += !event->hists[h].is_switch;
	}
	return hists ? 0
		     : hist_error_set(error, -EINVAL,
				      "no event to count\n"
				      "add -e SYS:EVENT and -k KEYS, or --preset NAME");
}
