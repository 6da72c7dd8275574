/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * engine_names.h - format task names and addresses as the kernel does
 */
#ifndef LIB_ENGINE_ENGINE_NAMES_H
#define LIB_ENGINE_ENGINE_NAMES_H

#include "lib/base/strbuf.h"
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

/* %ps: "func" or "func [module]"; "0x..." for an unknown address */
void engine_put_symbol(struct hist_strbuf *b, const struct hist_engine_machine *machine,
		       uint64_t address);

/* %pS: "func+0x1f/0xa0" or "func+0x1f/0xa0 [module]" */
void engine_put_symbol_offset(struct hist_strbuf *b, const struct hist_engine_machine *machine,
			      uint64_t address);

#endif
