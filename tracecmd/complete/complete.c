// SPDX-License-Identifier: GPL-2.0
/*
 * complete.c - print what a word of a command line can be, for bash completion
 *
 * The completion script knows options and their values from --help.  It asks this command for the
 * values that depend on files and events, and for those that the help does not list:
 *
 *	trace-cmd hist complete-word [-i FILE]... [-e EVENT]... [-k KEYS] [-v VALS]
 *		[--percentiles LIST] [--tracing DIR] VALUE TEXT
 *
 * VALUE is what the help calls the value, such as KEYS, and TEXT is the part that was typed.  Each
 * line of the output is a whole word that begins with TEXT.  FILE that is missing or damaged is
 * skipped, and an unknown VALUE has no words.
 *
 * The words can come from a hostile file, and a shell runs what a word contains: characters that
 * are special to a shell are never printed, except the blanks of a metric, which the script quotes.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/rows.h"
#include "lib/base/text.h"
#include "lib/diff/key_metrics.h"
#include "lib/expr/complete.h"
#include "lib/label/label.h"
#include "lib/query/tracer_expand.h"
#include "lib/ringbuf/file_events.h"
#include "lib/series/series.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"
#include "tracecmd/diff/diff.h"
#include "tracecmd/plan/plan_threshold.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/target/target_url.h"

/* A word that is completed, and what the rest of the line says. */
struct completing {
	struct option_words files, events;
	const char *keys, *values, *percentiles, *tracing;
	const char *text;
	bool blanks; /* words may have blanks */
	struct names found; /* whole words */
};

#define AT(member) offsetof(struct completing, member)

static const struct option_row rows[] = {
	{ 'i', NULL, "FILE", options_take_word, AT(files), "a recording" },
	{ 'e', NULL, "EVENT", options_take_word, AT(events), "an event" },
	{ 'k', NULL, "KEYS", NULL, AT(keys), "the keys of the last event" },
	{ 'v', NULL, "VALS", NULL, AT(values), "the values of the last event" },
	{ 0, "percentiles", "LIST", NULL, AT(percentiles), "those of diff" },
	{ 0, "tracing", "DIR", NULL, AT(tracing), "the tracefs of this machine" },
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "complete-word",
	.usage = "usage: trace-cmd hist complete-word [OPTIONS] VALUE TEXT\n",
	.more = "",
	.rows = rows,
	.indent = 2,
	.stop = true,
};

/* Begin to look for words; finish with completing_take(). */
static struct hist_complete completing_begin(const struct completing *s, struct names *words)
{
	return (struct hist_complete){ .words = words, .at = s->text, .len = strlen(s->text) };
}

/* The names of metrics have blanks, and the script quotes them. */
static bool completing_is_harmless(const struct completing *s, const char *word)
{
	size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "_.:,/=#%@+- ");

	return !word[len] && (s->blanks || !strchr(word, ' '));
}

/* Add the words that were found, after the text before them. */
static int completing_take(struct completing *s, const struct hist_complete *c)
{
	size_t i, before = c->at - s->text;
	int ret = c->ret;
	char *word;

	for (i = 0; i < c->words->n && !ret; i++) {
		if (!completing_is_harmless(s, c->words->names[i]))
			continue;
		if (asprintf(&word, "%.*s%s", (int)before, s->text, c->words->names[i]) < 0)
			return -ENOMEM;
		ret = names_add_new(&s->found, word, strlen(word));
		free(word);
	}
	return ret;
}

/* Offer one word, which replaces the whole text. */
static int completing_offer(struct completing *s, const char *word)
{
	struct names words = { 0 };
	struct hist_complete c = completing_begin(s, &words);
	int ret;

	hist_complete_offer_text(&c, word);
	ret = completing_take(s, &c);
	names_clear(&words);
	return ret;
}

/* --- histograms of files --- */

typedef int completing_hist(struct completing *s, const struct hist_series_info *info,
			    const char *name);

/* True if -e names the histogram, or is not given. */
static bool completing_is_chosen(const struct completing *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->events.n; i++)
		if (hist_series_name_matches(name, s->events.words[i]))
			return true;
	return !s->events.n;
}

/* Visit the histograms of all files that can be read; @chosen: only those that -e names. */
static int completing_visit(struct completing *s, bool chosen, completing_hist *visit)
{
	struct hist_series *series;
	unsigned int i, hist;
	char *name;
	int ret = 0;

	for (i = 0; i < s->files.n && !ret; i++) {
		if (hist_series_open(&series, s->files.words[i], NULL))
			continue;
		for (hist = 0; hist < hist_series_count(series) && !ret; hist++) {
			name = hist_series_name(series, hist);
			ret = name ? 0 : -ENOMEM;
			if (!ret && (!chosen || completing_is_chosen(s, name)))
				ret = visit(s, hist_series_info(series, hist), name);
			free(name);
		}
		hist_series_free(series);
	}
	return ret;
}

static int completing_add_name(struct completing *s, const struct hist_series_info *info,
			       const char *name)
{
	(void)info;
	return completing_offer(s, name);
}

/* EVENT without its system, which is valid too. */
static int completing_add_event(struct completing *s, const struct hist_series_info *info,
				const char *name)
{
	const char *colon = strchr(name, ':');

	(void)info;
	return colon ? completing_offer(s, colon + 1) : 0;
}

static int complete_hists(struct completing *s)
{
	int ret = completing_visit(s, false, completing_add_name);

	if (!ret && !s->found.n && *s->text)
		ret = completing_visit(s, false, completing_add_event);
	return ret;
}

/* After "NAME.": the modifiers with which a column can be named in --sort. */
static void completing_offer_modifiers(struct hist_complete *c, const struct hist_schema *schema,
				       const char *name, size_t len)
{
	const char *modifier;
	unsigned int i;

	for (i = 0; i < hist_schema_columns(schema); i++) {
		modifier = hist_schema_value_modifier(schema->values[i].kind);
		if (text_equals(name, len, schema->values[i].name) && *modifier)
			hist_complete_offer_text(c, modifier);
	}
	for (i = 0; i < schema->nkeys; i++) {
		modifier = hist_key_traits(&schema->keys[i])->modifier;
		if (text_equals(name, len, schema->keys[i].name) && *modifier)
			hist_complete_offer_text(c, modifier);
	}
}

static int completing_add_columns(struct completing *s, const struct hist_series_info *info,
				  const char *hist)
{
	struct names columns = { 0 }, words = { 0 };
	struct hist_complete c = completing_begin(s, &words);
	const char *comma = strrchr(s->text, ','), *name = comma ? comma + 1 : s->text;
	int ret = hist_row_order_list(&columns, info->def.schema);
	size_t i;

	(void)hist;
	if (!ret && hist_complete_order(&c))
		completing_offer_modifiers(&c, info->def.schema, name, c.at - 1 - name);
	for (i = 0; i < columns.n && !strchr(name, '.') && !ret; i++)
		hist_complete_offer_text(&c, columns.names[i]);
	if (!ret)
		ret = completing_take(s, &c);
	names_clear(&columns);
	names_clear(&words);
	return ret;
}

/* report --sort */
static int complete_columns(struct completing *s)
{
	return completing_visit(s, true, completing_add_columns);
}

static int completing_add_metrics(struct completing *s, const struct hist_series_info *info,
				  const char *hist)
{
	uint32_t quantiles[HIST_QUANTILES_MAX];
	struct names names = { 0 };
	int n = hist_quantiles_parse(quantiles, s->percentiles ? s->percentiles : DIFF_QUANTILES);
	int ret;
	size_t i;

	(void)hist;
	ret = hist_key_metrics_list(&names, info->def.schema, hist_clock_is_ns(info->def.clock),
				    quantiles, n < 0 ? 0 : n);
	for (i = 0; i < names.n && !ret; i++)
		ret = completing_offer(s, names.names[i]);
	names_clear(&names);
	return ret;
}

/* diff --metric */
static int complete_metrics(struct completing *s)
{
	s->blanks = true;
	return completing_visit(s, true, completing_add_metrics);
}

/* --- events and their fields --- */

/* Visit the events in the first file that can be read; 0 or -ENOMEM. */
static int completing_open_events(const struct completing *s, struct hist_events **events)
{
	unsigned int i;
	int ret = -ENOENT;

	for (i = 0; i < s->files.n && ret && ret != -ENOMEM; i++)
		ret = hist_events_open(events, s->files.words[i], NULL);
	return ret;
}

/* replay -e */
static int complete_recorded(struct completing *s)
{
	const char *system, *name;
	struct hist_events *events;
	unsigned int i;
	size_t len;
	char *full;
	int ret;

	if (completing_open_events(s, &events))
		return 0;
	for (i = ret = 0; !ret && file_events_get(events, i, &system, &name, &len); i++) {
		if (!len)
			continue;
		ret = asprintf(&full, "%s:%.*s", system, (int)len, name) < 0 ? -ENOMEM : 0;
		if (!ret) {
			ret = completing_offer(s, full);
			free(full);
		}
	}
	hist_events_free(events);
	names_sort(&s->found);
	return ret;
}

/* replay -B */
static int complete_buffers(struct completing *s)
{
	struct hist_events *events;
	unsigned int i;
	int ret = 0;

	if (completing_open_events(s, &events))
		return 0;
	for (i = 1; i < hist_events_nbuffers(events) && !ret; i++)
		ret = completing_offer(s, hist_events_buffer(events, i)->name);
	hist_events_free(events);
	return ret;
}

/* The event of this machine; NULL if its format cannot be read. */
static struct hist_event *completing_find_local(const struct completing *s, const char *name)
{
	struct hist_event *event = NULL;
	struct target_buf format = { 0 };
	struct hist_target *target;
	size_t len = strcspn(name, ":/");
	char *system;

	if (!s->tracing || !name[len] || target_local_open(&target, s->tracing, NULL))
		return NULL;
	system = strndup(name, len);
	if (system &&
	    !target_readf(target, &format, "events/%s/%s/format", system, name + len + 1) &&
	    hist_event_parse(&event, system, format.data, format.len))
		event = NULL;
	free(format.data);
	free(system);
	target_free(target);
	return event;
}

/* The event of the last -e; NULL: it is not known. */
static struct hist_event *completing_find_event(const struct completing *s)
{
	const char *name = s->events.n ? s->events.words[s->events.n - 1] : NULL;
	struct hist_event *event = NULL;
	struct hist_events *events;

	if (!name)
		return NULL;
	if (!s->files.n)
		return completing_find_local(s, name);
	if (completing_open_events(s, &events))
		return NULL;
	file_events_parse(&event, events, name, strlen(name));
	hist_events_free(events);
	return event;
}

/* The names of @fields, "FIELD[.MODIFIER][,...]". */
static void completing_offer_names(struct hist_complete *c, const char *fields)
{
	for (; fields && *fields; fields += strcspn(fields, ","), fields += *fields == ',')
		hist_complete_offer(c, fields, strcspn(fields, ".,:"));
}

/* -k, -v, -s and -f */
static int completing_add_fields(struct completing *s, const char *value)
{
	struct hist_event *event = completing_find_event(s);
	struct names words = { 0 };
	struct hist_complete c = completing_begin(s, &words);
	int ret;

	if (*value == 'S') {
		if (!hist_complete_order(&c)) {
			completing_offer_names(&c, s->keys);
			completing_offer_names(&c, s->values);
			hist_complete_offer_text(&c, "hitcount");
		}
	} else if (event && *value == 'F') {
		hist_complete_filter(&c, event);
	} else if (event) {
		hist_complete_fields(&c, event, *value == 'K');
		/* -k stacktrace is the stack on any kernel */
		if (*value == 'K' && !memchr(c.at, '.', c.len))
			hist_complete_offer_text(&c, "stacktrace");
	}
	ret = completing_take(s, &c);
	names_clear(&words);
	hist_event_free(event);
	return ret;
}

static int complete_keys(struct completing *s)
{
	return completing_add_fields(s, "KEYS");
}

static int complete_values(struct completing *s)
{
	return completing_add_fields(s, "VALS");
}

static int complete_sort(struct completing *s)
{
	return completing_add_fields(s, "SORT");
}

static int complete_filter(struct completing *s)
{
	return completing_add_fields(s, "FILTER");
}

/* --- closed lists that the help does not show --- */

static int completing_add_list(struct completing *s, const char *(*word)(unsigned int i))
{
	unsigned int i;
	int ret = 0;

	for (i = 0; word(i) && !ret; i++)
		ret = completing_offer(s, word(i));
	return ret;
}

static int complete_tracers(struct completing *s)
{
	return completing_add_list(s, tracer_expand_name);
}

static int complete_actions(struct completing *s)
{
	return completing_add_list(s, plan_threshold_action);
}

static int complete_urls(struct completing *s)
{
	return completing_add_list(s, target_url_scheme);
}

static int complete_all(struct completing *s)
{
	return completing_offer(s, "all");
}

/* By the names that the help has for values. */
static const struct {
	const char *value;
	int (*complete)(struct completing *s);
} completions[] = {
	{ "EVENT", complete_hists },
	{ "FIELD[.descending][,...]", complete_columns },
	{ "METRIC", complete_metrics },
	{ "SYS:EVENT", complete_recorded },
	{ "BUFFER", complete_buffers },
	{ "KEYS", complete_keys },
	{ "VALS", complete_values },
	{ "SORT", complete_sort },
	{ "FILTER", complete_filter },
	{ "TRACER", complete_tracers },
	{ "TRACER[:OPTION=VALUE]...", complete_tracers },
	{ "ACTION", complete_actions },
	{ "URL", complete_urls },
	{ "N|all", complete_all },
};

static int complete_run(int argc, char **argv)
{
	struct completing s = { 0 };
	unsigned int i;
	size_t n;
	int ret;

	ret = options_parse(&spec, &s, argc, argv);
	if (!ret && argc - optind != 2)
		ret = message_refuse(-EINVAL, "complete-word: needs VALUE and TEXT");
	if (!ret) {
		s.text = argv[optind + 1];
		for (i = 0; i < sizeof(completions) / sizeof(*completions); i++)
			if (!strcmp(argv[optind], completions[i].value))
				ret = completions[i].complete(&s);
		for (n = 0; n < s.found.n && !ret; n++)
			puts(s.found.names[n]);
		if (ret)
			message_error_memory();
	}
	names_clear(&s.found);
	free(s.files.words);
	free(s.events.words);
	return ret < 0 ? EXIT_TROUBLE : EXIT_DONE;
}

const struct command complete_command = {
	.name = COMPLETE_WORD,
	.run = complete_run,
};
