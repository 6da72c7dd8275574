// SPDX-License-Identifier: GPL-2.0
/*
 * sql.c - expand a --sql query with libtracefs
 *
 * libtracefs looks up events in a tep handle. The handle is filled from the format files of the
 * target, only with events whose names occur in the query. A query with a JOIN becomes a synthetic
 * event: tracefs_synth_echo_cmd() prints the shell commands that would create it, and the quoted
 * strings of these commands go into the plan.
 */
#include <ctype.h>
#include <errno.h>
#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>
#include <tracefs.h>

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"
#include "lib/query/latency_guard.h"
#include "lib/query/latency_parse.h"
#include "tracecmd/base/message.h"
#include "tracecmd/session/sql.h"
#include "tracecmd/target/target_path.h"

#define FIELDS_MAX 3

/* True if @text contains @word as a whole word. */
static bool sql_has_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	const char *at;

	for (at = text; (at = strstr(at, word)); at++) {
		bool before = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
		bool behind = isalnum((unsigned char)at[len]) || at[len] == '_';

		if (!before && !behind)
			return true;
	}
	return false;
}

static int sql_add_format(struct tep_handle *tep, struct hist_target *t, const char *system,
			  const char *name)
{
	struct target_buf buf = { 0 };
	int ret;

	ret = target_readf(t, &buf, "events/%s/%s/format", system, name);
	if (!ret && tep_parse_event(tep, buf.data, buf.len, system))
		ret = -EINVAL;
	if (ret)
		message_error("--sql: cannot read the format file of %s:%s: %s", system, name,
			       strerror(-ret));
	free(buf.data);
	return ret;
}

/* Load the formats of the events that the query could mean. */
static int sql_add_formats(struct tep_handle *tep, struct hist_target *t, const char *query)
{
	struct target_buf buf = { 0 };
	char *line, *colon, *save = NULL;
	int ret;

	ret = t->ops->read(t, "available_events", &buf);
	if (ret)
		message_error("--sql: available_events: %s", strerror(-ret));
	for (line = ret ? NULL : strtok_r(buf.data, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save)) {
		colon = strchr(line, ':');
		if (!colon || !sql_has_word(query, colon + 1))
			continue;
		*colon = '\0';
		ret = sql_add_format(tep, t, line, colon + 1);
	}
	free(buf.data);
	return ret;
}

/* Print the message of libtracefs, which has several lines, with the query and a caret. */
static int sql_report_query(char *message)
{
	char *line, *rest = message;
	size_t len = message ? strlen(message) : 0;

	while (len && message[len - 1] == '\n')
		message[--len] = '\0';
	if (!len)
		return message_refuse(-EINVAL, "--sql: libtracefs cannot parse the query, or the "
				      "query names an event or field that does not exist\n"
				      "see tracefs_sql(3)");
	message_error("--sql: the query has an error:");
	while ((line = strsep(&rest, "\n")))
		message_print_to(stderr, "%s", line);
	return -EINVAL;
}

/*
 * Get TEXT of the command "echo 'TEXT' >> FILE" in line @n. The plan owns the result. *@file points
 * to FILE. NULL if the line is not such a command.
 */
static const char *sql_copy_quoted(struct query *query, const struct trace_seq *seq, unsigned int n,
				   const char **file)
{
	const char *line = seq->buffer, *end = NULL;

	while (line && n--) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (line && !strncmp(line, "echo '", 6)) {
		line += 6;
		end = strstr(line, "' >");
	}
	if (!end)
		return NULL;
	*file = strchr(end, '/');
	return *file ? query_own(query, strndup(line, end - line)) : NULL;
}

/* Add the histogram of a query without JOIN: keys, values and filter. */
static int add_plain(struct query *query, const struct query_event *event, struct tracefs_synth *synth)
{
	struct tracefs_hist *hist = tracefs_synth_get_start_hist(synth);
	const char *trigger, *file;
	struct trace_seq seq;
	int ret;

	trace_seq_init(&seq);
	if (event->nhists) {
		ret = message_refuse(-EINVAL, "--sql: only a query with JOIN can be combined with "
				     "-k, -v, -s, -f and -R\nselect the keys in the query");
	} else if (!hist || tracefs_hist_echo_cmd(&seq, NULL, hist, TRACEFS_HIST_CMD_START)) {
		ret = message_refuse(-EINVAL, "--sql: libtracefs cannot create a histogram from the "
				     "query\nsee HISTOGRAMS in tracefs_sql(3)");
	} else {
		trace_seq_terminate(&seq);
		trigger = sql_copy_quoted(query, &seq, 0, &file);
		ret = query_add_trigger(query, query_own_printf(query, "%s:%s",
							     tracefs_hist_get_system(hist),
							     tracefs_hist_get_event(hist)),
				       trigger, false);
	}
	trace_seq_destroy(&seq);
	tracefs_hist_free(hist);
	return ret;
}

/* "SYS:EVENT" of ".../events/SYS/EVENT/trigger\n" */
static const char *sql_event_from_path(struct query *query, const char *file)
{
	const char *end = strstr(file, "/trigger\n");
	const char *event = end ? memrchr(file, '/', end - file) : NULL;
	const char *system = event ? memrchr(file, '/', event - file) : NULL;

	return system ? query_own_printf(query, "%.*s:%.*s", (int)(event - system - 1), system + 1,
					(int)(end - event - 1), event + 1) : NULL;
}

/*
 * Add the clock and the size to a trigger, and write its action in the newer form: libtracefs
 * writes the form of Linux 4.17 if it cannot read the README of this machine.
 */
static const char *sql_adapt_trigger(struct query *query, const char *text, const char *name,
				     const char *clock)
{
	const char *old = query_own_printf(query, ").%s(", name), *at;
	const char *word = query_own_printf(query, "size=" LATENCY_SIZE ":clock=%s", clock);
	struct hist_expr *expr;
	char *with;

	if (!text || !old || !word)
		return NULL;
	at = strstr(text, old);
	if (at)
		text = query_own_printf(query, "%.*s).trace(%s,%s", (int)(at - text), text, name,
				       at + strlen(old));
	if (!text || hist_expr_parse(&expr, text, NULL))
		return NULL;
	with = hist_expr_insert_word(expr, word);
	hist_expr_free(expr);
	return query_own(query, with);
}

/* True if parameter @n of trace() in @trigger is a difference of times. */
static bool is_time(const char *trigger, unsigned int n)
{
	const char *c = strstr(trigger, ").trace("), *var;
	char name[80];
	size_t len;

	for (n++; c && n--;)
		c = strchr(c + 1, ',');
	if (!c || c[1] != '$')
		return false;
	len = strcspn(c + 2, ",)");
	snprintf(name, sizeof(name), "%.*s=", (int)len, c + 2);
	var = strstr(trigger, name);
	if (!var)
		return false;
	var += strlen(name);
	len = strcspn(var, ",:");
	return memmem(var, len, "common_timestamp", strlen("common_timestamp")) &&
	       memchr(var, '-', len);
}

/* The default keys: all selected fields, and times in powers of two. */
static const char *default_keys(struct query *query, const char *definition, const char *end)
{
	struct hist_strbuf b = { 0 };
	const char *c = strchr(definition, ' '), *stop, *name;
	unsigned int n = 0;

	for (; c && *c; c = *stop ? stop + 1 : stop) {
		stop = strchrnul(c, ';');
		for (name = stop; name > c && name[-1] != ' '; name--)
			;
		if (name == stop)
			continue;
		if (n == FIELDS_MAX) {
			message_error("--sql: the query selects more than three fields\n"
				      "select up to three of them as keys with -k");
			hist_strbuf_free(&b);
			return NULL;
		}
		hist_strbuf_printf(&b, "%s%.*s%s", n ? "," : "", (int)strcspn(name, ";["), name,
				   is_time(end, n) ? ".log2" : "");
		n++;
	}
	return query_own_text(query, &b);
}

/* The name of the first field of @definition that is a time (is_time()), or NULL; *@failed: no memory. */
static const char *sql_find_time(struct query *query, const char *definition, const char *end,
				 bool *failed)
{
	const char *c = strchr(definition, ' '), *stop, *name;
	unsigned int n = 0;

	for (; c && *c; c = *stop ? stop + 1 : stop) {
		stop = strchrnul(c, ';');
		for (name = stop; name > c && name[-1] != ' '; name--)
			;
		if (name == stop || !is_time(end, n++))
			continue;
		name = query_own_printf(query, "%.*s", (int)(stop - name), name);
		*failed = !name;
		return name;
	}
	return NULL;
}

/* Leave times that cannot be out of the histograms of the last event, and count them (latency_guard.h). */
static int sql_guard_hists(struct query *query, const char *start, const char *end, const char *time,
			   const char *unique)
{
	struct query_event *visible = &query->events[query->nevents - 1];
	bool nsecs = !strstr(end, "common_timestamp.usecs");
	unsigned int i;
	int ret = 0;

	visible->role = QUERY_PAIRS;
	visible->pairs.guarded = true;
	visible->usual_starts = strstr(end, " if ");
	visible->usual_ends = strstr(start, " if ");
	for (i = 0; !ret && i < visible->nhists; i++) {
		struct query_hist *hist = &visible->hists[i];

		ret = hist->raw ? latency_guard_add_raw(query, &hist->raw, time, nsecs) :
				  latency_guard_add(query, &hist->filter, time, nsecs);
	}
	return ret ? ret : latency_guard_count(query, time, nsecs, unique);
}

static int sql_add_end(struct query *query, const char *event, const char *end, bool is_latency,
		       const char *unique)
{
	struct hist_expr *expr;
	const char *filter = NULL;
	int ret = query_add_trigger(query, event, end, true);

	if (ret || !is_latency)
		return ret;
	query->events[query->nevents - 1].role = QUERY_END;
	ret = hist_expr_parse(&expr, end, NULL);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	if (expr->filter)
		filter = query_own_printf(query, "%s", expr->filter);
	ret = expr->filter && !filter ? -ENOMEM : latency_guard_count_ends(query, filter, unique);
	hist_expr_free(expr);
	return ret;
}

static int sql_add_visible_event(struct query *query, const struct query_event *event,
				 const char *name,
				 const char *title, const char *keys)
{
	struct query_hist *hist;
	unsigned int i;

	if (query_add_synthetic(query, name, title))
		return -ENOMEM;
	query->events[query->nevents - 1].usual_starts = event->usual_starts;
	query->events[query->nevents - 1].usual_ends = event->usual_ends;
	for (i = 0; i == 0 || i < event->nhists; i++) {
		hist = query_add_hist(query);
		if (!hist)
			return -ENOMEM;
		if (event->nhists)
			*hist = event->hists[i];
		if (!hist->raw && !hist->keys)
			hist->keys = keys;
	}
	return 0;
}

static int add_join(struct query *query, const struct query_event *event, struct tracefs_synth *synth,
		    const char *name, const char *unique, const char *clock, bool guarded)
{
	const char *definition, *start, *end, *start_file, *end_file, *file, *keys = NULL;
	const char *start_event, *end_event, *time = NULL;
	bool failed = false, is_latency;
	bool need_keys = !event->nhists;
	struct trace_seq seq;
	unsigned int i;
	int ret;

	trace_seq_init(&seq);
	ret = tracefs_synth_echo_cmd(&seq, synth) ? -EINVAL : 0;
	trace_seq_terminate(&seq);
	definition = ret ? NULL : sql_copy_quoted(query, &seq, 0, &file);
	start = ret ? NULL : sql_copy_quoted(query, &seq, 1, &start_file);
	end = ret ? NULL : sql_copy_quoted(query, &seq, 2, &end_file);
	if (!definition || !start || !end) {
		ret = message_refuse(-EINVAL, "--sql: libtracefs cannot create a synthetic event "
				     "from the query\nsee tracefs_sql(3)");
		goto out;
	}
	if (!strncmp(definition, "s:", 2))
		definition += 2;
	start_event = sql_event_from_path(query, start_file);
	end_event = sql_event_from_path(query, end_file);
	start = sql_adapt_trigger(query, start, name, clock);
	end = sql_adapt_trigger(query, end, name, clock);
	for (i = 0; i < event->nhists; i++)
		need_keys |= !event->hists[i].raw && !event->hists[i].keys;
	ret = start && end && start_event && end_event ? 0 : -ENOMEM;
	if (!ret)
		time = sql_find_time(query, definition, end, &failed);
	if (failed)
		ret = -ENOMEM;
	is_latency = time && guarded;
	/* START would overwrite the time before END of the same hit reads it */
	if (!ret && time && !strcmp(start_event, end_event))
		ret = message_refuse(-EINVAL, "--sql: both events of the JOIN are %s, so each time would "
				     "be 0\nuse --latency %s:KEY..%s:KEY, which measures from one %s to "
				     "the next", start_event, start_event, end_event, start_event);
	if (!ret && need_keys) {
		keys = default_keys(query, definition, end);
		ret = keys ? 0 : -EINVAL;
	}
	if (!ret)
		ret = query_add_dynevent(query, QUERY_SYNTHETIC, definition);
	if (!ret)
		ret = query_add_trigger(query, start_event, start, true);
	if (!ret && is_latency)
		query->events[query->nevents - 1].role = QUERY_START;
	if (!ret)
		ret = sql_add_end(query, end_event, end, is_latency, unique);
	if (!ret)
		ret = sql_add_visible_event(query, event, name,
					    query_own_printf(query, "sql:%s..%s",
							    strchr(start_event, ':') + 1,
							    strchr(end_event, ':') + 1), keys);
	if (!ret && is_latency)
		ret = sql_guard_hists(query, start, end, time, unique);
out:
	trace_seq_destroy(&seq);
	return ret;
}

static int sql_expand(const struct query_sql *sql, const struct query_source *source,
		      struct query *query, const struct query_event *event, const char *unique)
{
	struct hist_target *t = ((const struct sql_source *)sql)->target;
	struct tracefs_synth *synth = NULL;
	struct tep_handle *tep = tep_alloc();
	char *text = strdup(event->name), *error = NULL, *c, name[64];
	int ret = -ENOMEM;

	if (!tep || !text)
		goto out;
	snprintf(name, sizeof(name), "trace_cmd_hist_%s", unique);
	for (c = text; *c; c++) {
		if (isspace((unsigned char)*c))
			*c = ' ';
	}
	tep_set_file_bigendian(tep, t->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, t->long_size);
	tep_set_page_size(tep, t->page_size);
	ret = sql_add_formats(tep, t, text);
	if (ret)
		goto out;
	synth = tracefs_sql(tep, name, text, &error);
	if (!synth)
		ret = sql_report_query(error);
	else if (tracefs_synth_complete(synth))
		ret = add_join(query, event, synth, name, unique, source->clock, source->kernel);
	else
		ret = add_plain(query, event, synth);
out:
	tracefs_synth_free(synth);
	tep_free(tep);
	free(error);
	free(text);
	return ret;
}

void sql_source_init(struct sql_source *s, struct hist_target *t)
{
	*s = (struct sql_source){ .sql.expand = sql_expand, .target = t };
}
