/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record_many.h - record several targets at once, with one file per target
 */
#ifndef TRACECMD_RECORD_RECORD_MANY_H
#define TRACECMD_RECORD_RECORD_MANY_H

#include "tracecmd/plan/plan.h"

/*
 * record_many - a recorder process for each of the plan's targets
 * The file name of a target is the plan's output with the target's name before the suffix:
 * trace.board.dat. Snapshots have the wall-clock time of their target next to its trace clock.
 * A common time axis is as exact as the wall clocks agree.
 * Returns the exit status: the highest of all recorders.
 */
int record_many(struct plan *plan);

#endif
