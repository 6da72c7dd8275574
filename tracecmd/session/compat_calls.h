/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat_calls.h - find the numbers of system calls that 32-bit programs used
 *
 * A 64-bit kernel has a second table of system calls for 32-bit programs. The events raw_syscalls:*
 * have the number of a call but not its table, and the kernel prints the name of the 64-bit call.
 *
 * Only the function that runs 32-bit calls tells them apart. A kprobe on it has a hist trigger that
 * counts the same tasks as the recording. A histogram with such a number
 * gets another name for it, because a row can contain calls of both kinds. If all programs are
 * 32-bit (hist_machine_names_user_is_32()), the same is done with the function of 64-bit calls.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_SESSION_COMPAT_CALLS_H
#define TRACECMD_SESSION_COMPAT_CALLS_H

#include "helper/local/target.h"
#include "lib/event/machine_names.h"
#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/trigger/traced_event.h"
#include "tracecmd/undo/undo.h"

/* Numbers from this one on have one meaning at most. */
#define COMPAT_CALLS_MAX 1024

struct compat_calls {
	struct hist_machine_names *names;
	char *definition, *fallback, *exec; /* of the kprobe; its second place, or NULL */
	struct query_dynevent plan;
	struct dynevent object;
	struct traced_event source; /* with one histogram of the numbers */
	char *dir; /* of an instance for the trigger alone, or NULL */
	struct target_buf text; /* content of the hist file */
	enum hist_loss_kind loss; /* in which snapshots tell of them */
	bool wanted; /* a histogram has names of system calls */
	bool counts; /* the trigger is set */
	unsigned int execs; /* of compat_calls_add_command() */
	uint64_t total, calls[COMPAT_CALLS_MAX]; /* of all numbers, and by number */
};

/*
 * compat_calls_check - decide whether the calls of @sources must be told apart
 * @names: of the target, if any event has names. Changes nothing.
 */
int compat_calls_check(struct compat_calls *c, struct hist_target *t,
		       struct hist_machine_names *names, struct traced_event *sources,
		       unsigned int nsources);

/* Print what compat_calls_begin() and compat_calls_attach() write, for --dry-run. */
void compat_calls_print(const struct compat_calls *c);

/* Create the kprobe. A kernel that refuses it is no error: a note says what that means. */
int compat_calls_begin(struct compat_calls *c, struct hist_target *t, struct undo *undo,
		       bool quiet);

/*
 * compat_calls_attach - begin to count, before the histograms of the recording do
 * Counts in the instance @in. When the kernel removes a kprobe, it empties the ring buffers of the
 * instances that had a trigger on it: in an instance of the user it therefore counts only if the
 * plan @lists_tasks, as all tasks may be counted in another one.
 */
int compat_calls_attach(struct compat_calls *c, struct hist_target *t, struct undo *undo,
			const struct instance *in, bool lists_tasks);

/*
 * compat_calls_add_command - also count the execve() that made the process @pid what it is
 * The kprobe has not seen it, but the return of execve() is counted. Only on this machine.
 */
void compat_calls_add_command(struct compat_calls *c, pid_t pid);

/* Read the numbers, before a tick of the counter. */
int compat_calls_read(struct compat_calls *c, struct hist_target *t);

/* Name the numbers in the snapshot of @h that both kinds of programs may have used. */
int compat_calls_apply(const struct compat_calls *c, struct traced_hist *h);

/* Free the members of @c. A zeroed struct is valid. */
void compat_calls_clear(struct compat_calls *c, struct hist_target *t);

#endif
