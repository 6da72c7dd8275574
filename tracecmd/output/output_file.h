/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output_file.h - sink that writes the recording to a trace.dat file
 *
 * The file is an outfile (outfile.h) and gets its name when it contains the first snapshots. A
 * recording that fails before does not change an older file. A killed recording leaves a complete
 * file or none.
 *
 * Invariant: from the first snapshots on, the file is a valid trace.dat at every moment.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_OUTPUT_OUTPUT_FILE_H
#define TRACECMD_OUTPUT_OUTPUT_FILE_H

#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"
#include "tracecmd/base/outfile.h"
#include "tracecmd/output/sink.h"

struct output {
	struct sink sink;
	const char *path; /* of the sink */
	struct outfile file;
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
};

/*
 * Make @o, which must be zeroed, the sink of a recording into @path. @path must outlive @o. The
 * sink replaces the calls below.
 */
void output_sink_init(struct output *o, const char *path);

/* Write the part of the file before the snapshots. */
int output_begin(struct output *o, const struct tracedat_contents *contents);

/* Complete the file after the last snapshot. Fails if the path no longer names this file. */
int output_finish(struct output *o);

/*
 * output_join - merge the histograms of the file and the events of a stock recording
 * @events_file: finished trace.dat in the same directory; the histograms are added to it, and it
 * then replaces the file.
 * @buffer: name of the buffer that becomes its top-level buffer, or NULL.
 * On failure the file does not change.
 */
int output_join(struct output *o, const char *events_file, const char *buffer);

void output_clear(struct output *o);

#endif
