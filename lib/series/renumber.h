/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * renumber.h - snapshots of a file under entry numbers that stay
 *
 * Full snapshots may number their entries and strings anew (trace-cmd-hist.dat(5)).
 * Code that compares snapshots by entry number must not notice.  The entries of such a
 * snapshot get the numbers that their keys already have in the table of the cursor.
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_SERIES_RENUMBER_H
#define LIB_SERIES_RENUMBER_H

#include "lib/series/record.h"

/* All zero: the file numbers as the cursor does. */
struct renumber {
	struct hist_table *table; /* as the file numbers since its last full snapshot; or NULL */
	struct hist_snapshot snap;
	struct full_keys keys;
	uint32_t *entries; /* in the table of the cursor, of each entry of the file */
	uint32_t known, room;
};

/* Frees all; @r is all zero then. */
void renumber_clear(struct renumber *r);

/*
 * renumber_follow - @snap becomes r->snap, with the entries and strings of @table
 * New keys go into @table.  -ENOMEM, -E2BIG.
 */
int renumber_follow(struct renumber *r, struct hist_table *table, struct hist_snapshot *snap);

#endif
