/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * percentiles_table.h - the percentiles of each group as a table
 *
 *   next_comm    hitcount    share        lat_us       p50        p99
 *   rcu_preempt        89   26.41%  0 us-1.02 ms  33-64 us  65-128 us
 *
 * The row after the last group has the sum of the groups that --top cut, if there are any.  The
 * other tables have fewer columns, and the largest number, and how the numbers are distributed.
 */
#ifndef LIB_TABLE_PERCENTILES_TABLE_H
#define LIB_TABLE_PERCENTILES_TABLE_H

#include "lib/analysis/percentiles.h"
#include "lib/label/unit.h"
#include "lib/table/columns.h"

/* Group, rate, count, share, range, mean, largest, shape, and the quantiles. */
#define PERCENTILES_COLUMNS (8 + HIST_QUANTILES_MAX)

enum percentiles_of {
	PERCENTILES_OF_ALL,   /* group, count, share, range, mean, quantiles */
	PERCENTILES_OF_GROUP, /* group, count, quantiles, largest, shape */
	PERCENTILES_OF_LINE,  /* count, mean, quantiles, largest: for one group */
	PERCENTILES_OF_LIVE,  /* group, rate, count, quantiles, largest, shape */
	PERCENTILES_OF_TIME,  /* group, count, quantiles, largest: for one of many intervals */
};

struct percentiles_table {
	struct table base;
	bool digits_grouped; /* "12,345"; set by the caller */
	bool has_whole;	     /* make table_cell.whole too; set by the caller */
	const struct hist_snapshot *added; /* for rates: the last interval; set by the caller */
	uint64_t added_ns;		   /* its length */
	/* private */
	const struct hist_percentiles *of;
	const struct hist_key_desc *axis;
	enum hist_unit unit;
	unsigned int flags;
	struct label_details details;
	unsigned char kinds[PERCENTILES_COLUMNS];
	unsigned int first_quantile; /* the column; the others follow in their order */
	struct table_column columns[PERCENTILES_COLUMNS];
	char titles[PERCENTILES_COLUMNS][HIST_TITLE_MAX];
	struct hist_strbuf group; /* the title of the groups */
};

/*
 * percentiles_table_make - @of: the result of hist_percentiles_select(), which must outlive @t
 * @flags: of hist_escape().  Returns 0 or -ENOMEM; @t may be freed in any case.
 */
int percentiles_table_make(struct percentiles_table *t, const struct hist_percentiles *of,
			   enum percentiles_of columns, unsigned int flags);
/* Write "lat_us for each next_comm; the distribution is over 9 us-4.1 ms", if it is shown. */
void percentiles_table_put_lead(const struct percentiles_table *t, struct hist_strbuf *b);
void percentiles_table_free(struct percentiles_table *t); /* not the struct */

#endif
