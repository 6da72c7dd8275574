// SPDX-License-Identifier: GPL-2.0
/*
 * expression.c - parse a hist expression and compile it for the engine
 *
 * Each statement is checked with the earlier statements as context, as the command line
 * does for a plan (tracecmd/session/trigger_context.c), and is then added to the
 * engine. Therefore an expression that was parsed cannot fail later because of its
 * text.
 *
 * Invariant: the span of an error is always an offset into the whole text.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/base/array.h"
#include "lib/base/suggest.h"
#include "lib/base/text.h"
#include "lib/check/check_constant.h"
#include "lib/replay/replay_recording.h"

/* Returns -EINVAL, with an error about the text at @at. */
__attribute__((format(printf, 4, 5)))
static int expression_refuse(struct hist_error *error, struct hist_span at, const char *hint,
			     const char *fmt,
			     ...)
{
	va_list args;

	memset(error, 0, sizeof(*error));
	error->at = at;
	va_start(args, fmt);
	vsnprintf(error->what, sizeof(error->what), fmt, args);
	va_end(args);
	snprintf(error->hint, sizeof(error->hint), "%s", hint);
	return -EINVAL;
}

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

static int keep_event(struct expression *e, struct hist_event *event)
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
			       const struct hist_event **event)
{
	struct hist_event *made = NULL;
	const char *text;
	unsigned int i;
	size_t len;
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
	if (ret == -ENOENT) {
		ret = hist_events_format(e->events, system, name, &text, &len);
		if (!ret)
			ret = hist_event_parse(&made, system, text, len);
	}
	if (!ret)
		ret = keep_event(e, made);
	if (!ret)
		*event = made;
	return ret;
}

static int expression_find_event(void *data, const char *system, const char *name,
				 const struct hist_event **event)
{
	int ret = expression_event_of(data, system, name, event);

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
	return e->has_system ?
	       expression_refuse(error, at, hint, "no event \"%s\" in %s", name, system) :
			    expression_refuse(error, at, hint, "no event system \"%s\"", system);
}

/* Find the only system with an event of this name; *@system is malloc'ed. */
static int expression_system_of(struct expression *e, struct hist_span at, const char *wanted,
				char **system,
				struct hist_error *error)
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
			return expression_refuse(error, at, "use SYS:EVENT",
						 "both %s and %s have an event of this name", found,
						 one);
		found = one;
	}
	if (!found)
		return expression_refuse(error, at, "press Ctrl+Space to list the events",
					 "no event \"%s\" in any system", wanted);
	*system = strdup(found);
	return *system ? 0 : -ENOMEM;
}

/* Parse the event of a statement, its first word. */
static int expression_take_event(struct expression *e, const char *text, struct hist_span at,
				 const struct hist_event **event, struct hist_error *error)
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
		ret = expression_refuse(error, at, "use SYS:EVENT", "\"%.*s\" is not an event",
					(int)at.len, text + at.start);
	if (!ret) {
		ret = expression_event_of(e, system, name, event);
		if (ret == -ENOENT)
			ret = refuse_event(e, at, system, name, error);
		else if (ret == -EINVAL)
			ret = expression_refuse(error, at, "",
						"cannot parse the format of the event");
	}
	free(system);
	free(word);
	return ret;
}

static int expression_check_trigger(struct expression *e, const struct hist_event *event,
				    const struct hist_expr *expr,
				    struct hist_error *error)
{
	const struct hist_check_context context = {
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
	const char *clock = hist_events_buffer(e->events, e->buffer)->clock;
	const char *wanted = expr->clock;
	int ret;

	ret = hist_check_expr_in(expr, event, &context, error);
	if (ret || !wanted || !strcmp(wanted, clock))
		return ret;
	return expression_refuse(error, (struct hist_span){ 0, strlen(expr->text) },
				 "remove clock=",
				 "clock=%s: the events were recorded with the clock \"%s\"", wanted,
				 clock);
}

static int expression_add_trigger(struct expression *e, const struct hist_event *event,
				  const char *text,
				  struct hist_error *error)
{
	struct hist_expr *expr;
	char *own;
	int ret;

	ret = hist_check_replace_constants(&own, text, event);
	if (!ret)
		ret = hist_expr_parse(&expr, own, error);
	free(own);
	if (ret)
		return ret;
	ret = expression_check_trigger(e, event, expr, error);
	if (!ret)
		ret = array_add(&e->triggers, e->ntriggers, sizeof(*e->triggers));
	if (ret)
		goto fail;
	ret = hist_engine_add(e->engine, event, expr, error);
	if (ret < 0)
		goto fail;
	e->counter = ret;
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
		ret = expression_refuse(error, (struct hist_span){ 0, strlen(text) }, "",
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
	const struct hist_event *event = NULL;
	struct hist_span word = at;
	size_t begin = at.start;
	char *copy;
	int ret = 0;

	if (strncmp(text + begin, "s:", 2)) {
		word.len = strcspn(text + begin, BLANKS);
		if (word.len > at.len)
			word.len = at.len;
		if (!strncmp(text + begin, "hist:", strlen("hist:")))
			return expression_refuse(error,
						 (struct hist_span){ at.start, strlen("hist:") },
						 "use SYS:EVENT hist:...",
						 "no event before the trigger");
		begin += word.len;
		begin += strspn(text + begin, BLANKS);
		ret = expression_take_event(e, text, word, &event, error);
		if (!ret && begin >= at.start + at.len)
			ret = expression_refuse(error, word, "add hist:keys=FIELD",
						"no trigger after the event");
	}
	if (ret)
		return ret;
	copy = strndup(text + begin, at.start + at.len - begin);
	if (!copy)
		return -ENOMEM;
	ret = event ? expression_add_trigger(e, event, copy, error) :
		expression_add_synth(e, copy, error);
	if (ret == -EINVAL)
		error->at.start += begin;
	free(copy);
	return ret;
}

static int expression_add_all(struct expression *e, const char *text, struct hist_error *error)
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
		ret = expression_refuse(error, (struct hist_span){ 0, strlen(text) },
					"use SYS:EVENT hist:keys=FIELD", "nothing to count");
	return ret;
}

int expression_parse(struct expression **result, struct hist_events *events, unsigned int buffer,
		     const char *text, struct hist_error *error)
{
	struct expression *e = calloc(1, sizeof(*e));
	struct hist_engine_machine machine;
	const struct hist_event *last;
	int ret;

	if (!e)
		return -ENOMEM;
	e->events = events;
	e->buffer = buffer;
	hist_replay_fill_machine(&machine, events, buffer);
	ret = hist_engine_new(&e->engine, &machine);
	if (!ret)
		ret = expression_add_all(e, text, error);
	if (!ret) {
		last = e->triggers[e->ntriggers - 1].event;
		if (asprintf(&e->name, "%s:%s", last->system, last->name) < 0) {
			e->name = NULL;
			ret = -ENOMEM;
		}
	}
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
	for (i = 0; i < e->ntriggers; i++)
		hist_expr_free((struct hist_expr *)e->triggers[i].expr);
	free(e->triggers);
	for (i = 0; i < e->nknown; i++)
		hist_event_free(e->known[i]);
	free(e->known);
	for (i = 0; i < e->nsynths; i++)
		hist_synth_free(e->synths[i]);
	free(e->synths);
	free(e->near);
	free(e->name);
	free(e);
}

const char *expression_event(const struct expression *e)
{
	return e->name;
}
