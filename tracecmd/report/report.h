/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report.h - the state that the parts of `trace-cmd hist report` share
 */
#ifndef TRACECMD_REPORT_REPORT_H
#define TRACECMD_REPORT_REPORT_H

#include "lib/report/writer.h"
#include "tracecmd/base/output_stream.h"
#include "tracecmd/report/report_episodes.h"
#include "tracecmd/report/report_options.h"
#include "tracecmd/report/report_select.h"

/*
 * report_print_file - print an open file as `report` without options does; the exit status
 * @name: of the file, for messages.  @fd remains the caller's.
 */
int report_print_file(int fd, const char *name);

struct report {
	const struct report_options *options;
	struct report_inputs inputs;
	struct report_picks picks;
	struct output_stream file;
	struct hist_view_style style;
	struct hist_writer *writer; /* NULL for --list as text */
	struct hist_rows rows;
	struct report_episodes episodes; /* of --worst */
	int error;	 /* first -errno of writing; output stops */
	bool reported;	 /* the message of the error was printed */
	bool incomplete; /* a requested part could not be shown; its message was printed */
};

#endif
