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
	struct outfile file;
};

/*
 * Make @o, which must be zeroed, the sink of a recording into @path. @path must outlive @o.
 * SINK_OPEN opens @o->file, unless the caller has opened it. The end fails if @path no longer
 * names this file.
 */
void output_sink_init(struct output *o, const char *path);

#endif
