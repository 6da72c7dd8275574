/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listen.h - `trace-cmd hist listen`: let another machine record the events of this one
 */
#ifndef TRACECMD_SERVE_LISTEN_H
#define TRACECMD_SERVE_LISTEN_H

/* The verb.  argv[0] is its name; the result is the exit status (command.h). */
int cmd_listen(int argc, char **argv);

#endif
