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

#include "lib/query/latency_expand.h"
#include "lib/query/latency_guard.h"
#include "lib/query/latency_parse.h"
#include "lib/query/latency_private.h"
#include "lib/query/latency_worst.h"

/* Only a kernel handles the events of several CPUs at once. */
static bool latency_is_guarded(const struct latency_state *w)
{
	return w->source->kernel && !w->event->span.duration;
}

/* Add the user's histograms to the synthetic event. */
static int latency_add_visible_hists(struct latency_state *w)
{
	struct query_hist default_hist = { .keys = "lat.log2" };
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
			if (!ret && latency_is_guarded(w))
				ret = latency_guard_add_raw(w->query, &hist->raw, w->lat,
							    w->spec.nsecs);
			continue;
		}
		hist->keys = default_keys;
		ret = latency_rewrite_names(w, from->keys, true, &hist->keys);
		if (!ret)
			ret = latency_rewrite_names(w, from->values, true, &hist->values);
		if (!ret)
			ret = latency_rewrite_names(w, from->sort, true, &hist->sort);
		if (!ret)
			ret = latency_rewrite_filter(w, from->filter, &hist->filter);
		if (!ret && latency_is_guarded(w))
			ret = latency_guard_add(w->query, &hist->filter, w->lat, w->spec.nsecs);
	}
	return ret || !latency_is_guarded(w) ? ret :
	       latency_guard_count(w->query, w->lat, w->spec.nsecs, w->unique);
}

/*
 * Keep the worst latency, and with it "prev_prio" and "prev_comm" of sched_switch if END has both.
 * A kernel saves these two in the histogram of END (worst_join.c); the user-space engine carries
 * them if there is room.
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

/* For a threshold: name the time, and carry the fields that name the pair if there is room. */
static int latency_name_pair(struct latency_state *w, struct query_event *visible)
{
	const char *keys = query_own_keys(w->query, w->spec.end.keys, w->spec.end.nkeys);

	visible->pairs.latency = w->lat;
	if (!keys)
		return -ENOMEM;
	return w->ncarried + w->spec.end.nkeys > CARRIED_MAX ? 0 :
	       latency_rewrite_names(w, keys, false, &visible->pairs.names);
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
	if (ret || !latency_is_guarded(w) || w->anywhere)
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
	ret = latency_add_visible_hists(w);
	if (!ret && !w->event->span.duration && latency_wants_worst(&query->events[first]))
		ret = latency_keep_both(w, &query->events[first]);
	if (!ret && w->source->names_pairs)
		ret = latency_name_pair(w, &query->events[first]);
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
	query->events[first].pairs.guarded = latency_is_guarded(w);
	latency_set_usual(w, &query->events[first]);
	visible = query->events[first];
	helpers = query->nevents - 1 - first;
	memmove(&query->events[first], &query->events[first + 1], helpers * sizeof(visible));
	query->events[first + helpers] = visible;
	text = latency_put_definition(w);
	return text ? query_add_dynevent(query, QUERY_SYNTHETIC, text) : -ENOMEM;
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
				   .refusal = refusal };
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
	query_found_clear(&w.start);
	query_found_clear(&w.end);
	latency_clear(&w.spec);
	return ret;
}
