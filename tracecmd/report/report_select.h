/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_select.h - select the histograms of the files, and their snapshots
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
	/* The event; with "#N" if the file has several of it, after "LABEL:" if several files. */
	char *name;
	char *own_name; /* without the label */
	const struct hist_series_info *info; /* as the writers get it: own_info if there is one */
	/* Several files: the offset from the trace clock to their common line. */
	bool on_line;
	int64_t offset;
	uint64_t origin; /* start of the line */
	/* Memory of info->among.  A time that is shown is that of the file plus its offset. */
	struct hist_timeline timeline;
	struct hist_series_info own_info; /* memory of info */
	struct hist_default_order default_order; /* with the order of --sort, if given */
	bool grouped; /* bars of an axis and other keys: --top cuts groups, not rows */
	/* First and last snapshot to walk, inclusive, and how; unset if @missing. */
	uint32_t first, last;
	enum hist_intervals_span walk;
	enum hist_extent extent;
	uint64_t first_time, last_time; /* ends of a chart over time */
	bool missing;
	bool presumed; /* first and last are from the headers: their bodies may be invalid */
	struct hist_cursor *cursor; /* at the only snapshot to show, or NULL */
};

struct report_picks {
	struct report_hist *hists;
	unsigned int n;
};

/*
 * report_select_hists - select histograms, the order of rows, and snapshots
 * A histogram without the selected snapshots gets a message and is marked as missing.
 * Returns 0, or after a message: -ENOENT if a -e does not match a histogram, or if all
 * histograms are missing; -EINVAL; -ENOMEM.
 */
int report_select_hists(struct report_picks *picks, const struct report_inputs *inputs,
			const struct report_options *options);

void report_picks_clear(struct report_picks *picks);

/*
 * report_walk_hist - call @to for the selected snapshots of @h
 * Finds the ends again if those from the headers are not intact.  @each: also in a span between two
 * snapshots.  *@cursor: has the table of the last view; the caller frees it in all cases.
 */
int report_walk_hist(const struct report_hist *h, hist_intervals_show *to, void *data, bool each,
		     bool added_only, struct hist_cursor **cursor);

/* Call @show for the single view of @h, if there is one; see hist_intervals_show. */
int report_visit_total(const struct report_hist *h, hist_intervals_show *show, void *data);

#endif
