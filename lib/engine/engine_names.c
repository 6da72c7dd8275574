// SPDX-License-Identifier: LGPL-2.1
/*
 * engine_names.c - names of tasks as the kernel writes them
 */
#include <stdio.h>

#include "lib/engine/engine_names.h"

const char *engine_get_comm(const struct hist_engine_machine *machine, uint32_t pid)
{
	const char *name = NULL;

	if (!pid)
		return "<idle>";
	if ((int32_t)pid < 0)
		return "<XXX>";
	if (machine->comm)
		name = machine->comm(machine->data, pid);
	return name ? name : "<...>";
}

bool engine_get_task_comm(const struct hist_engine_machine *machine, const struct hit *hit,
			  char comm[16])
{
	uint32_t pid = load_u32(hit->data + 4, hit->swap);
	const char *name = pid && machine->comm ? machine->comm(machine->data, pid) : NULL;

	memset(comm, 0, 16);
	if (!pid)
		snprintf(comm, 16, "swapper/%u", hit->cpu);
	else if (name)
		memcpy(comm, name, strnlen(name, 15));
	return !pid || name;
}
