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
 * the difference plus WORST_JOIN_LIFT, which is small for these.
 *
 * "start_NAME" is the field NAME of START, and "start_stacktrace" is the stack of START.
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
#include "lib/query/latency_guard.h"
#include "lib/query/latency_parse.h"
#include "lib/query/latency_worst.h"
#include "tracecmd/base/message.h"
#include "tracecmd/session/latency_event.h"
#include "tracecmd/session/latency_expand.h"
#include "tracecmd/session/latency_private.h"
#include "tracecmd/session/plan_expand.h"
#include "tracecmd/trigger/kernel_counter.h"
#include "tracecmd/trigger/traced_event.h"

/* Only a kernel handles the events of several CPUs at once. */
static bool latency_is_guarded(const struct latency_state *w)
{
	return w->kernel && !w->event->duration;
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
		title = query_own_printf(&w->plan->query, "latency:%s..%s",
					strchr(w->spec.start.event, ':') + 1,
					strchr(w->spec.end.event, ':') + 1);
	ret = query_add_synthetic(&w->plan->query, w->name, title);
	if (!ret)
		ret = latency_rewrite_names(w, default_hist.keys, true, &default_keys);
	for (i = 0; !ret && i < n; i++) {
		const struct query_hist *from = w->event->nhists ? &w->event->hists[i] : &default_hist;

		hist = query_add_hist(&w->plan->query);
		if (!hist)
			return -ENOMEM;
		if (from->raw) {
			hist->raw = from->raw;
			ret = latency_check_raw(w, from->raw);
			if (!ret && latency_is_guarded(w))
				ret = latency_guard_add_raw(&w->plan->query, &hist->raw, w->lat, w->spec.nsecs);
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
			ret = latency_guard_add(&w->plan->query, &hist->filter, w->lat, w->spec.nsecs);
	}
	return ret || !latency_is_guarded(w) ? ret :
	       latency_guard_count(&w->plan->query, w->lat, w->spec.nsecs, w->unique);
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
		w->saves_previous = w->kernel;
		w->lifts = w->kernel && w->kernel->literals;
		if (!w->kernel && w->ncarried + 2 <= CARRIED_MAX) {
			ret = latency_rewrite_names(w, both, true, &ignored);
			if (ret)
				return ret;
			previous = both;
		}
	}
	return latency_keep_worst(&w->plan->query, visible, w->lat, previous);
}

/* For a threshold: name the time, and carry the fields that name the pair if there is room. */
static int latency_name_pair(struct latency_state *w, struct query_event *visible)
{
	const char *keys = query_own_keys(&w->plan->query, w->spec.end.keys, w->spec.end.nkeys);

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
	bool same = latency_can_meet_itself(&w->spec);

	w->start_system = strcspn(w->spec.start.event, ":");
	if (w->event->duration)
		return 0;
	w->anywhere = plan_lists_tasks(w->plan) && !latency_follows_task(&w->spec.end);
	if (!same && !(w->anywhere && w->kernel))
		return 0;
	if (w->kernel && !w->spec.nsecs && !w->kernel->literals)
		return message_refuse(-EOPNOTSUPP, "--latency %s: %s need Linux 5.16 or later to count "
				      "microseconds\nappend :nsecs", w->event->name,
				      same ? "START and END of one event" :
				      "an END in any task together with -P, -F or --cgroup");
	w->relay = query_own_printf(&w->plan->query, "trace_cmd_hist_%s_start", w->unique);
	return w->relay ? 0 : -ENOMEM;
}

/* Add one of the triggers of START and END. */
static int latency_add_trigger(struct latency_state *w, const char *event, const char *trigger,
			       enum query_role role, bool anywhere)
{
	struct query_event *added;
	int ret = query_add_trigger(&w->plan->query, event, trigger, true);

	if (ret)
		return ret;
	added = &w->plan->query.events[w->plan->query.nevents - 1];
	added->role = role;
	added->anywhere = anywhere;
	if (role == QUERY_END || w->event->duration) {
		added->function_field = w->event->function_field;
		added->of_tracer = w->event->of_tracer;
	}
	return 0;
}

static const char *latency_copy_event(struct latency_state *w, const struct latency_side *side)
{
	return query_own(&w->plan->query, strdup(side->event));
}

/* The START trigger, or the trigger of its relay. */
static int latency_add_start(struct latency_state *w)
{
	if (!w->relay)
		return latency_add_trigger(w, latency_copy_event(w, &w->spec.start), latency_start_trigger(w),
					   QUERY_START, false);
	return latency_define_relay(w) ?:
	       latency_add_trigger(w, query_own_printf(&w->plan->query, "synthetic:%s", w->relay),
				   latency_relayed_trigger(w), QUERY_START, w->anywhere);
}

/* The END trigger, and the trigger that counts all ENDs: the first leaves out those without START. */
static int latency_add_end(struct latency_state *w)
{
	int ret = latency_add_trigger(w, latency_copy_event(w, &w->spec.end), latency_end_trigger(w),
				      w->event->duration ? QUERY_NO_ROLE : QUERY_END, w->anywhere);

	/* among the tasks of a list, the ENDs of other tasks have no START */
	if (ret || !latency_is_guarded(w) || w->anywhere)
		return ret;
	return latency_guard_count_ends(&w->plan->query, w->spec.end.filter, w->unique);
}

/* Among the tasks of a list, the ENDs of other tasks have no START. */
static void latency_set_usual(const struct latency_state *w, struct query_event *visible)
{
	const bool own = w->event->of_preset;

	visible->usual_starts = w->event->usual_starts || (!own && w->spec.end.filter);
	visible->usual_ends = w->event->usual_ends || (!own && w->spec.start.filter) ||
			      plan_lists_tasks(w->plan);
}

/* The visible event is built first, because it decides which fields are carried; it is set last. */
static int latency_build_events(struct latency_state *w)
{
	struct plan *plan = w->plan;
	unsigned int first = plan->query.nevents, helpers;
	struct query_event visible;
	const char *text;
	int ret;

	w->name = query_own_printf(&plan->query, "trace_cmd_hist_%s", w->unique);
	w->lat = w->spec.nsecs ? "lat_ns" : "lat_us";
	ret = latency_add_visible_hists(w);
	if (!ret && !w->event->duration && latency_wants_worst(&plan->query.events[first]))
		ret = latency_keep_both(w, &plan->query.events[first]);
	if (!ret && plan->threshold)
		ret = latency_name_pair(w, &plan->query.events[first]);
	if (!ret)
		ret = latency_check_carried(w);
	if (!ret && !w->event->duration)
		ret = latency_add_start(w);
	if (!ret)
		ret = latency_add_end(w);
	if (!ret && w->relay)
		ret = latency_add_trigger(w, latency_copy_event(w, &w->spec.start),
					  latency_relay_trigger(w), QUERY_NO_ROLE, false);
	if (ret)
		return ret;
	plan->query.events[first].role = w->event->duration ? QUERY_NO_ROLE : QUERY_PAIRS;
	plan->query.events[first].end_saves = w->saves_previous;
	plan->query.events[first].anywhere = w->anywhere;
	plan->query.events[first].guarded = latency_is_guarded(w);
	latency_set_usual(w, &plan->query.events[first]);
	visible = plan->query.events[first];
	helpers = plan->query.nevents - 1 - first;
	memmove(&plan->query.events[first], &plan->query.events[first + 1], helpers * sizeof(visible));
	plan->query.events[first + helpers] = visible;
	text = latency_put_definition(w);
	return text ? query_add_dynevent(&plan->query, QUERY_SYNTHETIC, text) : -ENOMEM;
}

int latency_expand(struct plan *plan, const struct query_event *event, const char *unique,
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
