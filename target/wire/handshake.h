/* SPDX-License-Identifier: GPL-2.0 */
/*
 * handshake.h - the target's answer to the lines that come before the frames
 *
 * trace-cmd-hist-protocol(7) has them.  tracecmd/remote/bootstrap.h is the host's side.
 */
#ifndef TARGET_WIRE_HANDSHAKE_H
#define TARGET_WIRE_HANDSHAKE_H

#include "target/wire/wire.h"

/*
 * handshake_answer - two lines from the host, the second of which is for shells; one from us
 * @version: of the program.  @refusal: a sentence why there is nobody to serve
 * it, or NULL.  0: frames follow; -EPROTO: that is no host, or it was refused;
 * or what the wire gave.
 */
int handshake_answer(struct wire *w, const char *version, const char *refusal);

#endif
