/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap_cells.h - the counts of a heat map: rows by columns, column after column
 *
 * Counts are added only to the last column.  All cells of a column have as many bytes as its
 * largest count needs.  A column does not have cells for newer rows; they read as 0.
 * Counts saturate.  Initialize with zeros.  After -ENOMEM the cells can only be freed.
 */
#ifndef LIB_HEATMAP_HEATMAP_CELLS_H
#define LIB_HEATMAP_HEATMAP_CELLS_H

#include <stdint.h>

#include "lib/base/wide.h"

struct heatmap_column {
	union {
		void *cells;
		uint16_t *narrow;
		uint32_t *middle;
		uint64_t *wide;
	};
	uint32_t room;	/* number of cells; a multiple of HEATMAP_CELLS_STEP */
	uint32_t width; /* bytes of a cell: 2, 4 or 8 */
};

#define HEATMAP_CELLS_STEP 64

struct heatmap_cells {
	struct heatmap_column *columns;
	uint32_t n, columns_room;
	uint32_t rows; /* new columns get so many cells */
};

void heatmap_cells_free(struct heatmap_cells *cells); /* not the struct */

/* Begin the next column. */
int heatmap_cells_next_column(struct heatmap_cells *cells);

/* Merge the columns in pairs.  Their number is even. */
int heatmap_cells_merge_columns(struct heatmap_cells *cells);

/* Add @count to the last column; there must be one. */
int heatmap_cells_add(struct heatmap_cells *cells, uint32_t row, uint64_t count);

/*
 * The cells of the last column, so that a loop can add small counts without a call.  Valid until
 * the next call.  *@room is 0 if the cells are wider.
 */
static inline uint16_t *heatmap_cells_get_narrow(const struct heatmap_cells *cells, uint32_t *room)
{
	const struct heatmap_column *last = &cells->columns[cells->n - 1];

	*room = last->width == sizeof(*last->narrow) ? last->room : 0;
	return last->narrow;
}

uint64_t heatmap_cells_get(const struct heatmap_cells *cells, uint32_t column, uint32_t row);

/* Add row @from to row @to, and empty it. */
int heatmap_cells_join_rows(struct heatmap_cells *cells, uint32_t to, uint32_t from);

/* Add all columns of each of @rows rows to @totals. */
void heatmap_cells_add_totals(const struct heatmap_cells *cells, uint64_t *totals, uint32_t rows);

/* The sum of one column; the caller saturates it. */
struct hist_wide heatmap_cells_sum_column(const struct heatmap_cells *cells, uint32_t column);

#endif
