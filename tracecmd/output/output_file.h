/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output_file.h - the trace.dat being recorded
 *
 * It is an outfile (outfile.h) that gets its name when the first snapshots are in it, so that a
 * recording that does not come about leaves an older file alone, and one that is killed leaves a
 * whole file or none.  From then on it is a valid file at every moment.
 *
 * Functions return 0 or -errno after a message.
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

/* @o, zeroed, is the sink of a recording into @path, which must stay; instead of the calls below. */
void output_sink_init(struct output *o, const char *path);

/* Writes what stands before the snapshots. */
int output_begin(struct output *o, const struct tracedat_contents *contents);

/* The last snapshot is in it: whole, and still the file of this name. */
int output_finish(struct output *o);

/*
 * output_join - write all of the file's histograms into the finished trace.dat
 * @events_file of the same directory, which then takes the place of the file
 * @buffer: the buffer that shall be its top one, or NULL.
 * On failure the file stays as it is.
 */
int output_join(struct output *o, const char *events_file, const char *buffer);

void output_clear(struct output *o);

#endif
