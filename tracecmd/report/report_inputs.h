/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_inputs.h - the files of a report: their labels, and the common time of several
 * files
 *
 * The files of one rotated recording are one input.
 *
 * A snapshot has a wall-clock time next to its time of the trace clock.  A report of
 * several files shows all times on one line, which is wall-clock time.  The last snapshot
 * of each file gives the offset of its trace clock.  A clock that was corrected during the
 * recording is therefore right for the whole recording, and time differences remain those
 * of the trace clock.  The alignment of two files is as exact as the clocks of their
 * machines.
 */
#ifndef TRACECMD_REPORT_REPORT_INPUTS_H
#define TRACECMD_REPORT_REPORT_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/series/series.h"
#include "tracecmd/report/report_options.h"

struct report_input {
	const char *path; /* hist_series_path() */
	struct hist_series *series;
	/* "HOST", or the path if several files have this host; NULL for a single file. */
	char *label;
};

struct report_inputs {
	struct tracedat_pool *pool; /* of all files */
	struct report_input *files;
	unsigned int n;
	uint64_t origin; /* start of the line: the first snapshot of all files */
};

/* Open all files of @options.  Returns 0, or -errno after a message. */
int report_inputs_open(struct report_inputs *in, const struct report_options *options);
/* Also prints a message about a file that was removed while it was read. */
void report_inputs_close(struct report_inputs *in);

/*
 * report_inputs_find_offset - get the offset from the trace clock of a histogram to ns since 1970
 * Returns 1 with *@offset set, 0 if the file does not have wall-clock times or its clock does
 * not count ns, or -errno.
 */
int report_inputs_find_offset(const struct report_input *input, unsigned int hist, int64_t *offset);

#endif
