/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * percentiles.h - how the numbers of each group are distributed, one row a group
 *
 * A selection as in rows.h, of groups (axis.h) and not of entries: made anew
 * for each snapshot, with its memory kept, and with the groups that a table was
 * divided into.
 */
#ifndef LIB_ANALYSIS_PERCENTILES_H
#define LIB_ANALYSIS_PERCENTILES_H

#include "lib/analysis/quantile.h"
#include "lib/analysis/snapshot_view.h"

struct hist_percentiles;

/* One group, or the sum of those that were cut away. */
struct hist_percentiles_row {
	uint32_t group;
	uint64_t count;	  /* the total of the distribution */
	struct hist_quantile least, most; /* the buckets of the smallest and largest number */
	bool has_mean;	  /* hist_distribution_mean() */
	double mean;
	struct hist_quantile q[HIST_QUANTILES_MAX];
};

/*
 * hist_percentiles_new - @p: @n quantiles to take, ascending; 0 for 50, 90, 99 and 99.9
 * @top: rows to keep, 0 for all.  NULL without memory.
 */
struct hist_percentiles *hist_percentiles_new(const uint32_t *p, unsigned int n, uint32_t top);
void hist_percentiles_free(struct hist_percentiles *s);

/*
 * hist_percentiles_why_not - a sentence where a histogram can have no percentiles
 * That is without an axis, or without a value that is a sum.  False, and @why
 * untouched, where it can.
 */
bool hist_percentiles_why_not(const struct hist_schema *schema, char *why, size_t len);

/*
 * hist_percentiles_select - the groups that have counts in @snap, most counts first
 * Counts are the hitcount, or without it the first value that is a sum.  Call
 * with the snapshots of one table in turn; another table begins anew.
 * -EINVAL where hist_percentiles_why_not(); -ENOMEM.
 */
int hist_percentiles_select(struct hist_percentiles *s, const struct hist_table *table,
			    const struct hist_snapshot *snap);

/* What was selected, till the next time. */
uint32_t hist_percentiles_count(const struct hist_percentiles *s);
const struct hist_percentiles_row *hist_percentiles_row(const struct hist_percentiles *s,
							uint32_t i);
/* Those that @top cut away, together; NULL for none.  *@groups: how many. */
const struct hist_percentiles_row *hist_percentiles_rest(const struct hist_percentiles *s,
							 uint32_t *groups);
/* Of all rows and the rest; saturates. */
uint64_t hist_percentiles_total(const struct hist_percentiles *s);
/* The value that is counted, by its number in the schema. */
unsigned int hist_percentiles_value(const struct hist_percentiles *s);
const struct hist_grouping *hist_percentiles_grouping(const struct hist_percentiles *s);
/* The quantiles taken. */
unsigned int hist_percentiles_quantiles(const struct hist_percentiles *s, const uint32_t **p);

/*
 * view_percentiles.c - a row for each group, largest first, with its percentiles
 * @percentiles: keep it from one snapshot to the next; it says which, and how
 * many rows.  hist_view.rows is used for the head only.
 * 0, what hist_percentiles_select() gives, or what the stream gave.
 */
int hist_view_percentiles(FILE *f, const struct hist_view *view,
			  const struct hist_view_style *style,
			  struct hist_percentiles *percentiles);

#endif
