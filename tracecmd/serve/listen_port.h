/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listen_port.h - the part of `trace-cmd hist listen` that is about TCP and keys
 */
#ifndef TRACECMD_SERVE_LISTEN_PORT_H
#define TRACECMD_SERVE_LISTEN_PORT_H

/* Serves a host over stdin and stdout; the exit status. */
typedef int (*listen_serve)(unsigned int idle_s);

struct listen_port {
	const char *port; /* as it was given */
	const char *key_file;
	const char *bind; /* NULL: loopback */
	unsigned int idle_s;
	listen_serve serve;
};

/* Until a signal ends it.  The exit status; has complained when it is not 0. */
int listen_port(const struct listen_port *options);

/* A new key in @file. The same. */
int listen_new_key(const char *file);

#endif
