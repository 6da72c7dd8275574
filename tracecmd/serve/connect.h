/* SPDX-License-Identifier: GPL-2.0 */
/*
 * connect.h - `trace-cmd hist connect`: connect standard input and output to a listener
 */
#ifndef TRACECMD_SERVE_CONNECT_H
#define TRACECMD_SERVE_CONNECT_H

/* The verb.  argv[0] is its name; the result is the exit status (command.h). */
int cmd_connect(int argc, char **argv);

#endif
