/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_events.h - which events come into the ring buffers, to be counted here
 *
 * Those of a session's triggers.  In a private instance the kernel leaves out what none of an
 * event's triggers would count, where each of them has a filter: a filter of a trigger is one of
 * an event as well (tracing's filter files take the same language).
 */
#ifndef TRACECMD_LIVE_LIVE_EVENTS_H
#define TRACECMD_LIVE_LIVE_EVENTS_H

#include "tracecmd/trigger/counter.h"

/* Writes @value to @file of the instance. -errno without a message. */
int live_events_set(const struct trigger_set *s, const char *file, const char *value);

/* Sets the size of the ring buffers of a private instance; those of other instances stay. */
void live_events_prepare(const struct trigger_set *s);

/*
 * live_events_enable - all events of the set @s, filtered where they can be
 * live_events_disable - none of them
 * 0, or -errno after a message.
 */
int live_events_enable(const struct trigger_set *s);
int live_events_disable(const struct trigger_set *s);

#endif
