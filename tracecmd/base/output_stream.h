/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output_stream.h - write a report to standard output, or to the file of -o
 *
 * A file replaces an older one only when it is complete (outfile.h).
 */
#ifndef TRACECMD_BASE_OUTPUT_STREAM_H
#define TRACECMD_BASE_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "tracecmd/base/outfile.h"

struct output_stream {
	FILE *f;
	const char *name; /* for messages */
	struct outfile out;
};

/* @out: a path; NULL: standard output.  0, or -errno after a message. */
int output_stream_open(struct output_stream *file, const char *out);

/*
 * output_stream_close - flush and close; with @keep, give the file its name
 * @error: an earlier error of a view, or 0.
 * 0; -EPIPE, without a message, if the reader has closed the pipe; -errno after a message.
 */
int output_stream_close(struct output_stream *file, bool keep, int error);

#endif
