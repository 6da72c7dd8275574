/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * intervals.h - walk over snapshots or the differences between them, as views
 *
 * The walk computes differences, also if the histogram was cleared or snapshots are lost.  The
 * callee only selects rows (rows.h) and writes them.
 */
#ifndef LIB_ANALYSIS_INTERVALS_H
#define LIB_ANALYSIS_INTERVALS_H

#include "lib/analysis/snapshot_view.h"

enum hist_intervals_span {
	HIST_INTERVALS_WHOLE,	/* each snapshot itself */
	HIST_INTERVALS_ALL,	/* each snapshot minus the previous one; the first minus nothing */
	HIST_INTERVALS_BETWEEN, /* as ALL, but the first snapshot is only subtracted */
};

/*
 * @view: complete except rows and the members of an order of rows (axis_order, grouped, top,
 * brief).  The callee may change it.  @selection: what hist_rows_select() needs for this view,
 * except order, top and none.  A result other than 0 ends the walk and is returned.
 */
typedef int hist_intervals_show(void *data, struct hist_view *view,
				const struct hist_selection *selection);

struct hist_intervals {
	const struct hist_series_info *info;
	const char *name;
	uint32_t first, last; /* seqs of snapshots, both included */
	enum hist_intervals_span span;
	enum hist_extent extent; /* for the views */
	hist_intervals_show *each;  /* for each snapshot or difference; may be NULL */
	hist_intervals_show
		*total; /* HIST_INTERVALS_BETWEEN: the last minus the first; may be NULL */
	/*
	 * Views of differences have hist_view.added, if possible, and their snapshot has no values.
	 * This is less work for a callee that only adds them up.
	 */
	bool added_only;
	/* Called for each snapshot first, also for those before @first; may be NULL. */
	int (*step)(void *data, const struct hist_snapshot *snap);
	void *data;
};

/*
 * hist_intervals_walk - show the snapshots of @cursor, which was opened at @first or before
 * The walk begins with the current snapshot of the cursor (hist_cursor_snapshot()), if there is
 * one.  HIST_INTERVALS_BETWEEN shows nothing if the first snapshot is missing, and no total if the
 * last is missing.  Views are valid only during the call.  At the end, table and snapshot of the
 * cursor are those of the last view.
 * Returns 0, -ENOMEM, -EIO, or the result of a callee.
 */
int hist_intervals_walk(struct hist_cursor *cursor, const struct hist_intervals *walk);

#endif
