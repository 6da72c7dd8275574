/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_options.h - the command line of `trace-cmd hist report`
 */
#ifndef TRACECMD_REPORT_REPORT_OPTIONS_H
#define TRACECMD_REPORT_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/report/writer.h"
#include "tracecmd/base/options.h"
#include "tracecmd/base/text_style.h"

/* Bits for the data that a format or view gets, and the options that it accepts. */
enum {
	REPORT_OVER_TIME = 0x01,	/* gets every interval as a difference, also in --between */
	REPORT_NO_POINTS = 0x02,	/* cannot show a single snapshot (--at, --snapshot) */
	REPORT_ALL_ROWS = 0x04,		/* gets all rows: the writer itself applies --top */
	REPORT_AXIS_ORDER = 0x08,	/* sorts a plain number by itself, not by value */
	REPORT_SORT = 0x10,		/* takes --sort; otherwise rows are unsorted */
	REPORT_TOP = 0x20,		/* takes --top */
	REPORT_PERCENTILES = 0x40,	/* takes --percentiles */
	REPORT_SERIES = 0x80,		/* takes --max-series */
	REPORT_COLOUR = 0x100,		/* takes --color */
	REPORT_LIST = 0x200,		/* takes --list: gets views without rows, except text */
	REPORT_OFFSET = 0x8000,		/* takes --time-offset */
	REPORT_LINE = 0x4000,		/* one time per snapshot: that of the common line */
	REPORT_NEEDS_AXIS = 0x400,	/* shows only histograms that have percentiles */
	REPORT_DRAWS = 0x1000,		/* shows only histograms with a value to draw (--sort) */
	REPORT_EPISODES = 0x2000,	/* takes --worst */
	REPORT_COUNTERS = 0x20000,	/* gets counters since the recording began (counted.h) */
	REPORT_EPISODES_ONLY = 0x10000, /* shows no histograms with --worst */
};

struct report_format {
	const char *name;
	const struct hist_writer_ops *writer;
	unsigned int needs;	  /* bits in addition to those of the view */
	unsigned int views;	  /* mask of 1 << enum hist_view_name; 0: does not take --view */
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

/* A snapshot, selected by sequence number or by time. */
struct report_point {
	const char *text;
	enum {
		REPORT_SEQ,	    /* number */
		REPORT_TIME,	    /* on the trace clock */
		REPORT_AFTER_FIRST, /* time after the first snapshot */
	} kind;
	uint64_t number; /* REPORT_SEQ: sequence number; otherwise whole seconds or ticks */
	uint32_t ns;	 /* the fraction of the second */
	unsigned int digits; /* number of digits after the decimal point */
	bool has_point;
};

enum report_span {
	REPORT_RECORDED,  /* from the first snapshot to the last (extent.h) */
	REPORT_AT,	  /* the last snapshot at or before a */
	REPORT_SNAPSHOT,  /* the snapshot with number a */
	REPORT_ALL,	  /* every snapshot */
	REPORT_BETWEEN,	  /* b minus a */
	REPORT_INTERVALS, /* each minus the one before */
};

struct report_options {
	struct option_words files; /* at least one */
	int fd; /* of the only file, which is open and has a name for messages; -1: open all files
		 */
	struct option_words events; /* of -e, or none for all */
	struct hist_buckets *buckets; /* of --bucket */
	bool list;
	bool episodes; /* --worst, with the number @nepisodes; 0: not given */
	uint32_t nepisodes;
	bool raw_names;
	enum report_span span;
	struct report_point a, b;
	const char *sort; /* NULL: the usual order of the histogram */
	const struct report_format *format;
	struct hist_writer_options writer; /* view, quantiles, top and max_series */
	unsigned int needs; /* report_find_needs() of format and view */
	bool has_offset; /* --time-offset: ns since 1970 minus trace clock */
	int64_t offset;
	unsigned int colour; /* enum text_colour */
	const char *out; /* NULL: standard output */
	/* private */
	struct hist_buckets own_buckets;
	char *between; /* memory of the texts of a and b */
	const char *given_span; /* the option that chose @span, or NULL */
	unsigned int view; /* of --view, or OPTION_NOT_GIVEN */
	unsigned int number_of_format;
};

/* The name of the input in messages: that of a single file. */
static inline const char *report_files_name(const struct report_options *o)
{
	return o->files.n > 1 ? "all files" : o->files.words[0];
}

/*
 * report_options_parse - parse the command line
 * Strings point into @argv.  Returns 0, 1 after -h printed the help, or -errno after a message.
 */
int report_options_parse(struct report_options *o, int argc, char **argv);
void report_options_clear(struct report_options *o);

#endif
