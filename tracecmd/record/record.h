/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record.h - carry out a plan for one target, and file names for several
 */
#ifndef TRACECMD_RECORD_RECORD_H
#define TRACECMD_RECORD_RECORD_H

#include "tracecmd/plan/plan.h"

/* Set triggers, take snapshots, clean up.  Returns the exit status of the program. */
int record_run(struct plan *plan);

/*
 * record_make_name - file name for target number @i of the plan
 * The name of the target is put before the suffix, with a number if several targets have the same
 * name: trace.exec-2.dat. The result is malloc'ed; NULL without memory.
 */
char *record_make_name(const struct plan *plan, unsigned int i);

#endif
