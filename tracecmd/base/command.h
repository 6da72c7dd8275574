/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - the verbs of `trace-cmd hist`, their exit statuses and their messages
 */
#ifndef TRACECMD_BASE_COMMAND_H
#define TRACECMD_BASE_COMMAND_H

#include <stdio.h>

/* Exit statuses.  Scripts rely on them. */
enum {
	EXIT_DONE = 0,
	EXIT_REGRESSED = 1,
	EXIT_TROUBLE = 2,
	EXIT_INCOMPARABLE = 3,
	EXIT_INCONCLUSIVE = 4,
};

/* The verbs.  argv[0] is the verb; the result is the exit status. */
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_cleanup(int argc, char **argv);
int cmd_listen(int argc, char **argv);
int cmd_connect(int argc, char **argv);
int cmd_help(int argc, char **argv);

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
/* As message_refuse() with "--OPTION: WHY"; what follows a newline in @why is the hint. */
int message_refuse_option(int ret, const char *option, const char *why);
/*
 * message_error_errno - print the error "WHAT: " and the meaning of -errno @ret, and return @ret
 * Prints nothing for -ECONNRESET: the target has reported its loss (target_remote.h).
 */
int message_error_errno(const char *what, int ret);
/* Print the error "out of memory" and return -ENOMEM. */
int message_error_memory(void);

#endif
