/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * view_heatmap.h - heat maps as text, one for each group of a histogram
 */
#ifndef LIB_REPORT_TEXT_VIEW_HEATMAP_H
#define LIB_REPORT_TEXT_VIEW_HEATMAP_H

#include "lib/analysis/snapshot_view.h"

struct heatmaps;

/*
 * heatmaps_new - for one histogram; @info and @name must outlive it
 * @top: groups, or rows where there is no axis; 0 for a handful.  NULL without memory.
 */
struct heatmaps *heatmaps_new(const struct hist_series_info *info, const char *name,
			      const struct hist_view_style *style, uint32_t top);
void heatmaps_free(struct heatmaps *maps);

/* The next interval, a difference.  -EINVAL where view->rows->main_value is no sum; -ENOMEM. */
int heatmaps_add(struct heatmaps *maps, const struct hist_view *view);

/* Writes all.  0, -ENOMEM or what the stream gave. */
int heatmaps_print(struct heatmaps *maps, FILE *f);

#endif
