/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_handshake.h - handshake and message headers of the stock listener's protocol
 *
 * A message has a header of three big-endian u32: size including the header, message type, and size
 * of the fixed part. A message has at most 8192 bytes. listener_link.h names the source.
 *
 * Functions that can fail return -errno and set @error to a sentence. -ETIMEDOUT: the complete
 * answer did not arrive within 15 s.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_HANDSHAKE_H
#define TRACECMD_OUTPUT_LISTENER_HANDSHAKE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

#define LISTENER_HEADER 12

enum listener_message {
	LISTENER_CLOSE = 0,
	LISTENER_TINIT = 1,
	LISTENER_RINIT = 2,
	LISTENER_SEND_DATA = 3,
	LISTENER_FIN_DATA = 4,
	LISTENER_NOT_SUPP = 5,
};

void listener_put_header(unsigned char *to, size_t size, enum listener_message what, size_t fixed);
uint32_t listener_get_u32(const unsigned char *from);

/* 0 if a listener of version 3 answers on the non-blocking socket @fd. */
int listener_greet(int fd, struct hist_error *error);

/* Begin a file with 0 CPUs. Its data follows in messages. */
int listener_begin_file(int fd, unsigned int page_size, struct hist_error *error);

#endif
