/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * snapshot_view.h - what the views are told, and the text views
 *
 * A view shows one snapshot of one histogram, or the difference of two: the
 * caller walks the snapshots and selects the rows (rows.h), the view writes
 * them.  Every view says what was lost: hits dropped, snapshots missed or
 * damaged, rows that could not be told apart, a histogram that was cleared.
 *
 * The functions that print return 0, -ENOMEM or what the stream gave as -errno.
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

/* One thing to show; all pointers stay the caller's. */
struct hist_view {
	const struct hist_series_info *info;
	const char *name; /* "sched:sched_switch#1", how the user selects it */
	const struct hist_table *table;
	const struct hist_snapshot *snap; /* of a difference: what hist_snapshot_subtract() made */
	const struct hist_rows *rows;
	uint64_t wall; /* of snap, ns since 1970 (UTC); 0: not known */
	/*
	 * hist_selection.changed: other entries of @snap are 0; NULL: not known.  Of a whole
	 * snapshot: the only ones to show.
	 */
	const uint32_t *changed;
	uint32_t nchanged;
	/*
	 * NULL, or all there is of a difference, and @snap has no values (hist_walk.added_only): what
	 * was added to the first value of each of @changed, then to the second, and so on.  All are
	 * sums.
	 */
	const uint64_t *added;
	const struct hist_snapshot *whole; /* the snapshot itself; without difference equal to snap */

	bool difference;
	bool from_nothing;  /* a difference to before the first snapshot, or since a reset */
	uint32_t from_seq;  /* of a difference to a snapshot */
	uint64_t from_time;
	uint64_t from_hits; /* what had been counted until then */
	uint32_t from_entries;
	enum hist_extent extent;
	uint32_t last_seq;  /* of the last that will be shown; 0: nobody knows */
	bool reset;	    /* cleared between from_seq and this, this included */
	bool stopped;	    /* paused by others meanwhile, or before a whole snapshot */
	uint32_t lost;	    /* snapshots missing in the file between the one before and this */
	bool axis_order;    /* rows are in the order of hist_view_axis(): show gaps */
	bool grouped;	    /* bars: in groups of the keys beside hist_axis_key(), no row is cut */
	uint32_t top;	    /* of grouped: how many groups; 0 for all */
	bool brief;	    /* text: a head without what was said of this histogram before */
};

/* The snapshot that a view begins with: the one that was subtracted, or its own. */
static inline uint32_t hist_view_begin(const struct hist_view *view)
{
	return view->difference && !view->from_nothing ? view->from_seq : view->snap->seq;
}

struct hist_view_style {
	bool utf8;	    /* the terminal shows UTF-8 */
	unsigned int width; /* columns, for bars */
	bool colour;	    /* ANSI colours: a terminal, and no NO_COLOR (no-color.org) */
};

/* view_table.c - the look of the kernel's hist file, in aligned columns, with shares */
int hist_view_table(FILE *f, const struct hist_view *view, const struct hist_view_style *style);

/* view_bars.c - a bar for each row, of hist_rows.main_value; groups with the largest first */
int hist_view_bars(FILE *f, const struct hist_view *view, const struct hist_view_style *style);

/*
 * hist_view_axis - true when the only key is an axis: log2, buckets or a plain
 * number; *@order becomes the order of that key, ascending
 */
bool hist_view_axis(const struct hist_schema *schema, struct hist_order *order);

/* view_text.c - what the text views have in common */

/* "# event histogram: ", and what all snapshots of a histogram have in common. */
void hist_view_title(struct hist_strbuf *b, const char *name, const struct hist_view_style *style);
void hist_view_definition(struct hist_strbuf *b, const struct hist_definition *def,
			  const struct hist_view_style *style);
/* "# times: ...": where they are not simply those of the trace clock. */
void hist_view_times(struct hist_strbuf *b, const struct hist_among *among);
/* "# set-up: ...": what became of it, if there is something to say (extent.h). */
void hist_view_extent(struct hist_strbuf *b, enum hist_extent extent, uint32_t seq, uint64_t hits);
/* "2023-11-14 22:13:20.000000 UTC" of ns since 1970. */
void hist_view_date(struct hist_strbuf *b, uint64_t ns);
/*
 * "# date: ...": when the last snapshot that is shown was taken; nothing where that is not
 * known, or where the times are dates already.
 */
void hist_view_when(struct hist_strbuf *b, uint64_t wall, const struct hist_among *among);
/* "# note: ...": what was lost, in colour where there is any. */
void hist_view_note(struct hist_strbuf *b, const struct hist_view_style *style, const char *fmt,
		    ...) __attribute__((format(printf, 3, 4)));
#define HIST_AMBIGUOUS_WORDS                                                                       \
	"ambiguous: names in the kernel's text could be read in more than one way, some rows may " \
	"be wrong"

/* "# event histogram: ..." up to the blank line before the rows. */
void hist_view_header(struct hist_strbuf *b, const struct hist_view *view,
		      const struct hist_view_style *style);
/* The kernel's "Totals:" block with the blank line before it. */
void hist_view_totals(struct hist_strbuf *b, const struct hist_view *view);
/* " 26.41%", right-aligned in seven columns. */
void hist_view_share(struct hist_strbuf *b, uint64_t part, uint64_t whole);

/*
 * hist_damage_words - what is not in order with a file, as one sentence
 * False, and "" in @buf, when all is good.
 */
bool hist_damage_words(const struct hist_series_damage *damage, char *buf, size_t len);

#endif
