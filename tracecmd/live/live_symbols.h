/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_symbols.h - names of kernel symbols and tasks for events counted in user space
 */
#ifndef TRACECMD_LIVE_LIVE_SYMBOLS_H
#define TRACECMD_LIVE_LIVE_SYMBOLS_H

#include "lib/engine/engine.h"
#include "tracecmd/trigger/counter.h"

struct live_names;

/*
 * live_names_new - set all members of @machine except its layout
 * Symbols are read at the first lookup. @set must outlive @names. 0, or -ENOMEM after a message.
 */
int live_names_new(struct live_names **names, const struct trigger_set *set,
		   struct hist_engine_machine *machine);
void live_names_free(struct live_names *names);

/*
 * live_names_begin_round - read the names of tasks again, if one is needed that is not known
 * The kernel soon forgets a task, so this belongs before the snapshots of each round.
 */
void live_names_begin_round(struct live_names *names);

/* 0, or -ENOMEM if names were omitted for lack of memory. The error is permanent. */
int live_names_error(const struct live_names *names);

#endif
