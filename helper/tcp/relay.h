/* SPDX-License-Identifier: GPL-2.0 */
/*
 * relay.h - forward bytes between a TLS connection and plain descriptors
 *
 * Both ends run TLS in a separate process. A process that handles the trace-cmd hist
 * protocol uses a pipe or a plain socket. The process that is exposed to the network
 * can only forward bytes. Memory: 32 KiB and the memory of the TLS library.
 */
#ifndef HELPER_TCP_RELAY_H
#define HELPER_TCP_RELAY_H

#include "helper/tcp/tls.h"

/* All descriptors are non-blocking; SIGPIPE is blocked or ignored. */
struct relay {
	struct tls *tls;
	int net; /* the socket of @tls */
	int in, out; /* plain descriptors; may be the same */
};

/*
 * relay_run - forward until both sides have ended
 * The end of one side is forwarded to the other side after all earlier data. Returns 0,
 * also if the peer does not end within 10 s after this side. -EPIPE if the connection
 * was cut off, otherwise -errno of tls_read().
 */
int relay_run(const struct relay *r);

/*
 * relay_drop_privileges - drop all resources and privileges that relay_run() does not need
 * Call it before @tls is created. Only stdin (@in), stdout (@out), stderr and the
 * socket (@net) stay open, under new numbers, which are stored in @r. Root becomes the
 * user nobody in an empty root directory. Limits prevent new files, processes and
 * privileges. So does a filter of system calls if relay_filter_works(): read, write and
 * close open descriptors, wait, get the time, get random numbers, map non-executable
 * memory, and exit. All other calls fail with EPERM. A call with the numbers of another
 * architecture (such as int 0x80 on x86_64) kills the process. Returns 0 or -errno; after
 * an error the caller must not continue.
 */
int relay_drop_privileges(struct relay *r);

/*
 * False if seccomp filters are not available: a kernel without CONFIG_SECCOMP_FILTER,
 * user-mode emulation, or an architecture that relay.c does not support.
 */
bool relay_filter_works(void);

/* Detect a dead peer, and send small writes immediately. */
void relay_tune(int net);

#endif
