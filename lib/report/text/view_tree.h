/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * view_tree.h - the bars view of stacks: a call tree
 */
#ifndef LIB_REPORT_TEXT_VIEW_TREE_H
#define LIB_REPORT_TEXT_VIEW_TREE_H

#include "lib/analysis/snapshot_view.h"

/* True if a key of the histogram is a stack and the value to show is a sum. */
bool hist_view_is_tree(const struct hist_view *view);

int hist_view_tree(FILE *f, const struct hist_view *view, const struct hist_view_style *style);

#endif
