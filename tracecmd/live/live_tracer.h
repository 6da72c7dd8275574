/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_tracer.h - run the tracer of a plan in the instance of a session
 */
#ifndef TRACECMD_LIVE_LIVE_TRACER_H
#define TRACECMD_LIVE_LIVE_TRACER_H

#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/counter.h"

/*
 * Write @value to @file of the instance in which the tracer of the plan runs. 0, or -errno without
 * a message.
 */
static inline int live_tracer_set(const struct trigger_set *s, const char *file,
				  const char *value)
{
	return target_writef(s->target, value, false, "%s/%s", s->instance->tracer_dir, file);
}

/* True if the events of source @e come from the tracer, and not from an enabled event. */
bool live_tracer_writes(const struct trigger_set *s, unsigned int e);

/*
 * live_tracer_prepare - set the tracer of the plan, its functions and its settings
 * Nothing if the plan has no tracer.
 * @stacks: also write the stack of each call. Call it before trace_pipe_raw is opened. The tracer
 * writes no events before live_tracer_switch(). 0, or -errno after a message.
 */
int live_tracer_prepare(const struct trigger_set *s, bool stacks);

/* Start or stop the events of the tracer. 0, or -errno after a message. */
int live_tracer_switch(const struct trigger_set *s, bool on);

#endif
