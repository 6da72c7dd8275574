/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tls.h - a TLS connection authenticated by a pre-shared key
 *
 * Both ends use only TLS 1.2 of mbedTLS: ECDHE-PSK with X25519 and ChaCha20-Poly1305
 * (RFC 7905). Each connection has new random numbers and a new key exchange. Therefore
 * replayed bytes are refused, and a key that is stolen later does not decrypt recorded
 * connections. Certificates, resumption, renegotiation and compression are not
 * supported.
 *
 * Functions that can fail return -errno.
 */
#ifndef HELPER_TCP_TLS_H
#define HELPER_TCP_TLS_H

#include <stdbool.h>
#include <stddef.h>

#include "helper/wire/key.h"
#include "lib/base/error.h"

struct tls;

/*
 * tls_new - create a connection over the connected, non-blocking socket @fd
 * The caller keeps @fd. @server: the end of the listener. @key is copied. -ENOMEM,
 * -EINVAL.
 */
int tls_new(struct tls **tls, int fd, bool server, const struct key *key);
/* @tls may be NULL. Does not notify the peer. */
void tls_free(struct tls *tls);

/*
 * tls_handshake - negotiate the session keys; waits at most @timeout_ms in total
 * 0, or with a sentence in @error: -EACCES the keys differ, -EPROTO the peer does not use
 * this kind of TLS, -EPIPE the peer closed the connection, -ETIMEDOUT, or the error of
 * the socket.
 */
int tls_handshake(struct tls *tls, int timeout_ms, struct hist_error *error);

/*
 * tls_read - read available bytes
 * Returns their number; 0: the peer ended the connection; -EAGAIN; -EPIPE: the
 * connection was cut off; -EBADMSG: the data contains bytes that the peer did not send;
 * or -errno.
 */
int tls_read(struct tls *tls, void *to, size_t room);

/*
 * tls_write - send some of @len bytes
 * Returns the number of bytes. -EAGAIN: call again with the same bytes. Otherwise
 * -errno.
 */
int tls_write(struct tls *tls, const void *from, size_t len);

/* Notify the peer of the end of data. 0; -EAGAIN: call again; or -errno. */
int tls_end(struct tls *tls);

#endif
