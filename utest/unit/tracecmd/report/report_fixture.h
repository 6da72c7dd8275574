/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_fixture.h - trace.dat files with histograms, made from the text that
 * a kernel would have printed
 */
#ifndef UTEST_UNIT_TRACECMD_REPORT_REPORT_FIXTURE_H
#define UTEST_UNIT_TRACECMD_REPORT_REPORT_FIXTURE_H

#include "lib/series/series.h"

struct report_fixture;

/* A new file at @path (replaced).  NULL after a message to stderr, as below. */
struct report_fixture *report_fixture_new(const char *path, enum hist_compression compression);

/* The same, with @contents. */
struct report_fixture *report_fixture_new_with(const char *path,
					       const struct tracedat_contents *contents);

/* The writer of the file, to append sections. */
struct tracedat_writer *report_fixture_dat(struct report_fixture *f);

/* The host of those that are defined from now on; "box" before.  The string stays the caller's. */
void report_fixture_host(struct report_fixture *f, const char *host);

/*
 * report_fixture_define - add a histogram; its number, or -1
 * @format: text of the event's format file, or NULL.
 */
int report_fixture_define(struct report_fixture *f, const char *event, const char *trigger,
			  const char *clock, const char *format);

/*
 * report_fixture_add - a snapshot of @hist, read from @text
 * @snap: seq, time, wall, read_ns, missed and HIST_SNAP_RESET of flags are taken
 * from it.  With RESET the table begins anew.  0, or -1.
 */
int report_fixture_add(struct report_fixture *f, int hist, const struct hist_snapshot *snap,
		       const char *text, size_t len);

/* @end: with the mark of a recording that ended in order.  0, or -1. */
int report_fixture_close(struct report_fixture *f, int end);

#endif
