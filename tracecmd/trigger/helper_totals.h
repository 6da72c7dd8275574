/* SPDX-License-Identifier: GPL-2.0 */
/*
 * helper_totals.h - the totals of the hidden histograms of an event
 *
 * Hidden histograms are helpers of a latency, which are not recorded.  The kernel's totals in the
 * hist file tell their hits.
 */
#ifndef TRACECMD_TRIGGER_HELPER_TOTALS_H
#define TRACECMD_TRIGGER_HELPER_TOTALS_H

#include "tracecmd/trigger/traced_event.h"

/*
 * The number of the hidden histogram of @s that @block shows, or -1. It has a name, or a first
 * variable, that is unique.
 */
int helper_totals_find(const struct traced_event *s, const struct hist_text_block *block);

/* Of a hidden histogram: the kernel's totals. */
struct traced_totals {
	uint64_t hits, dropped;
};

/*
 * helper_totals_read - read the totals of all hidden histograms of @s
 * @totals: for @s->nhelpers. 0, or the -errno of the read, without a message; all are then 0.
 */
int helper_totals_read(const struct traced_event *s, struct hist_target *t,
			     struct traced_totals *totals);

#endif
