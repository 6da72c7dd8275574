// SPDX-License-Identifier: LGPL-2.1
/*
 * preset.c - add the needs and the options of a preset to a query
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/expr/expr.h"
#include "lib/preset/preset.h"
#include "lib/preset/preset_find.h"
#include "lib/preset/recipe.h"
#include "lib/query/query_option.h"

/* The expansion of a preset. */
struct preset_state {
	struct query *query;
	const char *name; /* without its argument */
	const char *path; /* of its file, or the name, for messages */
	const struct recipe *recipe;
	const char *argument; /* or NULL */
	preset_option *other;
	struct hist_error *error;
};

#define preset_refuse(w, ret, ...) hist_error_set((w)->error, ret, __VA_ARGS__)

/* The argument becomes a quoted part of filters. */
static int preset_check_argument(const struct preset_state *w)
{
	const char *name = w->name, *argument = w->argument, *c;

	if (argument && !w->recipe->argument)
		return preset_refuse(w, -EINVAL, "--preset %s:%s: this preset does not accept an "
				     "argument", name, argument);
	if (!argument && recipe_needs_argument(w->recipe))
		return preset_refuse(w, -EINVAL,
				     "--preset %s: needs an argument\nuse --preset %s:%s", name,
				     name, w->recipe->argument);
	for (c = argument ? argument : ""; *c; c++) {
		if ((unsigned char)*c >= ' ' && *c != 127 && !strchr("\"'\\", *c))
			continue;
		return preset_refuse(w, -EINVAL, "--preset %s:%s: %s must not contain quotes, "
				     "backslashes or control characters", name, argument,
				     w->recipe->argument);
	}
	if (argument && !*argument)
		return preset_refuse(w, -EINVAL, "--preset %s: %s is empty\nleave out the colon",
				     name, w->recipe->argument);
	return 0;
}

static bool preset_names_event(const char *value, const char *event)
{
	const char *at = strstr(value, event);

	while (at && text_is_word(at[strlen(event)]))
		at = strstr(at + 1, event);
	return at;
}

/* The events that an option added, from @first on, are left out if what they name is missing. */
static void preset_set_optional(struct query *query, unsigned int first, const char *value)
{
	unsigned int i;

	for (i = 0; i < query->nneeds; i++) {
		const struct query_need *need = &query->needs[i];

		if (!need->omits || !preset_names_event(value, need->what + strlen("event ")))
			continue;
		for (; first < query->nevents; first++)
			query->events[first].optional = need->what;
	}
}

/* Set what events have of the preset, and what is normal in their latencies, from @first on. */
static void preset_mark_events(struct preset_state *w, unsigned int first)
{
	struct query_event *event = w->query->events + first,
			   *end = w->query->events + w->query->nevents;

	for (; event < end; event++) {
		event->of_preset = true;
		event->is_default = !w->argument;
		event->usual_starts = w->recipe->unmatched_starts;
		event->usual_ends = w->recipe->unmatched_ends;
	}
}

/* The option -k belongs to the last histogram. */
static void preset_mark_hist(struct query *query)
{
	struct query_event *event = &query->events[query->nevents - 1];

	event->hists[event->nhists - 1].of_preset = true;
}

static bool preset_is_probe(const char *option)
{
	return !strcmp(option, "--kprobe") || !strcmp(option, "--uprobe") ||
	       !strcmp(option, "--usdt");
}

static int preset_apply_option(struct preset_state *w, const struct recipe_option *o)
{
	const unsigned int first = w->query->nevents;
	const char *value;
	char *text;
	int ret;

	if (!*o->value)
		return preset_refuse(w, -EINVAL, "%s: line %u: %s: needs a value", w->path, o->line,
				     o->name);
	ret = recipe_expand_value(&text, w->recipe, o, w->argument);
	if (ret == -E2BIG)
		return preset_refuse(w, -EINVAL,
				     "%s: line %u: %s: the value has more than %d bytes", w->path,
				     o->line, o->name, HIST_TEXT_MAX);
	value = ret ? NULL : query_own(w->query, text);
	if (!value)
		return -ENOMEM;
	ret = query_option_apply(w->query, o->name, value, w->error);
	if (ret == -ENOENT && w->other)
		ret = w->other(w->query, o->name, value, w->error);
	if (ret == -ENOENT && !w->other && preset_is_probe(o->name))
		return preset_refuse(w, -EOPNOTSUPP,
				     "%s: replay cannot add the probe of this preset to "
				     "a recording",
				     value);
	if (ret == -ENOENT)
		return preset_refuse(w, -EINVAL, "%s: line %u: %s: not allowed in a preset file",
				     w->path, o->line, o->name);
	if (ret)
		return ret == -ENOMEM ? ret : hist_error_prefix(w->error, ret, "%s: line %u: ",
								w->path, o->line);
	preset_set_optional(w->query, first, value);
	preset_mark_events(w, first);
	if (!strcmp(o->name, "-k"))
		preset_mark_hist(w->query);
	return 0;
}

static int preset_apply_options(struct preset_state *w)
{
	const struct recipe_option *o;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < w->recipe->noptions; i++) {
		o = &w->recipe->options[i];
		if (!o->with_argument || w->argument || w->recipe->argument_default)
			ret = preset_apply_option(w, o);
	}
	return ret;
}

/* A copy of @text that the query owns; NULL without memory. */
static const char *preset_own(struct preset_state *w, const char *text)
{
	return query_own(w->query, strdup(text));
}

static int preset_add_need(struct query *query, const struct query_need *need)
{
	if (array_add(&query->needs, query->nneeds, sizeof(*query->needs)))
		return -ENOMEM;
	query->needs[query->nneeds++] = *need;
	return 0;
}

/* Also capture @event, "SYS:EVENT", around a latency above the threshold. */
static int preset_add_captured(struct query *query, const char *event)
{
	if (array_add(&query->captured, query->ncaptured, sizeof(*query->captured)))
		return -ENOMEM;
	query->captured[query->ncaptured++] = event;
	return 0;
}

/* "event SYS:EVENT" or "event SYS:EVENT = TEXT" */
static int preset_add_optional(struct preset_state *w, struct query_need need, const char *text)
{
	char *equals;

	need.what = preset_own(w, text);
	if (!need.what)
		return -ENOMEM;
	equals = strstr(need.what, " = ");
	if (equals)
		*equals = '\0';
	need.omits = equals ? equals + strlen(" = ") : "";
	return preset_add_need(w->query, &need);
}

static int preset_add_needs(struct preset_state *w)
{
	struct query_need need = { .preset = preset_own(w, w->name) };
	const struct recipe *recipe = w->recipe;
	const char *what;
	unsigned int i;

	if (!need.preset)
		return -ENOMEM;
	for (i = 0; i < recipe->captured.n; i++) {
		what = preset_own(w, recipe->captured.names[i]);
		if (!what || preset_add_captured(w->query, what))
			return -ENOMEM;
	}
	if (recipe->since) {
		need.since = preset_own(w, recipe->since);
		if (!need.since)
			return -ENOMEM;
	}
	for (i = 0; i < recipe->needs.n; i++) {
		need.what = preset_own(w, recipe->needs.names[i]);
		if (!need.what || preset_add_need(w->query, &need))
			return -ENOMEM;
	}
	for (i = 0; i < recipe->optional.n; i++) {
		if (preset_add_optional(w, need, recipe->optional.names[i]))
			return -ENOMEM;
	}
	return 0;
}

static int preset_add_recipe(struct preset_state *w, const struct preset *preset)
{
	int ret;

	w->path = preset->path ? preset->path : w->name;
	w->recipe = preset->recipe;
	if (!preset->recipe) {
		*w->error = preset->error;
		return hist_error_prefix(w->error, -EINVAL, "%s: ", w->path);
	}
	ret = preset_check_argument(w);
	if (!ret)
		ret = preset_add_needs(w);
	return ret ? ret : preset_apply_options(w);
}

int preset_add(struct query *query, const char *spec, preset_option *other,
	       struct hist_error *error)
{
	const char *slash = strrchr(spec, '/'), *colon = strchr(slash ? slash : spec, ':');
	struct preset_state w = {
		.query = query,
		.argument = colon ? colon + 1 : NULL,
		.other = other,
		.error = error,
	};
	struct preset preset = { 0 };
	char *name;
	int ret;

	name = colon ? strndup(spec, colon - spec) : strdup(spec);
	if (!name)
		return -ENOMEM;
	w.name = name;
	ret = preset_open(&preset, name);
	if (ret == -ENOENT)
		preset_refuse_name(name, error);
	else if (ret && ret != -ENOMEM)
		preset_refuse(&w, ret, "--preset %s: %s", name, strerror(-ret));
	if (!ret)
		ret = preset_add_recipe(&w, &preset);
	preset_close(&preset);
	free(name);
	return ret;
}
