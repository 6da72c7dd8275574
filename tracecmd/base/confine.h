/* SPDX-License-Identifier: GPL-2.0 */
/*
 * confine.h - run work on untrusted input in a child process that has limits
 *
 * A parser of a library can crash, never end or use all memory.  Only a copy of the program does so
 * then, and the program goes on with the reason.  The answer of the child is untrusted too: what an
 * input has done to the parser can change it.
 */
#ifndef TRACECMD_BASE_CONFINE_H
#define TRACECMD_BASE_CONFINE_H

#include <stddef.h>

#include "lib/base/strbuf.h"
#include "lib/base/error.h"

struct confine {
	/*
	 * The work, in the child.  It appends to @answer and returns 0 or -ENOMEM.  Standard input
	 * and output are /dev/null and all other descriptors are closed, signals are blocked, and
	 * exit() is a failure: no exit handler of the program runs and no stream is flushed.
	 */
	int (*work)(void *data, struct hist_strbuf *answer);
	void *data;
	unsigned int seconds;	/* of CPU time */
	unsigned int patience;	/* seconds by the clock; much more, as the machine may be busy */
	unsigned int megabytes; /* of data, in addition to what the program has */
	size_t answer_max;	/* bytes */
};

/*
 * confine_run - run the work of @c, and append its answer to @answer
 * 0; -EINTR: a signal that ends the program has arrived (signals.h), and was left for
 * signals_ending(); -ENOMEM: the memory of the program itself is short; another -errno with @error:
 * "crashed", "needs more than 2 seconds", "needs more than 64 MB of memory", "cannot be started:
 * ...".
 * The child has ended in each case, and also ends if the program is killed.
 */
int confine_run(const struct confine *c, struct hist_strbuf *answer, struct hist_error *error);

#endif
