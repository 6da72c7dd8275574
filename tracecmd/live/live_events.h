/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_events.h - select the events that the kernel writes to the ring buffers of a session
 *
 * These are the events of the session's triggers. In a private instance the kernel also filters an
 * event if each of its triggers has a filter. The filter files of events have the same syntax as
 * the filters of triggers.
 *
 * Triggers that count in any task have an instance of their own, if others count only the tasks of
 * a list (@anywhere). An event can be in both.
 */
#ifndef TRACECMD_LIVE_LIVE_EVENTS_H
#define TRACECMD_LIVE_LIVE_EVENTS_H

#include "tracecmd/trigger/counter.h"

/*
 * The instance whose pages are read: that of the tracer, or of the triggers that count in any task.
 */
const char *live_events_pages_dir(const struct trigger_set *s, bool anywhere);

/*
 * live_events_prepare - set the size of the ring buffers of a private instance
 * Other instances keep their size. The instance of @anywhere also gets the clock of the other one.
 * 0, or -errno after a message.
 */
int live_events_prepare(const struct trigger_set *s, bool anywhere);

/* Record the kernel stack of each event, if possible. */
void live_events_add_stacks(const struct trigger_set *s);

/*
 * live_events_exclude - exclude the events of the tasks @pids, "1 2 3", if possible
 * Kernels before 5.7 (5.8 for functions) do not have the files, and these events are then counted.
 */
void live_events_exclude(const struct trigger_set *s, const char *pids);

/* Also exclude the children that these tasks will have. Call it before live_events_exclude(). */
void live_events_exclude_children(const struct trigger_set *s);

/*
 * live_events_enable - enable the events of an instance, with filters if possible
 * live_events_disable - disable the events of an instance
 * If not @anywhere, also the tracer of the plan.
 * 0, or -errno after a message.
 */
int live_events_enable(const struct trigger_set *s, bool anywhere);
int live_events_disable(const struct trigger_set *s, bool anywhere);

/*
 * live_events_find_stopped - find a file of an instance that says that events are not recorded
 * Its name, or NULL. The kernel changes tracing_on for a trigger or a tracer, for example.
 */
const char *live_events_find_stopped(const struct trigger_set *s);

#endif
