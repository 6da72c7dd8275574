/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - the commands of trace-cmd-hist, each with its line of help, and their exit statuses
 *
 * Each verb is a table entry that the file of the verb defines.  main.c runs the entries that
 * verbs.h lists.
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

struct command {
	const char *title; /* of the group that the command begins in the help, or NULL */
	const char *name;
	const char *help;		   /* one line; NULL: the help does not list the command */
	int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit status */
};

/* The verbs of verbs.h, except help. */
extern const struct command record_command, replay_command, top_command, report_command,
	diff_command, list_command, listen_command, connect_command, cleanup_command;

/*
 * Bash completion runs `trace-cmd hist complete-word`, which prints what a word can be, and no
 * messages.  The help does not list it.
 */
#define COMPLETE_WORD "complete-word"

/* The other commands: see complete.c and version.c. */
extern const struct command complete_command, version_command;

#endif
