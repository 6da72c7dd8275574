/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap_private.h - the state of a heat map, for the files that implement it
 */
#ifndef LIB_HEATMAP_HEATMAP_PRIVATE_H
#define LIB_HEATMAP_HEATMAP_PRIVATE_H

#include "lib/base/hash_index.h"
#include "lib/heatmap/heatmap.h"
#include "lib/heatmap/heatmap_cells.h"

/* The division of an axis into cells. */
struct heatmap_grid {
	struct hist_key_desc key; /* without name */
	unsigned int level; /* larger is coarser; 0: as recorded */
};

/* A row.  It has the same number in the cells. */
struct heatmap_row {
	uint32_t part; /* HIST_NO_ENTRY: none */
	uint32_t label_len;
	union {
		struct {
			uint64_t ge, le; /* with an axis */
		};
		char *label; /* without an axis; may contain NUL */
	};
};

struct heatmap_part {
	uint32_t nrows;
	unsigned int level; /* as in struct heatmap_grid */
};

struct hist_heatmap_work {
	/* the counts */
	unsigned int max_columns;
	uint32_t max_rows; /* per part */
	struct hist_heat_column *columns;
	struct heatmap_cells cells; /* has the same columns */
	struct heatmap_row *rows;	 /* of all parts */
	uint32_t nrows, rows_room;
	struct hash_index index; /* the rows, and some old keys of rows that were merged */
	uint64_t seed;
	uint32_t *spare; /* empty rows, which are used again */
	uint32_t nspare, spare_room;
	uint32_t others; /* the row of the others; HIST_NO_ENTRY: none yet */
	struct heatmap_part *parts;
	uint32_t nparts, parts_room;
	hist_heatmap_part_of *part_of; /* NULL: part 0 is everything */
	void *part_data;

	bool settled; /* axis and grid are known */
	int axis;
	struct heatmap_grid
		grid; /* level 0; in a map from hist_heatmap_make_part(), the level of the part */

	const struct hist_table *table; /* the table of @of */
	uint64_t generation;
	uint32_t *of; /* row + 1 of each entry of the table; 0: unknown */
	uint32_t of_room;
	struct hist_grouping *grouping; /* for labels */
	struct hist_strbuf text;
	bool no_column; /* the interval does not have a begin */

	/* the result */
	uint64_t *totals; /* of the rows above; NULL before the end */
	struct hist_heat_row *shown;
	uint32_t shown_room;
	uint64_t *counts; /* the cells of @shown */
};

/* heatmap.c: allocate an empty map without columns; NULL: no memory. */
struct hist_heatmap *heatmap_alloc(void);

/* heatmap_axis.c: the cell of @number, and whether a coarser level exists. */
void heatmap_grid_find_cell(const struct heatmap_grid *grid, uint64_t number, uint64_t *ge,
			    uint64_t *le);
bool heatmap_grid_has_coarser(const struct heatmap_grid *grid);

#endif
