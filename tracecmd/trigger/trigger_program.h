/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger_program.h - the triggers of a set as a program of the user-space engine
 *
 * For recorded events, and for live ones.
 */
#ifndef TRACECMD_TRIGGER_TRIGGER_PROGRAM_H
#define TRACECMD_TRIGGER_TRIGGER_PROGRAM_H

#include "lib/engine/engine.h"
#include "tracecmd/trigger/counter.h"

/*
 * trigger_program_compile - all triggers of @set, in the order in which they would be set
 * Makes the events of synthetic objects from their definitions. Each histogram gets its number
 * in the engine and its table. The set must outlive the engine. 0, or -errno after a message.
 */
int trigger_program_compile(struct hist_engine **engine, const struct trigger_set *set,
			    const struct hist_engine_machine *machine);

/*
 * trigger_program_snapshot - the counts of all @runs into the snapshots of the histograms
 * The caller sets the time, seq and the like.  0; -EOVERFLOW and -ENOMEM without a message.
 */
int trigger_program_snapshot(const struct trigger_set *set, struct hist_run *const *runs,
			     unsigned int nruns);

/* Reports the hits that helpers of --latency and --sql dropped, as source_helper_drops(). */
void trigger_program_report_drops(const struct trigger_set *set, struct hist_run *const *runs,
				  unsigned int nruns);

#endif
