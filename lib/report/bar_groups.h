/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * bar_groups.h - group the rows of a view by all keys except the axis
 */
#ifndef LIB_REPORT_BAR_GROUPS_H
#define LIB_REPORT_BAR_GROUPS_H

#include "lib/analysis/axis.h"
#include "lib/analysis/snapshot_view.h"

struct bar_group {
	uint32_t group; /* number in the grouping */
	uint64_t total; /* of the main value; saturates */
	uint32_t first, n; /* of bar_groups.entries */
};

/* Begin with all zero. */
struct bar_groups {
	struct hist_grouping *grouping;
	uint32_t *entries; /* sorted by group, then ascending on the axis */
	struct bar_group *groups; /* only groups with rows, largest first */
	uint32_t n;
	uint64_t total; /* of all groups; saturates */
	bool ambiguous; /* one symbol name has several addresses */
};

/* What @entry adds to a sum of the main value: 0 if it is negative or if there is no main value. */
uint64_t bar_groups_amount(const struct hist_view *view, uint32_t entry);

/* bar_groups_make - group view->rows.  Returns 0, -ENOMEM or -E2BIG. */
int bar_groups_make(struct bar_groups *g, const struct hist_view *view);
void bar_groups_free(struct bar_groups *g);

#endif
