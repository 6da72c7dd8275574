/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_link.h - reach a target: run a program that leads to it, and find who answers
 *
 * A connection runs a program whose stdin and stdout lead to a target: ssh or the user's command.
 * Its stderr is shown as "trace-cmd hist: LABEL: ..." during a wait.  The output right before its
 * end becomes part of the reason that connection_explain() returns.
 *
 * Ctrl-C on the terminal does not reach the program, because the last snapshot and the undo of all
 * changes need the connection.
 *
 * The bootstrap detects a target helper or a shell at the other end.  The first line is a comment
 * for a shell and a greeting for a helper.  The second line is a command for a shell, and a helper
 * drops it.  The command runs a helper if one is installed.  See trace-cmd-hist-protocol(7).
 */
#ifndef TRACECMD_TARGET_TARGET_LINK_H
#define TRACECMD_TARGET_TARGET_LINK_H

#include <stdbool.h>
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

enum bootstrap_kind {
	BOOTSTRAP_HELPER, /* frames follow */
	BOOTSTRAP_SHELL,  /* a POSIX shell reads lines */
};

/*
 * bootstrap - do the handshake
 * @shell_only: do not look for a helper. Skips the lines that a login prints, up to a limit.
 * @version: of the protocol, the newest that this program and the helper support.
 * 0; -EREMOTEIO: the target refused, and @error is its sentence; -EPROTO: neither a helper nor a
 * shell; or an -errno of the wire.
 */
int bootstrap(struct wire *w, bool shell_only, enum bootstrap_kind *kind, unsigned int *version,
	      struct hist_error *error);

#endif
