// SPDX-License-Identifier: GPL-2.0
/*
 * capture_source.c - the events whose hits are compared with a threshold, and the search for hits
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/duration.h"
#include "lib/base/text.h"
#include "lib/check/check.h"
#include "lib/check/check_constant.h"
#include "lib/event/field_names.h"
#include "lib/expr/field_resolve.h"
#include "lib/hist/field_units.h"
#include "lib/ringbuf/ring_page.h"
#include "tracecmd/base/message.h"
#include "tracecmd/record/capture_source.h"

/* The field with the time of a latency, "lat_us" or "lat_ns"; NULL: the event is not one. */
static const char *capture_source_find_latency(const struct traced_event *event)
{
	const struct query_pairs *pairs = query_get_pairs(event->plan);

	return pairs ? pairs->latency : NULL;
}

/* The field of a histogram that is a duration, and whether it ended when the event happened. */
struct capture_duration {
	const struct traced_event *event;
	const char *field; /* NULL: none */
	uint64_t unit_ns;
	bool is_elapsed;
};

static uint64_t capture_source_unit_ns(const char *unit)
{
	return strcmp(unit, FIELD_UNIT_US) ? 1 : 1000;
}

/* Set *@to if a key or a value of @fields is a duration; an elapsed time comes before others. */
static void capture_source_look_at(struct capture_duration *to, const struct traced_event *event,
				   const struct hist_expr *expr, const struct hist_fields *fields,
				   bool are_keys)
{
	const char *system = event->system, *name = event->name, *unit;
	struct hist_resolved r;
	bool is_elapsed;
	unsigned int i;

	for (i = 0; i < fields->n && !to->is_elapsed; i++) {
		hist_field_resolve(&r, expr, &fields->field[i], are_keys, event->event);
		if (r.meaning != HIST_MEANS_FIELD || !r.field || !hist_field_is_number(r.field))
			continue;
		/* a synthetic event has a unit only of a difference of times */
		unit = r.field->unit ? r.field->unit
				     : field_units_find(system, name, r.field->name);
		is_elapsed = r.field->unit || field_units_is_elapsed(system, name, r.field->name);
		if (unit && (is_elapsed || !to->field))
			*to = (struct capture_duration){
				event, r.field->name, capture_source_unit_ns(unit), is_elapsed,
			};
	}
}

static struct capture_duration capture_source_find_duration(const struct traced_event *event)
{
	const char *latency = capture_source_find_latency(event);
	struct capture_duration found = { .event = event };
	unsigned int h;

	if (latency)
		return (struct capture_duration){
			event, latency, strcmp(latency, "lat_ns") ? 1000 : 1, true,
		};
	for (h = 0; event->event && h < event->nhists; h++) {
		const struct hist_expr *expr = event->hists[h].expr;

		capture_source_look_at(&found, event, expr, &expr->keys, true);
		capture_source_look_at(&found, event, expr, &expr->values, false);
	}
	return found;
}

/* What the time of a threshold is compared with: a latency, or otherwise an elapsed time. */
static struct capture_duration capture_sources_find_duration(const struct session *s)
{
	struct capture_duration best = { 0 }, one;
	unsigned int e;

	for (e = 0; e < s->nsources; e++) {
		if (capture_source_find_latency(&s->sources[e]))
			return capture_source_find_duration(&s->sources[e]);
		one = capture_source_find_duration(&s->sources[e]);
		if (one.field && !best.is_elapsed && (one.is_elapsed || !best.field))
			best = one;
	}
	return best;
}

void capture_source_reset_limit(struct capture_source *s)
{
	s->limit = s->field ? (s->threshold + s->unit_ns - 1) / s->unit_ns : 0;
}

char *capture_source_make_filter(const struct capture_source *s)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	if (!s->field)
		return strdup(s->filter);
	hist_strbuf_printf(&b, "%s >= %" PRIu64, s->field, s->limit);
	for (i = 0; i < s->event->nhists && s->event->hists[i].expr->filter; i++)
		;
	if (i < s->event->nhists)
		return hist_strbuf_string(&b);
	for (i = 0; i < s->event->nhists; i++) {
		const char *filter = s->event->hists[i].expr->filter;

		if (!i || strcmp(filter, s->event->hists[i - 1].expr->filter))
			hist_strbuf_printf(&b, "%s%s", i ? ") || (" : " && ((", filter);
	}
	hist_strbuf_str(&b, "))");
	return hist_strbuf_string(&b);
}

/* @duration: what the threshold @ns is compared with; without a field, it is a filter. */
static int capture_source_init(struct capture_source *s, const struct plan *plan,
			       const struct capture_duration *duration, uint64_t ns)
{
	s->event = duration->event;
	s->field = duration->field;
	if (!s->field && s->event->event) {
		if (hist_check_replace_constants(&s->filter, plan->threshold, s->event->event))
			return message_error_memory();
		return 0;
	}
	if (!s->field) {
		s->filter = strdup(plan->threshold);
		return s->filter ? 0 : message_error_memory();
	}
	s->unit_ns = duration->unit_ns;
	s->threshold = ns;
	capture_source_reset_limit(s);
	s->filter = capture_source_make_filter(s);
	return s->filter ? 0 : message_error_memory();
}

/* A time needs a field that it can be compared with. */
static int capture_source_check_time(const struct plan *plan, const struct capture_duration *d,
				     uint64_t ns)
{
	if (!d->field)
		return message_refuse(
			-EINVAL,
			"--threshold %s: a time can be used only if the "
			"recording measures a latency, or a field with the time up to "
			"its event\n"
			"use --latency, or a filter such as --threshold 'bytes_req "
			"> 4096'",
			plan->threshold);
	if (d->is_elapsed)
		return 0;
	return message_refuse(-EINVAL,
			      "--threshold %s: \"%s\" of %s does not end with the event, so "
			      "its start and end are unknown\n"
			      "use a filter, such as --threshold '%s >= %" PRIu64 "'",
			      plan->threshold, d->field, d->event->full_name, d->field,
			      (ns + d->unit_ns - 1) / d->unit_ns);
}

/* A hit is not restricted to the tasks of -P: the ring buffer has the events of all tasks. */
static int capture_source_check_tasks(const struct plan *plan)
{
	if (!plan->pids && !plan->only_command && !plan->cgroup)
		return 0;
	return message_refuse(-EINVAL,
			      "--threshold %s: without --latency, a threshold cannot be "
			      "combined with %s\n"
			      "select the task in a filter, such as 'common_pid == 17 && ...'",
			      plan->threshold,
			      plan->pids     ? "-P"
			      : plan->cgroup ? "--cgroup"
					     : "-F");
}

int capture_sources_find(struct capture_source **sources, unsigned int *n,
			 const struct plan *plan, const struct session *session)
{
	struct capture_duration duration = capture_sources_find_duration(session), one;
	bool latency = duration.field && capture_source_find_latency(duration.event);
	uint64_t ns = 0;
	bool is_time = !duration_parse(plan->threshold, &ns);
	unsigned int e;
	int ret = 0;

	*n = 0;
	*sources = calloc(session->nsources + 1ul, sizeof(**sources));
	if (!*sources)
		return message_error_memory();
	if ((latency && !is_time) || (is_time && !ns))
		return message_refuse(-EINVAL,
				      "--threshold %s: must be a time with a known unit, greater "
				      "than 0\n"
				      "use a number with a unit: " DURATION_UNITS,
				      plan->threshold);
	if (is_time)
		ret = capture_source_check_time(plan, &duration, ns);
	if (!ret && !latency)
		ret = capture_source_check_tasks(plan);
	for (e = 0; !ret && e < session->nsources; e++) {
		const struct traced_event *event = &session->sources[e];

		if (!event->nhists || traced_event_is_repeated(session->sources, e) ||
		    (latency && !capture_source_find_latency(event)))
			continue;
		one = capture_source_find_duration(event);
		if (is_time && !one.is_elapsed)
			continue;
		if (!is_time)
			one = (struct capture_duration){ .event = event };
		ret = capture_source_init(&(*sources)[(*n)++], plan, &one, ns);
	}
	return ret;
}

int capture_source_check(const struct capture_source *s, const struct hist_kernel *kernel)
{
	static const char head[] = "hist:keys=common_pid if ";
	const struct hist_check_context context = { .kernel = kernel };
	struct hist_expr *expr = NULL;
	struct hist_error error = { 0 };
	char *text;
	int ret;

	if (s->field || !s->event->event)
		return 0;
	if (asprintf(&text, "%s%s", head, s->filter) < 0)
		return message_error_memory();
	ret = hist_expr_parse(&expr, text, &error);
	if (!ret)
		ret = hist_check_expr_in(expr, s->event->event, &context, &error);
	/* show the filter alone */
	if (ret == -EINVAL && error.at.start >= strlen(head))
		error.at.start -= strlen(head);
	message_report_expression(ret, s->filter, &error);
	hist_expr_free(expr);
	free(text);
	return ret;
}

/* The field @name of a hit that has it, or NULL. */
static const struct hist_event_field *find_field(const struct capture_source *s, const char *name,
						 const struct capture_hit *hit)
{
	const struct hist_event_field *f = hist_event_find(s->event->event, name);

	return hist_field_is_in(f, &hit->event) ? f : NULL;
}

static struct capture_source *find_source(struct capture_source *sources, unsigned int n,
					  const struct hist_target *t, const unsigned char *data)
{
	unsigned int id = bytes_u16(t->big_endian, data), i;

	for (i = 0; i < n; i++) {
		if (sources[i].event->event->id == id)
			return &sources[i];
	}
	return NULL;
}

int capture_source_walk(struct capture_source *sources, unsigned int n,
			const struct hist_target *t, const struct target_buf *pages,
			unsigned int cpu, uint64_t *lost, capture_source_take take, void *arg)
{
	struct hist_ring_page_layout layout = hist_ring_page_layout(t->big_endian, t->long_size);
	struct capture_hit hit = { .cpu = cpu, .event.big_endian = t->big_endian };
	const struct hist_event_field *f;
	struct hist_ring_page page;
	struct capture_source *s;
	size_t at;
	int ret = 0;

	for (at = 0; !ret && at + t->page_size <= pages->len; at += t->page_size) {
		if (hist_ring_page_begin(&page, &layout, pages->data + at, t->page_size))
			continue;
		if (lost && page.lost)
			*lost += page.lost == HIST_RING_PAGE_LOST_SOME ? 1 : page.lost;
		while (!ret && hist_ring_page_next(&page, &hit.event.data, &hit.event.len)) {
			s = find_source(sources, n, t, hit.event.data);
			if (!s)
				continue;
			f = s->field ? find_field(s, s->field, &hit) : NULL;
			if (s->field && !f)
				continue;
			hit.time = page.time;
			hit.value = hist_field_load_number(f, &hit.event);
			ret = take(arg, s, &hit);
		}
	}
	return ret;
}

void capture_source_load(const struct capture_source *s, const struct hist_target *t,
			 struct capture_hit *hit)
{
	const struct hist_event_field *f = s->field ? find_field(s, s->field, hit) : NULL;

	/* the engine makes synthetic events in the byte order of this machine */
	hit->event.big_endian = strcmp(s->event->system, "synthetic") ? t->big_endian :
			  __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	hit->value = hist_field_load_number(f, &hit->event);
}

/* The number, or its name: "context=thread". */
static void capture_source_put_number(struct hist_strbuf *b, const struct capture_source *s,
				      const struct hist_event_field *f,
				      const struct capture_hit *hit)
{
	uint64_t num = hist_field_load_number(f, &hit->event);
	struct hist_field_names *names;
	size_t start = b->len;
	bool has_name = false;
	int ret;

	ret = hist_field_names_new(&names, s->event->event, f);
	if (!ret) {
		has_name = hist_field_names_put(names, num, b);
		hist_field_names_free(names);
	} else if (ret == -ENOMEM) {
		hist_strbuf_fail(b, ret);
	}
	/* a blank ends a number of the key */
	if (has_name && !b->error && !memchr(b->data + start, ' ', b->len - start))
		return;
	if (!b->error)
		b->len = start;
	hist_strbuf_number(b, num, f->is_signed);
}

static void put_field(struct hist_strbuf *b, const struct capture_source *s,
		      const struct hist_event_field *f, const struct capture_hit *hit)
{
	const char *text;
	size_t len;

	if (hist_field_is_number(f))
		capture_source_put_number(b, s, f, hit);
	if (!hist_field_is_string(f))
		return;
	text = hist_field_load_string(f, &hit->event, &len);
	if (text)
		hist_strbuf_add(b, text, len);
}

/* The fields that are keys of the first histogram of an event, except @but, as "comm,pid". */
static char *capture_source_list_keys(const struct traced_event *event, const char *but)
{
	const struct hist_expr *expr = event->hists->expr;
	struct hist_strbuf b = { 0 };
	struct hist_resolved r;
	unsigned int i;

	for (i = 0; i < expr->keys.n; i++) {
		hist_field_resolve(&r, expr, &expr->keys.field[i], true, event->event);
		if ((r.meaning == HIST_MEANS_FIELD || r.meaning == HIST_MEANS_CPU) &&
		    strcmp(r.name, but))
			hist_strbuf_printf(&b, "%s%s", b.len ? "," : "", r.name);
	}
	return b.len || b.error ? hist_strbuf_string(&b) : strdup("");
}

/* The names of the fields that identify a hit; malloc'ed. */
static char *capture_source_list_names(const struct capture_source *s)
{
	const struct query_pairs *pairs = query_get_pairs(s->event->plan);

	if (pairs)
		return strdup(pairs->names ? pairs->names : "");
	return s->field ? capture_source_list_keys(s->event, s->field) : strdup("");
}

char *capture_source_format_key(const struct capture_source *s, const struct capture_hit *hit)
{
	char *names = capture_source_list_names(s), *name = names;
	const struct hist_event_field *f;
	struct hist_strbuf b = { 0 };
	char word[64];
	size_t len;

	for (; name && *name; name += len + (name[len] == ',')) {
		len = strcspn(name, ",");
		hist_strbuf_printf(&b, "%s%.*s=", b.len ? " " : "", (int)len, name);
		if (text_equals(name, len, "common_cpu")) {
			hist_strbuf_u64(&b, hit->cpu);
			continue;
		}
		snprintf(word, sizeof(word), "%.*s", (int)len, name);
		f = find_field(s, word, hit);
		if (f)
			put_field(&b, s, f, hit);
	}
	free(names);
	if (!names)
		return NULL;
	if (!b.len && !b.error)
		return strdup("");
	return hist_strbuf_string(&b);
}
