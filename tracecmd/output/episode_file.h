/* SPDX-License-Identifier: GPL-2.0 */
/*
 * episode_file.h - side files with captured episodes, next to the file of a recording
 *
 * A recording only appends to its file, and does not know which episodes are the worst before its
 * end.  Until then each candidate is a file OUTPUT.episode-N, N from 1, which is replaced if a
 * worse episode takes its place.  At the end they are appended to OUTPUT, the worst first, and
 * removed.  A killed recorder leaves them; `cleanup OUTPUT` appends them then.
 *
 * A side file is a complete trace.dat with the events of one episode, and has its name only when it
 * is complete.  It belongs to the recording whose first snapshot has the same time (origin), and
 * has the same owner.  In a directory where another user can make files, the name ends with a
 * number that nobody can guess, OUTPUT.episode-N.0123456789abcdef.
 */
#ifndef TRACECMD_OUTPUT_EPISODE_FILE_H
#define TRACECMD_OUTPUT_EPISODE_FILE_H

#include <stdbool.h>

#include "lib/base/file_place.h"
#include "lib/series/episode.h"
#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"

/*
 * The side files that a recording has made.  Initialize with zeros, or with episode_files_begin().
 */
struct episode_files {
	const char *path; /* of the recording, for messages */
	const struct file_place *place; /* of the recording */
	char **names; /* in its directory, by number from 1; NULL: none yet */
	unsigned int n;
	unsigned int lost; /* by episode_files_join(): others removed or replaced their files */
};

/* @path and @place must outlive @files. */
static inline void episode_files_begin(struct episode_files *files, const char *path,
				       const struct file_place *place)
{
	*files = (struct episode_files){ .path = path, .place = place };
}

/* The files remain. */
void episode_files_end(struct episode_files *files);

/*
 * episode_file_write - write or replace side file @number
 * @contents: those of the recording, with the names of tasks.  @clock: of the pages.
 * 0 or -errno after a message.
 */
int episode_file_write(struct episode_files *files, unsigned int number,
		       const struct tracedat_contents *contents, const struct hist_episode *episode,
		       const char *clock, const struct tracedat_pages *cpus, unsigned int n);

/*
 * episode_files_join - append the episodes of @files to @dat, the writer of the recording
 * @origin: time of the first snapshot of the recording.
 * The file also gets the symbols and the names of tasks of all side files, and then those of
 * @names, unless it is NULL.
 * Removes the side files after their episodes are visible in the file.  Returns the number of
 * appended episodes, or -errno after a message: the side files then remain.  An error tells how
 * many are lost, which is no failure: @files->lost.
 */
int episode_files_join(struct episode_files *files, struct tracedat_writer *dat, uint64_t origin,
		       const char *names);

/*
 * episode_files_count - number of side files of the recording @path, whose histograms are in
 * @series
 */
unsigned int episode_files_count(const char *path, const struct hist_series *series);

/*
 * episode_files_restore - append the side files that a killed recording @path left
 * A file that its recorder still writes is refused.  @dry_run: only count.
 * Returns the number of episodes, or -errno after a message.
 */
int episode_files_restore(const char *path, bool dry_run);

#endif
