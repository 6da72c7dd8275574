/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * percentiles_table.h - the percentiles of each group as a table
 *
 *   next_comm    hitcount    share        lat_us       p50        p99
 *   rcu_preempt        89   26.41%  0 us-1.02 ms  33-64 us  65-128 us
 *
 * The row after the last group has the sum of the groups that --top cut, if there are any.
 */
#ifndef LIB_TABLE_PERCENTILES_TABLE_H
#define LIB_TABLE_PERCENTILES_TABLE_H

#include "lib/analysis/percentiles.h"
#include "lib/label/unit.h"
#include "lib/table/columns.h"

/* Group, count, share, range, mean, and the quantiles. */
#define PERCENTILES_COLUMNS (5 + HIST_QUANTILES_MAX)

struct percentiles_table {
	struct table base;
	bool digits_grouped; /* "12,345"; set by the caller */
	bool has_whole;	     /* make table_cell.whole too; set by the caller */
	/* private */
	const struct hist_percentiles *of;
	const struct hist_key_desc *axis;
	enum hist_unit unit;
	unsigned int flags;
	struct label_details details;
	unsigned char kinds[PERCENTILES_COLUMNS]; /* the quantiles are last, in their order */
	struct table_column columns[PERCENTILES_COLUMNS];
	char titles[PERCENTILES_COLUMNS][HIST_TITLE_MAX];
	struct hist_strbuf group; /* the title of the groups */
};

/*
 * percentiles_table_make - @of: the result of hist_percentiles_select(), which must outlive @t
 * @flags: of hist_escape().  Returns 0 or -ENOMEM; @t may be freed in any case.
 */
int percentiles_table_make(struct percentiles_table *t, const struct hist_percentiles *of,
			   unsigned int flags);
void percentiles_table_free(struct percentiles_table *t); /* not the struct */

#endif
