/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dispatch.h - the stock trace-cmd, for programs that may be before it in PATH
 */
#ifndef TRACECMD_DISPATCH_H
#define TRACECMD_DISPATCH_H

/*
 * Become the next trace-cmd in PATH that is not this program, with the same
 * arguments.  Returns only on failure, with the exit status, and has complained.
 */
int dispatch_exec_stock(char **argv);

/* Path of that program, malloc'ed, or NULL; says nothing. */
char *dispatch_find_stock(void);

#endif
