/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * default_order.h - the order of rows where the user asks for none
 *
 * For a table what sort= of the trigger says.  Else an axis in its order, which for
 * plain numbers only bars need; or the largest first, by the value that the
 * trigger sorts by.  Where rows are cut, always the largest.
 */
#ifndef LIB_ANALYSIS_DEFAULT_ORDER_H
#define LIB_ANALYSIS_DEFAULT_ORDER_H

#include "lib/analysis/rows.h"
#include "lib/series/series.h"

struct hist_usual_order {
	struct hist_order order;
	/* That of hist_view_axis(), which is taken where no row is cut. */
	struct hist_order axis;
	bool has_axis;
};

/*
 * hist_usual_order - for histogram @def, for @bars or a table
 * @top: as many rows are wanted, 0 for all.  A trigger that cannot be read asks for none.
 * 0, -ENOMEM.
 */
int hist_usual_order(struct hist_usual_order *usual, const struct hist_definition *def, bool bars,
		     uint32_t top);

/* The one for @rows rows, of which @top are shown, 0 for all; *@axis: it is that of the axis. */
const struct hist_order *hist_usual_order_for(const struct hist_usual_order *usual, uint32_t rows,
					      uint32_t top, bool *axis);

#endif
