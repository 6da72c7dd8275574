/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_remote.h - target operations through a helper at the other end of a wire
 */
#ifndef TRACECMD_TARGET_TARGET_REMOTE_H
#define TRACECMD_TARGET_TARGET_REMOTE_H

#include "helper/local/target.h"
#include "helper/wire/wire.h"
#include "lib/base/error.h"

/*
 * The transport of a wire. explain: format the reason of an -errno of the wire. free: close the
 * transport; the other end then undoes all changes.
 */
struct remote_link {
	void (*explain)(void *arg, int err, struct hist_error *error);
	void (*free)(void *arg);
	void *arg;
};

/* The connection of a target on another machine. It owns the wire and the transport. */
struct remote_end {
	struct wire *wire;
	struct remote_link link;
	bool lost;
};

/* Print why the connection is lost, the first time. Returns -ECONNRESET. */
int target_remote_end_lose(struct remote_end *end, int err);
void target_remote_end_free(struct remote_end *end);

/*
 * target_remote_new - create a target for a helper, after the handshake
 * @version: of the protocol; the target of an older helper lacks some operations.
 * Owns @w and @link, also on failure. On failure -errno and a sentence in @error.
 *
 * If the connection is lost, the target prints one message on stderr. All later operations return
 * -ECONNRESET.
 *
 * The helper reads the clocks right after the kernel has produced the text of a reread(). The next
 * clock() returns this time if it asks for "realtime" or for the same clock as before.
 */
int target_remote_new(struct hist_target **target, struct wire *w, unsigned int version,
		      const struct remote_link *link, struct hist_error *error);

#endif
