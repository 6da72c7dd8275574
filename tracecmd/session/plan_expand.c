// SPDX-License-Identifier: GPL-2.0
/*
 * plan_expand.c - check the needs of presets and expand --latency, --sql, --function and --tracer
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/hist/table.h"
#include "lib/label/label.h"
#include "lib/query/latency_expand.h"
#include "lib/query/latency_parse.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/kernel/kernel_needs.h"
#include "tracecmd/session/function_expand.h"
#include "tracecmd/session/plan_expand.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/session/sql.h"
#include "tracecmd/session/tracer_expand.h"
#include "tracecmd/trigger/dynevent.h"

/* The event of a need, "SYS:EVENT"; NULL: the need is not an event. */
static const char *event_of(const struct query_need *need)
{
	return strchr(need->what, ':') ? need->what + strlen("event ") : NULL;
}

/* A recording lacks an event of the preset: name all its events for `trace-cmd record`. */
static void refuse_recording(const struct plan *plan, const struct query_need *need)
{
	struct hist_strbuf events = { 0 };
	unsigned int i;

	for (i = 0; i < plan->query.nneeds; i++)
		if (event_of(&plan->query.needs[i]) && !plan->query.needs[i].omits &&
		    !strcmp(plan->query.needs[i].preset, need->preset))
			hist_strbuf_printf(&events, " -e %s", event_of(&plan->query.needs[i]));
	if (events.error)
		message_error_memory();
	else
		message_error("--preset %s: %s does not contain the event %s\n"
			      "record the events of the preset with 'trace-cmd record%.*s'",
			      need->preset, plan->recording, event_of(need), (int)events.len,
			      events.data);
	hist_strbuf_free(&events);
}

/* @why is what the kernel lacks, such as "no event x:y", or a whole sentence. */
static void refuse_need(const struct plan *plan, const struct query_need *need, const char *why)
{
	bool lacks = !strncmp(why, "no ", 3);

	if (plan->recording && event_of(need)) {
		refuse_recording(plan, need);
		return;
	}

	message_error("--preset %s: %s%s%s%s%s", need->preset, lacks ? "this kernel has " : "", why,
		      lacks && need->since ? "; the preset needs Linux " : "",
		      lacks && need->since ? need->since : "",
		      lacks && need->since ? " or later" : "");
}

/* @why is what the kernel lacks, such as "no event x:y". */
static void leave_out(struct plan *plan, const struct query_need *need, const char *why)
{
	query_leave_out(&plan->query, need->what);
	if (plan->quiet || !*need->omits)
		return;
	if (plan->recording)
		message_note("--preset %s: %s, because %s does not contain the event %s",
			     need->preset, need->omits, plan->recording, event_of(need));
	else
		message_note("--preset %s: %s, because this kernel has %s", need->preset,
			     need->omits, why);
}

static int check_needs(struct plan *plan, struct hist_target *t, bool engine)
{
	const struct query_need *need;
	char why[128];
	unsigned int i;
	int ret;

	for (i = 0; i < plan->query.nneeds; i++) {
		need = &plan->query.needs[i];
		ret = kernel_find_missing(t, need->what, engine, why, sizeof(why));
		if (ret < 0)
			message_error("--preset %s: %s: %s", need->preset, need->what,
				       strerror(-ret));
		if (ret > 0 && need->omits) {
			leave_out(plan, need, why);
			continue;
		}
		if (ret > 0)
			refuse_need(plan, need, why);
		if (ret)
			return ret < 0 ? ret : -EOPNOTSUPP;
	}
	return 0;
}

static int expand_event(struct plan *plan, struct query_event *event, unsigned int number,
			struct hist_target *t, const struct hist_kernel *kernel)
{
	const char *clock = plan->clock ? plan->clock : "mono";
	struct plan_source source = plan_source_of(plan, t, clock, kernel);
	struct query_refusal refusal;
	char unique[32];
	int ret;

	if (event->kind == QUERY_EVENT) {
		ret = query_add_event(&plan->query, event->name);
		if (ret)
			return ret;
		/* the ownership of the histograms moves */
		plan->query.events[plan->query.nevents - 1] = *event;
		event->hists = NULL;
		return 0;
	}
	snprintf(unique, sizeof(unique), "%d_%04x_%u", getpid(), unique_number(), number);
	if (event->kind == QUERY_SQL)
		return sql_expand(plan, event, unique, clock, t, kernel);
	if (event->kind == QUERY_FUNCTION)
		return function_expand(plan, event, unique, clock, t, kernel);
	if (event->kind == QUERY_TRACER)
		return tracer_expand(plan, event, unique, clock, t);
	if (!hist_clock_is_ns(clock))
		return message_refuse(-EINVAL, "-C %s: this clock is not in nanoseconds, so %s "
				      "cannot use this clock\nuse a clock such as mono", clock,
				      event->kind == QUERY_LATENCY ? "--latency" : "--function-latency");
	if (event->kind == QUERY_FUNCTION_LATENCY)
		return function_expand(plan, event, unique, clock, t, kernel);
	ret = latency_expand(&plan->query, event, unique, &source.source, &refusal);
	return plan_source_report(ret, &refusal);
}

/*
 * Replace kprobes at the start or the return of a function by fprobe events if the kernel has them:
 * they cost less, and a return is not missed while a handler runs. The kernel gets the kprobe if it
 * refuses the fprobe event.
 */
static int use_fprobes(struct plan *plan, struct hist_target *t)
{
	struct query_dynevent *object;
	const char *text, *name;
	size_t head, place;
	unsigned int i;

	for (i = 0; i < plan->query.ndynevents; i++) {
		object = &plan->query.dynevents[i];
		if (!object->is_plain || !dynevent_has_fprobes(t))
			continue;
		/* "p:GROUP/EVENT SYMBOL ARGS", "r4096:GROUP/EVENT SYMBOL ARGS" */
		text = object->definition;
		head = strcspn(text, ":");
		name = text + head;
		place = strcspn(name, " \t");
		place += strspn(name + place, " \t");
		place += strcspn(name + place, " \t");
		object->fallback = text;
		object->definition = query_own_printf(&plan->query, "f%.*s%.*s%s%s", (int)head - 1, text + 1,
						     (int)place, name, *text == 'r' ? "%return" : "",
						     name + place);
		if (!object->definition)
			return message_error_memory();
	}
	return 0;
}

int plan_expand(struct plan *plan, struct hist_target *t, const struct hist_kernel *kernel)
{
	struct query_event *events;
	unsigned int n, i;
	int ret;

	ret = check_needs(plan, t, !kernel);
	if (!ret)
		ret = use_fprobes(plan, t);
	if (ret)
		return ret;
	events = plan->query.events;
	n = plan->query.nevents;
	plan->query.events = NULL;
	plan->query.nevents = 0;
	for (i = 0; i < n; i++) {
		if (!ret)
			ret = expand_event(plan, &events[i], i, t, kernel);
		free(events[i].hists);
	}
	free(events);
	if (ret == -ENOMEM)
		message_error_memory();
	return ret;
}
