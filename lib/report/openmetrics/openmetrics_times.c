// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_times.c - the wall-clock time of each snapshot, in milliseconds
 *
 * Invariant: the times of a histogram increase strictly, by at least one millisecond.
 */
#include <errno.h>

#include "lib/report/openmetrics/openmetrics_text.h"

/* Compute missing wall-clock times from the trace clock and the nearest snapshot that has one. */
static void fill_times(struct om_hist *h)
{
	const struct om_moment *known = NULL;
	uint32_t i;

	for (i = 0; i < h->nmoments && !known; i++)
		if (h->moments[i].wall)
			known = &h->moments[i];
	for (i = 0; i < h->nmoments && known; i++) {
		if (h->moments[i].wall)
			known = &h->moments[i];
		else
			h->moments[i].wall = known->wall + (h->moments[i].time - known->time);
	}
}

/* Times increase by at least 1 ms, because Prometheus stores milliseconds. */
int om_settle_times(struct hist_writer *w, struct om_hist *h)
{
	int64_t before = INT64_MIN, ms;
	uint32_t i;

	if (hist_clock_is_ns(h->info->def.clock))
		fill_times(h);
	for (i = 0; i < h->nmoments; i++) {
		if (!h->moments[i].wall && h->nmoments > 1) {
			hist_writer_fail(w, -EINVAL, "%s: the time of day was not recorded, "
					 "which several snapshots need in openmetrics: %s", h->name,
					 hist_clock_is_ns(h->info->def.clock) ?
					 "say with --time-offset what to add to the trace clock" :
					 "ask for one snapshot");
			return -EINVAL;
		}
		ms = h->moments[i].wall / 1000000;
		if (i && ms <= before)
			ms = before + 1;
		h->moments[i].ms = before = ms;
	}
	return 0;
}
