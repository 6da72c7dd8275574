/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - the exit statuses of the verbs
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

#endif
