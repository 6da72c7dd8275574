/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * percentiles.h - the distribution of the numbers of each group, as one row per group
 *
 * The selection chooses groups (axis.h), as that of rows.h chooses entries.  It is made again for
 * each snapshot, and keeps its memory and the grouping of the table.
 */
#ifndef LIB_ANALYSIS_PERCENTILES_H
#define LIB_ANALYSIS_PERCENTILES_H

#include "lib/analysis/quantile.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/analysis/worst.h"
#include "lib/base/error.h"

/* One group, or the sum of the groups that @top cut. */
struct hist_percentiles_row {
	uint32_t group;
	uint64_t count;	  /* the total of the distribution */
	struct hist_quantile least, most; /* the smallest and largest number, or their buckets */
	bool has_mean;	  /* hist_distribution_mean() */
	double mean;
	struct hist_quantile q[HIST_QUANTILES_MAX];
	struct hist_shape shape; /* over hist_percentiles.range, with has_shapes */
};

/* The result of hist_percentiles_select(), valid until the next one; others only read it. */
struct hist_percentiles {
	uint32_t p[HIST_QUANTILES_MAX];
	unsigned int np;
	uint32_t top;
	bool has_shapes; /* make the shapes of the rows; set by the caller */
	struct hist_grouping *grouping;
	unsigned int value; /* the number of the counted value in the schema */
	uint64_t total;	    /* the counts of all rows and the rest; saturates */
	struct hist_shape_range range; /* of all rows and the rest */
	uint32_t nrows, ncut;
	struct hist_percentiles_row *rows,
		rest; /* @rest: the sum of the @ncut groups that @top cut */
	/* private */
	struct hist_worst_list worst; /* of hist_percentiles_select_view() */
	struct hist_distribution distribution;
	struct hist_percentiles_item *items;
	uint32_t *cut; /* the groups after the first @top */
	uint32_t nitems, items_room, cut_room, rows_room;
};

/*
 * hist_percentiles_new - create an empty selection; NULL: no memory
 * @p: @n quantiles, ascending; @n 0: 50, 90, 99 and 99.9.  @top: rows to keep, 0 for all.
 */
struct hist_percentiles *hist_percentiles_new(const uint32_t *p, unsigned int n, uint32_t top);
void hist_percentiles_free(struct hist_percentiles *s);

/*
 * hist_percentiles_explain_none - explain why a histogram cannot have percentiles, with a hint
 * It lacks an axis, or a value that is a sum.  Returns false, and leaves @error, if it can have
 * them.
 */
bool hist_percentiles_explain_none(const struct hist_schema *schema, struct hist_error *error);

/*
 * hist_percentiles_select - select the groups with counts in @snap, most counts first
 * The count is hist_axis_find_counted().  Snapshots of the same @table share its grouping.
 * @worst: of the same snapshot, or NULL.  Its values are the largest numbers, or upper limits, if
 * they are numbers of the axis; no quantile then ends above them.
 * -EINVAL if hist_percentiles_explain_none() is true; -ENOMEM.
 */
int hist_percentiles_select(struct hist_percentiles *s, const struct hist_table *table,
			    const struct hist_snapshot *snap, const struct hist_worst_list *worst);

/* The same of the snapshot of a view, with its exact largest numbers. */
int hist_percentiles_select_view(struct hist_percentiles *s, const struct hist_view *view);

#endif
