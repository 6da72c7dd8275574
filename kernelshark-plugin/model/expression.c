// SPDX-License-Identifier: GPL-2.0
/*
 * expression.c - parse a hist expression and compile it for the engine
 *
 * Each statement is checked with the earlier statements as context, as the command line
 * does for a plan (tracecmd/session/trigger_context.c), and is then added to the
 * engine. So is each trigger of a query that the options become. Therefore an expression that was
 * parsed cannot fail later because of its text.
 *
 * Invariant: the span of an error is always an offset into the whole text.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/suggest.h"
#include "lib/base/text.h"
#include "lib/check/check_hist.h"
#include "lib/expr/expr_parts.h"
#include "lib/query/function_field.h"
#include "lib/replay/replay_recording.h"
#include "lib/ringbuf/file_events.h"

/* Length up to the next ';' that is not in quotes. */
static size_t expression_segment_len(const char *text)
{
	char quote = '\0';
	size_t i;

	for (i = 0; text[i]; i++) {
		if (quote)
			quote = text[i] == quote ? '\0' : quote;
		else if (text[i] == '"' || text[i] == '\'')
			quote = text[i];
		else if (text[i] == ';')
			break;
	}
	return i;
}

/*
 * True for "TYPE FIELD", which continues a definition; an event contains ':' or a
 * trigger follows it.
 */
static bool expression_continues_definition(const char *text)
{
	size_t word, rest;

	text += strspn(text, BLANKS);
	word = strcspn(text, BLANKS ";");
	rest = word + strspn(text + word, BLANKS);
	return word && !memchr(text, ':', word) && strncmp(text + rest, "hist:", strlen("hist:"));
}

size_t expression_statement_len(const char *text)
{
	size_t blanks = strspn(text, BLANKS), end = expression_segment_len(text);

	if (strncmp(text + blanks, "s:", 2))
		return end;
	while (text[end] == ';' && expression_continues_definition(text + end + 1))
		end += 1 + expression_segment_len(text + end + 1);
	return end;
}

static int expression_keep_event(struct expression *e, struct hist_event *event)
{
	if (array_add(&e->known, e->nknown, sizeof(*e->known))) {
		hist_event_free(event);
		return -ENOMEM;
	}
	e->known[e->nknown++] = event;
	return 0;
}

/*
 * Find the event SYSTEM:NAME in the file or in an earlier definition; the expression
 * owns it. -ENOENT, -EINVAL: its format is invalid; -ENOMEM.
 */
static int expression_event_of(struct expression *e, const char *system, const char *name,
			       struct hist_event **event)
{
	struct hist_event *made = NULL;
	unsigned int i;
	int ret;

	for (i = 0; i < e->nknown; i++) {
		*event = e->known[i];
		if (hist_event_is(*event, system, name))
			return 0;
	}
	*event = NULL;
	ret = -ENOENT;
	for (i = 0; ret == -ENOENT && !strcmp(system, "synthetic") && i < e->nsynths; i++) {
		if (!strcmp(e->synths[i]->name, name))
			ret = hist_synth_make_event(&made, e->synths[i]);
	}
	if (ret == -ENOENT)
		ret = file_events_read(&made, e->events, system, name);
	if (!ret)
		ret = expression_keep_event(e, made);
	if (!ret)
		*event = made;
	return ret;
}

static int expression_find_event(void *data, const char *system, const char *name,
				 const struct hist_event **event)
{
	struct hist_event *found;
	int ret = expression_event_of(data, system, name, &found);

	*event = found;
	/* one of which nothing more is known */
	return ret == -EINVAL ? 0 : ret;
}

/* Suggest an event of @system for @name, or a system for @system if it does not exist. */
static const char *expression_find_near(void *data, const char *system, const char *name)
{
	struct names names = { 0 };
	struct expression *e = data;
	const char *near = NULL;

	free(e->near);
	e->has_system = false;
	if (!file_events_list(&names, e->events, system)) {
		e->has_system = names.n > 0;
		if (names.n)
			near = hist_suggest(name, (const char *const *)names.names, names.n);
		else if (!file_events_list(&names, e->events, NULL))
			near = hist_suggest(system, (const char *const *)names.names, names.n);
	}
	e->near = near ? strdup(near) : NULL;
	names_clear(&names);
	return e->near;
}

static int refuse_event(struct expression *e, struct hist_span at, const char *system,
			const char *name, struct hist_error *error)
{
	const char *near = expression_find_near(e, system, name);
	char hint[sizeof(error->hint)] = "";

	if (near)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", near);
	return e->has_system
		       ? hist_expr_error_refuse(error, at, hint, "no event \"%s\" in %s", name,
						system)
		       : hist_expr_error_refuse(error, at, hint, "no event system \"%s\"", system);
}

/* Find the only system with an event of this name; *@system is malloc'ed. */
static int expression_system_of(struct expression *e, struct hist_span at, const char *wanted,
				char **system, struct hist_error *error)
{
	const char *one, *name, *found = NULL;
	unsigned int i;
	size_t len;

	for (i = 0; i < e->nsynths && !found; i++) {
		if (!strcmp(e->synths[i]->name, wanted))
			found = "synthetic";
	}
	for (i = 0; file_events_get(e->events, i, &one, &name, &len); i++) {
		if (!text_equals(name, len, wanted) || (found && !strcmp(found, one)))
			continue;
		if (found)
			return hist_expr_error_refuse(error, at, "use SYS:EVENT",
						      "both %s and %s have an event of this name",
						      found, one);
		found = one;
	}
	if (!found)
		return hist_expr_error_refuse(error, at, "press Ctrl+Space to list the events",
					      "no event \"%s\" in any system", wanted);
	*system = strdup(found);
	return *system ? 0 : -ENOMEM;
}

/* Parse the event of a statement, its first word. */
static int expression_take_event(struct expression *e, const char *text, struct hist_span at,
				 struct hist_event **event, struct hist_error *error)
{
	char *word = strndup(text + at.start, at.len), *system = NULL, *name;
	int ret = -ENOMEM;

	if (!word)
		return -ENOMEM;
	name = strpbrk(word, ":/");
	if (name) {
		*name++ = '\0';
		system = strdup(word);
		ret = system ? 0 : -ENOMEM;
	} else {
		name = word;
		ret = expression_system_of(e, at, name, &system, error);
	}
	if (!ret && (!*name || !*system || strpbrk(name, ":/.")))
		ret = hist_expr_error_refuse(error, at, "use SYS:EVENT", "\"%.*s\" is not an event",
					     (int)at.len, text + at.start);
	if (!ret) {
		ret = expression_event_of(e, system, name, event);
		if (ret == -ENOENT)
			ret = refuse_event(e, at, system, name, error);
		else if (ret == -EINVAL)
			ret = hist_expr_error_refuse(error, at, "",
						     "cannot parse the format of the event");
	}
	free(system);
	free(word);
	return ret;
}

static struct hist_check_context expression_context(struct expression *e)
{
	return (struct hist_check_context){
		.triggers = e->triggers,
		.ntriggers = e->ntriggers,
		.all_triggers = true,
		.synths = (const struct hist_synth *const *)e->synths,
		.nsynths = e->nsynths,
		.all_synths = true,
		.find_event = expression_find_event,
		.suggest_event = expression_find_near,
		.data = e,
	};
}

static int expression_check_trigger(struct expression *e, struct hist_event *event,
				    const struct hist_expr *expr, struct hist_error *error)
{
	const struct hist_check_context context = expression_context(e);
	const char *clock = hist_events_buffer(e->events, e->buffer)->clock;
	const char *wanted = expr->clock;
	int ret;

	ret = hist_check_expr_in(expr, event, &context, error);
	if (ret)
		return ret;
	hist_check_find_origins(event, &context, hist_clock_is_ns(clock));
	if (!wanted || !strcmp(wanted, clock))
		return 0;
	return hist_expr_error_refuse(
		error, (struct hist_span){ 0, strlen(expr->text) },
		"remove clock=", "clock=%s: the events were recorded with the clock \"%s\"", wanted,
		clock);
}

/* Add the trigger of @hist.  @title: its name in the recording; NULL: it is not shown. */
static int expression_add_trigger(struct expression *e, struct hist_event *event,
				  const struct query_hist *hist, const char *title,
				  struct hist_error *error)
{
	struct expression_counter *counter;
	struct hist_expr *expr = NULL;
	char *bad;
	int ret;

	ret = hist_check_make_expr(&expr, hist, event,
				   hist_events_buffer(e->events, e->buffer)->clock, error, &bad);
	free(bad);
	if (!ret)
		ret = expression_check_trigger(e, event, expr, error);
	if (!ret)
		ret = array_add(&e->triggers, e->ntriggers, sizeof(*e->triggers))
			      ?: array_add(&e->counters, e->ntriggers, sizeof(*e->counters));
	if (ret)
		goto fail;
	counter = &e->counters[e->ntriggers];
	*counter = (struct expression_counter){ .title = title ? strdup(title) : NULL };
	ret = title && !counter->title ? -ENOMEM : hist_engine_add(e->engine, event, expr, error);
	if (ret < 0) {
		free(counter->title);
		goto fail;
	}
	counter->counter = ret;
	e->triggers[e->ntriggers++] = (struct hist_check_trigger){ .event = event, .expr = expr };
	return 0;
fail:
	hist_expr_free(expr);
	return ret == -EOPNOTSUPP ? -EINVAL : ret;
}

static int expression_add_synth(struct expression *e, const char *text, struct hist_error *error)
{
	struct hist_synth *synth;
	int ret;

	ret = hist_synth_parse(&synth, text, error);
	if (ret)
		return ret;
	ret = hist_engine_add_synth(e->engine, synth);
	if (ret == -EEXIST)
		ret = hist_expr_error_refuse(error, (struct hist_span){ 0, strlen(text) }, "",
					     "a synthetic event with this name already exists");
	if (!ret)
		ret = array_add(&e->synths, e->nsynths, sizeof(*e->synths));
	if (ret)
		hist_synth_free(synth);
	else
		e->synths[e->nsynths++] = synth;
	return ret;
}

/* @at must not be empty or have blanks at its ends. */
static int add_statement(struct expression *e, const char *text, struct hist_span at,
			 struct hist_error *error)
{
	struct hist_event *event = NULL;
	struct query_hist hist = { 0 };
	struct hist_span word = at;
	size_t begin = at.start;
	char *copy;
	int ret = 0;

	if (strncmp(text + begin, "s:", 2)) {
		word.len = strcspn(text + begin, BLANKS);
		if (word.len > at.len)
			word.len = at.len;
		if (!strncmp(text + begin, "hist:", strlen("hist:")))
			return hist_expr_error_refuse(
				error, (struct hist_span){ at.start, strlen("hist:") },
				"use SYS:EVENT hist:...", "no event before the trigger");
		begin += word.len;
		begin += strspn(text + begin, BLANKS);
		ret = expression_take_event(e, text, word, &event, error);
		if (!ret && begin >= at.start + at.len)
			ret = hist_expr_error_refuse(error, word, "add hist:keys=FIELD",
						     "no trigger after the event");
	}
	if (ret)
		return ret;
	copy = strndup(text + begin, at.start + at.len - begin);
	if (!copy)
		return -ENOMEM;
	hist.raw = copy;
	ret = event ? expression_add_trigger(e, event, &hist, NULL, error)
		    : expression_add_synth(e, copy, error);
	if (ret == -EINVAL)
		error->at.start += begin;
	free(copy);
	return ret;
}

/* Show the last trigger, under the name of its event. */
static int expression_show_last(struct expression *e)
{
	const struct hist_event *last = e->triggers[e->ntriggers - 1].event;
	char **title = &e->counters[e->ntriggers - 1].title;

	if (asprintf(title, "%s:%s", last->system, last->name) >= 0)
		return 0;
	*title = NULL;
	return -ENOMEM;
}

static int expression_add_statements(struct expression *e, const char *text,
				     struct hist_error *error)
{
	const char *at = text;
	struct hist_span span;
	size_t len;
	int ret = 0;

	for (; !ret; at += len + 1) {
		len = expression_statement_len(at);
		span.start = at - text + strspn(at, BLANKS);
		span.len = at + len > text + span.start ? at + len - (text + span.start) : 0;
		while (span.len && strchr(BLANKS, text[span.start + span.len - 1]))
			span.len--;
		if (span.len)
			ret = add_statement(e, text, span, error);
		if (!at[len])
			break;
	}
	if (!ret && !e->ntriggers)
		ret = hist_expr_error_refuse(error, (struct hist_span){ 0, strlen(text) },
					     "use SYS:EVENT hist:keys=FIELD", "nothing to count");
	return ret ? ret : expression_show_last(e);
}

/* --- options --- */

/* The event @name of an expanded query; with the field "function" if the query says so. */
static int expression_query_event(struct expression *e, const struct query_event *q,
				  struct hist_event **event, struct hist_error *error)
{
	int ret;

	ret = expression_take_event(e, q->name, (struct hist_span){ 0, strlen(q->name) }, event,
				    error);
	if (ret || !q->function_field)
		return ret;
	ret = array_add(&e->renamed, e->nrenamed, sizeof(*e->renamed))
		      ?: file_events_read(event, e->events, (*event)->system, (*event)->name);
	if (ret)
		return ret;
	e->renamed[e->nrenamed++] = *event;
	return function_field_rename(*event, q->function_field);
}

static int expression_add_switch(struct expression *e, const struct hist_event *event,
				 const char *text, struct hist_error *error)
{
	const struct hist_check_context context = expression_context(e);
	struct hist_switch *sw;
	int ret;

	ret = array_add(&e->switches, e->nswitches, sizeof(*e->switches))
		      ?: hist_switch_parse(&sw, text, error);
	if (ret)
		return ret;
	e->switches[e->nswitches++] = sw;
	ret = hist_check_switch_trigger(sw, event, &context, error)
		      ?: hist_engine_add_switch(e->engine, event, sw, error);
	return ret == -EOPNOTSUPP ? -EINVAL : ret;
}

/* Add the histograms of one event, those that are not shown first. */
static int expression_add_hists(struct expression *e, const struct query_event *q,
				struct hist_error *error)
{
	const char *title = q->title ? q->title : q->name;
	struct hist_event *event;
	unsigned int i, hidden;
	int ret = expression_query_event(e, q, &event, error);
	char full[256];

	if (ret)
		return ret;
	/* "SYS:EVENT", also if the option omits SYS */
	if (!q->title && !strpbrk(q->name, ":/")) {
		snprintf(full, sizeof(full), "%s:%s", event->system, event->name);
		title = full;
	}
	for (hidden = 2; !ret && hidden--;) {
		for (i = 0; !ret && i < q->nhists; i++) {
			const struct query_hist *hist = &q->hists[i];

			if (hist->hidden != hidden || hist->is_switch)
				continue;
			ret = expression_add_trigger(e, event, hist, hidden ? NULL : title, error);
			if (!ret)
				hist_engine_expect_unmatched(e->engine,
							     e->counters[e->ntriggers - 1].counter,
							     q->usual_starts, q->usual_ends);
		}
	}
	return ret;
}

/* Add the switches of one event. */
static int expression_add_switches(struct expression *e, const struct query_event *q,
				   struct hist_error *error)
{
	struct hist_event *event;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < q->nhists; i++) {
		if (!q->hists[i].is_switch)
			continue;
		ret = expression_query_event(e, q, &event, error);
		if (!ret)
			ret = expression_add_switch(e, event, q->hists[i].raw, error);
	}
	return ret;
}

static int expression_add_query(struct expression *e, const struct query *query,
				struct hist_error *error)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < query->ndynevents; i++) {
		if (query->dynevents[i].kind == QUERY_SYNTHETIC)
			ret = expression_add_synth(e, query->dynevents[i].definition, error);
	}
	for (i = 0; !ret && i < query->nevents; i++)
		ret = expression_add_hists(e, &query->events[i], error);
	/* after all histograms */
	for (i = 0; !ret && i < query->nevents; i++)
		ret = expression_add_switches(e, &query->events[i], error);
	/* its place is in a text that the user does not see */
	if (ret == -EINVAL)
		error->at = (struct hist_span){ 0, 0 };
	return ret;
}

static int expression_add_options(struct expression *e, const char *text,
				  struct hist_error *refusal)
{
	struct query query = { 0 };
	int ret;

	ret = expression_make_query(&query, e->events, e->buffer, text, false, refusal);
	if (!ret)
		ret = expression_add_query(e, &query, refusal);
	refusal->at = (struct hist_span){ 0, 0 };
	refusal->text = NULL;
	query_clear(&query);
	return ret;
}

int expression_parse(struct expression **result, struct hist_events *events, unsigned int buffer,
		     const char *text, struct hist_error *refusal)
{
	struct expression *e = calloc(1, sizeof(*e));
	struct hist_engine_machine machine;
	int ret;

	if (!e)
		return -ENOMEM;
	e->events = events;
	e->buffer = buffer;
	hist_replay_fill_machine(&machine, events, buffer);
	ret = hist_engine_new(&e->engine, &machine);
	if (!ret)
		ret = expression_is_options(text) ? expression_add_options(e, text, refusal)
						  : expression_add_statements(e, text, refusal);
	if (ret) {
		expression_free(e);
		return ret;
	}
	*result = e;
	return 0;
}

void expression_free(struct expression *e)
{
	unsigned int i;

	if (!e)
		return;
	hist_engine_free(e->engine);
	for (i = 0; i < e->ntriggers; i++) {
		hist_expr_free((struct hist_expr *)e->triggers[i].expr);
		free(e->counters[i].title);
	}
	free(e->triggers);
	free(e->counters);
	for (i = 0; i < e->nknown; i++)
		hist_event_free(e->known[i]);
	free(e->known);
	for (i = 0; i < e->nrenamed; i++)
		hist_event_free(e->renamed[i]);
	free(e->renamed);
	for (i = 0; i < e->nsynths; i++)
		hist_synth_free(e->synths[i]);
	free(e->synths);
	for (i = 0; i < e->nswitches; i++)
		hist_switch_free(e->switches[i]);
	free(e->switches);
	free(e->near);
	free(e);
}
