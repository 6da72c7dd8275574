// SPDX-License-Identifier: LGPL-2.1
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

#include "lib/query/latency_worst.h"

bool latency_wants_worst(const struct query_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		if (!event->hists[i].raw)
			return true;
	}
	return false;
}

int latency_keep_worst(struct query *query, const struct query_event *event, const char *lat,
		       const char *previous)
{
	char suffix[12] = "";
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		if (event->hists[i].raw)
			continue;
		if (i) /* an event cannot have two variables of one name */
			snprintf(suffix, sizeof(suffix), "%u", i + 1);
		event->hists[i].more = query_own_printf(
			query, "worst%s=%s:onmax($worst%s).save(common_timestamp,cpu,common_pid%s)",
			suffix, lat, suffix, previous);
		if (!event->hists[i].more)
			return -ENOMEM;
	}
	return 0;
}
