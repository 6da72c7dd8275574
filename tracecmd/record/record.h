/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record.h - file names for the recordings of several targets
 */
#ifndef TRACECMD_RECORD_RECORD_H
#define TRACECMD_RECORD_RECORD_H

#include "tracecmd/plan/plan.h"

/* The verb.  argv[0] is its name; the result is the exit status (command.h). */
int cmd_record(int argc, char **argv);

/*
 * record_make_name - file name for target number @i of the plan
 * The name of the target is put before the suffix, with a number if several targets have the same
 * name: trace.exec-2.dat. The result is malloc'ed; NULL without memory.
 */
char *record_make_name(const struct plan *plan, unsigned int i);

#endif
