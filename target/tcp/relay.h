/* SPDX-License-Identifier: GPL-2.0 */
/*
 * relay.h - carry bytes between a TLS connection and plain descriptors
 *
 * TLS is in a process of its own on both ends.  What speaks the protocol of
 * trace-cmd hist sees a pipe or a plain socket, and the process that faces the
 * network can do nothing but that.  Memory: 32 KiB, and what TLS needs.
 */
#ifndef TARGET_TCP_RELAY_H
#define TARGET_TCP_RELAY_H

#include "target/tcp/tls.h"

/* All of them non-blocking; SIGPIPE blocked or ignored. */
struct relay {
	struct tls *tls;
	int net; /* the socket of @tls */
	int in, out; /* plain; may be the same */
};

/*
 * relay_run - until both sides have ended
 * The end of one side is passed on to the other, behind what was sent before.
 * 0, also when the peer takes more than 10 s to end after ours has; or -errno:
 * -EPIPE the connection was cut off, or as tls_read().
 */
int relay_run(const struct relay *r);

/*
 * relay_confine - give up all that the process does not need for that
 * Call it before there is a @tls: only stdin (@in), stdout (@out), stderr and
 * the socket (@net) stay open, under new numbers, which are set.  Root becomes
 * the user nobody in an empty root directory.  No new files, processes or
 * privileges: by limits, and by a list of system calls if relay_filter_works().
 * 0 or -errno: do not go on then.
 */
int relay_confine(struct relay *r);

/* A dead peer is noticed; small writes are sent at once. */
void relay_tune(int net);

#endif
