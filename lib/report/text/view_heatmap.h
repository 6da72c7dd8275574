/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * view_heatmap.h - heat maps as text, one for each group of a histogram
 */
#ifndef LIB_REPORT_TEXT_VIEW_HEATMAP_H
#define LIB_REPORT_TEXT_VIEW_HEATMAP_H

#include "lib/analysis/snapshot_view.h"

struct heatmaps;

/*
 * heatmap_groups_new - the heat maps of one histogram; @info and @name must outlive them
 * @top: the number of groups, or of rows without an axis; 0: HEATMAP_GROUPS or HEATMAP_ROWS.
 * Returns NULL if memory is exhausted.
 */
struct heatmaps *heatmap_groups_new(const struct hist_series_info *info, const char *name,
				    const struct hist_view_style *style, uint32_t top);
void heatmap_groups_free(struct heatmaps *maps);

/*
 * heatmap_groups_add - add the next interval, a difference
 * Returns 0, -EINVAL if view->rows->main_value is not a sum, or -ENOMEM.
 */
int heatmap_groups_add(struct heatmaps *maps, const struct hist_view *view);

/* view_heatmaps_print - write all maps.  Returns 0, -ENOMEM or the -errno of the stream. */
int view_heatmaps_print(struct heatmaps *maps, FILE *f);

#endif
