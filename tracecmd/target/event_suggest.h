/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_suggest.h - the event that a mistyped name may mean
 */
#ifndef TRACECMD_TARGET_EVENT_SUGGEST_H
#define TRACECMD_TARGET_EVENT_SUGGEST_H

#include <stddef.h>

#include "target/local/target.h"

/*
 * target_names - what is in directory @dir, as @n strings that point into @buf
 * NULL when it cannot be listed, and without memory.  Free both.
 */
const char **target_names(struct hist_target *t, const char *dir, struct target_buf *buf,
			  size_t *n);

/*
 * near_event - of an event that is not there, the nearest name in @near
 * Of the events of @system where there is such a system, else of the systems.
 * Returns whether there is the system; @near is "" when no name is near.
 */
bool near_event(struct hist_target *t, const char *system, const char *name, char *near,
		size_t size);

#endif
