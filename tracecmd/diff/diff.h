/* SPDX-License-Identifier: GPL-2.0 */
/*
 * diff.h - `trace-cmd hist diff`: compare recordings, and show regressions
 */
#ifndef TRACECMD_DIFF_DIFF_H
#define TRACECMD_DIFF_DIFF_H

/* The verb.  argv[0] is its name; the result is the exit status (command.h). */
int cmd_diff(int argc, char **argv);

#endif
