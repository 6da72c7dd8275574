/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap_groups.h - what the collecting and the drawing of heat maps share
 */
#ifndef LIB_REPORT_TEXT_HEATMAP_GROUPS_H
#define LIB_REPORT_TEXT_HEATMAP_GROUPS_H

#include "lib/analysis/axis.h"
#include "lib/base/hash_index.h"
#include "lib/heatmap/heatmap.h"
#include "lib/report/text/view_heatmap.h"

#define HEATMAP_SIDES 30   /* columns for what stands beside a map */
#define HEATMAP_LEAST 10   /* columns of a map */
#define HEATMAP_GROUPS 5   /* maps, unless asked for more */
#define HEATMAP_ROWS 20	   /* of a map without an axis, likewise */
#define HEATMAP_ROWS_KEPT 4096

struct heat_group {
	char *label;
	char *full; /* with addresses, so that no two are equal */
	uint32_t number;	  /* as a part of the map */
	uint64_t total;
	struct hist_heatmap *map; /* of those that are shown */
};

struct heatmaps {
	const struct hist_series_info *info;
	const char *name;
	const struct hist_view_style *style;
	const struct hist_among *line; /* of all files, that the columns are on; or NULL */
	unsigned int across; /* columns of the terminal for all of the line */
	int axis;  /* key */
	int value; /* what is drawn; -1 before the first interval */
	bool is_signed;
	uint32_t top;
	struct hist_heatmap *columns; /* the map; with groups, each is a part of it */
	struct heat_group *groups;
	uint32_t n, room;
	struct hash_index index; /* of groups, by their full label */
	uint64_t seed;
	uint32_t shown;
	uint64_t late; /* counts of groups beyond GROUPS_MOST */
	struct hist_grouping *grouping;
	uint32_t *of; /* number in groups, of a group of the table */
	uint32_t nof, of_room;
	uint32_t from_seq, to_seq;
	uint64_t from_hits;
	enum hist_extent extent;
	uint64_t first_time, last_time;
	uint32_t flags; /* of all snapshots */
	uint64_t wall;	/* of the last one; 0: not known */
	struct hist_strbuf text;
};

/* heatmap_groups.c - makes the rows, and the groups that are shown the first ones.  -ENOMEM. */
int heatmaps_finish(struct heatmaps *m);

#endif
