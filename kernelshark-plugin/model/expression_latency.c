// SPDX-License-Identifier: GPL-2.0
/*
 * expression_latency.c - latencies from one event to another, as expressions
 *
 * "--latency START:KEYS..END:KEYS" is the option of `record`. lib/query expands it for both, here
 * to the statements of an expression.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/base/reason.h"
#include "lib/query/latency_expand.h"
#include "lib/query/latency_parse.h"

#define OPTION "--latency"

static const struct expression_latency latencies[] = {
	{ "sched_waking", "sched_switch", "pid", "next_pid", "Wake-ups, until the task runs" },
	{ "sched_wakeup", "sched_switch", "pid", "next_pid",
	  "Wake-ups, from the run queue until the task runs" },
	{ "irq_handler_entry", "irq_handler_exit", "irq,common_cpu", "irq,common_cpu",
	  "Interrupt handlers" },
	{ "softirq_entry", "softirq_exit", "vec,common_cpu", "vec,common_cpu", "Softirqs" },
	{ "block_rq_issue", "block_rq_complete", "dev,sector", "dev,sector", "Block requests" },
	{ "block_bio_queue", "block_rq_complete", "dev,sector", "dev,sector",
	  "Block requests, with the wait in the queue" },
	{ "workqueue_queue_work", "workqueue_execute_start", "work", "work",
	  "Work items, from the queue until they run" },
	{ "workqueue_execute_start", "workqueue_execute_end", "work", "work",
	  "Work items, from start to end" },
	{ "sys_enter*", "sys_exit*", "common_pid", "common_pid", "System calls" },
};

#define LATENCIES (sizeof(latencies) / sizeof(*latencies))

static bool expression_latency_is_like(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strcmp(name, pattern);
}

const struct expression_latency *expression_latency_find(const char *start, const char *end)
{
	unsigned int i;

	for (i = 0; i < LATENCIES; i++)
		if (expression_latency_is_like(start, latencies[i].start) &&
		    expression_latency_is_like(end, latencies[i].end))
			return &latencies[i];
	return NULL;
}

/* Without the '*' of a pattern. */
static const char *expression_latency_system(const struct hist_events *events, const char *pattern,
					     char *name, size_t room)
{
	snprintf(name, room, "%.*s", (int)strcspn(pattern, "*"), pattern);
	return file_events_find_system(events, name);
}

bool expression_get_latency(const struct hist_events *events, unsigned int i, const char **title,
			    struct hist_strbuf *text)
{
	char start[64], end[64];
	unsigned int k;

	for (k = 0; k < LATENCIES; k++) {
		const struct expression_latency *l = &latencies[k];
		const char *from = expression_latency_system(events, l->start, start, sizeof(start));
		const char *to = expression_latency_system(events, l->end, end, sizeof(end));

		if (!from || !to || i--)
			continue;
		*title = l->title;
		hist_strbuf_printf(text, OPTION " %s:%s:%s..%s:%s:%s", from, start, l->start_keys, to,
				   end, l->end_keys);
		return true;
	}
	return false;
}

/* The events of a file, for latency_expand(). */
struct expression_source {
	struct query_source source;
	const struct hist_events *events;
};

static int expression_find_event(const struct query_source *source, const struct query *query,
				 const struct query_event *wanted, const char *name,
				 struct query_found *found, struct query_refusal *refusal)
{
	const struct hist_events *events = ((const struct expression_source *)source)->events;
	const char *colon = strchr(name, ':'), *system;
	int ret;

	(void)query;
	(void)wanted;
	system = colon ? NULL : file_events_find_system(events, name);
	if (!colon && !system)
		return reason_set(-EINVAL, refusal->why, sizeof(refusal->why),
				  OPTION ": no event \"%s\" in any system", name);
	if (colon)
		found->full_name = strdup(name);
	else if (asprintf(&found->full_name, "%s:%s", system, name) < 0)
		found->full_name = NULL;
	if (!found->full_name)
		return -ENOMEM;
	ret = file_events_parse(&found->event, events, found->full_name, strlen(found->full_name));
	return ret || found->event ? ret :
	       reason_set(-EINVAL, refusal->why, sizeof(refusal->why),
			  OPTION ": the file does not have the event %s", found->full_name);
}

static void expression_put_query(struct hist_strbuf *to, const struct query *query)
{
	unsigned int i, h;

	for (i = 0; i < query->ndynevents; i++)
		hist_strbuf_printf(to, "s:%s; ", query->dynevents[i].definition);
	for (i = 0; i < query->nevents; i++)
		for (h = 0; h < query->events[i].nhists; h++)
			hist_strbuf_printf(to, "%s%s %s", i || h ? "; " : "", query->events[i].name,
					   query->events[i].hists[h].raw);
}

static int expression_refuse(int ret, const struct query_refusal *refusal, char *why,
			     size_t why_len)
{
	if (refusal->why[0])
		return reason_set(ret, why, why_len, "%s", refusal->why);
	return refusal->error.what[0] ? reason_set(ret, why, why_len, "%s%s%s", refusal->error.what,
						   refusal->error.hint[0] ? "\n" : "",
						   refusal->error.hint) : ret;
}

/* The histogram of a latency, in its unit; NULL without memory. */
static const char *expression_get_trigger(const char *latency)
{
	struct latency spec;
	bool nsecs;
	char why[1];
	/* what is wrong is said by latency_expand() */
	int ret = latency_parse(&spec, latency, why, sizeof(why));

	nsecs = spec.nsecs;
	latency_clear(&spec);
	if (ret == -ENOMEM)
		return NULL;
	return nsecs ? "hist:keys=lat_ns.log2:vals=lat_ns" : "hist:keys=lat_us.log2:vals=lat_us";
}

int expression_expand(struct hist_strbuf *to, const struct hist_events *events, const char *text,
		      char *why, size_t why_len)
{
	struct expression_source source = {
		.source = { .find = expression_find_event, .synth = "latency" },
		.events = events,
	};
	const char *start = text + strspn(text, BLANKS);
	struct query_hist hist = { 0 };
	struct query_event event = { .kind = QUERY_LATENCY, .hists = &hist, .nhists = 1 };
	struct query_refusal refusal;
	struct query query = { 0 };
	size_t len;
	int ret;

	if (strncmp(start, OPTION, strlen(OPTION)) || !strchr(BLANKS "=", start[strlen(OPTION)])) {
		hist_strbuf_str(to, text);
		return to->error;
	}
	start += strlen(OPTION);
	start += strspn(start, BLANKS "=");
	for (len = strlen(start); len && strchr(BLANKS, start[len - 1]); len--)
		;
	event.name = query_own_printf(&query, "%.*s", (int)len, start);
	hist.raw = event.name ? expression_get_trigger(event.name) : NULL;
	ret = hist.raw ? latency_expand(&query, &event, "1", &source.source, &refusal) : -ENOMEM;
	if (!ret) {
		expression_put_query(to, &query);
		ret = to->error;
	} else if (ret != -ENOMEM) {
		ret = expression_refuse(ret, &refusal, why, why_len);
	}
	query_clear(&query);
	return ret;
}
