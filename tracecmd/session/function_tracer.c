// SPDX-License-Identifier: GPL-2.0
/*
 * function_tracer.c - whether a tracer and the user-space engine count functions
 *
 * Hist triggers lose no events, so a tracer counts only what they cannot, or what it counts in the
 * same way at a lower cost.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/query/function_expand.h"
#include "lib/query/function_names.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/session/function_tracer.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/dynevent.h"

/* A synthetic event has no stack in the user-space engine. */
static bool tracer_counts_keys(const struct query_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		const struct query_hist *hist = &event->hists[i];

		if (hist->raw || (event->kind == QUERY_FUNCTION_LATENCY && hist->keys &&
				  strstr(hist->keys, "stacktrace")))
			return false;
	}
	return true;
}

/* A bare shell would send each call to the host. */
static bool is_tracer_cheaper(const struct plan *plan, struct hist_target *t,
			      const struct query_source *source)
{
	const struct query_event *event = &plan->query.events[0];
	bool is_latency = event->kind == QUERY_FUNCTION_LATENCY, exists;
	uint64_t now;

	if (plan->query.nevents != 1 || plan->query.ndynevents ||
	    (event->kind != QUERY_FUNCTION && !is_latency) || !tracer_counts_keys(event))
		return false;
	if (!t->ops->descriptor || plan->record_events || plan->threshold ||
	    plan->read == PLAN_READ_RAW ||
	    (plan->instance && target_existsf(t, "instances/%s", plan->instance)) ||
	    (plan->clock && t->ops->clock(t, plan->clock, NULL, &now)))
		return false;
	if (kernel_tracer_exists(t, is_latency ? "function_graph" : "function", &exists) || !exists)
		return false;
	return !is_latency || (kernel_graph_has_instances(t) && !function_has_threshold(source));
}

/* function_graph of old kernels runs in the top-level instance, where it is alone. */
static int need_tracer(const struct plan *plan, const struct query_event *event, bool fprobes,
		       const struct query_source *source, enum function_tracer *choice)
{
	bool is_latency = event->kind == QUERY_FUNCTION_LATENCY;
	const char *option = is_latency ? "--function-latency" : "--function";
	struct hist_error refusal = { 0 };
	struct function_names names;
	int ret;

	if (event->kind != QUERY_FUNCTION && (!is_latency || plan->query.nevents > 1))
		return 0;
	ret = function_names_parse(&names, option, event->name, is_latency, &refusal);
	if (!ret)
		ret = function_names_read(&names, option, NULL, source, &refusal);
	if (!ret)
		ret = function_names_find_places(&names, &fprobes);
	if (!ret &&
	    names.nplaces > (is_latency ? FUNCTION_LATENCY_KPROBES_MAX : FUNCTION_KPROBES_MAX))
		*choice = FUNCTION_TRACER_NEEDED;
	function_names_clear(&names);
	return plan_source_report(ret, &refusal);
}

int function_choose_tracer(const struct plan *plan, struct hist_target *t,
			   enum function_tracer *choice)
{
	bool has_fprobes = dynevent_has_fprobes(t);
	struct plan_source source;
	unsigned int i;
	int ret = 0;

	plan_source_init(&source, plan, t, NULL);
	*choice = is_tracer_cheaper(plan, t, &source.source) ? FUNCTION_TRACER_CHEAPER
							     : FUNCTION_TRACER_NONE;
	for (i = 0; !ret && *choice == FUNCTION_TRACER_NONE && i < plan->query.nevents; i++) {
		/* an fprobe has any number of functions, but no modules */
		if (!has_fprobes || strchr(plan->query.events[i].name, ':'))
			ret = need_tracer(plan, &plan->query.events[i], has_fprobes, &source.source,
					  choice);
	}
	return ret;
}
