/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * guard.h - the condition that leaves latencies which cannot be out of a histogram
 */
#ifndef LIB_QUERY_GUARD_H
#define LIB_QUERY_GUARD_H

/*
 * The first time that cannot be: 2^53 ns, 104 days.  A time below zero is an unsigned number near
 * 2^64, and one without START is above 2^53 (latency_expand.c).
 */
#define GUARD_NS "9007199254740992"
#define GUARD_US "9007199254741"

/*
 * guard_remove - the trigger that the user asked for, without the guard at its end
 * malloc'ed; NULL without memory.
 */
char *guard_remove(const char *trigger);

#endif
