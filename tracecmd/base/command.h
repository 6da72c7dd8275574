/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - the verbs of `trace-cmd hist`, and their exit statuses
 */
#ifndef TRACECMD_BASE_COMMAND_H
#define TRACECMD_BASE_COMMAND_H

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

#endif
