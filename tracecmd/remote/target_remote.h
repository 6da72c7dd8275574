/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_remote.h - target operations through a helper at the other end of a wire
 */
#ifndef TRACECMD_REMOTE_TARGET_REMOTE_H
#define TRACECMD_REMOTE_TARGET_REMOTE_H

#include "target/local/target.h"
#include "target/wire/wire.h"

/*
 * What carries the wire.  explain: why it is over, for an -errno of the wire.
 * free: closes it; the other end takes everything back.
 */
struct remote_link {
	void (*explain)(void *arg, int err, char *why, size_t why_len);
	void (*free)(void *arg);
	void *arg;
};

/*
 * target_remote_new - hands have been shaken, frames come next
 * Takes @w and @link in any case.  On failure -errno and a sentence in @why.
 *
 * When the connection is lost, that is told once, on stderr; every operation
 * is -ECONNRESET from then on.
 *
 * The time of a reread() is taken on the target right after the kernel has
 * made the text; the next clock() of the clock that was asked for before, and
 * of "realtime", are answered with it.
 */
int target_remote_new(struct hist_target **target, struct wire *w,
		      const struct remote_link *link, char *why, size_t why_len);

#endif
