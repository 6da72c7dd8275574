/* SPDX-License-Identifier: GPL-2.0 */
/*
 * help.h - what `trace-cmd hist` says of itself
 */
#ifndef TRACECMD_HELP_H
#define TRACECMD_HELP_H

#include "tracecmd/base/command.h"

void print_help(void);

/* NULL when there is none of that name. */
const struct command *find_command(const char *name);

/* "no such command", with the nearest one; the result is the exit status. */
int complain_unknown(const char *name);

#endif
