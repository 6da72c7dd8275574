/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output_stream.h - where a report is written to
 *
 * Standard output, or with -o a file that takes the place of an older one only
 * when it is complete.  What is no regular file (/dev/null, a pipe) is written
 * directly.
 */
#ifndef TRACECMD_BASE_OUTPUT_STREAM_H
#define TRACECMD_BASE_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "tracecmd/base/outfile.h"

struct report_file {
	FILE *f;
	const char *name; /* for messages */
	struct outfile out;
};

/* @out NULL: standard output.  0, or -errno after a message. */
int report_file_open(struct report_file *file, const char *out);

/* False when the reader has gone or the disk is full: no use to go on. */
bool report_file_good(struct report_file *file);

/*
 * report_file_close - write what is left; with @keep put the file in its place
 * @error: what a view met when writing, or 0.
 * 0; -EPIPE, without a message, when the reader has gone; -errno after a message.
 */
int report_file_close(struct report_file *file, bool keep, int error);

#endif
