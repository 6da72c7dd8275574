/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap_private.h - what the parts of the heat map's model share
 */
#ifndef LIB_HEATMAP_PRIVATE_H
#define LIB_HEATMAP_PRIVATE_H

#include <tracehist/heatmap.h>

#include "index.h"

struct heat_row {
	uint64_t ge, le; /* of an axis */
	char *label;	 /* else; may hold NUL */
	size_t label_len;
	uint64_t total;
	uint64_t *cells; /* max_columns, or NULL before the first count */
};

/* Row + 1 of each entry of the table in the map that counts it, 0 unknown, HIST_NO_ENTRY for the others. */
struct heat_cache {
	uint32_t *of;
	uint32_t room;
	uint64_t generation;
};

struct hist_heatmap_work {
	unsigned int max_columns;
	uint32_t max_rows;
	struct hist_heat_column *columns;
	struct heat_row *rows;
	uint32_t nrows, rows_room;
	struct hash_index index; /* of the rows */
	uint64_t seed;
	struct heat_row others;
	struct hist_heat_row *shown; /* the public rows */
	uint32_t shown_room;

	bool settled; /* axis and key are known */
	int axis;
	struct hist_key_desc key; /* without name */
	unsigned int level;	  /* how coarse the grid is; 0 as recorded */

	/* The map whose intervals are told, itself or another: it has columns, table and cache. */
	struct hist_heatmap *lead;
	const struct hist_table *table; /* that @cache is about */
	uint64_t generation;
	struct heat_cache cache;
	struct hist_grouping *grouping; /* for labels */
	struct hist_strbuf text;
	bool no_column; /* the interval has no beginning */
};

/* heatmap.c - the cells of @map become those of the columns that its lead has now */
void heat_follow(struct hist_heatmap *map);

/* heatmap_grid.c - the cell of the axis that @number is in, as coarse as it is now */
void heat_grid_cell(const struct hist_heatmap *map, uint64_t number, uint64_t *ge, uint64_t *le);
bool heat_grid_has_coarser(const struct hist_heatmap *map);

#endif
