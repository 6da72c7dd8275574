/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * snapshot_view.h - the input of all views, and the functions of the text views
 *
 * The functions are in lib/report/text/, loss_notes.c and default_order.c.
 *
 * A view shows one snapshot of one histogram, or the difference of two.  The caller walks the
 * snapshots and selects the rows (rows.h), and the view writes them.  Every view reports losses:
 * hits dropped, snapshots missed or damaged, ambiguous rows, a histogram that was cleared.
 *
 * The functions that write return 0, -ENOMEM, or the -errno of the stream.
 */
#ifndef LIB_ANALYSIS_SNAPSHOT_VIEW_H
#define LIB_ANALYSIS_SNAPSHOT_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/analysis/extent.h"
#include "lib/analysis/rows.h"
#include "lib/base/strbuf.h"
#include "lib/series/series.h"

/* One snapshot or difference to show.  The caller owns all pointers. */
struct hist_view {
	const struct hist_series_info *info;
	const char *name; /* "sched:sched_switch#1", as in -e */
	const struct hist_table *table;
	const struct hist_snapshot *snap; /* or the result of hist_snapshot_subtract() */
	const struct hist_rows *rows;
	uint64_t wall; /* time of snap, ns since 1970 (UTC); 0: unknown */
	/*
	 * As hist_selection.changed: other entries of @snap are 0; NULL: unknown.  Of a whole
	 * snapshot, only these are shown.
	 */
	const uint32_t *changed;
	uint32_t nchanged;
	/*
	 * NULL, or the whole difference, and @snap has no values (hist_walk.added_only).  The array
	 * has the difference of the first value of each of @changed, then of the second value, and so
	 * on.  All values are sums.
	 */
	const uint64_t *added;
	const struct hist_snapshot *whole; /* the snapshot itself; without difference equal to snap */

	bool difference;
	bool from_nothing;  /* a difference to nothing: of the first snapshot, or after a reset */
	uint32_t from_seq;  /* of a difference to a snapshot */
	uint64_t from_time;
	uint64_t from_hits; /* hits until then */
	uint32_t from_entries;
	enum hist_extent extent;
	uint32_t last_seq;  /* number of the last snapshot that will be shown; 0: unknown */
	bool reset;	    /* cleared after from_seq, up to this snapshot */
	bool stopped;	    /* paused by others in that time, or before a whole snapshot */
	uint32_t lost;	    /* snapshots missing in the file between the previous one and this */
	bool axis_order;    /* rows are in the order of hist_default_order_set_axis(): show gaps */
	bool grouped;	    /* bars: in groups of all keys except the axis; no row is cut */
	uint32_t top;	    /* grouped: the number of groups; 0 for all */
	bool brief;	    /* text: a head without what an earlier head of this histogram has */
};

/* The number of the snapshot that a view begins with: the subtracted one, or its own. */
static inline uint32_t hist_view_begin(const struct hist_view *view)
{
	return view->difference && !view->from_nothing ? view->from_seq : view->snap->seq;
}

struct hist_view_style {
	bool utf8;	    /* the terminal shows UTF-8 */
	unsigned int width; /* columns, for bars */
	bool colour;	    /* ANSI colours: on a terminal without NO_COLOR (no-color.org) */
};

/* view_table.c - as the kernel's hist file, in aligned columns, with shares */
int hist_view_table(FILE *f, const struct hist_view *view, const struct hist_view_style *style);

/* view_bars.c - a bar for hist_rows.main_value of each row; the largest group first */
int hist_view_bars(FILE *f, const struct hist_view *view, const struct hist_view_style *style);

/*
 * hist_default_order_set_axis - true if the only key is an axis: log2, buckets or a plain number
 * *@order becomes the order of that key, ascending.
 */
bool hist_default_order_set_axis(const struct hist_schema *schema, struct hist_row_order *order);

/* view_text.c - shared by the text views */

/* "# event histogram: ", and the lines that are the same for all snapshots. */
void hist_view_put_title(struct hist_strbuf *b, const char *name,
			 const struct hist_view_style *style);
void hist_view_put_definition(struct hist_strbuf *b, const struct hist_definition *def,
			      const struct hist_view_style *style);
/* "# times: ...", if times are not simply those of the trace clock. */
void hist_view_put_times(struct hist_strbuf *b, const struct hist_timeline *timeline);
/* "# set-up: ...", if hist_extent_format() has words. */
void hist_view_put_extent(struct hist_strbuf *b, enum hist_extent extent, uint32_t seq,
			  uint64_t hits);
/* Write ns since 1970 as "2023-11-14 22:13:20.000000 UTC". */
void hist_view_put_date(struct hist_strbuf *b, uint64_t ns);
/*
 * "# date: ...", the time of the last snapshot that is shown.  Nothing if it is unknown, or if the
 * times are dates already.
 */
void hist_view_put_when(struct hist_strbuf *b, uint64_t wall, const struct hist_timeline *timeline);
/* "# note: ...", a loss, in colour if the style has colours. */
void hist_view_put_note(struct hist_strbuf *b, const struct hist_view_style *style, const char *fmt,
			...) __attribute__((format(printf, 3, 4)));
#define HIST_LOSS_AMBIGUOUS \
	"names in the text of the kernel are ambiguous: some rows may be wrong"

/* "# event histogram: ..." up to the blank line before the rows. */
void hist_view_put_header(struct hist_strbuf *b, const struct hist_view *view,
			  const struct hist_view_style *style);
/* The kernel's "Totals:" block with the blank line before it. */
void hist_view_put_totals(struct hist_strbuf *b, const struct hist_view *view);
/* " 26.41%", right-aligned in seven columns. */
void hist_view_put_share(struct hist_strbuf *b, uint64_t part, uint64_t whole);

/*
 * hist_loss_format_damage - write the damage of a file, as one sentence
 * Returns false, with "" in @buf, if there is none.
 */
bool hist_loss_format_damage(const struct hist_series_damage *damage, char *buf, size_t len);

#endif
