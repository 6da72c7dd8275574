/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * chart_data.h - the data of the charts of one histogram, collected snapshot by snapshot
 *
 * A course is the total of a histogram, its distribution over time, and the sums of what
 * was lost.  Its memory does not grow with the number of snapshots.
 */
#ifndef LIB_REPORT_HTML_CHART_DATA_H
#define LIB_REPORT_HTML_CHART_DATA_H

#include "lib/analysis/loss_notes.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/analysis/worst.h"
#include "lib/heatmap/heatmap.h"
#include "lib/report/episodes.h"

#define CHART_MAP_ROWS 160 /* rows of an axis; the 65 rows of log2 always fit */

struct chart_data {
	const struct hist_series_info *info;
	const char *name; /* owned by the caller */
	int value;		       /* number of the counted value (axis.h); -1: none */
	const struct hist_table *table; /* of the last snapshot; NULL before the first */
	struct hist_snapshot total;    /* the last snapshot; after chart_data_end() minus base */
	struct hist_snapshot base;     /* what the first view subtracts; no values: zero */
	uint32_t *only;		       /* hist_view.changed of a whole snapshot, or NULL */
	uint32_t nonly;
	struct hist_rows rows;	       /* of the total; valid after chart_data_end() */
	struct hist_row_order order;
	uint32_t top;		       /* the argument of chart_data_end() */
	struct hist_heatmap *map;      /* NULL if chart_data_begin() got 0 columns */
	uint32_t shown; /* snapshots: of each view, and that before the first difference */
	bool over_time;		       /* at least one view was a difference */
	enum hist_extent extent;       /* of the first view, as are from_seq and from_hits */
	uint32_t from_seq;
	uint64_t from_hits;
	uint64_t wall;		       /* of the last view; 0: unknown */
	uint64_t from_time;	       /* of the first interval that starts at a snapshot */
	bool has_from;
	struct hist_loss loss; /* sums over all views */
	struct hist_worst_list worst;  /* of the total; valid after chart_data_end() */
	/*
	 * Cells of the heat map link to these; NULL after chart_data_begin(); owned by the caller.
	 */
	const struct hist_report_episodes *episodes;
};

/* chart_data_begin - @columns: of the heat map, 0: no heat map.  Returns 0 or -ENOMEM. */
int chart_data_begin(struct chart_data *c, const struct hist_series_info *info, const char *name,
		     unsigned int columns);
int chart_data_add(struct chart_data *c, const struct hist_view *view);
/*
 * chart_data_end - compute the total, its rows and the rows of the heat map
 * @top, @map_top: the most rows of the total and of the heat map; 0: all.
 * The table of the last view must still exist.
 */
int chart_data_end(struct chart_data *c, uint32_t top, uint32_t map_top);
void chart_data_clear(struct chart_data *c);

/*
 * chart_data_entries - the entries of the table, as the other formats show them, after
 * chart_data_end().  Some may have been hit only before the first snapshot.  If only chosen entries
 * are shown: their number.
 */
uint64_t chart_data_entries(const struct chart_data *c);

/* The schema of the table, or that of the definition before the first snapshot. */
const struct hist_schema *chart_data_schema(const struct chart_data *c);

#endif
