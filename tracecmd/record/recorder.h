/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recorder.h - carry out a plan: set triggers, take snapshots, clean up
 */
#ifndef TRACECMD_RECORD_RECORDER_H
#define TRACECMD_RECORD_RECORDER_H

#include "tracecmd/plan/plan.h"

/* Returns the exit status of the program. */
int record_run(struct plan *plan);

#endif
