/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_recording.h - target operations for the recorded events of a trace.dat
 *
 * The target has the event formats of the file, and the clock of one of its buffers. Every event,
 * also of the ftrace system, has an empty trigger file. A replay only checks a session: the target
 * has no operations that write, read the clock, or keep a file open.
 */
#ifndef TRACECMD_TARGET_TARGET_RECORDING_H
#define TRACECMD_TARGET_TARGET_RECORDING_H

#include "helper/local/target.h"
#include "lib/ringbuf/events.h"

/* @events must outlive the target. 0 or -ENOMEM. */
int target_recording_new(struct hist_target **target, struct hist_events *events,
			 unsigned int buffer);

#endif
