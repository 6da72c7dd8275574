/* SPDX-License-Identifier: GPL-2.0 */
/*
 * time_window.h - map a visible time range to snapshots
 *
 * Counts are known only at snapshots. Therefore the numbers for a window [t0, t1] are
 * from the last snapshot not after t0 to the last snapshot not after t1. They omit hits
 * in the window after its last snapshot, and include some hits before the window. As a
 * result, adjacent windows add up. If this range is empty, the numbers are those of the
 * interval that contains the window, and time_window_describe() says so.
 *
 * Times are those of the recording (subtract the stream's offset first). The functions
 * do not read the file, do not allocate (except for text) and cannot fail.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_TIME_WINDOW_H
#define KERNELSHARK_PLUGIN_MODEL_TIME_WINDOW_H

#include "kernelshark-plugin/model/recording.h"

#include "lib/base/strbuf.h"

enum time_window_kind {
	WINDOW_INTERVALS, /* from < to: hits between the two snapshots */
	WINDOW_INSIDE,	  /* from + 1 == to: the window is between two snapshots */
	WINDOW_BEFORE,	  /* all snapshots are after it: no numbers; from == to == the first */
	WINDOW_AFTER,	  /* all snapshots are before it: no numbers; from == to == the last */
	WINDOW_SINGLE,	  /* only one snapshot, so no difference: from == to == this one */
	WINDOW_NONE,	  /* no intact snapshot; from == to == 0, an invalid index */
};

/* Plain data. @from and @to are indices into recorded_hist.snapshots. */
struct time_window {
	enum time_window_kind kind;
	uint32_t from, to;
	/*
	 * The histogram was cleared after @from: the numbers were counted from the
	 * clear to @to. @from only limits the time of the clear.
	 */
	bool from_nothing;
	uint32_t lost; /* snapshots missing between @from and @to */
};

/*
 * True if there is a difference to show; otherwise the kind is WINDOW_BEFORE, AFTER,
 * SINGLE or NONE.
 */
static inline bool time_window_has_numbers(const struct time_window *w)
{
	return w->kind == WINDOW_INTERVALS || w->kind == WINDOW_INSIDE;
}

/*
 * time_window_find - the snapshots for the visible range from @t0 to @t1, in any order
 * Counts before the first snapshot are unknown: a window that begins earlier is cut to
 * the first snapshot.
 */
void time_window_find(const struct recording *r, unsigned int hist, uint64_t t0, uint64_t t1,
		      struct time_window *w);

/* The window between two snapshots, in any order; equal snapshots give WINDOW_SINGLE. */
void time_window_set(const struct recording *r, unsigned int hist, uint32_t a, uint32_t b,
		     struct time_window *w);

/*
 * time_window_set_whole - the whole recording, as `report` shows it without options
 * WINDOW_INTERVALS from the first snapshot to the last; WINDOW_SINGLE if the last snapshot itself
 * is the whole: there is no other, or a replay made it (extent.h).  WINDOW_NONE without snapshots.
 */
void time_window_set_whole(const struct recording *r, unsigned int hist, struct time_window *w);

/*
 * time_window_count_outside - the hits of the whole recording that are not in the window
 * 0 if the histogram was cleared, because the hits before it are unknown.
 */
uint64_t time_window_count_outside(const struct recording *r, unsigned int hist,
				   const struct time_window *w);

/*
 * time_window_find_snapshot - the index of the snapshot nearest to @time
 * The earlier one if two are equally near. UINT32_MAX without snapshots.
 */
uint32_t time_window_find_snapshot(const struct recording *r, unsigned int hist, uint64_t time);

/*
 * time_window_describe - append "snapshots 3 (12.000000) to 17 (19.000000): 14 intervals"
 * Contains the sequence numbers and times of the file, as for `report --between`. For
 * the other kinds, a sentence that describes what is shown, or why nothing is shown.
 */
void time_window_describe(struct hist_strbuf *b, const struct recording *r, unsigned int hist,
			  const struct time_window *w);

/* Append "snapshot 17 (19.000000): 74245 hits in 94 entries, 0 dropped", for a tool tip. */
void time_window_describe_snapshot(struct hist_strbuf *b, const struct recording *r,
				   unsigned int hist,
				   uint32_t index);

/* The snapshots in one bin of a timeline, merged. */
struct time_window_bin {
	uint32_t first; /* index of the first */
	uint32_t n;	/* number of snapshots; 0: all other fields are 0 */
	uint32_t lost;	/* number of snapshots missing before them */
	bool reset;	/* the histogram was cleared before one of them */
	bool dropped;	/* hits were dropped before one of them */
};

/*
 * time_window_fill_bins - distribute the snapshots from @t0 to @t1 (inclusive) over @nbins equal
 * bins Bin i covers [t0 + i * w, t0 + (i + 1) * w), w = (t1 - t0) / nbins; the last bin
 * includes @t1. Runs in time proportional to the snapshots in the window plus @nbins.
 * Returns the number of snapshots in the window. If @t1 is before @t0, or @nbins is 0,
 * the result is 0 and all @bins are empty.
 */
uint32_t time_window_fill_bins(const struct recording *r, unsigned int hist, uint64_t t0,
			       uint64_t t1,
			       unsigned int nbins, struct time_window_bin *bins);

#endif
