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
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/plan/latency_parse.h"
#include "tracecmd/session/sql.h"

#define FIELDS_MAX 3

/* True if @text contains @word as a whole word. */
static bool has_word(const char *text, const char *word)
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

static int add_format(struct tep_handle *tep, struct hist_target *t, const char *system,
		      const char *name)
{
	struct target_buf buf = { 0 };
	int ret;

	ret = target_readf(t, &buf, "events/%s/%s/format", system, name);
	if (!ret && tep_parse_event(tep, buf.data, buf.len, system))
		ret = -EINVAL;
	if (ret)
		complain("--sql: %s:%s: its format file cannot be read: %s", system, name,
			 strerror(-ret));
	free(buf.data);
	return ret;
}

/* Load the formats of the events that the query could mean. */
static int add_formats(struct tep_handle *tep, struct hist_target *t, const char *query)
{
	struct target_buf buf = { 0 };
	char *line, *colon, *save = NULL;
	int ret;

	ret = t->ops->read(t, "available_events", &buf);
	if (ret)
		complain("--sql: available_events: %s", strerror(-ret));
	for (line = ret ? NULL : strtok_r(buf.data, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save)) {
		colon = strchr(line, ':');
		if (!colon || !has_word(query, colon + 1))
			continue;
		*colon = '\0';
		ret = add_format(tep, t, line, colon + 1);
	}
	free(buf.data);
	return ret;
}

/* Print the message of libtracefs, which has several lines, with the query and a caret. */
static int complain_query(char *message)
{
	char *line, *rest = message;
	size_t len = message ? strlen(message) : 0;

	while (len && message[len - 1] == '\n')
		message[--len] = '\0';
	if (!len) {
		complain("--sql: libtracefs cannot make anything of the query: is there an event or "
			 "a field that does not exist? See tracefs_sql(3)");
		return -EINVAL;
	}
	complain("--sql: the query is wrong:");
	while ((line = strsep(&rest, "\n")))
		say_to(stderr, "%s", line);
	return -EINVAL;
}

/*
 * The text in the quotes of the command of line @n, owned by the plan: "echo
 * 'TEXT' >> FILE".  NULL where there is none.
 */
static const char *quoted(struct plan *plan, const struct trace_seq *seq, unsigned int n,
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
	return *file ? plan_own(plan, strndup(line, end - line)) : NULL;
}

static int add_raw(struct plan *plan, const char *event, const char *trigger, bool hidden)
{
	struct plan_hist *hist;

	if (!event || !trigger || plan_add_event(plan, event))
		return -ENOMEM;
	hist = plan_add_hist(plan);
	if (!hist)
		return -ENOMEM;
	hist->raw = trigger;
	hist->hidden = hidden;
	return 0;
}

/* Add the histogram of a query without JOIN: keys, values and filter. */
static int add_plain(struct plan *plan, const struct plan_event *event, struct tracefs_synth *synth)
{
	struct tracefs_hist *hist = tracefs_synth_get_start_hist(synth);
	const char *trigger, *file;
	struct trace_seq seq;
	char *name;
	int ret;

	trace_seq_init(&seq);
	if (event->nhists) {
		complain("--sql: a query without JOIN is a histogram by itself, and takes no -k and "
			 "the like");
		ret = -EINVAL;
	} else if (!hist || tracefs_hist_echo_cmd(&seq, NULL, hist, TRACEFS_HIST_CMD_START)) {
		complain("--sql: libtracefs makes no histogram of it: see HISTOGRAMS in "
			 "tracefs_sql(3)");
		ret = -EINVAL;
	} else {
		trace_seq_terminate(&seq);
		trigger = quoted(plan, &seq, 0, &file);
		if (asprintf(&name, "%s:%s", tracefs_hist_get_system(hist),
			     tracefs_hist_get_event(hist)) < 0)
			name = NULL;
		ret = add_raw(plan, plan_own(plan, name), trigger, false);
	}
	trace_seq_destroy(&seq);
	tracefs_hist_free(hist);
	return ret;
}

/* "SYS:EVENT" of ".../events/SYS/EVENT/trigger\n" */
static const char *event_of(struct plan *plan, const char *file)
{
	const char *end = strstr(file, "/trigger\n"), *system = NULL, *at;
	char *name, *slash;

	for (at = file; end && (at = strstr(at, "/events/")) && at < end; at++)
		system = at + strlen("/events/");
	name = system ? strndup(system, end - system) : NULL;
	slash = name ? strchr(name, '/') : NULL;
	if (slash)
		*slash = ':';
	return plan_own(plan, name);
}

/*
 * Add the clock and the size to a trigger, and write its action in the newer form: libtracefs
 * writes the form of Linux 4.17 if it cannot read the README of this machine.
 */
static const char *adapt(struct plan *plan, const char *text, const char *name, const char *clock)
{
	char *old = NULL, *with = NULL, *word = NULL;
	const char *at;
	struct hist_strbuf b = { 0 };
	struct hist_expr *expr = NULL;

	if (!text || asprintf(&old, ").%s(", name) < 0) {
		old = NULL;
		goto out;
	}
	at = strstr(text, old);
	hist_strbuf_add(&b, text, at ? (size_t)(at - text) : strlen(text));
	if (at)
		hist_strbuf_printf(&b, ").trace(%s,%s", name, at + strlen(old));
	hist_strbuf_char(&b, '\0');
	if (b.error || hist_expr_parse(&expr, b.data, NULL) ||
	    asprintf(&word, "size=" LATENCY_SIZE ":clock=%s", clock) < 0) {
		word = NULL;
		goto out;
	}
	with = hist_expr_with(expr, word);
out:
	hist_expr_free(expr);
	hist_strbuf_free(&b);
	free(old);
	free(word);
	return plan_own(plan, with);
}

/* True when parameter @n of the trace() in @trigger is a difference of times. */
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

/* The keys without -k: all selected fields; times in powers of two. */
static const char *default_keys(struct plan *plan, const char *definition, const char *end)
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
			complain("--sql: more than three fields are selected: say with -k which of "
				 "them are keys");
			hist_strbuf_free(&b);
			return NULL;
		}
		hist_strbuf_printf(&b, "%s%.*s%s", n ? "," : "", (int)strcspn(name, ";["), name,
				   is_time(end, n) ? ".log2" : "");
		n++;
	}
	hist_strbuf_char(&b, '\0');
	if (b.error)
		hist_strbuf_free(&b);
	return plan_own(plan, b.data);
}

static int add_visible(struct plan *plan, const struct plan_event *event, const char *name,
		       const char *title, const char *keys)
{
	struct plan_hist *hist;
	unsigned int i;
	char *text;

	if (asprintf(&text, "synthetic:%s", name) < 0)
		text = NULL;
	name = plan_own(plan, text);
	if (!name || !title || plan_add_event(plan, name))
		return -ENOMEM;
	plan->events[plan->nevents - 1].title = title;
	for (i = 0; i == 0 || i < event->nhists; i++) {
		hist = plan_add_hist(plan);
		if (!hist)
			return -ENOMEM;
		if (event->nhists)
			*hist = event->hists[i];
		if (!hist->raw && !hist->keys)
			hist->keys = keys;
	}
	return 0;
}

/* The title of the histograms in files and messages: "sql:START..END". */
static const char *title_of(struct plan *plan, const char *start, const char *end)
{
	char *text;

	if (!start || !end ||
	    asprintf(&text, "sql:%s..%s", strchr(start, ':') + 1, strchr(end, ':') + 1) < 0)
		text = NULL;
	return plan_own(plan, text);
}

static int add_join(struct plan *plan, const struct plan_event *event, struct tracefs_synth *synth,
		    const char *name, const char *clock)
{
	const char *definition, *start, *end, *start_file, *end_file, *file, *keys = NULL;
	const char *start_event, *end_event;
	bool need_keys = !event->nhists;
	struct trace_seq seq;
	unsigned int i;
	int ret;

	trace_seq_init(&seq);
	ret = tracefs_synth_echo_cmd(&seq, synth) ? -EINVAL : 0;
	trace_seq_terminate(&seq);
	definition = ret ? NULL : quoted(plan, &seq, 0, &file);
	start = ret ? NULL : quoted(plan, &seq, 1, &start_file);
	end = ret ? NULL : quoted(plan, &seq, 2, &end_file);
	if (!definition || !start || !end) {
		complain("--sql: libtracefs cannot make a synthetic event of it: see tracefs_sql(3)");
		ret = -EINVAL;
		goto out;
	}
	if (!strncmp(definition, "s:", 2))
		definition += 2;
	start_event = event_of(plan, start_file);
	end_event = event_of(plan, end_file);
	start = adapt(plan, start, name, clock);
	end = adapt(plan, end, name, clock);
	for (i = 0; i < event->nhists; i++)
		need_keys |= !event->hists[i].raw && !event->hists[i].keys;
	ret = start && end && start_event && end_event ? 0 : -ENOMEM;
	if (!ret && need_keys) {
		keys = default_keys(plan, definition, end);
		ret = keys ? 0 : -EINVAL;
	}
	if (!ret)
		ret = plan_add_object(plan, PLAN_SYNTHETIC, definition);
	if (!ret)
		ret = add_raw(plan, start_event, start, true);
	if (!ret)
		ret = add_raw(plan, end_event, end, true);
	if (!ret)
		ret = add_visible(plan, event, name, title_of(plan, start_event, end_event), keys);
out:
	trace_seq_destroy(&seq);
	return ret;
}

int sql_expand(struct plan *plan, const struct plan_event *event, const char *unique,
	       const char *clock, struct hist_target *t)
{
	struct tracefs_synth *synth = NULL;
	struct tep_handle *tep = tep_alloc();
	char *query = strdup(event->name), *error = NULL, *c, name[64];
	int ret = -ENOMEM;

	if (!tep || !query)
		goto out;
	snprintf(name, sizeof(name), "trace_cmd_hist_%s", unique);
	for (c = query; *c; c++) {
		if (isspace((unsigned char)*c))
			*c = ' ';
	}
	tep_set_file_bigendian(tep, t->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, t->long_size);
	tep_set_page_size(tep, t->page_size);
	ret = add_formats(tep, t, query);
	if (ret)
		goto out;
	synth = tracefs_sql(tep, name, query, &error);
	if (!synth)
		ret = complain_query(error);
	else if (tracefs_synth_complete(synth))
		ret = add_join(plan, event, synth, name, clock);
	else
		ret = add_plain(plan, event, synth);
out:
	tracefs_synth_free(synth);
	tep_free(tep);
	free(error);
	free(query);
	return ret;
}
