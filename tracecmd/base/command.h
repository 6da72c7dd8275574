/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - the commands of `trace-cmd hist`
 */
#ifndef TRACECMD_BASE_COMMAND_H
#define TRACECMD_BASE_COMMAND_H

#include <stdio.h>

/* Exit statuses; part of the contract with scripts. */
enum {
	EXIT_DONE = 0,
	EXIT_REGRESSED = 1,
	EXIT_TROUBLE = 2,
	EXIT_INCOMPARABLE = 3,
	EXIT_INCONCLUSIVE = 4,
};

struct command {
	const char *name;
	/* argv[0] is the verb; the result is the exit status */
	int (*run)(int argc, char **argv);
	const char *help; /* one line */
};

/* Ends with a NULL name. */
extern const struct command commands[];

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

/* "trace-cmd hist: " and the message and a newline, to stderr; control characters escaped. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * "WHAT: " and the words for -errno @ret, which it returns.  Not for -ECONNRESET: a
 * target says once that it is lost, and then gives that (target_remote.h).
 */
int complain_errno(const char *what, int ret);
/* "out of memory"; returns -ENOMEM. */
int complain_memory(void);

#endif
