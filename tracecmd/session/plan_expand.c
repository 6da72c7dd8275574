// SPDX-License-Identifier: GPL-2.0
/*
 * plan_expand.c - check the needs of presets and expand --latency and --sql
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/hist/table.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/plan/latency_parse.h"
#include "tracecmd/plan/preset.h"
#include "tracecmd/session/plan_expand.h"
#include "tracecmd/session/sql.h"

static int check_needs(const struct plan *plan, struct hist_target *t, bool engine)
{
	const struct plan_need *need;
	char why[128];
	unsigned int i;
	int ret;

	for (i = 0; i < plan->nneeds; i++) {
		need = &plan->needs[i];
		ret = preset_missing(t, need->what, engine, why, sizeof(why));
		if (ret < 0)
			complain("--preset %s: %s: %s", need->preset, need->what, strerror(-ret));
		if (ret > 0)
			complain("--preset %s: this kernel lacks %s: %s%s%s%s", need->preset,
				 need->what, why, need->since ? " (the preset needs Linux " : "",
				 need->since ? need->since : "",
				 need->since ? " or later, built with it)" : "");
		if (ret)
			return ret < 0 ? ret : -EOPNOTSUPP;
	}
	return 0;
}

/* Refuse clocks that do not count nanoseconds. */
static int check_clock(const char *option, const char *clock)
{
	if (hist_clock_is_ns(clock))
		return 0;
	complain("%s: the clock \"%s\" does not count time: choose another with -C, as mono", option,
		 clock);
	return -EINVAL;
}

static int expand_event(struct plan *plan, struct plan_event *event, unsigned int number,
			struct hist_target *t)
{
	const char *clock = plan->clock ? plan->clock : "mono";
	char unique[32];
	int ret;

	if (event->kind == PLAN_EVENT) {
		ret = plan_add_event(plan, event->name);
		if (ret)
			return ret;
		/* the ownership of the histograms moves */
		plan->events[plan->nevents - 1] = *event;
		event->hists = NULL;
		return 0;
	}
	snprintf(unique, sizeof(unique), "%d_%04x_%u", getpid(), unique_number(), number);
	if (event->kind == PLAN_SQL)
		return sql_expand(plan, event, unique, clock, t);
	ret = check_clock("--latency", clock);
	return ret ? ret : latency_expand(plan, event, unique, clock, t);
}

int plan_expand(struct plan *plan, struct hist_target *t, bool engine)
{
	struct plan_event *events = plan->events;
	unsigned int n = plan->nevents, i;
	int ret;

	ret = check_needs(plan, t, engine);
	if (ret)
		return ret;
	plan->events = NULL;
	plan->nevents = 0;
	for (i = 0; i < n; i++) {
		if (!ret)
			ret = expand_event(plan, &events[i], i, t);
		free(events[i].hists);
	}
	free(events);
	if (ret == -ENOMEM)
		complain("out of memory");
	return ret;
}
