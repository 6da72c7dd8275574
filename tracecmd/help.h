/* SPDX-License-Identifier: GPL-2.0 */
/*
 * help.h - print the help of `trace-cmd hist`, and find its commands
 */
#ifndef TRACECMD_HELP_H
#define TRACECMD_HELP_H

#include "tracecmd/base/command.h"

void print_help(void);

/* The command @name, or NULL. */
const struct command *find_command(const char *name);

/* Report an unknown command, with the nearest name. Returns the exit status. */
int complain_unknown(const char *name);

#endif
