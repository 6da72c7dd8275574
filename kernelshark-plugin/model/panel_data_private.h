/* SPDX-License-Identifier: GPL-2.0 */
/* panel_data_private.h - shared by the functions that make and write figures */
#ifndef KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_PRIVATE_H
#define KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_PRIVATE_H

#include "kernelshark-plugin/model/panel_data.h"
#include "lib/analysis/default_order.h"
#include "lib/analysis/intervals.h"

/*
 * Selects the entries that a chart counts: those of the group, and of groups that the
 * search finds. Kept from one snapshot to the next; rebuilt if the table was cleared.
 */
struct panel_selection {
	const char *search, *group; /* NULL: all */
	struct hist_grouping *grouping;
	unsigned char *yes; /* by group number */
	uint32_t n, room;
	uint32_t *entries; /* the last selection */
	uint32_t entries_room;
	struct hist_strbuf text;
};

/*
 * panel_selection_update - select the entries of @view to count, ascending
 * *@entries NULL: all entries of the view. -ENOMEM, -E2BIG.
 */
int panel_selection_update(struct panel_selection *m, const struct hist_view *view,
			   const uint32_t **entries, uint32_t *n);
void panel_selection_clear(struct panel_selection *m);

/* Set *@snap to @to: a copy with 0 in all entries except the @n @entries. -ENOMEM. */
int panel_blank_entries(struct hist_snapshot *to, const struct hist_snapshot **snap,
			const struct hist_schema *schema, const uint32_t *entries, uint32_t n);

/*
 * Keep only the rows that @search finds (NULL: all). All sums then cover only the
 * rows that remain. @rows must be selected without top. -ENOMEM.
 */
int panel_search_rows(struct hist_rows *rows, const struct hist_table *table,
		      const struct hist_snapshot *snap, const char *search);

/* Set the notes of finished figures. -ENOMEM. */
int panel_make_notes(struct panel_data *f);

/* Progress of a walk. */
struct panel_steps {
	panel_progress *progress; /* may be NULL */
	void *data;
	uint32_t first, last; /* sequence numbers */
	uint32_t from;	      /* where the walk began */
	bool any;
	unsigned int since; /* snapshots since the last call of @progress */
};

/* Report the end of the walk: 0 or -ECANCELED. */
int panel_steps_end(struct panel_steps *s);

struct panel_data_work {
	struct hist_series *series;
	struct hist_cursor *cursor; /* owns the table and the whole snapshot of the view */
	struct hist_snapshot snap;  /* of the view, if it is a difference */
	struct hist_default_order default_order;
	struct hist_row_order order; /* copy of the query's */
	struct panel_selection match;
	struct hist_snapshot searched;	/* values of other groups are 0 */
	struct panel_steps steps;
	bool shown; /* the view is set, or written */
	/* of panel_data_write() */
	struct hist_writer *writer;
	const struct export_format *format;
};

/*
 * Allocate *@figures, NULL before, for @query, open its file, and set the ends and the progress
 * of @walk. The callbacks of @walk get the figures. -EINVAL: indices out of range. Free
 * *@figures in any case.
 */
int panel_data_begin(struct panel_data **figures, const struct panel_data_query *query,
		     panel_progress *progress, void *data, struct hist_intervals *walk);

#endif
