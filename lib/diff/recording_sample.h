/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * recording_sample.h - what one recording of a histogram says in a comparison
 *
 * What was counted from the first snapshot to the last, as one block, or as
 * several of consecutive intervals where the recording is the only one of its
 * side (batch_means.h).  An interval in which somebody cleared the histogram is left
 * out, counts and time.
 */
#ifndef LIB_DIFF_RECORDING_SAMPLE_H
#define LIB_DIFF_RECORDING_SAMPLE_H

#include "lib/diff/key_normalize.h"
#include "lib/series/series.h"

/* Values by entry of the common table; hits and dropped of that time. */
struct hist_block {
	struct hist_snapshot counts;
	double seconds; /* 0 for clocks that do not count ns */
};

struct hist_sample {
	unsigned int nblocks; /* at least 1 */
	struct hist_block *blocks;
	double seconds;
	uint64_t hits, dropped, missed, events_lost, probe_misses;
	uint64_t lost; /* snapshots that are damaged or not in the file */
	bool reset, ambiguous, stopped;
};

/*
 * hist_sample_read - read histogram @hist of @series
 * @match: the keys go into its table.  @blocks: cut it.  @skip: so much at the
 * beginning is left out, in units of the trace clock.
 * -ENODATA: no two snapshots; -ENOMEM; -EIO.  Then there is nothing to free.
 */
int hist_sample_read(struct hist_sample *sample, struct hist_series *series, unsigned int hist,
		     struct hist_match *match, bool blocks, uint64_t skip);
void hist_sample_clear(struct hist_sample *sample);

#endif
