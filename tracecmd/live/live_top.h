/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_top.h - run the tracer of a plan in the top-level instance
 *
 * Before Linux 6.11 the tracer function_graph runs only there. The events of the top-level instance
 * belong to its users, so it must be unused: no tracer, no enabled event, no limit for the tracers,
 * and an empty ring buffer. Its files are restored by the undo log.
 */
#ifndef TRACECMD_LIVE_LIVE_TOP_H
#define TRACECMD_LIVE_LIVE_TOP_H

#include "tracecmd/trigger/counter.h"

/*
 * live_top_check - check that the tracer of @s can use the top-level instance
 * Nothing if it runs in the instance of @s. Only reads. 0, or -errno after a message.
 */
int live_top_check(const struct trigger_set *s);

/*
 * live_top_begin - note all files of the top-level instance that the tracer needs
 * Call it before the first change of one of them. 0, or -errno after a message.
 */
int live_top_begin(struct hist_target *t, struct undo *undo);

#endif
