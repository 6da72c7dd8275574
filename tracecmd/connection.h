/* SPDX-License-Identifier: GPL-2.0 */
/*
 * connection.h - a program whose stdin and stdout lead to a target
 *
 * It is ssh, or what the user gave.  What it writes to stderr, and lines that a
 * target prints where none are expected, are shown as "trace-cmd hist: LABEL:
 * ...", while something is waited for.
 *
 * Ctrl-C on the terminal does not reach it: the last snapshot and the taking
 * back go through it.
 */
#ifndef TRACECMD_CONNECTION_H
#define TRACECMD_CONNECTION_H

#include <stddef.h>

#include "wire.h"

struct connection;

/*
 * connection_new - start @argv
 * @label: what to call the target.  On failure -errno and a sentence in @why.
 */
int connection_new(struct connection **connection, char *const argv[], const char *label,
		   char *why, size_t why_len);
/* Closes, waits a moment for its end, then makes it end.  NULL is fine. */
void connection_free(struct connection *c);

const char *connection_label(const struct connection *c);

/* For wire_new(); a silence longer than connection_set_patience() is -ETIMEDOUT. */
struct wire_io connection_io(struct connection *c);
void connection_set_patience(struct connection *c, unsigned int seconds);

/*
 * connection_explain - why it is over, in words, for an -errno of the wire
 * Shows what is left on stderr, and tells of the program's exit status.
 */
void connection_explain(struct connection *c, int err, char *why, size_t why_len);

#endif
