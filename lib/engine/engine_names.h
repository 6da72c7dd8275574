/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * engine_names.h - names of tasks as the kernel writes them
 */
#ifndef LIB_ENGINE_ENGINE_NAMES_H
#define LIB_ENGINE_ENGINE_NAMES_H

#include "lib/engine/engine_private.h"

/*
 * The comm of a task, as save_comm() in trace_events_hist.c saves it; "<...>" if unknown.
 * Valid until the next call of machine->comm().
 */
const char *engine_get_comm(const struct hist_engine_machine *machine, uint32_t pid);

/*
 * The comm of the task of @hit (current->comm), truncated to 15 characters.  False, and "", if it
 * is unknown.
 */
bool engine_get_task_comm(const struct hist_engine_machine *machine, const struct hit *hit,
			  char comm[16]);

#endif
