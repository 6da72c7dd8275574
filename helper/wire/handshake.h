/* SPDX-License-Identifier: GPL-2.0 */
/*
 * handshake.h - the handshake before the frames, on the target's side
 *
 * trace-cmd-hist-protocol(7) describes the lines. tracecmd/target/bootstrap.c is the
 * host's side.
 */
#ifndef HELPER_WIRE_HANDSHAKE_H
#define HELPER_WIRE_HANDSHAKE_H

#include "helper/wire/wire.h"
#include "lib/base/error.h"

/*
 * handshake_answer - read two lines from the host (the second is for shells), send one line
 * @version: of the program. @refusal: why the target cannot serve the host,
 * or NULL. 0: frames follow; -EPROTO: the peer is not a host, or it was refused;
 * otherwise the error of the wire.
 */
int handshake_answer(struct wire *w, const char *version, const struct hist_error *refusal);

#endif
