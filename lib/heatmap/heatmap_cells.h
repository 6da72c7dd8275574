/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap_cells.h - the counts of a heat map: rows by columns, column after column
 *
 * Only the last column is counted into.  Cells have as many bytes as the counts of their
 * column need, and those of rows that are new since are not there: both read as 0 and
 * more.  Counts saturate.  Begin with all zero.  After -ENOMEM it can only be freed.
 */
#ifndef LIB_HEATMAP_HEATMAP_CELLS_H
#define LIB_HEATMAP_HEATMAP_CELLS_H

#include <stdint.h>

#include "lib/base/wide.h"

struct heat_column {
	union {
		void *cells;
		uint16_t *narrow;
		uint32_t *middle;
		uint64_t *wide;
	};
	uint32_t room;	/* cells; a multiple of HEAT_CELLS_STEP */
	uint32_t width; /* bytes of one: 2, 4 or 8 */
};

#define HEAT_CELLS_STEP 64

struct heat_cells {
	struct heat_column *columns;
	uint32_t n, columns_room;
	uint32_t rows; /* room for so many was wanted */
};

void heat_cells_free(struct heat_cells *cells); /* not the struct */

/* The next column begins. */
int heat_cells_next(struct heat_cells *cells);

/* Columns become half as many: each takes in the one behind it.  Their number is even. */
int heat_cells_merge(struct heat_cells *cells);

/* Adds to the last column, of which there is one. */
int heat_cells_add(struct heat_cells *cells, uint32_t row, uint64_t count);

/*
 * The cells of the last column, for a loop to add what fits without a call: valid until
 * the next one.  *@room is 0 where they are wider.
 */
static inline uint16_t *heat_cells_narrow(const struct heat_cells *cells, uint32_t *room)
{
	const struct heat_column *last = &cells->columns[cells->n - 1];

	*room = last->width == sizeof(*last->narrow) ? last->room : 0;
	return last->narrow;
}

uint64_t heat_cells_get(const struct heat_cells *cells, uint32_t column, uint32_t row);

/* Row @from is added to row @to, and empty then. */
int heat_cells_join(struct heat_cells *cells, uint32_t to, uint32_t from);

/* Adds all columns of each row to @totals, which has one for each of @rows. */
void heat_cells_totals(const struct heat_cells *cells, uint64_t *totals, uint32_t rows);

/* The sum of one column; the caller makes it saturate. */
struct hist_wide heat_cells_sum(const struct heat_cells *cells, uint32_t column);

#endif
