// SPDX-License-Identifier: GPL-2.0
/*
 * latency_expand.c - expand --latency to a synthetic event and its triggers
 *
 * The START trigger saves the time, and START fields that the histograms use. The END trigger
 * subtracts the times and generates the synthetic event. Names of variables are unique, because the
 * kernel looks for "$name" in all triggers of the instance.
 *
 * A relay is a second synthetic event between START and its trigger, which the trigger of START
 * generates with the time. The kernel runs the triggers of an event in the order in which they were
 * set, and the trigger of START must be set before END. If one hit can be both, only a relay lets END
 * read the time before START overwrites it. If END may happen in any task, only a relay reaches
 * the instance that has no list of tasks.
 *
 * The END of one CPU takes its time before, and reads the time of START after, a START on another
 * CPU, so a difference can be below zero. The histograms leave such differences out by a filter
 * (latency_guard.h), and a trigger counts them. The onmax() of END, where filters do not reach, ranks
 * the difference plus LATENCY_LIFT, which is small for these.
 *
 * "start_NAME" is the field NAME of START, and "start_stacktrace" is the stack of START.
 *
 * A field is carried in a synthetic field of the same type or size, because the kernel compares
 * types and sizes (check_synth_field() in trace_events_hist.c).
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/filter.h"
#include "tracecmd/base/message.h"
#include "tracecmd/plan/latency_parse.h"
#include "tracecmd/session/latency_event.h"
#include "tracecmd/session/latency_guard.h"
#include "tracecmd/session/plan_expand.h"
#include "tracecmd/trigger/kernel_counter.h"
#include "tracecmd/trigger/traced_event.h"

#define CARRIED_MAX 8

/* More than any difference below zero, in ns and in us: 18 minutes and 12 days. */
#define LATENCY_LIFT WORST_JOIN_LIFT

/* The prefix of a field of START, if END may have a field of the same name. */
#define START_PREFIX "start_"
#define START_STACK "start_stacktrace"

struct carried {
	const struct hist_event_field *field; /* NULL: the stack of START */
	bool of_start;
	const char *prefix; /* START_PREFIX or "" */
};

/* State of the expansion of one --latency. */
struct latency_state {
	struct plan *plan;
	const struct plan_event *event;
	const char *unique, *clock;
	struct latency spec;
	struct traced_event start, end; /* for their formats */
	struct carried carried[CARRIED_MAX];
	unsigned int ncarried;
	/* events as they would be if the kernel chose strings for types that are not given */
	struct hist_event *start_guess, *end_guess;
	const char *lat; /* "lat_us" */
	const char *name; /* of the synthetic event */
	int start_system; /* bytes of the system in the name of START */
	const char *relay; /* the synthetic event between START and its trigger, or NULL */
	const struct hist_kernel *kernel; /* NULL: the user-space engine counts */
	bool saves_previous; /* see latency_keep_both() */
	bool lifts; /* ..and ranks by the difference plus LATENCY_LIFT */
	bool anywhere; /* END counts in any task */
};

static const struct hist_event_field *latency_find_own_field(const struct traced_event *s,
							     const char *name, size_t len)
{
	const struct hist_event_field *f;
	unsigned int i;

	for (i = 0; (f = hist_event_field(s->event, i)); i++) {
		if (strlen(f->name) == len && !strncmp(f->name, name, len) &&
		    strncmp(name, "common_", 7))
			return f;
	}
	return NULL;
}

/* Append the fields of @s, without the common ones, to @names. */
static unsigned int latency_add_field_names(const struct traced_event *s, const char **names,
					    unsigned int n)
{
	const struct hist_event_field *f;
	unsigned int i;

	for (i = 0; (f = hist_event_field(s->event, i)); i++) {
		if (strncmp(f->name, "common_", 7))
			names[n++] = f->name;
	}
	return n;
}

/*
 * Report an unknown field and return -EINVAL. @a and @b: the events that lack the field; each may
 * be NULL. @text: the text that contains the name, or NULL. @extra: another valid name.
 */
static int no_field(const struct traced_event *a, const struct traced_event *b, const char *extra,
		    const char *text, struct hist_span at, const char *name)
{
	struct hist_error error = { .at = at };
	const char **names, *near;
	unsigned int n = 0;

	names = calloc(a->event->nfields + (b ? b->event->nfields : 0) + 1,
		       sizeof(*names));
	if (!names)
		return -ENOMEM;
	if (extra)
		names[n++] = extra;
	n = latency_add_field_names(a, names, n);
	if (b && strcmp(a->full_name, b->full_name))
		n = latency_add_field_names(b, names, n);
	else
		b = NULL;
	snprintf(error.what, sizeof(error.what), "--latency: no field \"%.40s\" in %.44s%s%.44s",
		 name, a->full_name, b ? " or " : "", b ? b->full_name : "");
	near = hist_suggest(name, names, n);
	if (near)
		snprintf(error.hint, sizeof(error.hint), "did you mean \"%s\"?", near);
	else
		latency_list_names(error.hint, sizeof(error.hint), names, n);
	free(names);
	return message_report_expression(-EINVAL, text, &error);
}

static int no_key(const struct traced_event *s, const char *name)
{
	return no_field(s, NULL, NULL, NULL, (struct hist_span){ 0 }, name);
}

/* The keys of a pair must be comparable: two numbers, or two strings of the same size. */
static int latency_check_keys(const struct latency_state *w)
{
	const struct hist_event_field *a, *b;
	unsigned int i;

	for (i = 0; i < w->spec.start.nkeys; i++) {
		const char *start = w->spec.start.keys[i], *end = w->spec.end.keys[i];
		bool cpu = !strcmp(start, "common_cpu"), end_cpu = !strcmp(end, "common_cpu");

		if (cpu && end_cpu)
			continue;
		if (cpu || end_cpu)
			return message_refuse(-EINVAL, "--latency: common_cpu must be a key of both "
					      "START and END");
		a = hist_event_find(w->start.event, start);
		b = hist_event_find(w->end.event, end);
		if (!a)
			return no_key(&w->start, start);
		if (!b)
			return no_key(&w->end, end);
		/* the kernel widens numbers to 64 bits */
		if (a->type == b->type &&
		    (a->type == HIST_FIELD_NUMBER ||
		     (a->type == HIST_FIELD_STRING && a->size == b->size)))
			continue;
		return message_refuse(-EINVAL, "--latency: cannot compare %s of %s (%s) with %s of "
				      "%s (%s)", a->name, w->start.full_name, a->ctype, b->name,
				      w->end.full_name, b->ctype);
	}
	return 0;
}

/* True for names that every event has, perhaps only in filters, and for the time. */
static bool latency_is_common_name(const struct latency_state *w, const char *word, size_t len)
{
	const char *const names[] = { "hitcount", "cpu", "CPU", "comm", "COMM", "stacktrace",
				      "STACKTRACE", w->lat };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strlen(names[i]) == len && !strncmp(names[i], word, len))
			return true;
	}
	return len > 7 && !strncmp(word, "common_", 7);
}

/* Find what the word names: a field of END, or of START; false: neither. */
static bool latency_find_carried(const struct latency_state *w, const char *word, size_t len,
				 struct carried *c)
{
	static const char prefix[] = START_PREFIX;
	const size_t skip = sizeof(prefix) - 1;

	c->field = latency_find_own_field(&w->end, word, len);
	if (c->field)
		return true;
	c->of_start = true;
	c->field = latency_find_own_field(&w->start, word, len);
	if (c->field || len <= skip || strncmp(word, prefix, skip))
		return c->field;
	c->prefix = prefix;
	c->field = latency_find_own_field(&w->start, word + skip, len - skip);
	return c->field || (len == strlen(START_STACK) && !strncmp(word, START_STACK, len));
}

/* True if the kernel chooses the type of @f, an argument of a probe. */
static bool latency_is_guessed(const struct hist_event *guess, const struct hist_event_field *f)
{
	const struct hist_event_field *other = guess ? hist_event_find(guess, f->name) : NULL;

	return other && other->type != f->type;
}

/*
 * Carry the field that the word @at in @text names, if it names one.
 * @strict: the word must be a field; otherwise it is an error.
 */
static int latency_carry_field(struct latency_state *w, const char *text, struct hist_span at,
			       bool strict)
{
	struct carried c = { .prefix = "" };
	const struct hist_event_field *f;
	unsigned int i;

	if (!latency_find_carried(w, text + at.start, at.len, &c)) {
		char name[64];

		if (!strict || latency_is_common_name(w, text + at.start, at.len))
			return 0;
		snprintf(name, sizeof(name), "%.*s", (int)at.len, text + at.start);
		return no_field(&w->end, &w->start, strncmp(text, "hist:", 5) ? "lat" : w->lat, text,
				at, name);
	}
	for (i = 0, f = c.field; i < w->ncarried; i++) {
		if (w->carried[i].field == f && w->carried[i].prefix == c.prefix)
			return 0;
	}
	if (f && latency_is_guessed(c.of_start ? w->start_guess : w->end_guess, f))
		return message_refuse(-EINVAL, "--latency: the type of argument \"%s\" is not known before "
				      "the probe exists\nadd the type to the probe, such as %s=FETCH:u64",
				      f->name, f->name);
	if (f && f->type != HIST_FIELD_NUMBER && f->type != HIST_FIELD_STRING)
		return message_refuse(-EINVAL, "--latency: field \"%s\" (%s) is neither a number "
				      "nor a string", f->name, f->ctype);
	if (w->ncarried == CARRIED_MAX)
		return message_refuse(-EINVAL, "--latency %s: -k, -v, -s and -f use more than %d "
				      "fields", w->event->name, CARRIED_MAX);
	w->carried[w->ncarried++] = c;
	return 0;
}

/*
 * Carry all fields that @text names, and set @result to the text with "lat" replaced. Quoted
 * strings and words after a '.' (modifiers) are not changed.
 */
static int latency_rewrite_names(struct latency_state *w, const char *text, bool strict,
				 const char **result)
{
	struct hist_strbuf b = { 0 };
	const char *c = text, *end;
	int ret = 0;

	if (!text)
		return 0;
	while (*c && !ret) {
		end = c + 1;
		if (*c == '"' || *c == '\'') {
			end = strchr(c + 1, *c);
			end = end ? end + 1 : c + strlen(c);
		} else if (*c == '.' || isdigit((unsigned char)*c)) {
			while (isalnum((unsigned char)*end) || (*end && strchr("_-=", *end)))
				end++;
		} else if (isalpha((unsigned char)*c) || *c == '_') {
			while (isalnum((unsigned char)*end) || *end == '_')
				end++;
			if (end - c == 3 && !strncmp(c, "lat", 3)) {
				hist_strbuf_str(&b, w->lat);
				c = end;
			} else {
				ret = latency_carry_field(w, text, (struct hist_span){ c - text,
					end - c }, strict);
			}
			if (end - c == strlen(START_STACK) && *end != '.' &&
			    !strncmp(c, START_STACK, end - c)) {
				hist_strbuf_str(&b, START_STACK ".stacktrace");
				c = end;
			}
		}
		hist_strbuf_add(&b, c, end - c);
		c = end;
	}
	if (ret) {
		hist_strbuf_free(&b);
		return ret;
	}
	*result = plan_own_text(w->plan, &b);
	return *result ? 0 : -ENOMEM;
}

/* Check every field of filter @f, which was parsed from @text. */
static int latency_check_filter(struct latency_state *w, const char *text,
				const struct hist_filter *f)
{
	int ret;

	if (!f)
		return 0;
	if (f->kind == HIST_FILTER_COMPARE)
		return !strcmp(f->field, "lat") && strncmp(text, "hist:", 5) ? 0 :
		       latency_carry_field(w, text, f->field_span, true);
	ret = latency_check_filter(w, text, f->left);
	return ret ? ret : latency_check_filter(w, text, f->right);
}

/* A syntax error in the filter is reported later. */
static int rewrite_filter(struct latency_state *w, const char *text, const char **result)
{
	struct hist_filter *filter = NULL;
	int ret;

	if (!text)
		return 0;
	ret = hist_filter_parse(&filter, text, strlen(text), 0, NULL);
	if (ret == -ENOMEM)
		return ret;
	ret = latency_check_filter(w, text, filter);
	hist_filter_free(filter);
	return ret ? ret : latency_rewrite_names(w, text, false, result);
}

/* Check every field of a key or value. */
static int check_tree(struct latency_state *w, const char *text, const struct hist_node *node)
{
	struct hist_span at;
	int ret;

	if (!node)
		return 0;
	if (node->kind == HIST_NODE_FIELD) {
		at = (struct hist_span){ node->span.start, strlen(node->name) };
		return latency_carry_field(w, text, at, true);
	}
	ret = check_tree(w, text, node->left);
	return ret ? ret : check_tree(w, text, node->right);
}

/* Check only that the fields of a raw trigger exist. */
static int check_raw(struct latency_state *w, const char *raw)
{
	struct hist_expr *expr;
	const char *text, *ignored;
	unsigned int i;
	int ret;

	ret = hist_expr_parse(&expr, raw, NULL);
	if (ret == -ENOMEM)
		return ret;
	if (!ret) {
		text = expr->text;
		for (i = 0; !ret && i < expr->keys.n; i++)
			ret = check_tree(w, text, expr->keys.field[i].tree);
		for (i = 0; !ret && i < expr->values.n; i++)
			ret = check_tree(w, text, expr->values.field[i].tree);
		if (!ret)
			ret = latency_check_filter(w, text, expr->filter_tree);
		hist_expr_free(expr);
		if (ret)
			return ret;
	}
	return latency_rewrite_names(w, raw, false, &ignored);
}

/* " TYPE NAME" of a field of a synthetic event that has the value of @f. */
static void latency_put_field(struct hist_strbuf *b, const struct hist_event_field *f,
			      const char *prefix, const char *name)
{
	if (f->type == HIST_FIELD_NUMBER)
		hist_strbuf_printf(b, "; %s %s%s", latency_event_field_type(f), prefix, name);
	else if (f->is_dynamic)
		hist_strbuf_printf(b, "; char %s%s[]", prefix, name);
	else
		hist_strbuf_printf(b, "; char %s%s[%u]", prefix, name, f->size);
}

static const char *latency_put_definition(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	hist_strbuf_printf(&b, "%s u64 %s", w->name, w->lat);
	for (i = 0; i < w->ncarried; i++) {
		const struct hist_event_field *f = w->carried[i].field;
		const char *prefix = w->carried[i].prefix;

		if (!f)
			hist_strbuf_str(&b, "; unsigned long[] " START_STACK);
		else
			latency_put_field(&b, f, prefix, f->name);
	}
	return plan_own_text(w->plan, &b);
}

static void latency_add_keys(struct hist_strbuf *b, const struct latency_side *side)
{
	unsigned int i;

	for (i = 0; i < side->nkeys; i++)
		hist_strbuf_printf(b, "%s%s", i ? "," : "hist:keys=", side->keys[i]);
}

static void add_tail(struct latency_state *w, struct hist_strbuf *b,
		     const struct latency_side *side)
{
	const char *filter = w->event->filter ? w->event->filter : side->filter;

	/*
	 * A duration of the event itself is counted at once: its rows are not pairs in progress. The
	 * CPUs fit into a table of the usual size.
	 */
	if (!w->event->duration &&
	    !(side->nkeys == 1 && !strcmp(side->keys[0], "common_cpu")))
		hist_strbuf_str(b, ":size=" LATENCY_SIZE);
	hist_strbuf_printf(b, ":clock=%s", w->clock);
	if (filter)
		hist_strbuf_printf(b, " if %s", filter);
}

/*
 * Does END subtract nanoseconds, rounded down to the unit?  The kernel does not combine .usecs with
 * a number, and the field of a relay has no unit.
 */
static bool latency_divides(const struct latency_state *w)
{
	return w->relay || w->lifts;
}

static const char *latency_put_timestamp_variable(const struct latency_state *w)
{
	return w->spec.nsecs || latency_divides(w) ? "common_timestamp" : "common_timestamp.usecs";
}

/* "END-START" in the unit, with @lift in between: "+1" or "". */
static void latency_put_difference(const struct latency_state *w, struct hist_strbuf *b,
				   const char *lift)
{
	const char *unit = !w->spec.nsecs && latency_divides(w) ? "/1000" : "";

	hist_strbuf_printf(b, "%s%s%s-$ts_%s%s", latency_put_timestamp_variable(w), unit, lift,
			   w->unique, unit);
}

static const char *start_trigger(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	latency_add_keys(&b, &w->spec.start);
	hist_strbuf_printf(&b, ":ts_%s=%s", w->unique, latency_put_timestamp_variable(w));
	for (i = 0; i < w->ncarried; i++) {
		const struct hist_event_field *f = w->carried[i].field;

		if (w->carried[i].of_start)
			hist_strbuf_printf(&b, ",s%u_%s=%s", i, w->unique,
					   f ? f->name : "common_stacktrace");
	}
	add_tail(w, &b, &w->spec.start);
	return plan_own_text(w->plan, &b);
}

/* The relay has the time, the keys k0, k1, .. and the carried fields of START c0, c1, .. */
static int latency_define_relay(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	char name[16];
	const char *text;
	unsigned int i;

	hist_strbuf_printf(&b, "%s u64 ts", w->relay);
	for (i = 0; i < w->spec.start.nkeys; i++) {
		snprintf(name, sizeof(name), "k%u", i);
		if (!strcmp(w->spec.start.keys[i], "common_cpu"))
			hist_strbuf_printf(&b, "; unsigned int %s", name);
		else
			latency_put_field(&b, hist_event_find(w->start.event, w->spec.start.keys[i]),
					  "", name);
	}
	for (i = 0; i < w->ncarried; i++) {
		snprintf(name, sizeof(name), "c%u", i);
		if (w->carried[i].of_start)
			latency_put_field(&b, w->carried[i].field, "", name);
	}
	text = plan_own_text(w->plan, &b);
	return text ? plan_add_dynevent(w->plan, PLAN_SYNTHETIC, text) : -ENOMEM;
}

/* The trigger of START that generates the relay. */
static const char *latency_relay_trigger(struct latency_state *w)
{
	const struct latency_side *side = &w->spec.start;
	struct hist_strbuf b = { 0 };
	unsigned int i;

	latency_add_keys(&b, side);
	hist_strbuf_printf(&b, ":now_%s=common_timestamp", w->unique);
	for (i = 0; i < side->nkeys; i++) {
		if (!strcmp(side->keys[i], "common_cpu"))
			hist_strbuf_printf(&b, ",k%u_%s=common_cpu", i, w->unique);
	}
	hist_strbuf_printf(&b, ":onmatch(%.*s.%s).trace(%s,$now_%s", w->start_system,
			   side->event, side->event + w->start_system + 1, w->relay, w->unique);
	for (i = 0; i < side->nkeys; i++) {
		if (!strcmp(side->keys[i], "common_cpu"))
			hist_strbuf_printf(&b, ",$k%u_%s", i, w->unique);
		else
			hist_strbuf_printf(&b, ",%s", side->keys[i]);
	}
	for (i = 0; i < w->ncarried; i++) {
		if (w->carried[i].of_start)
			hist_strbuf_printf(&b, ",%s", w->carried[i].field->name);
	}
	hist_strbuf_char(&b, ')');
	add_tail(w, &b, side);
	return plan_own_text(w->plan, &b);
}

/* The trigger of the relay, which saves the time as that of START does otherwise. */
static const char *latency_relayed_trigger(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < w->spec.start.nkeys; i++)
		hist_strbuf_printf(&b, "%sk%u", i ? "," : "hist:keys=", i);
	hist_strbuf_printf(&b, ":ts_%s=ts", w->unique);
	for (i = 0; i < w->ncarried; i++) {
		if (w->carried[i].of_start)
			hist_strbuf_printf(&b, ",s%u_%s=c%u", i, w->unique, i);
	}
	hist_strbuf_str(&b, ":size=" LATENCY_SIZE);
	return plan_own_text(w->plan, &b);
}

static const char *end_trigger(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	latency_add_keys(&b, &w->spec.end);
	hist_strbuf_printf(&b, ":lat_%s=", w->unique);
	if (w->event->duration)
		hist_strbuf_str(&b, w->event->duration);
	else
		latency_put_difference(w, &b, "");
	if (w->lifts) {
		hist_strbuf_printf(&b, ",up_%s=", w->unique);
		latency_put_difference(w, &b, "+" LATENCY_LIFT);
	}
	for (i = 0; i < w->ncarried; i++) {
		if (w->carried[i].of_start)
			hist_strbuf_printf(&b, ",e%u_%s=$s%u_%s", i, w->unique, i, w->unique);
	}
	if (w->relay)
		hist_strbuf_printf(&b, ":onmatch(synthetic.%s)", w->relay);
	else
		hist_strbuf_printf(&b, ":onmatch(%.*s.%s)", w->start_system, w->spec.start.event,
				   w->spec.start.event + w->start_system + 1);
	hist_strbuf_printf(&b, ".trace(%s,$lat_%s", w->name, w->unique);
	for (i = 0; i < w->ncarried; i++) {
		if (w->carried[i].of_start)
			hist_strbuf_printf(&b, ",$e%u_%s", i, w->unique);
		else
			hist_strbuf_printf(&b, ",%s", w->carried[i].field->name);
	}
	hist_strbuf_char(&b, ')');
	if (w->saves_previous)
		hist_strbuf_printf(&b, ":onmax($%s_%s)." WORST_JOIN_SAVE, w->lifts ? "up" : "lat",
				   w->unique);
	add_tail(w, &b, &w->spec.end);
	return plan_own_text(w->plan, &b);
}

/* Only a kernel handles the events of several CPUs at once. */
static bool latency_is_guarded(const struct latency_state *w)
{
	return w->kernel && !w->event->duration;
}

/* Add the user's histograms to the synthetic event. */
static int latency_add_visible_hists(struct latency_state *w)
{
	struct plan_hist default_hist = { .keys = "lat.log2" };
	unsigned int i, n = w->event->nhists ? w->event->nhists : 1;
	const char *default_keys, *title;
	struct plan_hist *hist;
	int ret;

	title = w->event->title;
	if (!title)
		title = plan_own_printf(w->plan, "latency:%s..%s",
					strchr(w->spec.start.event, ':') + 1,
					strchr(w->spec.end.event, ':') + 1);
	ret = plan_add_synthetic(w->plan, w->name, title);
	if (!ret)
		ret = latency_rewrite_names(w, default_hist.keys, true, &default_keys);
	for (i = 0; !ret && i < n; i++) {
		const struct plan_hist *from = w->event->nhists ? &w->event->hists[i] : &default_hist;

		hist = plan_add_hist(w->plan);
		if (!hist)
			return -ENOMEM;
		if (from->raw) {
			hist->raw = from->raw;
			ret = check_raw(w, from->raw);
			if (!ret && latency_is_guarded(w))
				ret = latency_guard_add_raw(w->plan, &hist->raw, w->lat, w->spec.nsecs);
			continue;
		}
		hist->keys = default_keys;
		ret = latency_rewrite_names(w, from->keys, true, &hist->keys);
		if (!ret)
			ret = latency_rewrite_names(w, from->values, true, &hist->values);
		if (!ret)
			ret = latency_rewrite_names(w, from->sort, true, &hist->sort);
		if (!ret)
			ret = rewrite_filter(w, from->filter, &hist->filter);
		if (!ret && latency_is_guarded(w))
			ret = latency_guard_add(w->plan, &hist->filter, w->lat, w->spec.nsecs);
	}
	return ret || !latency_is_guarded(w) ? ret :
	       latency_guard_count(w->plan, w->lat, w->spec.nsecs, w->unique);
}

/*
 * Keep the worst latency, and with it "prev_prio" and "prev_comm" of sched_switch if END has both.
 * A kernel saves these two in the histogram of END (worst_join.c); the user-space engine carries
 * them if there is room.
 */
static int latency_keep_both(struct latency_state *w, struct plan_event *visible)
{
	const char *both = ",prev_prio,prev_comm", *previous = "", *ignored;
	int ret;

	if (hist_event_find(w->end.event, "prev_prio") &&
	    hist_event_find(w->end.event, "prev_comm")) {
		w->saves_previous = w->kernel;
		w->lifts = w->kernel && w->kernel->literals;
		if (!w->kernel && w->ncarried + 2 <= CARRIED_MAX) {
			ret = latency_rewrite_names(w, both, true, &ignored);
			if (ret)
				return ret;
			previous = both;
		}
	}
	return latency_keep_worst(w->plan, visible, w->lat, previous);
}

/* For a threshold: name the time, and carry the fields that name the pair if there is room. */
static int latency_name_pair(struct latency_state *w, struct plan_event *visible)
{
	const char *keys = plan_own_keys(w->plan, w->spec.end.keys, w->spec.end.nkeys);

	visible->latency = w->lat;
	if (!keys)
		return -ENOMEM;
	return w->ncarried + w->spec.end.nkeys > CARRIED_MAX ? 0 :
	       latency_rewrite_names(w, keys, false, &visible->pair);
}

/*
 * True if @side happens in the task whose START was chosen by a list of tasks: by itself, or as one
 * of the two tasks of a scheduler event that the kernel compares with the list.
 */
static bool latency_follows_task(const struct latency_side *side)
{
	static const char *const both[] = { "sched:sched_switch", "sched:sched_waking",
					    "sched:sched_wakeup", "sched:sched_wakeup_new" };
	unsigned int i;

	for (i = 0; i < sizeof(both) / sizeof(*both); i++) {
		if (!strcmp(side->event, both[i]))
			return true;
	}
	for (i = 0; i < side->nkeys; i++) {
		if (!strcmp(side->keys[i], "common_pid"))
			return true;
	}
	return false;
}

/* A stack cannot be passed on by a relay. */
static int latency_check_carried(const struct latency_state *w)
{
	unsigned int i;

	for (i = 0; w->relay && i < w->ncarried; i++) {
		if (!w->carried[i].field)
			return message_refuse(-EOPNOTSUPP, "--latency %s: " START_STACK " cannot be used "
					      "if %s\nuse common_stacktrace, the stack of END",
					      w->event->name, w->anywhere ? "END happens in any task, and "
					      "-P, -F or --cgroup chooses the tasks of START" :
					      "START and END are one event");
	}
	return 0;
}

/*
 * True if one hit can be both a START and its own END.  A switch has two tasks, which are never the
 * same.
 */
static bool latency_can_meet_itself(const struct latency *l)
{
	const char *start = l->start.keys[0], *end = l->end.keys[0];

	if (strcmp(l->start.event, l->end.event))
		return false;
	return strcmp(l->start.event, "sched:sched_switch") ||
	       !((!strcmp(start, "prev_pid") && !strcmp(end, "next_pid")) ||
		 (!strcmp(start, "next_pid") && !strcmp(end, "prev_pid")));
}

/* Decide whether END counts in any task, and whether a relay is needed. */
static int latency_choose_relay(struct latency_state *w)
{
	const struct plan *plan = w->plan;
	bool same = latency_can_meet_itself(&w->spec);
	bool lists = plan->pids || plan->only_command || plan->cgroup;

	w->start_system = strcspn(w->spec.start.event, ":");
	if (w->event->duration)
		return 0;
	w->anywhere = lists && !latency_follows_task(&w->spec.end);
	if (!same && !(w->anywhere && w->kernel))
		return 0;
	if (w->kernel && !w->spec.nsecs && !w->kernel->literals)
		return message_refuse(-EOPNOTSUPP, "--latency %s: %s need Linux 5.16 or later to count "
				      "microseconds\nappend :nsecs", w->event->name,
				      same ? "START and END of one event" :
				      "an END in any task together with -P, -F or --cgroup");
	w->relay = plan_own_printf(w->plan, "trace_cmd_hist_%s_start", w->unique);
	return w->relay ? 0 : -ENOMEM;
}

/* Add one of the triggers of START and END. */
static int latency_add_trigger(struct latency_state *w, const char *event, const char *trigger,
			       enum plan_role role, bool anywhere)
{
	struct plan_event *added;
	int ret = plan_add_trigger(w->plan, event, trigger, true);

	if (ret)
		return ret;
	added = &w->plan->events[w->plan->nevents - 1];
	added->role = role;
	added->anywhere = anywhere;
	if (role == PLAN_END) {
		added->function_field = w->event->function_field;
		added->of_tracer = w->event->of_tracer;
	}
	return 0;
}

static const char *latency_copy_event(struct latency_state *w, const struct latency_side *side)
{
	return plan_own(w->plan, strdup(side->event));
}

/* The START trigger, or the trigger of its relay. */
static int latency_add_start(struct latency_state *w)
{
	if (!w->relay)
		return latency_add_trigger(w, latency_copy_event(w, &w->spec.start), start_trigger(w),
					   PLAN_START, false);
	return latency_define_relay(w) ?:
	       latency_add_trigger(w, plan_own_printf(w->plan, "synthetic:%s", w->relay),
				   latency_relayed_trigger(w), PLAN_START, w->anywhere);
}

/* The END trigger, and the trigger that counts all ENDs: the first leaves out those without START. */
static int latency_add_end(struct latency_state *w)
{
	int ret = latency_add_trigger(w, latency_copy_event(w, &w->spec.end), end_trigger(w),
				      w->event->duration ? PLAN_NO_ROLE : PLAN_END, w->anywhere);

	/* among the tasks of a list, the ENDs of other tasks have no START */
	if (ret || !latency_is_guarded(w) || w->anywhere)
		return ret;
	return latency_guard_count_ends(w->plan, w->spec.end.filter, w->unique);
}

/* Among the tasks of a list, the ENDs of other tasks have no START. */
static void latency_set_usual(const struct latency_state *w, struct plan_event *visible)
{
	const bool own = w->event->of_preset;

	visible->usual_starts = w->event->usual_starts || (!own && w->spec.end.filter);
	visible->usual_ends = w->event->usual_ends || (!own && w->spec.start.filter) || w->anywhere;
}

/* The visible event is built first, because it decides which fields are carried; it is set last. */
static int latency_build_events(struct latency_state *w)
{
	struct plan *plan = w->plan;
	unsigned int first = plan->nevents, helpers;
	struct plan_event visible;
	const char *text;
	int ret;

	w->name = plan_own_printf(plan, "trace_cmd_hist_%s", w->unique);
	w->lat = w->spec.nsecs ? "lat_ns" : "lat_us";
	ret = latency_add_visible_hists(w);
	if (!ret && !w->event->duration && latency_wants_worst(&plan->events[first]))
		ret = latency_keep_both(w, &plan->events[first]);
	if (!ret && plan->threshold)
		ret = latency_name_pair(w, &plan->events[first]);
	if (!ret)
		ret = latency_check_carried(w);
	if (!ret && !w->event->duration)
		ret = latency_add_start(w);
	if (!ret)
		ret = latency_add_end(w);
	if (!ret && w->relay)
		ret = latency_add_trigger(w, latency_copy_event(w, &w->spec.start),
					  latency_relay_trigger(w), PLAN_NO_ROLE, false);
	if (ret)
		return ret;
	plan->events[first].role = w->event->duration ? PLAN_NO_ROLE : PLAN_PAIRS;
	plan->events[first].end_saves = w->saves_previous;
	plan->events[first].anywhere = w->anywhere;
	plan->events[first].guarded = latency_is_guarded(w);
	latency_set_usual(w, &plan->events[first]);
	visible = plan->events[first];
	helpers = plan->nevents - 1 - first;
	memmove(&plan->events[first], &plan->events[first + 1], helpers * sizeof(visible));
	plan->events[first + helpers] = visible;
	text = latency_put_definition(w);
	return text ? plan_add_dynevent(plan, PLAN_SYNTHETIC, text) : -ENOMEM;
}

int latency_expand(struct plan *plan, const struct plan_event *event, const char *unique,
		   const char *clock, struct hist_target *t, const struct hist_kernel *kernel)
{
	struct latency_state w = { .plan = plan, .event = event, .unique = unique, .clock = clock,
			  .start.file = -1, .end.file = -1, .kernel = kernel };
	char why[256];
	int ret;

	ret = latency_parse(&w.spec, event->name, why, sizeof(why));
	if (ret == -EINVAL)
		message_error("--latency: %s", why);
	if (!ret)
		ret = latency_event_find(plan, event, &w.spec.start, &w.start, &w.start_guess, t);
	if (!ret)
		ret = latency_event_find(plan, event, &w.spec.end, &w.end, &w.end_guess, t);
	if (!ret)
		ret = latency_check_keys(&w);
	if (!ret)
		ret = latency_choose_relay(&w);
	if (!ret)
		ret = latency_build_events(&w);
	hist_event_free(w.start_guess);
	hist_event_free(w.end_guess);
	traced_event_clear(&w.start, t);
	traced_event_clear(&w.end, t);
	latency_clear(&w.spec);
	return ret;
}
