/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener.h - accept hosts over TCP and authenticate them by the key
 *
 * Two processes serve each client. A relay does TLS without privileges and with few
 * system calls (relay.h). A second process serves the client with a separate
 * undo list. It starts only after the handshake has proved that the client has the key.
 *
 * After the handshake the listener sends one line. LISTENER_READY: the client is
 * served. LISTENER_BUSY: all seats are in use, and the connection ends.
 */
#ifndef HELPER_TCP_LISTENER_H
#define HELPER_TCP_LISTENER_H

#include <stddef.h>
#include <stdint.h>

#include "helper/wire/key.h"
#include "lib/base/error.h"

/* Maximum number of clients served at the same time. */
#define LISTENER_SEATS 8
/* Maximum number of handshakes at the same time; more connections wait in the kernel's queue. */
#define LISTENER_KNOCKING 8
/* Time limit for one handshake. */
#define LISTENER_HANDSHAKE_MS 5000
#define LISTENER_LINE_MAX 64

#define LISTENER_READY "trace-cmd-hist-listen 1 ready"
#define LISTENER_BUSY "trace-cmd-hist-listen 1 busy"

struct listener_options {
	const char *bind; /* numeric; NULL: 127.0.0.1 */
	uint16_t port;	  /* 0: any free port */
	struct key *key;  /* wiped in the processes that do not need it */
	/*
	 * Serve one client over stdin and stdout in a separate process. The result is
	 * the exit status of the process.
	 */
	int (*serve)(void *arg);
	/* Print a message line; @line does not contain a newline. */
	void (*say)(void *arg, const char *line);
	void *arg;
};

/*
 * listener_run - listen until SIGHUP, SIGINT or SIGTERM
 * At the end, disconnects all clients, whose changes are undone. Returns 0, or -errno
 * with a sentence in @error.
 */
int listener_run(const struct listener_options *options, struct hist_error *error);

#endif
