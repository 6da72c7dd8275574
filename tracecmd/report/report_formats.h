/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_formats.h - the formats and views of `trace-cmd hist report`
 *
 * One table of formats and one of views list the options that each accepts and the data
 * that its writer gets.  The options and the walk use these tables.  Tests get the names of all
 * formats from the help or from the table, and try each.
 */
#ifndef TRACECMD_REPORT_REPORT_FORMATS_H
#define TRACECMD_REPORT_REPORT_FORMATS_H

#include "lib/report/writer.h"

/* Bits for the data that a format or view gets, and the options that it accepts. */
enum {
	REPORT_OVER_TIME = 0x01,   /* gets every interval as a difference, also in --between */
	REPORT_NO_POINTS = 0x02,   /* cannot show a single snapshot (--at, --snapshot) */
	REPORT_ALL_ROWS = 0x04,	   /* gets all rows: the writer itself applies --top */
	REPORT_AXIS_ORDER = 0x08,  /* sorts a plain number by itself, not by value */
	REPORT_SORT = 0x10,	   /* takes --sort; otherwise rows are unsorted */
	REPORT_TOP = 0x20,	   /* takes --top */
	REPORT_PERCENTILES = 0x40, /* takes --percentiles */
	REPORT_SERIES = 0x80,	   /* takes --max-series */
	REPORT_COLOUR = 0x100,	   /* takes --color */
	REPORT_LIST = 0x200,	   /* takes --list: gets views without rows, except text */
	REPORT_OFFSET = 0x8000,	   /* takes --time-offset */
	REPORT_LINE = 0x4000,	   /* one time per snapshot: that of the common line */
	REPORT_NEEDS_AXIS = 0x400, /* shows only histograms that have percentiles */
	REPORT_DRAWS = 0x1000,	   /* shows only histograms with a value to draw (--sort) */
	REPORT_EPISODES = 0x2000,	   /* takes --worst */
	REPORT_COUNTERS = 0x20000,  /* gets counters since the recording began (counted.h) */
	REPORT_EPISODES_ONLY = 0x10000, /* shows no histograms with --worst */
};

struct report_format {
	const char *name;
	const struct hist_writer_ops *writer;
	unsigned int needs; /* bits in addition to those of the view */
	unsigned int views; /* mask of 1 << enum hist_view_name; 0: does not take --view */
	enum hist_view_name view; /* the default */
	unsigned int over_time;	  /* mask of views that get REPORT_OVER_TIME in this format */
	unsigned int without;	  /* bits of the view that this format clears */
};

struct report_view {
	const char *name;
	unsigned int needs;
};

/* The names of --format in the help, in the order of the table; the first one is the default. */
#define REPORT_FORMAT_NAMES "text|json|csv|ndjson|folded|openmetrics|prometheus|svg|html"

/* Ends with a format without a name. */
extern const struct report_format report_formats[];
extern const struct report_view report_views[]; /* by enum hist_view_name */

/* All bits for @format in @view. */
unsigned int report_find_needs(const struct report_format *format, enum hist_view_name view);

#endif
