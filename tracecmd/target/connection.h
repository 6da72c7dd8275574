/* SPDX-License-Identifier: GPL-2.0 */
/*
 * connection.h - run a program whose stdin and stdout lead to a target
 *
 * The program is ssh or the user's command. Its stderr is shown as "trace-cmd hist: LABEL: ..."
 * during a wait. The output right before its end becomes part of the reason that
 * connection_explain() returns.
 *
 * Ctrl-C on the terminal does not reach the program, because the last snapshot and the undo of all
 * changes need the connection.
 */
#ifndef TRACECMD_TARGET_CONNECTION_H
#define TRACECMD_TARGET_CONNECTION_H

#include <stddef.h>

#include "helper/wire/wire.h"
#include "lib/base/error.h"

struct connection;

/*
 * connection_new - start @argv
 * @label: the name of the target in messages. On failure -errno and a sentence in @error.
 */
int connection_new(struct connection **connection, char *const argv[], const char *label,
		   struct hist_error *error);
/* Close the streams, wait for the program to end, and kill it after a time limit. NULL: nothing. */
void connection_free(struct connection *c);

const char *connection_label(const struct connection *c);

/* For wire_new(). A wait returns -ECANCELED after the time of signals_patience(). */
struct wire_io connection_io(struct connection *c);

/*
 * connection_explain - format the reason of an -errno of the wire as a sentence
 * @seconds: the deadline, for -ETIMEDOUT. The sentence contains the exit status of the program and
 * the last line of its stderr.
 */
void connection_explain(struct connection *c, int err, unsigned int seconds,
			struct hist_error *error);

#endif
