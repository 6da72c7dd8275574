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

#include "lib/base/reason.h"
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
				 char *why, size_t why_len)
{
	const char *name = query_option_parts[part].name;
	const size_t member = query_option_parts[part].member;
	const bool is_raw = member == offsetof(struct query_hist, raw);
	struct query_event *event;
	struct query_hist *hist;

	if (!query->nevents)
		return reason_set(-EINVAL, why, why_len, "%s %s: needs an event\n"
				  "put -e SYS:EVENT before %s", name, value, name);
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

int query_option_apply(struct query *query, const char *name, const char *value, char *why,
		       size_t why_len)
{
	unsigned int i;
	int ret;

	for (i = 0; i < N_PARTS; i++) {
		if (!strcmp(name, query_option_parts[i].name))
			return query_option_add_part(query, i, value, why, why_len);
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
