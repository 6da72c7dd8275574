/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * snapshot_heads.h - what is said of the snapshots of a file besides their rows, and more
 * readers of one file
 *
 * A program that shows a time line needs to know of all snapshots when they were
 * taken and how much had been counted, long before it needs the rows of any.
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_SERIES_SNAPSHOT_HEADS_H
#define LIB_SERIES_SNAPSHOT_HEADS_H

#include "lib/series/series.h"

/*
 * @head: as hist_cursor_next() would give it, but for nentries and values, which
 * are 0 and NULL.  Other than 0 ends the pass and is returned.
 */
typedef int hist_heads_visit(void *data, unsigned int hist, const struct hist_snapshot *head);

/*
 * hist_series_heads - one pass over all snapshots of all histograms, as they stand in
 * the file
 * Every body is checked by its checksum, and none is rebuilt.  Those that a cursor
 * would pass over are left out and counted in hist_series_damage(): what is
 * damaged, and the differences behind it up to the next full one.  (A body with
 * nonsense inside of a right checksum is noticed only by a cursor.)
 * @visit: NULL where only the damage matters, which costs no decompression.
 * -ENOMEM, -EIO, or what @visit gave.
 */
int hist_series_heads(struct hist_series *series, hist_heads_visit *visit, void *data);

/*
 * hist_series_fork - another reader of the same file, for another thread
 * It shares what @series knows of the file and must be freed before it.  The file is
 * the one that was opened, whatever its name means now, and as long as it was then.
 * It begins with the damage that @series knows of now, and counts its own from then on;
 * @series may be walked again when this returns.
 * -EBADMSG, -EINVAL: somebody has written over the file; -ENOMEM; the errno of dup.
 */
int hist_series_fork(struct hist_series **fork, const struct hist_series *series);

#endif
