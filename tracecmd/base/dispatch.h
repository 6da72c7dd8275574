/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dispatch.h - find and run the stock trace-cmd, for programs that may precede it in PATH
 */
#ifndef TRACECMD_DISPATCH_H
#define TRACECMD_DISPATCH_H

#include <limits.h>
#include <stdbool.h>

#define DISPATCH_PATH_MAX (PATH_MAX + 32)

/*
 * dispatch_exec_stock - become the stock trace-cmd, with the same arguments
 * Returns only after a failure, with the exit status, after a message.
 */
int dispatch_exec_stock(char **argv);

/* The path of that program, malloc'ed, or NULL without a message. */
char *dispatch_find_stock(void);

/* The path of the program @name, of at most 31 bytes, next to this one; false without /proc. */
bool dispatch_path_of(char path[DISPATCH_PATH_MAX], const char *name);

#endif
