/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * chart_data.h - what svg and html keep of one histogram while its snapshots pass
 *
 * The total of what was counted, its course over time, and what was lost.  Its
 * memory does not grow with the number of snapshots.
 */
#ifndef LIB_REPORT_HTML_CHART_DATA_H
#define LIB_REPORT_HTML_CHART_DATA_H

#include "lib/analysis/snapshot_view.h"
#include "lib/heatmap/heatmap.h"

struct course {
	const struct hist_series_info *info;
	char *name;
	int value;		       /* what is counted: hitcount, or the first sum; -1 none */
	const struct hist_table *table; /* of the last snapshot; NULL before one */
	struct hist_snapshot total;    /* the last, or what was counted since the first */
	struct hist_snapshot base;     /* what the first began with; no values: nothing */
	uint32_t *only;		       /* hist_view.changed of a whole snapshot: its rows; or NULL */
	uint32_t nonly;
	struct hist_rows rows;	       /* of the total; after course_end() */
	struct hist_order order;
	uint32_t top;		       /* as course_end() was told */
	struct hist_heatmap *map;      /* NULL where it was not asked for */
	uint32_t shown;		       /* views */
	bool over_time;		       /* a view was a difference */
	enum hist_extent extent;       /* of the first view; and what it began with */
	uint32_t from_seq;
	uint64_t from_hits;
	uint64_t wall;		       /* of the last view; 0: not known */
	uint64_t from_time;	       /* of the first interval with a beginning */
	bool has_from;
	/* sums over what passed */
	uint64_t dropped, missed, events_lost, probe_misses, lost, resets;
	bool ambiguous, stopped, misses_unknown;
	uint64_t full_stacks; /* in rows */
};

/* @columns: of the heat map; 0 without.  0, -ENOMEM. */
int course_begin(struct course *c, const struct hist_series_info *info, const char *name,
		 unsigned int columns);
int course_take(struct course *c, const struct hist_view *view);
/*
 * course_end - the total, its rows, the heat map's rows; at most @top of each, 0 for all
 * The table of the last view must still be there.
 */
int course_end(struct course *c, uint32_t top, uint32_t map_top);
void course_clear(struct course *c);

/*
 * course_axis_map - the total over the axis, all groups together, in one column
 * NULL where there is no axis to draw, or after an error in *@ret.
 */
struct hist_heatmap *course_axis_map(const struct course *c, int *ret);

/* The schema; of the definition before the first snapshot. */
const struct hist_schema *course_schema(const struct course *c);

/*
 * course_note - the @i'th sentence about what was lost, in @buf
 * False when there are no more.  What is shown as long as @dropped and the like
 * are 0 is nothing.
 */
bool course_note(const struct course *c, unsigned int i, char *buf, size_t len);

#endif
