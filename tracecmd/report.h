/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report.h - what the parts of `trace-cmd hist report` share
 */
#ifndef TRACECMD_REPORT_H
#define TRACECMD_REPORT_H

#include <tracehist/view_json.h>

#include "report_file.h"
#include "report_options.h"
#include "report_pick.h"

struct report {
	const struct report_options *options;
	struct hist_series *series;
	struct report_picks picks;
	struct report_file file;
	struct hist_view_style style;
	struct hist_json *json; /* NULL for text */
	struct hist_rows rows;
	unsigned int shown; /* tables, bars or lists so far */
	int error;	    /* of writing, -errno: nothing more is written then */
	bool incomplete;    /* something asked for could not be shown; it was told */
};

/* report_walk.c - the snapshots of one histogram.  0, or -errno of reading. */
int report_walk(struct report *r, const struct report_hist *h);

/* report_list.c - a line for each histogram.  0, or -errno of reading. */
int report_list(struct report *r);

#endif
