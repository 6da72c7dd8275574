/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record_name.h - the files of several targets
 */
#ifndef TRACECMD_RECORD_RECORD_NAME_H
#define TRACECMD_RECORD_RECORD_NAME_H

#include "tracecmd/plan/plan.h"

/*
 * record_name - the output of the plan's target number @i; malloc'ed, or NULL
 * What the target is called stands before the suffix, with a number where that
 * is the same for several: trace.exec-2.dat.
 */
char *record_name(const struct plan *plan, unsigned int i);

#endif
