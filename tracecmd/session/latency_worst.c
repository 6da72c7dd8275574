// SPDX-License-Identifier: GPL-2.0
/*
 * latency_worst.c - let the histograms of a latency keep the largest value of each row
 *
 * A row keeps its time, CPU and task, and who ran before if END says so.  The kernel saves these
 * fields only if the maximum rises.  All kernels with synthetic events know "cpu".  save() does not
 * make the kernel keep timestamps, but the START trigger does, which is in the same instance and is
 * set before: a variable for the time would cost each event 200 instructions.  Strings come last,
 * because they may contain anything.
 */
#include <errno.h>
#include <stdio.h>

#include "tracecmd/session/plan_expand.h"

bool latency_wants_worst(const struct plan_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		if (!event->hists[i].raw)
			return true;
	}
	return false;
}

int latency_keep_worst(struct plan *plan, const struct plan_event *event, const char *lat,
		       const char *previous)
{
	char suffix[12] = "";
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		if (event->hists[i].raw)
			continue;
		if (i) /* an event cannot have two variables of one name */
			snprintf(suffix, sizeof(suffix), "%u", i + 1);
		event->hists[i].more = plan_own_printf(
			plan, "worst%s=%s:onmax($worst%s).save(common_timestamp,cpu,common_pid%s)",
			suffix, lat, suffix, previous);
		if (!event->hists[i].more)
			return -ENOMEM;
	}
	return 0;
}
