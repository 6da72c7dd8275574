/* SPDX-License-Identifier: GPL-2.0 */
/*
 * message.h - print messages, safe for a terminal
 *
 * Names of events, tasks and files come from other programs.  hist_escape() (lib/base/escape.h)
 * escapes control characters, so that a message is one line.
 */
#ifndef TRACECMD_BASE_MESSAGE_H
#define TRACECMD_BASE_MESSAGE_H

#include <stdio.h>

/* Print "trace-cmd hist: ", the escaped message and a newline. */
void message_report_to(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print the escaped message and a newline. */
void message_print_to(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * message_report_place - print where the kernel found an error, below a message
 * @lines: an entry of error_log after its first line: the command, and a line with a caret, both
 * indented by the kernel.
 */
void message_report_place(const char *lines);

struct hist_error; /* lib/expr/expr.h */

/*
 * message_report_expression - print the result @ret of a check of the expression @text
 * -EINVAL: @error with its caret; 0: nothing; another -errno: its meaning.
 * @text may be NULL.  Returns @ret.
 */
int message_report_expression(int ret, const char *text, const struct hist_error *error);

#endif
