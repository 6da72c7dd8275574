/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_formats.h - the formats and views of `trace-cmd hist report`
 *
 * One table of formats and one of views say which options go with which and
 * what a writer is given; options, help and walk read them.
 */
#ifndef TRACECMD_REPORT_REPORT_FORMATS_H
#define TRACECMD_REPORT_REPORT_FORMATS_H

#include "lib/report/writer.h"

/* Bits of what a format or view is given, and which options make sense with it. */
enum {
	REPORT_OVER_TIME = 0x01,   /* differences: every interval, also inside of --between */
	REPORT_NO_POINTS = 0x02,   /* one snapshot alone (--at, --snapshot) shows nothing */
	REPORT_ALL_ROWS = 0x04,	   /* rows are not cut: the writer itself looks at --top */
	REPORT_AXIS_ORDER = 0x08,  /* a plain number is shown in its order, not by size */
	REPORT_SORT = 0x10,	   /* takes --sort; without it rows come in no order */
	REPORT_TOP = 0x20,	   /* takes --top */
	REPORT_PERCENTILES = 0x40, /* takes --percentiles */
	REPORT_SERIES = 0x80,	   /* takes --max-series */
	REPORT_COLOUR = 0x100,	   /* takes --color */
	REPORT_LIST = 0x200,	   /* takes --list: views without rows, but for text */
	REPORT_OFFSET = 0x8000,	   /* takes --time-offset */
	REPORT_LINE = 0x4000,	   /* has no time of day beside that of the trace clock */
	REPORT_NEEDS_AXIS = 0x400, /* shows only histograms that have percentiles */
	REPORT_DRAWS = 0x1000,	   /* only those with a value to draw; --sort says which */
};

struct report_format {
	const char *name;
	struct hist_writer *(*create)(const struct hist_writer_options *options);
	unsigned int needs; /* bits, beside those of the view */
	unsigned int views; /* 1 << enum hist_view_name of those it has; 0: takes no --view */
	enum hist_view_name view; /* unless asked for another */
	unsigned int over_time;	  /* those of its views that are over time here: REPORT_OVER_TIME */
	unsigned int without;	  /* bits of a view that this format does not have */
};

struct report_view {
	const char *name;
	enum hist_view_name view;
	unsigned int needs;
};

/* Both end with a NULL name; the first format is the default. */
extern const struct report_format report_formats[];
extern const struct report_view report_views[];

/* NULL for a name that is not in the table. */
const struct report_format *report_format_find(const char *name);
const struct report_view *report_view_find(const char *name);
const struct report_view *report_view_of(enum hist_view_name view);

/* All bits for @format in @view. */
unsigned int report_needs(const struct report_format *format, enum hist_view_name view);

#endif
