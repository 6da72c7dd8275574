/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * default_order.h - the order of rows if the user does not give one
 *
 * A table follows sort= of the trigger.  Otherwise the rows of an axis ascend (an axis of plain
 * numbers only in bars), and other rows are sorted by the value that the trigger sorts by, largest
 * first.  The largest rows are shown if not all of them are.
 */
#ifndef LIB_ANALYSIS_DEFAULT_ORDER_H
#define LIB_ANALYSIS_DEFAULT_ORDER_H

#include "lib/analysis/rows.h"
#include "lib/series/series.h"

struct hist_default_order {
	struct hist_row_order order;
	/* The order of hist_default_order_set_axis(), which applies if no row is cut. */
	struct hist_row_order axis;
	bool has_axis;
};

/*
 * hist_default_order_set_axis - true if the only key is an axis: log2, buckets or a plain
 * number that is not a code with names
 * *@order becomes the order of that key, ascending.
 */
bool hist_default_order_set_axis(const struct hist_schema *schema, struct hist_row_order *order);

/*
 * hist_default_order_make - the default orders of histogram @def, for @bars or a table
 * @top: the number of rows to show, 0 for all.  A trigger that does not parse has no sort=.
 * Returns 0 or -ENOMEM.
 */
int hist_default_order_make(struct hist_default_order *default_order,
			    const struct hist_definition *def, bool bars,
			    uint32_t top);

/* The order for @rows rows, of which @top are shown (0: all); *@axis: it is that of the axis. */
const struct hist_row_order *
hist_default_order_choose(const struct hist_default_order *default_order, uint32_t rows,
			  uint32_t top, bool *axis);

#endif
