/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_pick.h - which histograms of a file, and which of their snapshots
 */
#ifndef TRACECMD_REPORT_PICK_H
#define TRACECMD_REPORT_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include <tracehist/rows.h>
#include <tracehist/series.h>

#include "report_options.h"

/* One histogram that is shown. */
struct report_hist {
	unsigned int hist; /* number in the series */
	char *name;	   /* the event; with "#N" where the file has several of it */
	const struct hist_series_info *info;
	struct hist_order order;
	/* That of hist_view_axis(), for a report that --top does not cut. */
	struct hist_order axis;
	bool has_axis;
	bool grouped; /* bars of an axis and other keys: --top cuts groups, not rows */
	/* Snapshots to walk over, both included; none when @missing. */
	uint32_t first, last;
	bool missing;
};

struct report_picks {
	struct report_hist *hists;
	unsigned int n;
};

/*
 * report_pick - choose histograms, rows' order and snapshots
 * What one histogram lacks is told, and it is marked as missing.
 * 0; -ENOENT: a -e that names no histogram, or no histogram has what was asked
 * for; -EINVAL; -ENOMEM; all after a message.
 */
int report_pick(struct report_picks *picks, struct hist_series *series,
		const struct report_options *options);
void report_picks_clear(struct report_picks *picks);

#endif
