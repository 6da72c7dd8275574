/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tls.h - a connection that only who has the key can read, change or join
 *
 * TLS 1.2 by mbedTLS, and nothing else of it: ECDHE-PSK with X25519 and
 * ChaCha20-Poly1305 (RFC 7905), on both ends.  Each connection has new random
 * numbers and a new key exchange, so that replayed bytes are refused, and a key
 * that is stolen later does not open what was recorded before.  No certificates,
 * no resumption, no renegotiation, no compression.
 *
 * Functions that can fail return -errno.
 */
#ifndef TARGET_TCP_TLS_H
#define TARGET_TCP_TLS_H

#include <stdbool.h>
#include <stddef.h>

#include "target/wire/key.h"

struct tls;

/*
 * tls_new - over the connected, non-blocking socket @fd, which stays the caller's
 * @server: the listener's end.  @key is copied.  -ENOMEM, -EINVAL.
 */
int tls_new(struct tls **tls, int fd, bool server, const struct key *key);
/* NULL is fine.  Says nothing to the peer. */
void tls_free(struct tls *tls);

/*
 * tls_handshake - agree on keys; waits, but not longer than @timeout_ms in all
 * 0, or with a sentence in @why: -EACCES the keys differ, -EPROTO that is no TLS of
 * this kind, -EPIPE the peer has closed, -ETIMEDOUT, or what the socket gave.
 */
int tls_handshake(struct tls *tls, int timeout_ms, char *why, size_t why_len);

/*
 * tls_read - bytes that are there
 * Their number; 0: the peer has ended the connection; -EAGAIN; -EPIPE: it was cut
 * off; -EBADMSG: something that the peer did not send was in it; -errno.
 */
int tls_read(struct tls *tls, void *to, size_t room);

/*
 * tls_write - send some of @len bytes
 * How many, or -EAGAIN: then call again with the same bytes; or -errno.
 */
int tls_write(struct tls *tls, const void *from, size_t len);

/* Tell the peer that no more will be sent. 0; -EAGAIN: call again; -errno. */
int tls_end(struct tls *tls);

#endif
