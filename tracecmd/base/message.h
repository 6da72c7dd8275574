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

#include "lib/base/error.h"

enum message_kind {
	MESSAGE_ERROR,
	MESSAGE_WARNING,
	MESSAGE_NOTE,
};

/*
 * message_error, message_warning, message_note - print a message on stderr
 *   trace-cmd hist: error: OBJECT: PROBLEM
 *   hint: WHAT TO DO
 * @fmt has at most one '\n', and what follows it is the hint, if it is not "".  The program goes on
 * after a warning or a note.  Control characters of the arguments, newlines too, are escaped.
 */
void message_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void message_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Print an error, and return @ret: -errno, or an exit status. */
int message_refuse(int ret, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * message_report - print the error that came with @ret, and return @ret
 * If the error is empty, its sentence is the meaning of -errno @ret, and nothing is printed for
 * -ECONNRESET, as in message_error_errno().
 */
int message_report(int ret, const struct hist_error *error);
/* The same after "OBJECT: ". */
int message_report_of(int ret, const struct hist_error *error, const char *object, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * message_error_errno - print the error "WHAT: " and the meaning of -errno @ret, and return @ret
 * Prints nothing for -ECONNRESET: the target has reported its loss (target_remote.h).
 */
int message_error_errno(const char *what, int ret);
/* Print the error "out of memory" and return -ENOMEM. */
int message_error_memory(void);

/* As message_error() and the others, to @to. */
void message_put(FILE *to, enum message_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Print the escaped text and a newline, without a prefix. */
void message_print_to(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * message_report_place - print where the kernel found an error, below a message
 * @lines: an entry of error_log after its first line: the command, and a line with a caret, both
 * indented by the kernel.
 */
void message_report_place(const char *lines);

/*
 * message_split - move *@line, a line of a program on the target, after the prefix of a message
 * Returns the kind of the message, or @kind if the line does not have one.
 */
enum message_kind message_split(const char **line, enum message_kind kind);

/*
 * message_report_expression - the same for a check of the expression @text, where 0 prints nothing
 * @text may be NULL: without a caret.
 */
int message_report_expression(int ret, const char *text, struct hist_error *error);

#endif
