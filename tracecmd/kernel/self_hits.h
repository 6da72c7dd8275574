/* SPDX-License-Identifier: GPL-2.0 */
/*
 * self_hits.h - count the hits of an event that this thread itself causes
 *
 * A counter of perf_event_open(2) counts them independently of the histograms. Other tasks pay for
 * it only the call of an empty perf handler.
 */
#ifndef TRACECMD_KERNEL_SELF_HITS_H
#define TRACECMD_KERNEL_SELF_HITS_H

#include "helper/local/target.h"

/*
 * self_hits_open - start to count the hits of @system:@name that pass @filter, which may be NULL
 * Returns a descriptor; -1: not possible: on a remote target, for events without perf support such
 * as synthetic events, or without the permission.
 */
int self_hits_open(struct hist_target *t, const char *system, const char *name,
		   const char *filter);

/* The hits so far; 0 if @fd is -1. */
uint64_t self_hits_read(int fd);

#endif
