/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dispatch.h - ours, or the stock trace-cmd's?
 *
 * For a program that is called trace-cmd and stands before the stock one in
 * PATH.
 */
#ifndef TRACECMD_DISPATCH_H
#define TRACECMD_DISPATCH_H

#include <stdbool.h>

/* Was this program called by the name of trace-cmd? */
bool dispatch_is_trace_cmd(const char *argv0);

/* `trace-cmd hist VERB`, `trace-cmd hist`, and asking for help. */
bool dispatch_is_ours(int argc, char **argv);

/*
 * The verb that is meant by `trace-cmd hist VREB`, when VREB is no file that
 * the stock trace-cmd could show; or NULL.
 */
const char *dispatch_mistyped(int argc, char **argv);

/*
 * Become the next trace-cmd in PATH that is not this program, with the same
 * arguments.  Returns only on failure, with the exit status, and has complained.
 */
int dispatch_exec_stock(char **argv);

/* Path of that program, malloc'ed, or NULL; says nothing. */
char *dispatch_find_stock(void);

#endif
