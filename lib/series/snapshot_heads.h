/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * snapshot_heads.h - read the times and totals of all snapshots without their rows; fork a reader
 *
 * A program that shows a time line needs the time and totals of each snapshot long before it
 * needs rows.
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_SERIES_SNAPSHOT_HEADS_H
#define LIB_SERIES_SNAPSHOT_HEADS_H

#include "lib/series/series.h"

/*
 * @head: the same as from hist_cursor_next(), except that nentries is 0 and values is NULL.
 * A result other than 0 ends the pass and is returned.
 */
typedef int hist_series_visit(void *data, unsigned int hist, const struct hist_snapshot *head);

/*
 * hist_series_visit_heads - visit all snapshots of all histograms once, in file order
 * The pass verifies the checksum of each body and rebuilds no snapshot.  It skips the snapshots
 * that a cursor skips, and counts them in hist_series_damage(): damaged ones, and the deltas
 * after them up to the next full snapshot.  Only a cursor detects an invalid body with a correct
 * checksum.
 * @visit: NULL to find only damage, which needs no decompression.
 * -ENOMEM, -EIO, or the result of @visit.
 */
int hist_series_visit_heads(struct hist_series *series, hist_series_visit *visit, void *data);

/*
 * hist_series_fork - create another reader of the same file, for another thread
 * The fork shares the index of @series and must be freed before @series.  It reads the file that
 * was opened, with the size at that time, even if the name now refers to another file.
 * The fork starts with the damage known to @series and then counts its own.
 * @series can be walked again after this function returns.
 * -EBADMSG, -EINVAL: the file was overwritten; -ENOMEM; the errno of dup().
 */
int hist_series_fork(struct hist_series **fork, const struct hist_series *series);

#endif
