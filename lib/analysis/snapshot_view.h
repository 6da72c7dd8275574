/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * snapshot_view.h - the input of all views
 *
 * A view shows one snapshot of one histogram, or the difference of two.  The caller walks the
 * snapshots and selects the rows (rows.h), and the view writes them.  Every view reports losses:
 * hits dropped, snapshots missed or damaged, ambiguous rows, a histogram that was cleared.
 */
#ifndef LIB_ANALYSIS_SNAPSHOT_VIEW_H
#define LIB_ANALYSIS_SNAPSHOT_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/analysis/extent.h"
#include "lib/analysis/rows.h"
#include "lib/base/strbuf.h"
#include "lib/series/series.h"

/*
 * The largest value of a row, while it is new (OpenMetrics calls it an exemplar).
 * @labels: NAME="VALUE",... with the escapes of OpenMetrics: who it was.  Their names and values
 * have at most HIST_EXEMPLAR_MAX characters, as OpenMetrics 1.0 wants it.
 */
#define HIST_EXEMPLAR_MAX 128
struct hist_exemplar {
	uint64_t value; /* on the axis; 0: the row has none */
	uint64_t wall;	/* ns since 1970 (UTC) */
	char labels[2 * HIST_EXEMPLAR_MAX];
};

/* One snapshot or difference to show.  The caller owns all pointers. */
struct hist_view {
	const struct hist_series_info *info;
	const char *name; /* "sched:sched_switch#1", as in -e */
	const struct hist_table *table;
	const struct hist_snapshot *snap; /* or the result of hist_snapshot_subtract() */
	const struct hist_rows *rows;
	uint64_t wall; /* time of snap, ns since 1970 (UTC); 0: unknown */
	/*
	 * As hist_selection.changed: other entries of @snap are 0; NULL: unknown.  Of a whole
	 * snapshot, only these are shown.
	 */
	const uint32_t *changed;
	uint32_t nchanged;
	/*
	 * NULL, or the whole difference, and @snap has no values (hist_walk.added_only).  The array
	 * has the difference of the first value of each of @changed, then of the second value, and
	 * so on.  All values are sums, or HIST_VALUE_WORST.
	 */
	const uint64_t *added;
	/* By entry, or NULL; used until the end of the report. */
	const struct hist_exemplar *exemplars;
	uint32_t nexemplars;
	const struct hist_snapshot
		*whole; /* the snapshot itself; without difference equal to snap */

	bool difference;
	bool from_nothing;  /* a difference to nothing: of the first snapshot, or after a reset */
	uint32_t from_seq;  /* of a difference to a snapshot */
	uint64_t from_time;
	uint64_t from_hits; /* hits until then */
	uint32_t from_entries;
	enum hist_extent extent;
	uint32_t last_seq;  /* number of the last snapshot that will be shown; 0: unknown */
	bool reset;	    /* cleared after from_seq, up to this snapshot */
	bool cleared;	    /* of whole snapshots: cleared since the previous view */
	uint32_t resets; /* of counters (lib/series/counted.h): how often it was cleared until then
			  */
	bool stopped;	    /* paused by others in that time, or before a whole snapshot */
	uint32_t lost;	    /* snapshots missing in the file between the previous one and this */
	bool axis_order;    /* rows are in the order of hist_default_order_set_axis(): show gaps */
	bool grouped;	    /* bars: in groups of all keys except the axis; no row is cut */
	uint32_t top;	    /* grouped: the number of groups; 0 for all */
	bool brief;	    /* text: a head without what an earlier head of this histogram has */
};

/* The number of the snapshot that a view begins with: the subtracted one, or its own. */
static inline uint32_t hist_view_begin(const struct hist_view *view)
{
	return view->difference && !view->from_nothing ? view->from_seq : view->snap->seq;
}

struct hist_view_style {
	bool utf8;	    /* the terminal shows UTF-8 */
	unsigned int width; /* columns, for bars */
	bool colour;	    /* ANSI colours: on a terminal without NO_COLOR (no-color.org) */
	bool raw_names; /* priorities as the kernel has them */
};

#endif
