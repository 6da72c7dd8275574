/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_symbols.h - names of this machine's symbols and tasks, for events counted here
 */
#ifndef TRACECMD_LIVE_LIVE_SYMBOLS_H
#define TRACECMD_LIVE_LIVE_SYMBOLS_H

#include "lib/engine/engine.h"
#include "tracecmd/trigger/counter.h"

struct live_names;

/*
 * live_names_new - sets all of @machine but its layout
 * Symbols are read when the first is asked for.  @set must outlive it.  -ENOMEM after a message.
 */
int live_names_new(struct live_names **names, const struct trigger_set *set,
		   struct hist_engine_machine *machine);
void live_names_free(struct live_names *names);

/* Takes in the tasks that the kernel has seen since; it forgets them soon. */
void live_names_refresh(struct live_names *names);

/* 0, or -ENOMEM if names were left out for it.  It stays. */
int live_names_error(const struct live_names *names);

/* True when one of the set's triggers has a stack among its keys. */
bool live_names_wants_stacks(const struct live_names *names);

#endif
