/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger_program.h - compile the triggers of a set for the user-space engine
 *
 * Used for recorded events and for live events.
 */
#ifndef TRACECMD_TRIGGER_TRIGGER_PROGRAM_H
#define TRACECMD_TRIGGER_TRIGGER_PROGRAM_H

#include "lib/engine/engine.h"
#include "tracecmd/trigger/counter.h"

/*
 * trigger_program_compile - add all triggers of @set to a new engine
 * The order is that in which the triggers would be set in the kernel. Synthetic events are made
 * from their definitions. Each histogram gets its index in the engine and its table. @set must
 * outlive the engine. 0, or -errno after a message.
 */
int trigger_program_compile(struct hist_engine **engine, const struct trigger_set *set,
			    const struct hist_engine_machine *machine);

/*
 * The hits of @run that the hidden triggers of @source dropped: START and END of --latency and
 * --sql.
 */
uint64_t trigger_program_count_drops(const struct traced_event *source, const struct hist_run *run);

#endif
