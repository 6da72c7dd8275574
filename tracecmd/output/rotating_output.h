/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rotating_output.h - sink that writes the recording to a sequence of trace.dat files
 *
 * The files of "r.dat" are r.00001.dat, r.00002.dat, ...  The first number follows the highest one
 * that exists, so a new recording does not replace the files of an earlier one.  Each file is
 * complete: it begins with the last snapshots of the file before it, and gets its name when it
 * contains them.  hist_series_join() joins the files by their number in the TRACEID option.
 *
 * A new file begins between two intervals, when the current one has the limit.  A file therefore
 * has at least one interval, and is at most one interval larger than the limit.  The last interval
 * of the recording does not begin a new file.
 *
 * Invariant: after a new file has its name, at most @keep files of the sequence exist, those of
 * earlier recordings included.  A file that another program writes, or that has no such number, is
 * never removed.
 */
#ifndef TRACECMD_OUTPUT_ROTATING_OUTPUT_H
#define TRACECMD_OUTPUT_ROTATING_OUTPUT_H

#include "tracecmd/base/outfile.h"
#include "tracecmd/output/sink.h"

struct rotation {
	uint64_t ns;	   /* limit of the time of a file, or 0 */
	uint64_t bytes;	   /* limit of its size, or 0 */
	uint64_t keep;	   /* number of files; 0: all */
	uint64_t interval; /* of the recording, in ns */
	/*
	 * Before the current file ends, and after the next one has its name; they may append to
	 * @dat.  A failure ends the recording.  NULL: none.
	 */
	int (*end_file)(void *arg, struct tracedat_writer *dat);
	int (*next_file)(void *arg, const struct outfile *file);
	void *arg;
};

struct rotating_output {
	struct sink sink;
	const char *path; /* as the user gave it */
	struct file_place place; /* its directory, and the name in it; no name: not known yet */
	const struct rotation *rotation;
	struct outfile file; /* the current one */
	char *name;	     /* its path */
	struct tracedat_contents contents;
	uint64_t due;	/* time of timer_now() for the next file; 0: no file yet */
	uint64_t added; /* time of the last snapshot */
};

/* Make @o, which must be zeroed, the sink.  @path and @rotation must outlive @o. */
void rotating_output_init(struct rotating_output *o, const char *path,
			  const struct rotation *rotation);

/* A shell pattern for all files of @path, malloc'ed: "r.[0-9]*.dat".  NULL without memory. */
char *rotating_output_pattern(const char *path);

#endif
