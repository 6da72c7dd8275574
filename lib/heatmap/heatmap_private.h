/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap_private.h - what the parts of the heat map's model share
 */
#ifndef LIB_HEATMAP_HEATMAP_PRIVATE_H
#define LIB_HEATMAP_HEATMAP_PRIVATE_H

#include "lib/base/hash_index.h"
#include "lib/heatmap/heatmap.h"
#include "lib/heatmap/heatmap_cells.h"

/* The cells of an axis. */
struct heat_grid {
	struct hist_key_desc key; /* without name */
	bool is_signed;
	unsigned int level; /* how coarse; 0 as recorded */
};

/* Its number is that of its row in the cells. */
struct heat_row {
	uint32_t part; /* HIST_NO_ENTRY: of none */
	uint32_t label_len;
	union {
		struct {
			uint64_t ge, le; /* of an axis */
		};
		char *label; /* else; may hold NUL */
	};
};

struct heat_part {
	uint32_t nrows;
	unsigned int level; /* as in struct heat_grid */
};

struct hist_heatmap_work {
	/* what is counted */
	unsigned int max_columns;
	uint32_t max_rows; /* of a part */
	struct hist_heat_column *columns;
	struct heat_cells cells; /* as many columns */
	struct heat_row *rows;	 /* of all parts */
	uint32_t nrows, rows_room;
	struct hash_index index; /* of the rows, and of some that are no more */
	uint64_t seed;
	uint32_t *spare; /* rows that are empty, to be used again */
	uint32_t nspare, spare_room;
	uint32_t others; /* row of what has no row of its own; HIST_NO_ENTRY: none yet */
	struct heat_part *parts;
	uint32_t nparts, parts_room;
	hist_heatmap_part_of *part_of; /* NULL: all is part 0 */
	void *part_data;

	bool settled; /* axis and grid are known */
	int axis;
	struct heat_grid grid; /* level 0; of what hist_heatmap_part() made, that of the part */

	const struct hist_table *table; /* that @of is about */
	uint64_t generation;
	uint32_t *of; /* row + 1 of each entry of the table, 0 unknown */
	uint32_t of_room;
	struct hist_grouping *grouping; /* for labels */
	struct hist_strbuf text;
	bool no_column; /* the interval has no beginning */

	/* what is shown */
	uint64_t *totals; /* of the rows above; NULL before the end */
	struct hist_heat_row *shown;
	uint32_t shown_room;
	uint64_t *counts; /* the cells of @shown */
};

/* heatmap.c - as hist_heatmap_new(), for who fills in the rest; frees nothing of it on failure */
struct hist_heatmap *heat_map_alloc(void);

/* heatmap_axis.c - the cell that @number is in */
void heat_grid_cell(const struct heat_grid *grid, uint64_t number, uint64_t *ge, uint64_t *le);
bool heat_grid_has_coarser(const struct heat_grid *grid);

#endif
