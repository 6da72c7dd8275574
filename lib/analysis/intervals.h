/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * intervals.h - snapshots and the differences between them, as views, as they come
 *
 * The walk knows what a difference is where somebody cleared the histogram or
 * snapshots are lost; who shows them only selects rows (rows.h) and draws.
 */
#ifndef LIB_ANALYSIS_INTERVALS_H
#define LIB_ANALYSIS_INTERVALS_H

#include "lib/analysis/snapshot_view.h"

enum hist_walk_span {
	HIST_WALK_WHOLE,   /* each snapshot itself */
	HIST_WALK_ALL,	   /* each minus the one before, the first one minus nothing */
	HIST_WALK_BETWEEN, /* from the first one on */
};

/*
 * @view: all but rows, and what belongs to an order of rows (axis_order, grouped,
 * top, brief); the callee may change it for itself.  @selection: what hist_rows_select()
 * needs for this view, but for order, top and none.  Other than 0 ends the walk and is
 * returned.
 */
typedef int hist_walk_show(void *data, struct hist_view *view,
			   const struct hist_selection *selection);

struct hist_walk {
	const struct hist_series_info *info;
	const char *name;
	uint32_t first, last; /* seqs of snapshots, both included */
	enum hist_walk_span span;
	enum hist_extent extent; /* for the views */
	hist_walk_show *each;  /* whole ones, or what came since the one before; may be NULL */
	hist_walk_show *total; /* HIST_WALK_BETWEEN: the last minus the first; may be NULL */
	/*
	 * Where a difference can be told by hist_view.added its snap has no values: less work for
	 * a callee that only adds them up.
	 */
	bool added_only;
	/* Before a snapshot is looked at, those on the way to the first too; may be NULL. */
	int (*step)(void *data, const struct hist_snapshot *snap);
	void *data;
};

/*
 * hist_walk - show the snapshots of @cursor, which was opened at @first or before
 * Where it stands at one already (hist_cursor_snapshot()) the walk begins with that.
 * Of HIST_WALK_BETWEEN nothing is shown where the first is not there, and no total where the
 * last is not.  Views are valid in their call only.  At the end the cursor stands at the
 * last, if that is there, so that its table and snapshot are those of the last view.
 * 0; -ENOMEM, -EIO of reading; what the callees gave.
 */
int hist_walk(struct hist_cursor *cursor, const struct hist_walk *walk);

#endif
