/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record_many.h - several targets at once, one recording each
 */
#ifndef TRACECMD_RECORD_RECORD_MANY_H
#define TRACECMD_RECORD_RECORD_MANY_H

#include "tracecmd/plan/plan.h"

/*
 * record_many - a recorder process for each of the plan's targets
 * The file of a target is the plan's output with what the target is called
 * before its suffix: trace.board.dat.  The snapshots have wall-clock times beside
 * those of the trace clock, each by its own machine's clock, and stand on one
 * line as well as these agree.  Returns the exit status: the highest of all.
 */
int record_many(struct plan *plan);

#endif
