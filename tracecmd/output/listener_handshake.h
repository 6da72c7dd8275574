/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_handshake.h - how a file to the stock listener begins, and its messages
 *
 * Each message has a header of three big-endian u32: its size with the header,
 * what it is, and the size of its fixed part; it has at most 8192 bytes.
 * listener_link.h says where that is from.
 *
 * Functions that can fail return -errno and a sentence in @why.  An answer of
 * which nothing comes for 15 s is -ETIMEDOUT.
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

/* Is there a listener of version 3 at the other end of the non-blocking socket @fd? */
int push_greet(int fd, char *why, size_t why_len);

/* A file of no CPU begins: messages follow. */
int push_begin_file(int fd, unsigned int page_size, char *why, size_t why_len);

#endif
