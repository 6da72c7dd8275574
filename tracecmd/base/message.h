/* SPDX-License-Identifier: GPL-2.0 */
/*
 * message.h - messages for people, safe for their terminal
 *
 * Names of events, tasks and files come from others: what is not fit for a
 * terminal is written as hist_escape() (lib/label/label.h) writes it, so that
 * one message is one line.
 */
#ifndef TRACECMD_BASE_MESSAGE_H
#define TRACECMD_BASE_MESSAGE_H

#include <stdio.h>

/* One line: "trace-cmd hist: ", the message escaped, a newline. */
void complain_to(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The message escaped and a newline, without a prefix. */
void say_to(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * complain_place - below a complaint, what an entry of error_log has behind its
 * first line: the command and a caret, in a line each, indented by the kernel
 */
void complain_place(const char *lines);

struct hist_error; /* lib/expr/expr.h */

/*
 * complain_expression - about what checking the expression @text gave
 * -EINVAL: @error with its caret; 0: nothing; another -errno: its meaning.
 * @text may be NULL.  Returns @ret.
 */
int complain_expression(int ret, const char *text, const struct hist_error *error);

#endif
