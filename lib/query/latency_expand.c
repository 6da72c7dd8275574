// SPDX-License-Identifier: LGPL-2.1
/*
 * latency_expand.c - expand --latency to a synthetic event and its triggers
 *
 * The START trigger saves the time, and START fields that the histograms use. The END trigger
 * subtracts the times and generates the synthetic event. Names of variables are unique, because the
 * kernel looks for "$name" in all triggers of the instance.
 *
 * A relay is a second synthetic event between START and its trigger, which the trigger of START
 * generates with the time. The kernel runs the triggers of an event in the order in which they were
 * set, and the trigger of START must be set before END. If one hit can be both, only a relay lets
 * END read the time before START overwrites it. If END may happen in any task, only a relay reaches
 * the instance that has no list of tasks.
 *
 * The END of one CPU takes its time before, and reads the time of START after, a START on another
 * CPU, so a difference can be below zero. The histograms leave such differences out by a filter
 * (latency_guard.h), and a trigger counts them. The onmax() of END, where filters do not reach,
 * ranks the difference plus WORST_JOIN_LIFT, which is small for these.
 *
 * "start_NAME" is the field NAME of START, and "start_stacktrace" is the stack of START.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/query/latency_expand.h"
#include "lib/query/latency_guard.h"
#include "lib/query/latency_parse.h"
#include "lib/query/latency_private.h"

/* --- the texts of triggers and synthetic events --- */

/*
 * The type of the synthetic field: the type of @f if synthetic events support it, otherwise an
 * unsigned type of the same size. Signed fields become unsigned too: the variable that carries
 * the value is unsigned, and the kernel refuses a different type.
 */
static const char *latency_field_type(const struct hist_event_field *f)
{
	static const char *const known[] = {
		"s64",	"u64",	 "s32",		  "u32", "s16",		 "u16",	 "s8",
		"u8",	"char",	 "unsigned char", "int", "unsigned int", "long", "unsigned long",
		"bool", "pid_t", "gfp_t",
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (!strcmp(known[i], f->ctype))
			return known[i];
	}
	return f->size == 1 ? "u8" : f->size == 2 ? "u16" : f->size == 4 ? "u32" : "u64";
}

/*
 * A field is carried in a synthetic field of the same type or size, because the kernel compares
 * types and sizes (check_synth_field() in trace_events_hist.c).
 */
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
	if (!w->event->span.duration && !(side->nkeys == 1 && !strcmp(side->keys[0], "common_cpu")))
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

static const char *latency_start_trigger(struct latency_state *w)
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
	hist_strbuf_printf(&b, ":onmatch(%.*s.%s).trace(%s,$now_%s", w->start_system, side->event,
			   side->event + w->start_system + 1, w->relay, w->unique);
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
static const char *latency_relayed_trigger(struct latency_state *w)
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

static const char *latency_end_trigger(struct latency_state *w)
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

/* --- the events --- */

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
			return latency_refuse(
				w, -EOPNOTSUPP,
				"--latency %s: " START_STACK " cannot be "
				"used if %s\nuse common_stacktrace, the stack of END",
				w->event->name,
				w->anywhere ? "END happens in any task, and "
					      "-P, -F or --cgroup chooses the tasks of START"
					    : "START and END are one event");
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

static int latency_choose_name(struct latency_state *w)
{
	w->name = query_own_printf(w->query, "trace_cmd_hist_%s", w->unique);
	return w->name ? 0 : -ENOMEM;
}

/* Decide whether END counts in any task, and whether a relay is needed. */
static int latency_choose_relay(struct latency_state *w)
{
	bool same = latency_can_meet_itself(&w->spec);

	w->start_system = strcspn(w->spec.start.event, ":");
	if (w->event->span.duration)
		return 0;
	w->anywhere = w->source->tasks && !latency_follows_task(&w->spec.end);
	if (!same && !(w->anywhere && w->source->kernel))
		return 0;
	if (w->source->kernel && !w->spec.nsecs && !w->source->kernel->literals)
		return latency_refuse(w, -EOPNOTSUPP,
				      "--latency %s: %s need Linux 5.16 or later to "
				      "count microseconds\nappend :nsecs",
				      w->event->name,
				      same ? "START and END of one event"
					   : "an END in any task together with -P, -F or --cgroup");
	w->relay = query_own_printf(w->query, "%s_start", w->name);
	return w->relay ? 0 : -ENOMEM;
}

/* Add one of the triggers of START and END. */
static int latency_add_trigger(struct latency_state *w, const char *event, const char *trigger,
			       enum query_role role, bool anywhere)
{
	struct query_event *added;
	int ret = query_add_trigger(w->query, event, trigger, true);

	if (ret)
		return ret;
	added = &w->query->events[w->query->nevents - 1];
	added->role = role;
	added->anywhere = anywhere;
	if (role == QUERY_END || w->event->span.duration) {
		added->function_field = w->event->function_field;
		added->of_tracer = w->event->of_tracer;
	}
	return 0;
}

static const char *latency_copy_event(struct latency_state *w, const struct latency_side *side)
{
	return query_own(w->query, strdup(side->event));
}

/* The START trigger, or the trigger of its relay. */
static int latency_add_start(struct latency_state *w)
{
	if (!w->relay)
		return latency_add_trigger(w, latency_copy_event(w, &w->spec.start),
					   latency_start_trigger(w), QUERY_START, false);
	return latency_define_relay(w) ?:
	       latency_add_trigger(w, query_own_printf(w->query, "synthetic:%s", w->relay),
				   latency_relayed_trigger(w), QUERY_START, w->anywhere);
}

/* The END trigger, and the one that counts all ENDs: the first leaves out those without START. */
static int latency_add_end(struct latency_state *w)
{
	int ret = latency_add_trigger(
		w, latency_copy_event(w, &w->spec.end), latency_end_trigger(w),
		w->event->span.duration ? QUERY_NO_ROLE : QUERY_END, w->anywhere);

	/* among the tasks of a list, the ENDs of other tasks have no START */
	if (ret || !w->guarded || w->anywhere)
		return ret;
	return latency_guard_count_ends(w->query, w->spec.end.filter, w->unique);
}

/* Among the tasks of a list, the ENDs of other tasks have no START. */
static void latency_set_usual(const struct latency_state *w, struct query_event *visible)
{
	const bool own = w->event->of_preset;

	visible->usual_starts = w->event->usual_starts || (!own && w->spec.end.filter);
	visible->usual_ends = w->event->usual_ends || (!own && w->spec.start.filter) ||
			      w->source->tasks;
}

/* The visible event is built first, because it decides which fields are carried; it is set last. */
static int latency_build_events(struct latency_state *w)
{
	struct query *query = w->query;
	unsigned int first = query->nevents, helpers;
	struct query_event visible;
	const char *text;
	int ret;

	w->lat = w->spec.nsecs ? "lat_ns" : "lat_us";
	ret = latency_add_hists(w);
	if (!ret)
		ret = latency_check_carried(w);
	if (!ret && !w->event->span.duration)
		ret = latency_add_start(w);
	if (!ret)
		ret = latency_add_end(w);
	if (!ret && w->relay)
		ret = latency_add_trigger(w, latency_copy_event(w, &w->spec.start),
					  latency_relay_trigger(w), QUERY_NO_ROLE, false);
	if (ret)
		return ret;
	query->events[first].role = w->event->span.duration ? QUERY_SPANS : QUERY_PAIRS;
	query->events[first].pairs.end_saves = w->saves_previous;
	query->events[first].anywhere = w->anywhere;
	query->events[first].pairs.guarded = w->guarded;
	latency_set_usual(w, &query->events[first]);
	visible = query->events[first];
	helpers = query->nevents - 1 - first;
	memmove(&query->events[first], &query->events[first + 1], helpers * sizeof(visible));
	query->events[first + helpers] = visible;
	text = latency_put_definition(w);
	return text ? query_add_dynevent(query, QUERY_SYNTHETIC, text) : -ENOMEM;
}

static void latency_clear_found(struct query_found *found)
{
	free(found->full_name);
	hist_event_free(found->event);
	hist_event_free(found->guess);
	memset(found, 0, sizeof(*found));
}

/* Find the event of @side, whose name becomes "SYS:EVENT". */
static int latency_find_event(struct latency_state *w, struct latency_side *side,
			      struct query_found *found)
{
	int ret =
		w->source->ops->find(w->source, w->query, w->event, side->event, found, w->refusal);

	if (ret)
		return ret;
	free(side->event);
	side->event = strdup(found->full_name);
	return side->event ? 0 : -ENOMEM;
}

int latency_expand(struct query *query, const struct query_event *event, const char *unique,
		   const struct query_source *source, struct hist_error *refusal)
{
	struct latency_state w = { .query = query,
				   .event = event,
				   .unique = unique,
				   .source = source,
				   .refusal = refusal,
				   .guarded = source->kernel && !event->span.duration };
	int ret;

	ret = latency_parse(&w.spec, event->name, refusal);
	if (ret == -EINVAL)
		hist_error_prefix(refusal, ret, "--latency: ");
	if (!ret)
		ret = latency_find_event(&w, &w.spec.start, &w.start);
	if (!ret)
		ret = latency_find_event(&w, &w.spec.end, &w.end);
	if (!ret)
		ret = latency_check_keys(&w);
	if (!ret)
		ret = latency_choose_name(&w);
	if (!ret)
		ret = latency_choose_relay(&w);
	if (!ret)
		ret = latency_build_events(&w);
	latency_clear_found(&w.start);
	latency_clear_found(&w.end);
	latency_clear(&w.spec);
	return ret;
}
