/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * recording_sample.h - the sample that one recording of a histogram adds to a comparison
 *
 * The sample is the counts from the first snapshot to the last, as one block.  If the
 * recording is the only one of its side, the sample is several blocks of consecutive
 * intervals (batch_means.h).  An interval in which the histogram was cleared is left out,
 * both its counts and its time.
 */
#ifndef LIB_DIFF_RECORDING_SAMPLE_H
#define LIB_DIFF_RECORDING_SAMPLE_H

#include "lib/diff/key_normalize.h"
#include "lib/series/series.h"

/*
 * What a HIST_VALUE_WORST tells of the largest number of an entry: @least was reached (0: unknown),
 * and none was above @most.
 */
struct hist_top {
	uint64_t least, most;
};

/* Values by entry of the common table; hits and dropped hits of the block. */
struct hist_batch {
	struct hist_snapshot counts;
	struct hist_top *tops; /* by entry, of those that were hit; NULL: nothing was kept */
	uint32_t tops_room;
	double seconds; /* 0 for clocks that do not count ns */
};

struct hist_recording_sample {
	unsigned int nblocks; /* at least 1 */
	struct hist_batch *blocks;
	double seconds;
	uint64_t hits, dropped, missed, events_lost, probe_misses;
	uint64_t losses[HIST_LOSS_KINDS];
	bool reset, stopped, misses_unknown;
};

/*
 * hist_recording_sample_read - read histogram @hist of @series
 * @match: the keys are added to its table.
 * @blocks: cut the recording into blocks.
 * @skip: time to leave out at the beginning, in units of the trace clock.
 * Returns 0; -ENODATA if there are fewer than two snapshots; -ENOMEM; -EIO.  After a failure
 * there is nothing to free.
 */
int hist_recording_sample_read(struct hist_recording_sample *sample, struct hist_series *series,
			       unsigned int hist,
			       struct hist_key_normalizer *match, bool blocks, uint64_t skip);
void hist_recording_sample_clear(struct hist_recording_sample *sample);

#endif
