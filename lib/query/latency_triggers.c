// SPDX-License-Identifier: LGPL-2.1
/*
 * latency_triggers.c - the texts of the triggers and synthetic events of a --latency
 *
 * A field is carried in a synthetic field of the same type or size, because the kernel compares
 * types and sizes (check_synth_field() in trace_events_hist.c).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/query/latency_field.h"
#include "lib/query/latency_private.h"
#include "lib/query/latency_worst.h"

/* " TYPE NAME" of a field of a synthetic event that has the value of @f. */
static void latency_put_field(struct hist_strbuf *b, const struct hist_event_field *f,
			      const char *prefix, const char *name)
{
	if (hist_field_is_number(f))
		hist_strbuf_printf(b, "; %s %s%s", latency_field_type(f), prefix, name);
	else if (f->is_dynamic)
		hist_strbuf_printf(b, "; char %s%s[]", prefix, name);
	else
		hist_strbuf_printf(b, "; char %s%s[%u]", prefix, name, f->size);
}

const char *latency_put_definition(struct latency_state *w)
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
	return query_own_text(w->query, &b);
}

static void latency_add_keys(struct hist_strbuf *b, const struct latency_side *side)
{
	unsigned int i;

	for (i = 0; i < side->nkeys; i++)
		hist_strbuf_printf(b, "%s%s", i ? "," : "hist:keys=", side->keys[i]);
}

static void latency_add_tail(struct latency_state *w, struct hist_strbuf *b,
		     const struct latency_side *side)
{
	const char *filter = w->event->span.filter ? w->event->span.filter : side->filter;

	/*
	 * A duration of the event itself is counted at once: its rows are not pairs in progress.
	 * The CPUs fit into a table of the usual size.
	 */
	if (!w->event->span.duration &&
	    !(side->nkeys == 1 && !strcmp(side->keys[0], "common_cpu")))
		hist_strbuf_str(b, ":size=" LATENCY_SIZE);
	if (w->source->clock)
		hist_strbuf_printf(b, ":clock=%s", w->source->clock);
	if (filter)
		hist_strbuf_printf(b, " if %s", filter);
}

/*
 * A kernel with numbers in expressions adds this to each START, and to END: two CPUs that evaluate
 * END for one key at once can read the stack of the other instead of START (elt_data->var_ref_vals
 * in kernel/trace/trace_events_hist.c).  A number that is no START, such as 0, then makes a time
 * that the guard leaves out, and not the time since boot.  2^54 is above guard and addresses.
 */
#define START_LIFT "18014398509481984"

/* Does END rank by the difference in ns?  Then START has no room for an operator more. */
static bool latency_lifts_start(const struct latency_state *w)
{
	return w->source->kernel && w->source->kernel->literals && !w->lifts;
}

/*
 * "TIME" of START or END, in the unit in which the kernel keeps START.  The kernel does not combine
 * .usecs with a number, and the field of a relay has no unit; it takes at most three operators.
 */
static void latency_put_time(const struct latency_state *w, struct hist_strbuf *b, const char *time)
{
	hist_strbuf_str(b, time);
	if (!w->spec.nsecs && !w->lifts)
		hist_strbuf_str(b, !w->source->kernel || w->source->kernel->literals ? "/1000"
										     : ".usecs");
	if (latency_lifts_start(w))
		hist_strbuf_str(b, "+" START_LIFT);
}

/* "END-START" in the unit. */
static void latency_put_difference(const struct latency_state *w, struct hist_strbuf *b)
{
	const char *unit = !w->spec.nsecs && w->lifts ? "/1000" : "";

	latency_put_time(w, b, "common_timestamp");
	hist_strbuf_printf(b, "%s-$ts_%s%s", unit, w->unique, unit);
}

const char *latency_start_trigger(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	latency_add_keys(&b, &w->spec.start);
	hist_strbuf_printf(&b, ":ts_%s=", w->unique);
	latency_put_time(w, &b, "common_timestamp");
	for (i = 0; i < w->ncarried; i++) {
		const struct hist_event_field *f = w->carried[i].field;

		if (w->carried[i].of_start)
			hist_strbuf_printf(&b, ",s%u_%s=%s", i, w->unique,
					   f ? f->name : "common_stacktrace");
	}
	latency_add_tail(w, &b, &w->spec.start);
	return query_own_text(w->query, &b);
}

/* The relay has the time, the keys k0, k1, .. and the carried fields of START c0, c1, .. */
int latency_define_relay(struct latency_state *w)
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
			latency_put_field(&b,
					  hist_event_find(w->start.event, w->spec.start.keys[i]),
					  "", name);
	}
	for (i = 0; i < w->ncarried; i++) {
		snprintf(name, sizeof(name), "c%u", i);
		if (w->carried[i].of_start)
			latency_put_field(&b, w->carried[i].field, "", name);
	}
	text = query_own_text(w->query, &b);
	return text ? query_add_dynevent(w->query, QUERY_SYNTHETIC, text) : -ENOMEM;
}

/* The trigger of START that generates the relay. */
const char *latency_relay_trigger(struct latency_state *w)
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
	latency_add_tail(w, &b, side);
	return query_own_text(w->query, &b);
}

/* The trigger of the relay, which saves the time as that of START does otherwise. */
const char *latency_relayed_trigger(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < w->spec.start.nkeys; i++)
		hist_strbuf_printf(&b, "%sk%u", i ? "," : "hist:keys=", i);
	hist_strbuf_printf(&b, ":ts_%s=", w->unique);
	latency_put_time(w, &b, "ts");
	for (i = 0; i < w->ncarried; i++) {
		if (w->carried[i].of_start)
			hist_strbuf_printf(&b, ",s%u_%s=c%u", i, w->unique, i);
	}
	hist_strbuf_str(&b, ":size=" LATENCY_SIZE);
	return query_own_text(w->query, &b);
}

const char *latency_end_trigger(struct latency_state *w)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	latency_add_keys(&b, &w->spec.end);
	hist_strbuf_printf(&b, ":lat_%s=", w->unique);
	if (w->event->span.duration)
		hist_strbuf_str(&b, w->event->span.duration);
	else
		latency_put_difference(w, &b);
	/* in ns, as the kernel takes at most three operators */
	if (w->lifts)
		hist_strbuf_printf(&b, ",up_%s=common_timestamp+" WORST_JOIN_LIFT "-$ts_%s",
				   w->unique, w->unique);
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
	latency_add_tail(w, &b, &w->spec.end);
	return query_own_text(w->query, &b);
}
