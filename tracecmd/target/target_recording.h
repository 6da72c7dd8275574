/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_recording.h - the events of a trace.dat as a machine
 *
 * It has the formats of the events that the file knows, and the clock of one of
 * its buffers.  Nothing can be written.  Every event, those of ftrace itself too, has a trigger
 * file, which is empty.  Reads are as of struct hist_target_ops; all else is -EROFS.
 */
#ifndef TRACECMD_TARGET_TARGET_RECORDING_H
#define TRACECMD_TARGET_TARGET_RECORDING_H

#include "lib/ringbuf/events.h"
#include "target/local/target.h"

/* @events must outlive the target.  -ENOMEM. */
int target_recording_new(struct hist_target **target, struct hist_events *events,
			 unsigned int buffer);

#endif
