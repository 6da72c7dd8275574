/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cleanup.h - `trace-cmd hist cleanup`: remove what killed recordings left
 */
#ifndef TRACECMD_SERVE_CLEANUP_H
#define TRACECMD_SERVE_CLEANUP_H

/* The verb.  argv[0] is its name; the result is the exit status (command.h). */
int cmd_cleanup(int argc, char **argv);

#endif
