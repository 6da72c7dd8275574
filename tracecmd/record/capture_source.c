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
#include "lib/ringbuf/ring_page.h"
#include "tracecmd/base/message.h"
#include "tracecmd/record/capture_source.h"

/* The field with the time of a latency, "lat_us" or "lat_ns"; NULL: the event is not one. */
static const char *capture_source_find_latency(const struct traced_event *event)
{
	const struct query_pairs *pairs = query_get_pairs(event->plan);

	return pairs ? pairs->latency : NULL;
}

static bool has_latency(const struct session *s)
{
	unsigned int e;

	for (e = 0; e < s->nsources; e++) {
		if (capture_source_find_latency(&s->sources[e]))
			return true;
	}
	return false;
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

static int capture_source_init(struct capture_source *s, const struct traced_event *event,
			       const struct plan *plan, uint64_t ns)
{
	s->event = event;
	s->field = capture_source_find_latency(event);
	if (!s->field) {
		s->filter = strdup(plan->threshold);
		return s->filter ? 0 : message_error_memory();
	}
	s->unit_ns = strcmp(s->field, "lat_ns") ? 1000 : 1;
	s->threshold = ns;
	capture_source_reset_limit(s);
	s->filter = capture_source_make_filter(s);
	return s->filter ? 0 : message_error_memory();
}

/* A filter is not restricted to the tasks of -P: the ring buffer has the events of all tasks. */
static int check_filter_use(const struct plan *plan, bool latency)
{
	uint64_t ns;

	if (latency)
		return 0;
	if (!duration_parse(plan->threshold, &ns))
		return message_refuse(-EINVAL, "--threshold %s: a time can be used only if the "
				      "recording measures a latency\n"
				      "use --latency, or a filter such as --threshold 'bytes_req "
				      "> 4096'",
				      plan->threshold);
	if (plan->pids || plan->only_command || plan->cgroup)
		return message_refuse(-EINVAL, "--threshold %s: a filter cannot be combined "
				      "with %s\n"
				      "select the task in the filter, such as 'common_pid == 17 && "
				      "...'",
				      plan->threshold, plan->pids ? "-P" : plan->cgroup ? "--cgroup" : "-F");
	return 0;
}

int capture_sources_find(struct capture_source **sources, unsigned int *n,
			 const struct plan *plan, const struct session *session)
{
	bool latency = has_latency(session);
	uint64_t ns = 0;
	unsigned int e;
	int ret;

	*n = 0;
	*sources = calloc(session->nsources + 1ul, sizeof(**sources));
	if (!*sources)
		return message_error_memory();
	if (latency && (duration_parse(plan->threshold, &ns) || !ns))
		return message_refuse(-EINVAL, "--threshold %s: must be a time greater than 0\nuse seconds, "
				      "or a number with ns, us, ms, s, m or h", plan->threshold);
	ret = check_filter_use(plan, latency);
	for (e = 0; !ret && e < session->nsources; e++) {
		const struct traced_event *event = &session->sources[e];

		if (!event->nhists || (latency && !capture_source_find_latency(event)) ||
		    traced_event_is_repeated(session->sources, e))
			continue;
		ret = capture_source_init(&(*sources)[(*n)++], event, plan, ns);
	}
	return ret;
}

int capture_source_check(const struct capture_source *s, const struct hist_kernel *kernel)
{
	static const char head[] = "hist:keys=common_pid if ";
	const struct hist_check_context context = { .kernel = kernel };
	struct hist_expr *expr = NULL;
	struct hist_error error;
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

uint64_t capture_source_first_time(const struct hist_target *t, const struct target_buf *pages,
				   bool *lost)
{
	struct hist_ring_page_layout layout = hist_ring_page_layout(t->big_endian, t->long_size);
	const unsigned char *data;
	struct hist_ring_page page;
	uint32_t len;

	*lost = false;
	if (pages->len < t->page_size ||
	    hist_ring_page_begin(&page, &layout, pages->data, t->page_size))
		return UINT64_MAX;
	*lost = page.lost;
	return hist_ring_page_next(&page, &data, &len) ? page.time : UINT64_MAX;
}

static void put_field(struct hist_strbuf *b, const struct hist_event_field *f,
		      const struct capture_hit *hit)
{
	const char *text;
	size_t len;

	if (hist_field_is_number(f))
		hist_strbuf_number(b, hist_field_load_number(f, &hit->event), f->is_signed);
	if (!hist_field_is_string(f))
		return;
	text = hist_field_load_string(f, &hit->event, &len);
	if (text)
		hist_strbuf_add(b, text, len);
}

char *capture_source_format_key(const struct capture_source *s, const struct capture_hit *hit)
{
	const struct query_pairs *pairs = query_get_pairs(s->event->plan);
	const char *name = pairs && pairs->names ? pairs->names : "";
	const struct hist_event_field *f;
	struct hist_strbuf b = { 0 };
	char word[64];
	size_t len;

	for (; *name; name += len + (name[len] == ',')) {
		len = strcspn(name, ",");
		hist_strbuf_printf(&b, "%s%.*s=", b.len ? " " : "", (int)len, name);
		if (text_equals(name, len, "common_cpu")) {
			hist_strbuf_u64(&b, hit->cpu);
			continue;
		}
		snprintf(word, sizeof(word), "%.*s", (int)len, name);
		f = find_field(s, word, hit);
		if (f)
			put_field(&b, f, hit);
	}
	if (!b.len && !b.error)
		return strdup("");
	return hist_strbuf_string(&b);
}
