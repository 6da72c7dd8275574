/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top.h - `trace-cmd hist top`: watch histograms live on the terminal
 */
#ifndef TRACECMD_TOP_TOP_H
#define TRACECMD_TOP_TOP_H

/* The verb.  argv[0] is its name; the result is the exit status (command.h). */
int cmd_top(int argc, char **argv);

#endif
