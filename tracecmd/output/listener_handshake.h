/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_handshake.h - handshake and message headers of the stock listener's protocol
 *
 * A message has a header of three big-endian u32: size including the header, message type, and size
 * of the fixed part. A message has at most 8192 bytes. listener_link.h names the source.
 *
 * Functions that can fail return -errno and set @why to a sentence. -ETIMEDOUT: the complete answer
 * did not arrive within 15 s.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_HANDSHAKE_H
#define TRACECMD_OUTPUT_LISTENER_HANDSHAKE_H

#include <stddef.h>
#include <stdint.h>

#define PUSH_HEADER 12

enum push_message {
	PUSH_CLOSE = 0,
	PUSH_TINIT = 1,
	PUSH_RINIT = 2,
	PUSH_SEND_DATA = 3,
	PUSH_FIN_DATA = 4,
	PUSH_NOT_SUPP = 5,
};

void push_put_header(unsigned char *to, size_t size, enum push_message what, size_t fixed);
uint32_t push_get_u32(const unsigned char *from);

/* 0 if a listener of version 3 answers on the non-blocking socket @fd. */
int push_greet(int fd, char *why, size_t why_len);

/* Begin a file with 0 CPUs. Its data follows in messages. */
int push_begin_file(int fd, unsigned int page_size, char *why, size_t why_len);

#endif
