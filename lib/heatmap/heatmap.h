/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heatmap.h - the model of a heat map: what was counted, over an axis and time
 *
 * A row is a number of the axis (axis.h), over all groups or those of one; in a
 * histogram without an axis a row is a group, by its label.  A column is the
 * time of one or more intervals.  Memory is bounded by the limits given, not by
 * the number of snapshots: when all columns are in use neighbours are merged, two
 * and two; where an axis has more different numbers than rows, neighbours are
 * merged as well; and of more labels than rows those that come late are added up.
 *
 * Call in this order: new, (interval, add*)*, finish, then look at it; for a map
 * of each of several parts: new, split, (interval, add*)*, totals, part*.
 * Functions return 0 or -errno; after a failure the map can only be freed.
 */
#ifndef LIB_HEATMAP_HEATMAP_H
#define LIB_HEATMAP_HEATMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/snapshot_view.h"

struct hist_heat_column {
	uint64_t from, to;  /* trace clock */
	uint32_t intervals; /* merged into it */
	bool reset;	    /* the histogram was cleared in this time */
	uint64_t lost;	    /* snapshots missed, not in the file, or damaged in this time */
	uint64_t dropped;   /* hits */
};

struct hist_heat_row {
	/*
	 * Where above 0: no row, but so many empty ones, which are too many to
	 * show; they are between the row before and the one after.
	 */
	uint64_t empty;
	uint64_t ge, le;       /* of an axis: what the row covers, both ends included */
	const char *label;     /* else its UTF-8 text, escaped as in label.h; of an axis NULL */
	bool others;	       /* all labels that had no place, see hist_heatmap.others */
	uint64_t total;	       /* of the cells; saturates */
	const uint64_t *cells; /* counts, one a column; NULL where all are 0 */
};

/* Read only, but through the functions below. */
struct hist_heatmap {
	bool has_axis;
	bool is_signed; /* bounds of the rows are int64_t */
	bool merged;	/* a row covers more than one number or bucket of the axis */
	bool ns;	/* the clock counts ns */
	unsigned int ncolumns;
	unsigned int per_column; /* intervals of a full column */
	const struct hist_heat_column *columns;
	/* After finish: an axis ascends, labels by their total, largest first, others last. */
	uint32_t nrows;
	const struct hist_heat_row *rows;
	uint32_t others;  /* labels in the row of the others; after a clearing some count twice */
	uint64_t before;  /* counted before the first snapshot, in no cell: in what time is unknown */
	uint64_t largest; /* count in a cell */
	struct hist_heatmap_work *work;
};

/*
 * hist_heatmap_new - @columns: at least 2, made even; @rows: at least 128 are kept
 * NULL without memory.
 */
struct hist_heatmap *hist_heatmap_new(const struct hist_series_info *info, unsigned int columns,
				      uint32_t rows);

void hist_heatmap_free(struct hist_heatmap *map);

/*
 * hist_heatmap_split - keep the counts of parts apart, as those of groups
 * @part_of: number of the part that @entry, of the last interval's snapshot, is of; numbers are
 * dense.  HIST_NO_ENTRY: of none, these are added up.  Not asked again for each count.
 * Before the first interval, and of a histogram with an axis.
 */
typedef uint32_t hist_heatmap_part_of(void *data, uint32_t entry);
void hist_heatmap_split(struct hist_heatmap *map, hist_heatmap_part_of *part_of, void *data);

/*
 * hist_heatmap_interval - the next interval: @view is a difference to the snapshot before
 * One from nothing, which has no beginning, adds to @before only, unless it is
 * from a clearing.
 */
int hist_heatmap_interval(struct hist_heatmap *map, const struct hist_view *view);

/*
 * hist_heatmap_add - count @value of all entries of the interval, or of @n entries
 * @entries: NULL for all, or those of a group.  Numbers below zero are left out.
 */
int hist_heatmap_add(struct hist_heatmap *map, const struct hist_view *view, unsigned int value,
		     const uint32_t *entries, uint32_t n);

/* hist_heatmap_finish - make @rows; at most @top labels and the others; 0 for all */
int hist_heatmap_finish(struct hist_heatmap *map, uint32_t top);

/*
 * hist_heatmap_totals - what was counted of each of @n parts, and of none, in all columns
 * Sums saturate.  -ENOMEM.
 */
int hist_heatmap_totals(struct hist_heatmap *map, uint64_t *totals, uint32_t n, uint64_t *none);

/*
 * hist_heatmap_part - the finished map of one part, with the columns of @map
 * Free it before @map.  -ENOMEM.
 */
int hist_heatmap_part(struct hist_heatmap **part, struct hist_heatmap *map, uint32_t number);

/*
 * hist_heatmap_rate - a cell as what a colour shows, so that columns of different length compare
 * Thousandths per second, at least 1 for a count that is not 0; where the clock does
 * not count ns thousandths per interval.
 */
uint64_t hist_heatmap_rate(const struct hist_heatmap *map, const struct hist_heat_row *row,
			   unsigned int column);

/* The least and largest rate that is not 0, for hist_heat_scale(); 0 and 0 without. */
void hist_heatmap_range(const struct hist_heatmap *map, uint64_t *least, uint64_t *most);

#endif
