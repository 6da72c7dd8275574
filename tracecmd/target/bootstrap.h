/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bootstrap.h - detect a target helper or a shell at the other end of a connection
 *
 * The first line is a comment for a shell and a greeting for a helper. The second line is a command
 * for a shell, and a helper drops it. The command runs a helper if one is installed. See
 * trace-cmd-hist-protocol(7).
 */
#ifndef TRACECMD_TARGET_BOOTSTRAP_H
#define TRACECMD_TARGET_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>

#include "helper/wire/wire.h"
#include "lib/base/error.h"

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
