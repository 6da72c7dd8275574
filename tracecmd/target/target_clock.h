/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_clock.h - read the trace clock of a target if no system call can read it
 */
#ifndef TRACECMD_TARGET_TARGET_CLOCK_H
#define TRACECMD_TARGET_TARGET_CLOCK_H

#include "helper/local/target.h"

/*
 * target_read_marked_clock - write a mark and read its time back, as text
 * Works like hist_target_ops.clock, with operations of @t. Clears the instance's ring buffer
 * and leaves its option "raw" set: the instance must have been created only to read the clock.
 * The time is the time of the mark: between call and return, exact to the clock's unit.
 */
int target_read_marked_clock(struct hist_target *t, const char *clock, const char *instance,
			     uint64_t *now);

/* Get the time of the line with @mark in the raw trace file @text. -ENOTSUP if no line has it. */
int target_find_mark(const char *text, const char *mark, uint64_t *now);

#endif
