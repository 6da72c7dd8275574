/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_events.h - select the events that the kernel writes to the ring buffers of a session
 *
 * These are the events of the session's triggers. In a private instance the kernel also filters an
 * event if each of its triggers has a filter. The filter files of events have the same syntax as
 * the filters of triggers.
 */
#ifndef TRACECMD_LIVE_LIVE_EVENTS_H
#define TRACECMD_LIVE_LIVE_EVENTS_H

#include "tracecmd/trigger/counter.h"

/* Write @value to @file of the instance. 0, or -errno without a message. */
int live_events_set(const struct trigger_set *s, const char *file, const char *value);
/* Likewise, to the instance in which the tracer of the plan runs, and whose pages are read. */
int live_events_set_tracer(const struct trigger_set *s, const char *file, const char *value);

/* Set the size of the ring buffers of a private instance. Other instances keep their size. */
void live_events_prepare(const struct trigger_set *s);

/*
 * live_events_exclude - exclude the events of the tasks @pids, "1 2 3", if possible
 * Kernels before 5.7 (5.8 for functions) do not have the files, and these events are then counted.
 */
void live_events_exclude(const struct trigger_set *s, const char *pids);

/* Also exclude the children that these tasks will have. Call it before live_events_exclude(). */
void live_events_exclude_children(const struct trigger_set *s);

/*
 * live_events_enable - enable all events of @s, with filters if possible, and the tracer of the plan
 * live_events_disable - disable all events of @s, and the tracer
 * 0, or -errno after a message.
 */
int live_events_enable(const struct trigger_set *s);
int live_events_disable(const struct trigger_set *s);

/*
 * live_events_find_stopped - find a file of the instance that says that events are not recorded
 * Its name, or NULL. The kernel changes tracing_on for a trigger or a tracer, for example.
 */
const char *live_events_find_stopped(const struct trigger_set *s);

#endif
