/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listen_port.h - TCP port and keys of `trace-cmd hist listen`
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

/* Listen until a signal arrives. Returns the exit status, after a message if it is not 0. */
int listen_port_run(const struct listen_port *options);

/* Write a new key to @file. Returns the exit status, after a message if it is not 0. */
int listen_create_key(const char *file);

#endif
