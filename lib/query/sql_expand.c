// SPDX-License-Identifier: LGPL-2.1
/*
 * sql_expand.c - make --sql a histogram, or the triggers of a JOIN and the synthetic event between
 *
 * The triggers of a JOIN are those of libtracefs with the clock and the size of --latency.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/query/fine_log2.h"
#include "lib/query/latency_guard.h"
#include "lib/query/latency_parse.h"
#include "lib/query/sql.h"

#define FIELDS_MAX 3

/* The expansion of a query. */
struct sql_state {
	struct query *query;
	const struct query_event *event; /* QUERY_SQL */
	const struct query_source *source;
	struct hist_error *refusal;
	const char *unique;
	char name[64]; /* of the synthetic event */
	struct sql_found found;
	const struct hist_synth_field *time; /* the first one that is a time, or NULL */
	bool nsecs; /* of @time */
};

/* Add the histogram of a query without JOIN: keys, values and filter. */
static int sql_add_plain(struct sql_state *w)
{
	const struct sql_found_trigger *start = &w->found.start;

	if (w->event->nhists)
		return hist_error_set(w->refusal, -EINVAL,
				      "--sql: only a query with JOIN can be combined "
				      "with -k, -v, -s, -f and -R\nselect the keys in the query");
	return query_add_trigger(w->query, query_own_printf(w->query, "%s", start->event),
				 query_own_printf(w->query, "%s", start->expr->text), false);
}

/* Add the clock and the size to a trigger. */
static const char *sql_adapt_trigger(struct sql_state *w, const struct hist_expr *expr)
{
	const char *word = query_own_printf(w->query, "size=" LATENCY_SIZE ":clock=%s",
					    w->source->clock);

	return word ? query_own(w->query, hist_expr_insert_word(expr, word)) : NULL;
}

static void sql_find_time(struct sql_state *w)
{
	const struct hist_variable *variable;
	unsigned int i;

	for (i = 0; !w->time && i < w->found.synth->nfields; i++) {
		variable = sql_found_time(&w->found, i);
		if (!variable)
			continue;
		w->time = &w->found.synth->fields[i];
		w->nsecs = !strstr(variable->text, "common_timestamp.usecs");
	}
}

/* The default keys: all selected fields, and times in buckets.  0 or -errno. */
static int sql_make_keys(struct sql_state *w, const char **keys)
{
	const struct hist_synth *synth = w->found.synth;
	struct hist_strbuf b = { 0 };
	bool any = false;
	unsigned int i;

	if (synth->nfields > FIELDS_MAX)
		return hist_error_set(w->refusal, -EINVAL,
				      "--sql: the query selects more than three "
				      "fields\nselect up to three of them as keys with -k");
	for (i = 0; i < synth->nfields; i++) {
		hist_strbuf_printf(&b, "%s%s", i ? "," : "", synth->fields[i].name);
		if (!sql_found_time(&w->found, i))
			continue;
		hist_strbuf_str(&b, any ? ".log2" : ".log2=3"); /* kernels take one (fine_log2.c) */
		any = true;
	}
	*keys = query_own_text(w->query, &b);
	return *keys ? 0 : -ENOMEM;
}

/*
 * Leave times that cannot be out of the histograms of the last event, and count them
 * (latency_guard.h).
 */
static int sql_guard_hists(struct sql_state *w)
{
	struct query_event *visible = &w->query->events[w->query->nevents - 1];
	const char *time = query_own_printf(w->query, "%s", w->time->name);
	unsigned int i;
	int ret = time ? 0 : -ENOMEM;

	visible->role = QUERY_PAIRS;
	visible->pairs.guarded = true;
	visible->usual_starts = w->found.end.expr->filter;
	visible->usual_ends = w->found.start.expr->filter;
	for (i = 0; !ret && i < visible->nhists; i++) {
		struct query_hist *hist = &visible->hists[i];

		ret = hist->raw ? latency_guard_add_raw(w->query, &hist->raw, time, w->nsecs) :
				  latency_guard_add(w->query, &hist->filter, time, w->nsecs);
	}
	return ret ? ret : latency_guard_count(w->query, time, w->nsecs, w->unique);
}

static int sql_add_end(struct sql_state *w, bool is_latency)
{
	const struct sql_found_trigger *end = &w->found.end;
	const char *filter = end->expr->filter;
	int ret = query_add_trigger(w->query, query_own_printf(w->query, "%s", end->event),
				    sql_adapt_trigger(w, end->expr), true);

	if (ret || !is_latency)
		return ret;
	w->query->events[w->query->nevents - 1].role = QUERY_END;
	if (filter) {
		filter = query_own_printf(w->query, "%s", filter);
		if (!filter)
			return -ENOMEM;
	}
	return latency_guard_count_ends(w->query, filter, w->unique);
}

static int sql_add_visible_event(struct sql_state *w, const char *keys)
{
	const char *title = query_own_printf(w->query, "sql:%s..%s",
					     strchr(w->found.start.event, ':') + 1,
					     strchr(w->found.end.event, ':') + 1);
	const struct query_event *event = w->event;
	struct query_hist *hist;
	unsigned int i;

	if (query_add_synthetic(w->query, query_own_printf(w->query, "%s", w->name), title))
		return -ENOMEM;
	w->query->events[w->query->nevents - 1].usual_starts = event->usual_starts;
	w->query->events[w->query->nevents - 1].usual_ends = event->usual_ends;
	for (i = 0; i == 0 || i < event->nhists; i++) {
		hist = query_add_hist(w->query);
		if (!hist)
			return -ENOMEM;
		if (event->nhists)
			*hist = event->hists[i];
		if (hist->raw || hist->keys)
			continue;
		hist->keys = keys;
		if (fine_log2_settle(w->query, w->source->kernel, hist))
			return -ENOMEM;
	}
	return 0;
}

static int sql_add_join(struct sql_state *w)
{
	const struct sql_found *found = &w->found;
	bool need_keys = !w->event->nhists, is_latency;
	const char *definition, *keys = NULL;
	unsigned int i;
	int ret = 0;

	sql_find_time(w);
	is_latency = w->time && w->source->kernel;
	/* START would overwrite the time before END of the same hit reads it */
	if (w->time && !strcmp(found->start.event, found->end.event))
		return hist_error_set(
			w->refusal, -EINVAL,
			"--sql: both events of the JOIN are %s, so each "
			"time would be 0\nuse --latency %s:KEY..%s:KEY, which measures from "
			"one %s to the next",
			found->start.event, found->start.event, found->end.event,
			found->start.event);
	for (i = 0; i < w->event->nhists; i++)
		need_keys |= !w->event->hists[i].raw && !w->event->hists[i].keys;
	if (need_keys)
		ret = sql_make_keys(w, &keys);
	if (ret)
		return ret;
	definition = query_own_printf(w->query, "%s", found->definition);
	if (!definition || query_add_dynevent(w->query, QUERY_SYNTHETIC, definition))
		return -ENOMEM;
	ret = query_add_trigger(w->query, query_own_printf(w->query, "%s", found->start.event),
				sql_adapt_trigger(w, found->start.expr), true);
	if (ret)
		return ret;
	if (is_latency)
		w->query->events[w->query->nevents - 1].role = QUERY_START;
	ret = sql_add_end(w, is_latency);
	if (!ret)
		ret = sql_add_visible_event(w, keys);
	return ret || !is_latency ? ret : sql_guard_hists(w);
}

int sql_expand(struct query *query, const struct query_event *event, const char *unique,
	       const struct query_source *source, struct hist_error *refusal)
{
	struct sql_state w = {
		.query = query,
		.event = event,
		.source = source,
		.refusal = refusal,
		.unique = unique,
	};
	struct hist_strbuf commands = { 0 };
	struct sql_text text;
	int ret;

	snprintf(w.name, sizeof(w.name), "trace_cmd_hist_%s", unique);
	ret = sql_text_read(&text, event->name, refusal);
	if (!ret)
		ret = source->sql->parse(source->sql, &text, w.name, &commands, refusal);
	if (!ret) {
		ret = sql_found_read(&w.found, &commands, w.name);
		if (ret == -EINVAL)
			hist_error_set(refusal, ret,
				       "--sql: what libtracefs makes of the query is not a "
				       "histogram or a latency\nsee tracefs_sql(3)");
	}
	if (!ret)
		ret = w.found.synth ? sql_add_join(&w) : sql_add_plain(&w);
	sql_found_clear(&w.found);
	hist_strbuf_free(&commands);
	sql_text_clear(&text);
	return ret;
}
