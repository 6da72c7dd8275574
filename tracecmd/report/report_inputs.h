/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_inputs.h - the files of a report: what each is called, and one line of time
 *
 * Snapshots have the time of day beside that of the trace clock.  Of several files
 * the times stand on one line: that of the day, as the last snapshot of each file
 * tells how far the two clocks lie apart.  So a clock that was set right during the
 * recording is right all along, and what lies between two snapshots stays what the
 * trace clock says.  Two files are beside each other as exactly as the clocks of
 * their machines agree.
 */
#ifndef TRACECMD_REPORT_REPORT_INPUTS_H
#define TRACECMD_REPORT_REPORT_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/series/series.h"
#include "tracecmd/report/report_options.h"

struct report_input {
	const char *path;
	struct hist_series *series;
	/* "HOST", or the path where that is not this file's alone; NULL of a single file. */
	char *label;
};

struct report_inputs {
	struct report_input *files;
	unsigned int n;
	uint64_t origin; /* of the line: the first snapshot of all files */
};

/* Opens all files of @options.  0, or -errno after a message. */
int report_inputs_open(struct report_inputs *in, const struct report_options *options);
void report_inputs_close(struct report_inputs *in);

/*
 * report_inputs_offset - from the trace clock of a histogram to ns since 1970
 * 1: *@offset is it; 0: the file has no time of day, or its clock counts no ns; -errno.
 */
int report_inputs_offset(const struct report_input *input, unsigned int hist, int64_t *offset);

/* Of all files together. */
struct hist_series_damage report_inputs_damage(const struct report_inputs *in);

#endif
