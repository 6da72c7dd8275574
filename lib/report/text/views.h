/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * views.h - snapshots, heat maps and episodes as text for people, and the parts of a head
 *
 * The functions that write to a stream return 0, -ENOMEM, or the -errno of the stream.
 */
#ifndef LIB_REPORT_TEXT_VIEWS_H
#define LIB_REPORT_TEXT_VIEWS_H

#include "lib/analysis/loss_notes.h"
#include "lib/analysis/percentiles.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/table/percentiles_table.h"

/* view_table.c - as the kernel's hist file, in aligned columns, with shares */
int hist_view_table(FILE *f, const struct hist_view *view, const struct hist_view_style *style);

/*
 * view_bars.c - a bar for hist_rows.main_value of each row; the largest group first
 * @summary: lines above the bars, or NULL.
 */
int hist_view_bars(FILE *f, const struct hist_view *view, const struct hist_view_style *style,
		   const struct hist_strbuf *summary);

/*
 * hist_view_percentiles - write a row for each group, largest first, with its percentiles
 * @percentiles: which percentiles, and how many rows; keep it from one snapshot to the next.
 * hist_view.rows is used only for the head.
 * Returns 0, the error of hist_percentiles_select(), or the -errno of the stream.
 */
int hist_view_percentiles(FILE *f, const struct hist_view *view,
			  const struct hist_view_style *style,
			  struct hist_percentiles *percentiles);

/*
 * hist_view_percentile_lines - write a line for each interval and group
 * @lines: all zero before the first interval of a histogram, which writes the head; keep it.
 * What is missing in an interval is in notes above its lines.  Returns as hist_view_percentiles().
 */
struct percentile_lines {
	bool begun;
	unsigned int widths[PERCENTILES_COLUMNS]; /* columns are never narrower than before */
};
int hist_view_percentile_lines(FILE *f, const struct hist_view *view,
			       const struct hist_view_style *style,
			       struct hist_percentiles *percentiles,
			       struct percentile_lines *lines);

/*
 * hist_view_summary - write what answers most questions about a histogram
 * If rows are in the order of an axis: a line with count, mean, percentiles and maximum, and the
 * bars.  If they are grouped: a line for each group with percentiles, maximum and shape.
 * Otherwise the table.  See hist_axis_comes_first().
 * @line, @groups: the percentiles of the line, and of the lines of the groups; keep them.
 * Returns as hist_view_percentiles().
 */
int hist_view_summary(FILE *f, const struct hist_view *view, const struct hist_view_style *style,
		      struct hist_percentiles *line, struct hist_percentiles *groups);

/*
 * view_heatmap.c - heat maps, one for each group of a histogram
 *
 * view_heatmaps_add() adds the next interval, a difference.  *@maps is NULL before the first one.
 * @writer: has the histogram, the style and --top; its histogram must outlive the maps.
 * Returns 0, -EINVAL if view->rows->main_value is not a sum, or -ENOMEM.
 */
struct heatmaps;
struct hist_writer;
int view_heatmaps_add(struct heatmaps **maps, const struct hist_writer *writer,
		      const struct hist_view *view);
/* Write all maps. */
int view_heatmaps_print(struct heatmaps *maps, FILE *f);
void view_heatmaps_free(struct heatmaps *maps);

/*
 * view_episodes.c - the stories of the worst episodes
 * Each fits on a screen of 24 lines if it has at most six parts.
 */
struct hist_report_episodes;
int view_episodes_print(FILE *f, const struct hist_report_episodes *list,
			const struct hist_view_style *style);

/* view_text.c - shared by the text views */

/*
 * "# event histogram: ..." and, unless @info is NULL, the lines that are the same for all
 * snapshots.
 */
void hist_view_put_title(struct hist_strbuf *b, const char *name,
			 const struct hist_series_info *info, const struct hist_view_style *style);
/* Write ns since 1970 as "2023-11-14 22:13:20.000000 UTC". */
void hist_view_put_date(struct hist_strbuf *b, uint64_t ns);
/*
 * "# date: ...", the time of the last snapshot that is shown.  Nothing if it is unknown, or if the
 * times are dates already.
 */
void hist_view_put_when(struct hist_strbuf *b, uint64_t wall, const struct hist_timeline *timeline);
/* "# set-up: ...", if hist_extent_format() has words. */
void hist_view_put_extent(struct hist_strbuf *b, enum hist_extent extent, uint32_t seq,
			  uint64_t hits);
/* "# note: ...", a loss, in colour if the style has colours; "# hint: ..." after a newline. */
void hist_view_put_note(struct hist_strbuf *b, const struct hist_view_style *style, const char *fmt,
			...) __attribute__((format(printf, 3, 4)));
/* A note for each sentence about @loss. */
void hist_view_put_loss(struct hist_strbuf *b, const struct hist_view_style *style,
			const struct hist_loss *loss);
/* Notes about @loss, except hits dropped, snapshots missed or lost, and clearing. */
void hist_view_put_losses(struct hist_strbuf *b, const struct hist_view_style *style,
			  struct hist_loss loss);
/* "# event histogram: ..." up to the notes, and the blank line before the rows. */
void hist_view_put_header(struct hist_strbuf *b, const struct hist_view *view,
			  const struct hist_view_style *style);
void hist_view_end_header(struct hist_strbuf *b);
/* " 26.41%", right-aligned in seven columns. */
void hist_view_put_share(struct hist_strbuf *b, uint64_t part, uint64_t whole);

#endif
