/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_select.h - which histograms of the files, and which of their snapshots
 */
#ifndef TRACECMD_REPORT_REPORT_SELECT_H
#define TRACECMD_REPORT_REPORT_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/analysis/default_order.h"
#include "lib/analysis/intervals.h"
#include "lib/analysis/rows.h"
#include "lib/series/series.h"
#include "tracecmd/report/report_inputs.h"

/* One histogram that is shown. */
struct report_hist {
	const struct report_input *input;
	unsigned int hist; /* number in the series */
	/* The event; with "#N" where the file has several of it, behind "LABEL:" of several files. */
	char *name;
	char *own_name; /* without the label */
	const struct hist_series_info *info; /* as it is shown, see there */
	/* Of several files: what to add to the trace clock to be on their line. */
	bool on_line;
	int64_t offset;
	uint64_t origin; /* of the line */
	struct hist_among *among;	   /* NULL of a single file; info->among */
	struct hist_series_info *own_info; /* likewise; info */
	struct hist_usual_order usual; /* its order is that of --sort, where there is one */
	bool grouped; /* bars of an axis and other keys: --top cuts groups, not rows */
	/* Snapshots to walk over, both included, and how; none when @missing. */
	uint32_t first, last;
	enum hist_walk_span walk;
	enum hist_extent extent;
	uint64_t first_time, last_time; /* what a chart over time spans */
	bool missing;
	struct hist_cursor *cursor; /* stands at the only one already; mostly NULL */
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
int report_pick(struct report_picks *picks, const struct report_inputs *inputs,
		const struct report_options *options);

/* @h's times as they are shown: on the line, in a format that has them there. */
uint64_t report_pick_time(const struct report_hist *h, uint64_t time);
void report_picks_clear(struct report_picks *picks);

#endif
