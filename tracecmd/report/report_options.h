/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_options.h - the command line of `trace-cmd hist report`
 */
#ifndef TRACECMD_REPORT_REPORT_OPTIONS_H
#define TRACECMD_REPORT_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tracecmd/base/options.h"
#include "tracecmd/base/text_style.h"
#include "tracecmd/report/report_formats.h"

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

/*
 * report_point_parse - parse "7" (a sequence number, unless @time), "1234.5", "12s", "+0.25"
 * Returns 0, or -EINVAL without a message.
 */
int report_point_parse(struct report_point *point, const char *text, bool time);

/* Parse seconds, maybe negative, with up to nine decimals, to ns.  Returns 0 or -EINVAL. */
int report_offset_parse(int64_t *ns, const char *text);

#endif
