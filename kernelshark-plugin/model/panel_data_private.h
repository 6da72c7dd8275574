/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_data_private.h - what making and writing figures share
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_PRIVATE_H
#define KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_PRIVATE_H

#include "kernelshark-plugin/model/panel_data.h"
#include "lib/analysis/default_order.h"
#include "lib/analysis/intervals.h"

/*
 * Which entries a chart counts: those of the group, and of groups that the search
 * finds.  Kept from one snapshot to the next; of a table that was cleared, made anew.
 */
struct figures_match {
	const char *search, *group; /* NULL: all */
	struct hist_grouping *grouping;
	unsigned char *yes; /* by number of the group */
	uint32_t n, room;
	uint32_t *entries; /* what was taken last */
	uint32_t entries_room;
	struct hist_strbuf text;
};

/*
 * figures_match_take - the entries of @view that count, ascending
 * *@entries NULL: all that the view has.  -ENOMEM, -E2BIG.
 */
int figures_match_take(struct figures_match *m, const struct hist_view *view,
		       const uint32_t **entries, uint32_t *n);
void figures_match_clear(struct figures_match *m);

/* The labels of all keys, " / " between; @flags as of hist_label(). */
void figures_keys_label(struct hist_strbuf *b, const struct hist_table *table, uint32_t entry,
			unsigned int flags);

/*
 * Leaves those rows that @search finds, and @top of them; all sums become those of
 * what is left.  @rows was selected without a top.  -ENOMEM.
 */
int figures_search_rows(struct hist_rows *rows, const struct hist_table *table,
			const struct hist_snapshot *snap, const char *search, uint32_t top);

/* Fills notes and nnotes of figures that are made.  -ENOMEM. */
int figures_notes_make(struct figures *f);

/* Who wants to know how far a walk is. */
struct figures_steps {
	figures_progress *progress; /* may be NULL */
	void *data;
	uint32_t first, last; /* seqs */
	uint32_t from;	      /* where the walk began */
	bool any;
	unsigned int since; /* snapshots since it was told */
};

/* 0, -ECANCELED. */
int figures_steps_take(struct figures_steps *s, uint32_t seq);
int figures_steps_end(struct figures_steps *s);

/* A reader and a cursor for @query, and the walk's ends.  -EINVAL: indices out of range. */
int figures_open(const struct figures_query *query, struct hist_series **series,
		 struct hist_cursor **cursor, struct hist_walk *walk);

struct figures_work {
	struct hist_series *series;
	struct hist_cursor *cursor; /* owns table and whole snapshot of the view */
	struct hist_snapshot snap;  /* of the view, where that is a difference */
	struct hist_usual_order usual;
	struct hist_order order; /* copy of the query's */
	char *search, *group;
	struct figures_match match;
	struct hist_grouping *grouping; /* of the table; NULL with one key or without axis */
	struct hist_snapshot searched;	/* for percentiles: other groups are 0 */
	struct figures_steps steps;
	bool shown; /* the view is there */
};

#endif
