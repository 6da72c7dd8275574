/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stacks.h - the kernel stacks of task switches and wake-ups, for --stacks
 *
 * The trigger "stacktrace" makes the kernel write the stack of the current task after each event:
 * of sched_switch the stack of the task that leaves the CPU, of sched_waking that of the waker. 
 * Other events stay as they are, because a stack costs more than its event.
 *
 * A recording has the symbols of its stacks only: all symbols of a kernel are some MB.
 */
#ifndef TRACECMD_RECORD_STACKS_H
#define TRACECMD_RECORD_STACKS_H

#include "lib/base/hash_index.h"
#include "lib/base/strbuf.h"
#include "lib/event/kallsyms.h"
#include "tracecmd/trigger/traced_event.h"

/* True if one of the events gets stacks. */
bool stacks_fit(const struct traced_event *events, unsigned int n);

/*
 * stacks_set - set the triggers of the @n recorded events in the instance @dir
 * @undo gets a note for each; NULL: the instance is removed at the end.  0, or -errno after a
 * message.
 */
int stacks_set(struct hist_target *t, const char *dir, const struct traced_event *events,
	       unsigned int n, struct undo *undo);

/* The symbols of the stacks so far; zeroed before stacks_load(). */
struct stacks {
	struct hist_strbuf text; /* as in kallsyms; NUL-terminated unless it is empty */
	struct hist_kallsyms *symbols; /* all; NULL: not known */
	unsigned int id, offset; /* of the event kernel_stack, and of its addresses */
	uint64_t *seen; /* addresses that @text explains */
	uint32_t nseen;
	struct hash_index index; /* of @seen */
};

/* Read the symbols of the target.  0, or -errno after a message. */
int stacks_load(struct stacks *s, struct hist_target *t);

/* Add the symbols of all stacks in some pages of a CPU.  0 or -ENOMEM. */
int stacks_collect(struct stacks *s, const struct hist_target *t, const struct target_buf *pages);

void stacks_clear(struct stacks *s);

#endif
