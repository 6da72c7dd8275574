/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_options.h - what the user asked `trace-cmd hist report` for
 */
#ifndef TRACECMD_REPORT_REPORT_OPTIONS_H
#define TRACECMD_REPORT_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tracecmd/base/text_style.h"
#include "tracecmd/report/report_formats.h"

/* A snapshot, by its number or by time. */
struct report_point {
	const char *text;
	enum {
		REPORT_SEQ,	    /* number */
		REPORT_TIME,	    /* on the trace clock */
		REPORT_AFTER_FIRST, /* behind the first snapshot */
	} kind;
	uint64_t number; /* REPORT_SEQ: of the snapshot; else whole seconds or ticks */
	uint32_t ns;	 /* behind the point */
	unsigned int digits; /* how many were given behind the point */
	bool has_point;
};

enum report_span {
	REPORT_RECORDED,  /* from the first snapshot to the last (extent.h) */
	REPORT_AT,	  /* the last snapshot not after a */
	REPORT_SNAPSHOT,  /* number a */
	REPORT_ALL,	  /* every snapshot */
	REPORT_BETWEEN,	  /* b minus a */
	REPORT_INTERVALS, /* each minus the one before */
};

struct report_options {
	const char **files; /* at least one */
	unsigned int nfiles;
	const char **events; /* of -e, or none for all */
	unsigned int nevents;
	bool list;
	enum report_span span;
	struct report_point a, b;
	const char *sort; /* NULL: as the histogram asks for */
	uint32_t top;	  /* 0: all rows */
	const struct report_format *format;
	enum hist_view_name view;
	unsigned int needs; /* report_needs() of the two */
	unsigned int nquantiles; /* 0: none asked for */
	uint32_t quantiles[HIST_QUANTILES_MAX];
	uint32_t max_series;
	bool has_offset; /* --time-offset: what the trace clock lacks to ns since 1970 */
	int64_t offset;
	enum text_colour colour;
	const char *out; /* NULL: standard output */
	/* private */
	char *between; /* copy that a and b point into */
};

/*
 * report_options_parse - 0; 1 when -h was asked and answered; -errno after a
 * message.  Strings stay those of @argv.
 */
int report_options_parse(struct report_options *o, int argc, char **argv);
void report_options_clear(struct report_options *o);

/*
 * report_point_parse - "7" (a snapshot, unless @time), "1234.5", "12s", "+0.25"
 * -EINVAL, without a message, for what is none of them.
 */
int report_point_parse(struct report_point *point, const char *text, bool time);

/* Seconds with up to nine digits behind the point, or below zero, into ns.  -EINVAL. */
int report_offset_parse(int64_t *ns, const char *text);

#endif
