/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * renumber.h - translate the entry numbers of a file into stable entry numbers
 *
 * A full snapshot may renumber its entries and strings (trace-cmd-hist.dat(5)).
 * Code that compares snapshots by entry number needs stable numbers.  Each entry of such a
 * snapshot therefore gets the number that its key already has in the table of the cursor.
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_SERIES_RENUMBER_H
#define LIB_SERIES_RENUMBER_H

#include "lib/series/record.h"

/* All zero: file and cursor use the same numbers. */
struct renumber {
	struct hist_table *table; /* with the numbers of the file since its last full snapshot */
	struct hist_snapshot snap;
	struct full_keys keys;
	uint32_t *entries; /* by entry number in the file: the number in the cursor's table */
	uint32_t known, room;
};

/* Frees everything and sets @r to all zero. */
void renumber_clear(struct renumber *r);

/*
 * renumber_follow - copy r->snap into @snap, with the entry and string numbers of @table
 * New keys are added to @table.  -ENOMEM, -E2BIG.
 */
int renumber_follow(struct renumber *r, struct hist_table *table, struct hist_snapshot *snap);

#endif
