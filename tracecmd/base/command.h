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

/* Print "trace-cmd hist: ", the message and a newline on stderr; control characters are escaped. */
void message_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * message_report_errno - print "WHAT: " and the meaning of -errno @ret, and return @ret
 * Prints nothing for -ECONNRESET: the target has reported its loss (target_remote.h).
 */
int message_report_errno(const char *what, int ret);
/* Print "out of memory" and return -ENOMEM. */
int message_report_memory(void);

#endif
