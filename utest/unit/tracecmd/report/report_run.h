/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report_run.h - run `trace-cmd hist report` on made-up files
 *
 * The command runs in a child with its output in files.  The test's directory
 * holds main.dat: a histogram of kmem:kmalloc with three snapshots, and two of
 * sched:lat; and reset.dat: a histogram with a clock of ticks that was cleared
 * between its snapshots 0 and 1, in a recording without an end; gap.dat: the same
 * histogram without snapshot 2, after which it counts from the beginning.
 */
#ifndef UTEST_UNIT_TRACECMD_REPORT_REPORT_RUN_H
#define UTEST_UNIT_TRACECMD_REPORT_REPORT_RUN_H

/* What the last report_run() gave. */
extern char *report_out, *report_err;
extern int report_status; /* minus the signal that ended it */
/* $COLUMNS of the next ones; NULL: 72. */
extern const char *report_columns;
/* After how many allocations one fails in the next ones, or -1; how many the last one made. */
extern long report_alloc_fail, report_alloc_seen;

int report_set_up(void);
int report_tear_down(void);

/* @line: the arguments, separated by blanks.  In a UTF-8 locale. */
void report_run(const char *line);
/* In @locale, with standard output going to the descriptor @sink. */
void report_run_to(const char *line, const char *locale, int sink);
/* Fails the test, and prints all, where the last run gave something else. */
void report_expect(const char *line, const char *out, const char *err, int status);

/* A whole file; "" for one that is not there.  To be freed. */
char *report_slurp(const char *name);

#endif
