/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * counted.h - what a histogram counted since its recording began, as counters that never fall
 *
 * The values of a snapshot restart at 0 if the histogram is cleared, and they include what was
 * counted while the triggers were set.  struct hist_counted adds up the snapshots of all times
 * between two clearings, and can subtract the set-up:
 *
 *   sums = last snapshot + last snapshots before each clearing - set-up
 *
 * It has its own table, because the keys of a cleared histogram disappear and their counts do not.
 * Only sums (hist_value_is_sum()) are added up; other values are 0, or no text.
 *
 * Functions return 0, -ENOMEM or -E2BIG; after a failure the sums are undefined.
 */
#ifndef LIB_SERIES_COUNTED_H
#define LIB_SERIES_COUNTED_H

#include "lib/hist/table.h"

struct hist_counted {
	struct hist_table *table;
	/* The head of the last snapshot; its hits, losses and values are since the beginning. */
	struct hist_snapshot sums;
	uint32_t resets; /* how often the histogram was cleared */
	struct hist_snapshot base; /* hits, dropped hits and values that the last snapshot lacks */
	struct hist_snapshot setup; /* that was subtracted, without its values */
	/* private */
	uint32_t *entry_of;	    /* entries of the table that the snapshots have */
	uint32_t entry_room, known;
	bool any; /* the sums have a snapshot */
	uint64_t generation; /* of that table */
};

/* NULL without memory. */
struct hist_counted *hist_counted_new(const struct hist_schema *schema);
void hist_counted_free(struct hist_counted *c);

/* hist_counted_subtract - subtract the set-up, once: the first snapshot of the recording */
int hist_counted_subtract(struct hist_counted *c, const struct hist_table *table,
			  const struct hist_snapshot *snap);

/*
 * For a writer, which needs only what was cleared: hist_counted_learn() notes the keys of the table
 * of each snapshot, and hist_counted_clear() adds the @last one before a clearing.
 */
int hist_counted_learn(struct hist_counted *c, const struct hist_table *table, uint32_t nentries);
void hist_counted_clear(struct hist_counted *c, const struct hist_snapshot *last);

/*
 * hist_counted_update - go on to the next snapshot
 * @cleared: the histogram was cleared since the last one; without effect for the first one.
 */
int hist_counted_update(struct hist_counted *c, const struct hist_table *table,
			const struct hist_snapshot *snap, bool cleared);

#endif
