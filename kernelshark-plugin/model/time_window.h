/* SPDX-License-Identifier: GPL-2.0 */
/*
 * time_window.h - which snapshots a visible stretch of time shows
 *
 * Counts are known only where a snapshot was taken, so the numbers for a window
 * [t0, t1] are those from the last snapshot not after t0 to the last one not after
 * t1: nothing that was counted in the window after its last snapshot, and a little
 * that was counted before it.  Windows that lie side by side therefore add up.  Where
 * that leaves nothing, the numbers are those of the interval around the window, and
 * window_words() says so.
 *
 * Times are those of the recording (subtract the stream's offset first).  Nothing
 * here reads the file, allocates (but for text) or fails.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_TIME_WINDOW_H
#define KERNELSHARK_PLUGIN_MODEL_TIME_WINDOW_H

#include "kernelshark-plugin/model/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "lib/base/strbuf.h"

enum window_kind {
	WINDOW_INTERVALS, /* from < to: what was counted from one to the other */
	WINDOW_INSIDE,	  /* from + 1 == to: no snapshot lies in it, these two are around it */
	WINDOW_BEFORE,	  /* all snapshots are after it: no numbers; from == to == the first */
	WINDOW_AFTER,	  /* all are before it: no numbers; from == to == the last */
	WINDOW_SINGLE,	  /* there is only one, and no difference: from == to == it */
	WINDOW_NONE,	  /* no snapshot is intact; from == to == 0, which does not exist */
};

/* Plain data.  @from, @to are indices into recording_snapshots(). */
struct window {
	enum window_kind kind;
	uint32_t from, to;
	/*
	 * The histogram was cleared behind @from: the numbers are those counted from then
	 * to @to, and @from only says since when that is known.
	 */
	bool from_nothing;
	uint32_t lost; /* snapshots missing between @from and @to */
};

/* Is there a difference to show?  Else it is WINDOW_BEFORE, AFTER, SINGLE or NONE. */
static inline bool window_has_numbers(const struct window *w)
{
	return w->kind == WINDOW_INTERVALS || w->kind == WINDOW_INSIDE;
}

/*
 * window_between - the snapshots for what is visible from @t0 to @t1; in any order
 * Before the first snapshot nothing is known: a window that begins there begins with it.
 */
void window_between(const struct recording *r, unsigned int hist, uint64_t t0, uint64_t t1,
		    struct window *w);

/* The same for two given snapshots, in any order; equal ones are WINDOW_SINGLE. */
void window_of(const struct recording *r, unsigned int hist, uint32_t a, uint32_t b,
	       struct window *w);

/*
 * window_snapshot - the index of the snapshot nearest to @time
 * Of two that are as near the earlier.  UINT32_MAX where there is none.
 */
uint32_t window_snapshot(const struct recording *r, unsigned int hist, uint64_t time);

/*
 * window_words - "snapshots 3 (12.000000) to 17 (19.000000): 14 intervals"
 * By their numbers in the file and the times of the file; what a user can give to
 * `report --between`.  For the other kinds a sentence that says what is shown, or
 * why nothing is.
 */
void window_words(struct hist_strbuf *b, const struct recording *r, unsigned int hist,
		  const struct window *w);

/* "snapshot 17 (19.000000): 74245 hits in 94 entries, 0 dropped"; for hovering. */
void window_snapshot_words(struct hist_strbuf *b, const struct recording *r, unsigned int hist,
			   uint32_t index);

/* The snapshots whose times fall into one bin of a timeline, merged. */
struct window_mark {
	uint32_t first; /* index of the earliest */
	uint32_t n;	/* how many; 0: none, and all else is 0 */
	uint32_t lost;	/* snapshots missing before them */
	bool reset;	/* the histogram was cleared before one of them */
	bool dropped;	/* hits were dropped before one of them */
};

/*
 * window_marks - the snapshots from @t0 to @t1, both included, in @nbins equal bins
 * Bin i covers [t0 + i * w, t0 + (i + 1) * w), w = (t1 - t0) / nbins; the last one @t1
 * too.  Costs what lies in the window, plus @nbins.  Returns how many snapshots lie in
 * it; with @t1 before @t0, or without bins, 0 and all of @bins empty.
 */
uint32_t window_marks(const struct recording *r, unsigned int hist, uint64_t t0, uint64_t t1,
		      unsigned int nbins, struct window_mark *bins);

#ifdef __cplusplus
}
#endif

#endif
