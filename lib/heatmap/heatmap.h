/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap.h - the model of a heat map: counts over an axis and time
 *
 * A row is a number or bucket of the axis (axis.h), of all groups or of one.  Without an axis, a
 * row is a group, by its label.  A column is the time of one or more intervals.
 *
 * The given limits bound the memory, whatever the number of snapshots.  If all columns are in use,
 * neighbours are merged in pairs.  If an axis has more different numbers than rows, neighbours are
 * merged, too.  If there are more labels than rows, the later ones share one row.
 *
 * Order of calls: new, (interval, add*)*, finish, then read the map.  For one map per part: new,
 * split, (interval, add*)*, totals, part*.
 * Functions return 0 or -errno.  After a failure the map can only be freed.
 */
#ifndef LIB_HEATMAP_HEATMAP_H
#define LIB_HEATMAP_HEATMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/heatmap/heat_scale.h"

struct hist_heat_column {
	uint64_t from, to;  /* trace clock */
	uint32_t intervals; /* merged into it */
	bool reset;	    /* the histogram was cleared in this time */
	uint64_t lost;	    /* snapshots missed, not in the file, or damaged in this time */
	uint64_t dropped;   /* hits dropped in this time */
};

struct hist_heat_row {
	/*
	 * If above 0, this is not a row, but replaces so many empty rows between the previous row
	 * and the next one.
	 */
	uint64_t empty;
	uint64_t ge, le;       /* with an axis: the numbers of the row, both ends included */
	const char *label;     /* otherwise UTF-8, escaped as in label.h; NULL with an axis */
	bool others;	       /* the row of all labels without a row, see hist_heatmap.others */
	uint64_t total;	       /* sum of the cells; saturates */
	const uint64_t *cells; /* one count per column; NULL if all are 0 */
};

/* Only the functions below change the map. */
struct hist_heatmap {
	bool has_axis;
	bool is_signed; /* bounds of the rows are int64_t */
	bool merged;	/* a row covers more than one number or bucket of the axis */
	bool ns;	/* the clock counts ns */
	unsigned int ncolumns;
	unsigned int per_column; /* intervals of a full column */
	const struct hist_heat_column *columns;
	/* After finish: an axis ascends; labels are sorted by total, largest first, others last. */
	uint32_t nrows;
	const struct hist_heat_row *rows;
	uint32_t others;  /* labels in the row of the others; after a clearing some count twice */
	uint64_t before;  /* counts before the first snapshot: their time is unknown, so no cell */
	struct hist_heatmap_work *work;
};

/*
 * hist_heatmap_new - create an empty map; NULL: no memory
 * @columns: at most so many, rounded up to an even number.  @rows: at least 32 are kept.
 */
struct hist_heatmap *hist_heatmap_new(const struct hist_series_info *info, unsigned int columns,
				      uint32_t rows);

void hist_heatmap_free(struct hist_heatmap *map);

/*
 * hist_heatmap_split - count several parts separately, for example groups
 * @part_of returns the number of the part of @entry, which is in the snapshot of the last interval.
 * Numbers are dense.  HIST_NO_ENTRY: no part; these counts are added up.  The result is cached.
 * Call before the first interval.  The histogram must have an axis.
 */
typedef uint32_t hist_heatmap_part_of(void *data, uint32_t entry);
void hist_heatmap_split(struct hist_heatmap *map, hist_heatmap_part_of *part_of, void *data);

/*
 * hist_heatmap_begin_interval - begin the next interval: @view is a difference to the previous
 * snapshot A difference to nothing does not have a begin.  It adds only to @before, except after a
 * clearing.
 */
int hist_heatmap_begin_interval(struct hist_heatmap *map, const struct hist_view *view);

/*
 * hist_heatmap_add - count @value of all entries of the interval, or of @n @entries
 * @entries: NULL for all entries.  Values below zero are left out.
 */
int hist_heatmap_add(struct hist_heatmap *map, const struct hist_view *view, unsigned int value,
		     const uint32_t *entries, uint32_t n);

/* hist_heatmap_finish - make @rows; at most @top labels and the others; 0 for all */
int hist_heatmap_finish(struct hist_heatmap *map, uint32_t top);

/*
 * hist_heatmap_sum_parts - the counts of each of @n parts, and of no part, in all columns
 * Sums saturate.  Returns 0 or -ENOMEM.
 */
int hist_heatmap_sum_parts(struct hist_heatmap *map, uint64_t *totals, uint32_t n, uint64_t *none);

/*
 * hist_heatmap_make_part - make the finished map of one part, with the columns of @map
 * Free it before @map.  Returns 0 or -ENOMEM.
 */
int hist_heatmap_make_part(struct hist_heatmap **part, struct hist_heatmap *map, uint32_t number);

/*
 * hist_heatmap_rate - the rate of a cell, which makes columns of different length comparable
 * In thousandths per second, and at least 1 for a count that is not 0.  If the clock does not count
 * ns, in thousandths per interval.
 */
uint64_t hist_heatmap_rate(const struct hist_heatmap *map, const struct hist_heat_row *row,
			   unsigned int column);

/*
 * The least and largest rate that is not 0, for hist_heat_make_scale(); 0 and 0 if there are none.
 */
void hist_heatmap_find_range(const struct hist_heatmap *map, uint64_t *least, uint64_t *most);

/*
 * hist_heatmap_find_levels - the level of each cell, row by row
 * @levels: rows times columns.
 */
void hist_heatmap_find_levels(const struct hist_heatmap *map, const struct hist_heat *heat,
			      uint8_t *levels);

#endif
