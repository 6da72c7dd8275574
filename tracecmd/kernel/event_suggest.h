/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_suggest.h - suggest an event for a mistyped name
 */
#ifndef TRACECMD_KERNEL_EVENT_SUGGEST_H
#define TRACECMD_KERNEL_EVENT_SUGGEST_H

#include <stddef.h>

#include "helper/local/target.h"

/*
 * kernel_list_entries - list directory @dir as @n strings that point into @buf
 * NULL if @dir cannot be listed or is empty. The list is shorter if memory is short. The caller
 * frees both.
 */
const char **kernel_list_entries(struct hist_target *t, const char *dir, struct target_buf *buf,
				 size_t *n);

/*
 * event_suggest_nearest - find the nearest name for an event that does not exist
 * Searches the events of @system if @system exists, otherwise the systems. True if @system
 * exists. @near is "" if no name is near.
 */
bool event_suggest_nearest(struct hist_target *t, const char *system, const char *name, char *near,
			   size_t size);

#endif
