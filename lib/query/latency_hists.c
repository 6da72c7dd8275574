// SPDX-License-Identifier: LGPL-2.1
/*
 * latency_hists.c - the histograms of the synthetic event of a --latency
 *
 * What the names in -k, -v, -s, -f and -R mean: "lat" is the latency.  Other names are fields of
 * END, or else of START, which the synthetic event carries.  Quoted strings and words after a '.'
 * (modifiers) are not names.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/suggest.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/filter.h"
#include "lib/query/fine_log2.h"
#include "lib/query/latency_guard.h"
#include "lib/query/latency_private.h"

/* --- names --- */

static const struct hist_event_field *latency_find_own_field(const struct query_found *s,
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
static unsigned int latency_add_field_names(const struct query_found *s, const char **names,
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

/* Write "use one of: a, b, ..." to @text, with as many of @names as fit. */
static void latency_list_names(char *text, size_t size, const char *const *names, unsigned int n)
{
	size_t len = snprintf(text, size, "use one of: ");
	unsigned int i;

	for (i = 0; i < n; i++) {
		const char *comma = i ? ", " : "";

		if (len + strlen(comma) + strlen(names[i]) + strlen(", ...") >= size) {
			snprintf(text + len, size - len, "%s...", comma);
			return;
		}
		len += snprintf(text + len, size - len, "%s%s", comma, names[i]);
	}
}

/*
 * Refuse an unknown field and return -EINVAL. @a and @b: the events that lack the field; each may
 * be NULL. @text: the text that contains the name, or NULL. @extra: another valid name.
 */
static int latency_no_field(const struct latency_state *w, const struct query_found *a,
			    const struct query_found *b, const char *extra, const char *text,
			    struct hist_span at, const char *name)
{
	struct hist_error *error = w->refusal;
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
	hist_error_set(error, -EINVAL, "--latency: no field \"%.40s\" in %.44s%s%.44s", name,
		       a->full_name, b ? " or " : "", b ? b->full_name : "");
	near = hist_suggest(name, names, n);
	if (near)
		snprintf(error->hint, sizeof(error->hint), "did you mean \"%s\"?", near);
	else
		latency_list_names(error->hint, sizeof(error->hint), names, n);
	free(names);
	error->at = at;
	error->text = text ? query_own_printf(w->query, "%s", text) : NULL;
	return text && !error->text ? -ENOMEM : -EINVAL;
}

static int latency_no_key(const struct latency_state *w, const struct query_found *s,
			  const char *name)
{
	return latency_no_field(w, s, NULL, NULL, NULL, (struct hist_span){ 0 }, name);
}

/* The keys of a pair must be comparable: two numbers, or two strings of the same size. */
int latency_check_keys(const struct latency_state *w)
{
	const struct hist_event_field *a, *b;
	unsigned int i;

	for (i = 0; i < w->spec.start.nkeys; i++) {
		const char *start = w->spec.start.keys[i], *end = w->spec.end.keys[i];
		bool cpu = !strcmp(start, "common_cpu"), end_cpu = !strcmp(end, "common_cpu");

		if (cpu && end_cpu)
			continue;
		if (cpu || end_cpu)
			return latency_refuse(w, -EINVAL, "--latency: common_cpu must be a key of "
					      "both START and END");
		a = hist_event_find(w->start.event, start);
		b = hist_event_find(w->end.event, end);
		if (!a)
			return latency_no_key(w, &w->start, start);
		if (!b)
			return latency_no_key(w, &w->end, end);
		/* the kernel widens numbers to 64 bits */
		if (a->type == b->type &&
		    (hist_field_is_number(a) ||
		     (hist_field_is_string(a) && a->size == b->size)))
			continue;
		return latency_refuse(w, -EINVAL,
				      "--latency: cannot compare %s of %s (%s) with %s of "
				      "%s (%s)",
				      a->name, w->start.full_name, a->ctype, b->name,
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
		return latency_no_field(w, &w->end, &w->start,
					strncmp(text, "hist:", 5) ? "lat" : w->lat, text, at, name);
	}
	for (i = 0, f = c.field; i < w->ncarried; i++) {
		if (w->carried[i].field == f && w->carried[i].prefix == c.prefix)
			return 0;
	}
	if (f && latency_is_guessed(c.of_start ? w->start.guess : w->end.guess, f))
		return latency_refuse(w, -EINVAL,
				      "--latency: the type of argument \"%s\" is not "
				      "known before the probe exists\nadd the type to the probe, "
				      "such as %s=FETCH:u64",
				      f->name, f->name);
	if (f && !hist_field_is_number(f) && !hist_field_is_string(f))
		return latency_refuse(w, -EINVAL,
				      "--latency: field \"%s\" (%s) is neither a number "
				      "nor a string",
				      f->name, f->ctype);
	if (w->ncarried == CARRIED_MAX)
		return latency_refuse(w, -EINVAL,
				      "--latency %s: -k, -v, -s and -f use more than %d "
				      "fields",
				      w->event->name, CARRIED_MAX);
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
	*result = query_own_text(w->query, &b);
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
static int latency_rewrite_filter(struct latency_state *w, const char *text, const char **result)
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
static int latency_check_tree(struct latency_state *w, const char *text,
			      const struct hist_node *node)
{
	struct hist_span at;
	int ret;

	if (!node)
		return 0;
	if (node->kind == HIST_NODE_FIELD) {
		at = (struct hist_span){ node->span.start, strlen(node->name) };
		return latency_carry_field(w, text, at, true);
	}
	ret = latency_check_tree(w, text, node->left);
	return ret ? ret : latency_check_tree(w, text, node->right);
}

/* Check only that the fields of a raw trigger exist. */
static int latency_check_raw(struct latency_state *w, const char *raw)
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
			ret = latency_check_tree(w, text, expr->keys.field[i].tree);
		for (i = 0; !ret && i < expr->values.n; i++)
			ret = latency_check_tree(w, text, expr->values.field[i].tree);
		if (!ret)
			ret = latency_check_filter(w, text, expr->filter_tree);
		hist_expr_free(expr);
		if (ret)
			return ret;
	}
	return latency_rewrite_names(w, raw, false, &ignored);
}

/* --- the histograms --- */

/* Add the user's histograms to the synthetic event. */
static int latency_add_visible_hists(struct latency_state *w)
{
	struct query_hist default_hist = { .keys = "lat.log2=3" };
	unsigned int i, n = w->event->nhists ? w->event->nhists : 1;
	const char *default_keys, *title;
	struct query_hist *hist;
	int ret;

	title = w->event->title;
	if (!title)
		title = query_own_printf(w->query, "latency:%s..%s",
					 strchr(w->spec.start.event, ':') + 1,
					 strchr(w->spec.end.event, ':') + 1);
	ret = query_add_synthetic(w->query, w->name, title);
	if (!ret)
		ret = fine_log2_settle(w->query, w->source->kernel, &default_hist);
	if (!ret)
		ret = latency_rewrite_names(w, default_hist.keys, true, &default_keys);
	for (i = 0; !ret && i < n; i++) {
		const struct query_hist *from =
			w->event->nhists ? &w->event->hists[i] : &default_hist;

		hist = query_add_hist(w->query);
		if (!hist)
			return -ENOMEM;
		if (from->raw) {
			hist->raw = from->raw;
			ret = latency_check_raw(w, from->raw);
			if (!ret && w->guarded)
				ret = latency_guard_add_raw(w->query, &hist->raw, w->lat,
							    w->spec.nsecs);
			continue;
		}
		hist->keys = default_keys;
		hist->more = from->more;
		ret = latency_rewrite_names(w, from->keys, true, &hist->keys);
		if (!ret)
			ret = latency_rewrite_names(w, from->values, true, &hist->values);
		if (!ret)
			ret = latency_rewrite_names(w, from->sort, true, &hist->sort);
		if (!ret)
			ret = latency_rewrite_filter(w, from->filter, &hist->filter);
		if (!ret && w->guarded)
			ret = latency_guard_add(w->query, &hist->filter, w->lat, w->spec.nsecs);
	}
	return ret || !w->guarded ? ret
				  : latency_guard_count(w->query, w->lat, w->spec.nsecs, w->unique);
}

/* True if a histogram of @event is not from -R. */
static bool latency_wants_worst(const struct query_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		if (!event->hists[i].raw)
			return true;
	}
	return false;
}

/*
 * Let the histograms that are not from -R keep their worst (HIST_VALUE_WORST). A histogram of -R
 * keeps only what its own actions save.
 *
 * A row keeps its time, CPU and task, and who ran before if END says so.  The kernel saves these
 * fields only if the maximum rises.  All kernels with synthetic events know "cpu".  save() does not
 * make the kernel keep timestamps, but the START trigger does, which is in the same instance and is
 * set before: a variable for the time would cost each event 200 instructions.  Strings come last,
 * because they may contain anything.
 * @lat: the field with the latency.  @previous: further fields to save, ",prev_prio,prev_comm".
 */
static int latency_keep_worst(struct query *query, const struct query_event *event, const char *lat,
			      const char *previous)
{
	char suffix[12] = "";
	const char *size;
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		if (event->hists[i].raw)
			continue;
		if (i) /* an event cannot have two variables of one name */
			snprintf(suffix, sizeof(suffix), "%u", i + 1);
		size = event->hists[i].more;
		event->hists[i].more = query_own_printf(
			query, "%s%sworst%s=%s:onmax($worst%s)."
			"save(common_timestamp,cpu,common_pid%s)",
			size ? size : "", size ? ":" : "", suffix, lat, suffix, previous);
		if (!event->hists[i].more)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Keep the worst latency, and with it "prev_prio" and "prev_comm" of sched_switch if END has both.
 * A kernel saves these two in the histogram of END (kernel_counter.c); the user-space engine
 * carries them if there is room.
 */
static int latency_keep_both(struct latency_state *w, struct query_event *visible)
{
	const char *both = ",prev_prio,prev_comm", *previous = "", *ignored;
	int ret;

	if (hist_event_find(w->end.event, "prev_prio") &&
	    hist_event_find(w->end.event, "prev_comm")) {
		w->saves_previous = w->source->kernel;
		w->lifts = w->source->kernel && w->source->kernel->literals;
		if (!w->source->kernel && w->ncarried + 2 <= CARRIED_MAX) {
			ret = latency_rewrite_names(w, both, true, &ignored);
			if (ret)
				return ret;
			previous = both;
		}
	}
	return latency_keep_worst(w->query, visible, w->lat, previous);
}

static const char *latency_join_keys(struct query *query, char *const *keys, unsigned int n)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < n; i++)
		hist_strbuf_printf(&b, "%s%s", i ? "," : "", keys[i]);
	return query_own_text(query, &b);
}

/* For a threshold: name the time, and carry the fields that name the pair if there is room. */
static int latency_name_pair(struct latency_state *w, struct query_event *visible)
{
	const char *keys = latency_join_keys(w->query, w->spec.end.keys, w->spec.end.nkeys);

	visible->pairs.latency = w->lat;
	if (!keys)
		return -ENOMEM;
	return w->ncarried + w->spec.end.nkeys > CARRIED_MAX
		       ? 0
		       : latency_rewrite_names(w, keys, false, &visible->pairs.names);
}

int latency_add_hists(struct latency_state *w)
{
	unsigned int first = w->query->nevents;
	struct query_event *visible;
	int ret = latency_add_visible_hists(w);

	if (ret)
		return ret;
	visible = &w->query->events[first];
	if (!w->event->span.duration && latency_wants_worst(visible))
		ret = latency_keep_both(w, visible);
	return ret || !w->source->names_pairs ? ret : latency_name_pair(w, visible);
}
