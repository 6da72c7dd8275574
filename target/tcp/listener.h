/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener.h - serve hosts that come over TCP with the key
 *
 * For each client there are two processes: a relay that speaks TLS, has no
 * privileges and few system calls (relay_filter.h), and, only once the handshake has shown that
 * the client has the key, one that serves it with an undo list of its own.
 *
 * After the handshake the listener says one line: LISTENER_READY, or
 * LISTENER_BUSY and an end when all seats are taken.
 */
#ifndef TARGET_TCP_LISTENER_H
#define TARGET_TCP_LISTENER_H

#include <stddef.h>
#include <stdint.h>

#include "target/wire/key.h"

/* Clients that are served at the same time. */
#define LISTENER_SEATS 8
/* Handshakes at the same time; more wait in the kernel's queue. */
#define LISTENER_KNOCKING 8
/* How long one may take. */
#define LISTENER_HANDSHAKE_MS 5000
#define LISTENER_LINE_MAX 64

#define LISTENER_READY "trace-cmd-hist-listen 1 ready"
#define LISTENER_BUSY "trace-cmd-hist-listen 1 busy"

struct listener_options {
	const char *bind; /* numeric; NULL: 127.0.0.1 */
	uint16_t port;	  /* 0: any that is free */
	struct key *key;  /* wiped in the processes that do not need it */
	/*
	 * Serves one client over stdin and stdout in a process of its own; the
	 * result is its exit status.
	 */
	int (*serve)(void *arg);
	/* A line for people, without an end. */
	void (*say)(void *arg, const char *line);
	void *arg;
};

/*
 * listener_run - until SIGHUP, SIGINT or SIGTERM
 * Then ends all clients, whose changes are taken back.  0, or -errno with a
 * sentence in @why.
 */
int listener_run(const struct listener_options *options, char *why, size_t why_len);

#endif
