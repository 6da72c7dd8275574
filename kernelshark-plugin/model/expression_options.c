// SPDX-License-Identifier: GPL-2.0
/*
 * expression_options.c - expressions that are options of `trace-cmd hist replay`
 *
 * The options become a query (lib/query), which the events of the file expand, as in `replay`.
 * Words are separated by blanks, except in quotes and in brackets.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/preset/preset.h"
#include "lib/preset/preset_find.h"
#include "lib/query/latency_parse.h"
#include "lib/query/query_expand.h"
#include "lib/query/query_option.h"
#include "lib/replay/recorded_source.h"

/* The list of presets looks for events of a tracer at the start of each CPU: in so many pages. */
#define TRACER_PAGES 4

bool expression_is_options(const char *text)
{
	return text[strspn(text, BLANKS)] == '-';
}

int expression_next_word(struct expression_word *word, const char **at)
{
	struct hist_strbuf b = { 0 };
	const char *c = *at + strspn(*at, BLANKS);
	unsigned int depth = 0;
	char quote = '\0';

	*word = (struct expression_word){ .at = c };
	for (; *c && (quote || depth || !strchr(BLANKS, *c)); c++) {
		if (quote ? *c == quote : *c == '"' || *c == '\'') {
			quote = quote ? '\0' : *c;
			/* in brackets, they belong to a filter */
			if (!depth)
				continue;
		} else if (!quote && strchr("([", *c)) {
			depth++;
		} else if (!quote && strchr(")]", *c) && depth) {
			depth--;
		}
		hist_strbuf_char(&b, *c);
	}
	if (quote) {
		hist_strbuf_free(&b);
		return -EINVAL;
	}
	if (c > word->at) {
		word->word = hist_strbuf_string(&b);
		if (!word->word)
			return -ENOMEM;
	}
	*at = c;
	return 0;
}

static int expression_refuse_quote(const struct expression_word *word, struct hist_error *refusal)
{
	return hist_error_set(refusal, -EINVAL, "%s: the end of the quotation is missing",
			      word->at);
}

/* The value of the option @name, behind its '=' or the next word. */
static int expression_take_value(struct query *query, char *name, const char **at,
				 const char **value, struct hist_error *refusal)
{
	char *equals = strncmp(name, "--", 2) ? NULL : strchr(name, '=');
	struct expression_word word;
	int ret;

	if (equals) {
		*equals = '\0';
		*value = query_own(query, strdup(equals + 1));
		return *value ? 0 : -ENOMEM;
	}
	ret = expression_next_word(&word, at);
	if (ret)
		return ret == -EINVAL ? expression_refuse_quote(&word, refusal) : ret;
	if (!word.word)
		return hist_error_set(refusal, -EINVAL, "%s: needs a value", name);
	*value = query_own(query, word.word);
	return *value ? 0 : -ENOMEM;
}

/* One option and its value. */
static int expression_apply_option(struct query *query, char *name, const char **at,
				   struct hist_error *refusal)
{
	const char *value = NULL;
	int ret;

	if (*name != '-')
		return hist_error_set(refusal, -EINVAL,
				      "%s: not an option\n"
				      "use quotation marks around a value with blanks",
				      name);
	if (!strcmp(name, "--coarse")) {
		query->coarse = true;
		return 0;
	}
	ret = expression_take_value(query, name, at, &value, refusal);
	if (ret)
		return ret;
	if (!strcmp(name, "--preset"))
		return preset_add(query, value, NULL, refusal);
	ret = query_option_apply(query, name, value, refusal);
	return ret != -ENOENT
		       ? ret
		       : hist_error_set(
				 refusal, -EINVAL,
				 "%s: not an option that counts recorded events\n"
				 "use --preset, --latency, --function, --tracer, or -e with -k",
				 name);
}

static int expression_read_options(struct query *query, const char *text,
				   struct hist_error *refusal)
{
	struct expression_word word;
	const char *at = text;
	int ret;

	for (;;) {
		ret = expression_next_word(&word, &at);
		if (ret)
			return ret == -EINVAL ? expression_refuse_quote(&word, refusal) : ret;
		if (!word.word)
			break;
		ret = expression_apply_option(query, word.word, &at, refusal);
		free(word.word);
		if (ret)
			return ret;
	}
	return query_option_check(query, false, refusal);
}

/*
 * Let each latency count nanoseconds: the last ":usecs" or ":nsecs" is its unit.  Names of
 * functions are not looked up, as another thread may do so.
 */
static int expression_set_ns(struct query *query, struct hist_error *refusal)
{
	static const char unit[] = ":nsecs";
	struct query_event *event;
	const char *colon;
	unsigned int i;
	size_t len;

	for (i = 0; i < query->nevents; i++) {
		event = &query->events[i];
		if (event->kind == QUERY_FUNCTION || event->kind == QUERY_FUNCTION_LATENCY ||
		    (event->kind == QUERY_TRACER && !strncmp(event->name, "function", 8)))
			return hist_error_set(refusal, -EOPNOTSUPP,
					      "the panel does not list single calls of functions");
		if (event->kind != QUERY_LATENCY)
			continue;
		colon = strrchr(event->name, ':');
		len = colon && (!strcmp(colon, ":usecs") || !strcmp(colon, unit)) ?
		      (size_t)(colon - event->name) : strlen(event->name);
		event->name = query_own_printf(query, "%.*s%s", (int)len, event->name, unit);
		if (!event->name)
			return -ENOMEM;
	}
	return 0;
}

int expression_make_query(struct query *query, struct hist_events *events, unsigned int buffer,
			  const char *text, bool in_ns, struct hist_error *refusal)
{
	struct recorded_source source;
	int ret;

	memset(refusal, 0, sizeof(*refusal));
	recorded_source_init(&source, events, buffer, "the file");
	ret = expression_read_options(query, text, refusal);
	if (!ret && in_ns)
		ret = expression_set_ns(query, refusal);
	return ret ? ret : query_expand(query, &source.source, refusal);
}

/* --- presets --- */

struct expression_list {
	struct recorded_source source;
	bool (*show)(void *data, const struct expression_preset *preset);
	void *data;
};

/* Does the file have what the preset needs, and is an event or a tracer among it? */
static bool expression_has_needs(const struct expression_list *l, const struct recipe *recipe)
{
	const struct query_source *source = &l->source.source;
	bool events = false;
	const char *need;
	struct hist_error error = { 0 };
	size_t i;

	for (i = 0; i < recipe->needs.n; i++) {
		need = recipe->needs.names[i];
		if (source->ops->find_missing(source, need, &error))
			return false;
		events |= strchr(need, ':') || strstr(need, "_tracer");
	}
	return events;
}

static int expression_show_preset(const struct preset *preset, void *data)
{
	struct expression_list *l = data;
	struct expression_preset shown = { .name = preset->name };

	if (!preset->recipe || !expression_has_needs(l, preset->recipe))
		return 0;
	shown.summary = preset->recipe->summary;
	shown.needs_argument = recipe_needs_argument(preset->recipe);
	return !l->show(l->data, &shown);
}

int expression_list_presets(struct hist_events *events, unsigned int buffer,
			    bool (*show)(void *data, const struct expression_preset *preset),
			    void *data)
{
	struct expression_list l = { .show = show, .data = data };
	int ret;

	recorded_source_init(&l.source, events, buffer, "the file");
	if (recorded_source_find_tracer(&l.source, TRACER_PAGES, &l.source.tracer))
		l.source.tracer = "nop";
	ret = preset_list(expression_show_preset, &l);
	return ret < 0 ? ret : 0;
}

/* --- the keys of a latency --- */

/* The latency of the presets from one event to another: one without filters comes first. */
struct expression_search {
	const char *start, *end; /* without their systems */
	struct latency *found;
	bool has_found, has_filter, is_ambiguous;
};

static bool expression_is_side(const struct latency_side *side, const char *name)
{
	const char *colon = strchr(side->event, ':');

	return !strcmp(colon ? colon + 1 : side->event, name);
}

static bool expression_equal_keys(const struct latency_side *a, const struct latency_side *b)
{
	unsigned int i = 0;

	while (i < a->nkeys && i < b->nkeys && !strcmp(a->keys[i], b->keys[i]))
		i++;
	return a->nkeys == b->nkeys && i == a->nkeys;
}

/* Keep @latency, or clear it. */
static void expression_keep_latency(struct expression_search *search, struct latency *latency)
{
	bool has_filter = latency->start.filter || latency->end.filter;

	if (!search->has_found || (search->has_filter && !has_filter)) {
		if (search->has_found)
			latency_clear(search->found);
		*search->found = *latency;
		search->has_found = true;
		search->has_filter = has_filter;
		search->is_ambiguous = false;
		return;
	}
	search->is_ambiguous |= has_filter == search->has_filter &&
				(has_filter ||
				 !expression_equal_keys(&latency->start, &search->found->start) ||
				 !expression_equal_keys(&latency->end, &search->found->end));
	latency_clear(latency);
}

static int expression_compare_latencies(const struct preset *preset, void *data)
{
	struct expression_search *search = data;
	const struct recipe *recipe = preset->recipe;
	struct latency latency;
	unsigned int i;
	struct hist_error error = { 0 };
	char *value;
	int ret;

	for (i = 0; recipe && i < recipe->noptions; i++) {
		if (strcmp(recipe->options[i].name, "--latency"))
			continue;
		ret = recipe_expand_value(&value, recipe, &recipe->options[i], NULL);
		if (ret == -E2BIG)
			continue;
		if (ret)
			return ret;
		ret = latency_parse(&latency, value, &error);
		free(value);
		if (!ret && expression_is_side(&latency.start, search->start) &&
		    expression_is_side(&latency.end, search->end))
			expression_keep_latency(search, &latency);
		else
			latency_clear(&latency);
		if (ret == -ENOMEM)
			return ret;
	}
	return 0;
}

int expression_find_latency(struct latency *latency, const char *start, const char *end)
{
	struct expression_search search = { .start = start, .end = end, .found = latency };
	int ret;

	memset(latency, 0, sizeof(*latency));
	ret = preset_list(expression_compare_latencies, &search);
	if (!ret && (!search.has_found || search.is_ambiguous))
		ret = -ENOENT;
	if (ret)
		latency_clear(latency);
	return ret;
}
