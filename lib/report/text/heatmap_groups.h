/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap_groups.h - the state that the collection and the drawing of text heat maps share
 */
#ifndef LIB_REPORT_TEXT_HEATMAP_GROUPS_H
#define LIB_REPORT_TEXT_HEATMAP_GROUPS_H

#include "lib/analysis/axis.h"
#include "lib/analysis/loss_notes.h"
#include "lib/heatmap/heatmap.h"
#include "lib/report/text/view_heatmap.h"

#define HEATMAP_SIDES 30   /* columns for the labels and numbers next to a map */
#define HEATMAP_LEAST 10   /* least columns of a map */
#define HEATMAP_GROUPS 5   /* default for --top: number of maps */
#define HEATMAP_ROWS 20	   /* default for --top: rows of a map without an axis */
#define HEATMAP_ROWS_KEPT 4096

struct heat_group {
	char *label;
	uint32_t number; /* in @fulls; also the part number in the map, see hist_heatmap_split() */
	uint64_t total;
	struct hist_heatmap *map; /* NULL if the group is not shown */
};

struct heatmaps {
	const struct hist_series_info *info;
	const char *name;
	const struct hist_view_style *style;
	const struct hist_timeline *line; /* the common time of several files, or NULL */
	unsigned int across; /* columns of the terminal for the common time */
	int axis;  /* number of the key, or -1 */
	int value; /* number of the value; -1 before the first interval */
	bool is_signed;
	uint32_t top;
	struct hist_heatmap *columns; /* the map; each group is a part of it */
	struct heat_group *groups;
	uint32_t n, room;
	struct hist_table
		*fulls; /* string N is the label of group N with addresses: it is unique */
	uint32_t shown;
	uint64_t late; /* sum of the groups beyond GROUPS_MOST */
	struct hist_grouping *grouping;
	uint32_t *of; /* index in groups by group number of the table */
	uint32_t nof, of_room;
	uint32_t from_seq, to_seq;
	uint64_t from_hits;
	enum hist_extent extent;
	uint64_t first_time, last_time;
	struct hist_loss loss; /* sums over all intervals */
	uint64_t wall;	/* of the last snapshot; 0: unknown */
	struct hist_strbuf text;
};

/*
 * heatmap_groups_finish - make the rows, and move the groups that are shown to the front
 * Returns 0 or -ENOMEM.
 */
int heatmap_groups_finish(struct heatmaps *m);

/* The label of a group with addresses. */
const char *heatmap_groups_full_label(const struct heatmaps *m, const struct heat_group *g);

#endif
