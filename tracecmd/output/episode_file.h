/* SPDX-License-Identifier: GPL-2.0 */
/*
 * episode_file.h - side files with captured episodes, next to the file of a recording
 *
 * A recording only appends to its file, and does not know which episodes are the worst before its
 * end.  Until then each candidate is a file OUTPUT.episode-N, N from 1, which is replaced if a worse
 * episode takes its place.  At the end they are appended to OUTPUT, the worst first, and removed.  A
 * killed recorder leaves them; `cleanup OUTPUT` appends them then.
 *
 * A side file is a complete trace.dat with the events of one episode, and has its name only when it
 * is complete.  It belongs to the recording whose first snapshot has the same time (origin).
 */
#ifndef TRACECMD_OUTPUT_EPISODE_FILE_H
#define TRACECMD_OUTPUT_EPISODE_FILE_H

#include <stdbool.h>

#include "lib/series/episode.h"
#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"

/*
 * episode_file_write - write or replace side file @number of @output
 * @contents: those of @output, with the names of tasks.  @clock: of the pages.
 * 0 or -errno after a message.
 */
int episode_file_write(const char *output, unsigned int number,
		       const struct tracedat_contents *contents, const struct hist_episode *episode,
		       const char *clock, const struct tracedat_pages *cpus, unsigned int n);

/*
 * episode_files_join - append the episodes of all side files of @output to @dat, its writer
 * @origin: time of the first snapshot of the recording; the side files of others are not touched.
 * The file also gets the symbols and the names of tasks of all side files, and then those of @names, unless it is NULL.
 * Removes the side files after their episodes are visible in the file.  Returns the number of
 * appended episodes, or -errno after a message: the side files then remain.
 */
int episode_files_join(const char *output, struct tracedat_writer *dat, uint64_t origin,
		       const char *names);

/* episode_files_count - number of side files of @output, whose histograms are in @series */
unsigned int episode_files_count(const char *output, const struct hist_series *series);

/*
 * episode_files_restore - append the side files that a killed recording of @output left
 * A file that its recorder still writes is refused.  @dry_run: only count.
 * Returns the number of episodes, or -errno after a message.
 */
int episode_files_restore(const char *output, bool dry_run);

#endif
