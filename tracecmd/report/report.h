/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report.h - what the parts of `trace-cmd hist report` share
 */
#ifndef TRACECMD_REPORT_REPORT_H
#define TRACECMD_REPORT_REPORT_H

#include "lib/report/writer.h"
#include "tracecmd/base/output_stream.h"
#include "tracecmd/report/report_options.h"
#include "tracecmd/report/report_select.h"

struct report {
	const struct report_options *options;
	struct report_inputs inputs;
	struct report_picks picks;
	struct report_file file;
	struct hist_view_style style;
	struct hist_writer *writer; /* NULL for --list as text */
	struct hist_rows rows;
	int error;	 /* of writing, -errno: nothing more is written then */
	bool told;	 /* what the error means */
	bool incomplete; /* something asked for could not be shown; it was told */
};

/*
 * report_show.c - the snapshots of one histogram, and its end while its table is there
 * 0, or -errno of reading.
 */
int report_walk(struct report *r, const struct report_hist *h);

/* The one view of @h, if there is one; see hist_walk_show. */
int report_walk_total(const struct report_hist *h, hist_walk_show *show, void *data);

/* report_list.c - a line for each histogram.  0, or -errno of reading. */
int report_list(struct report *r);

#endif
