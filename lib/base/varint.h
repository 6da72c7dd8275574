/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * varint.h - append variable-length integers to a buffer, and decode them
 *
 * A varint is LEB128: seven bits per byte, lowest first; the top bit is set if another byte follows
 * (DWARF 5, 7.6).  Signed numbers are zigzag-coded first, so that small numbers of either sign are
 * short.  Errors are sticky in both directions: check them once at the end.
 */
#ifndef LIB_BASE_VARINT_H
#define LIB_BASE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

#define VARINT_MAX 10 /* bytes of the longest varint */

void varint_put(struct hist_strbuf *b, uint64_t v);
/* The length, then the bytes; NULL is written as an empty string. */
void varint_put_string(struct hist_strbuf *b, const char *s);

static inline uint64_t varint_zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

static inline int64_t varint_unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

struct varint_reader {
	const unsigned char *at, *end;
	bool failed; /* the data ended early, or a varint had more than 64 bits */
	bool no_memory; /* an allocation failed; @failed is set too */
};

static inline struct varint_reader varint_begin(const void *data, size_t len)
{
	return (struct varint_reader){ .at = data, .end = (const unsigned char *)data + len };
}

uint64_t varint_read_long(struct varint_reader *t);

/*
 * varint_read() for loops: the caller keeps t->at in *@at, so that the compiler can use a
 * register.  One or two bytes, the usual lengths, are decoded inline.
 */
static inline uint64_t varint_read_at(struct varint_reader *t, const unsigned char **at)
{
	const unsigned char *p = *at;
	uint64_t v;

	if (t->end - p >= 2) {
		if (p[0] < 0x80) {
			*at = p + 1;
			return p[0];
		}
		if (p[1] < 0x80) {
			*at = p + 2;
			return (p[0] & 0x7f) | (uint64_t)p[1] << 7;
		}
	}
	t->at = p;
	v = varint_read_long(t);
	*at = t->at;
	return v;
}

static inline uint64_t varint_read(struct varint_reader *t)
{
	return varint_read_at(t, &t->at);
}

/* The next @len bytes; NULL, with @failed set, if there are fewer. */
const void *varint_read_bytes(struct varint_reader *t, size_t len);
/* A malloc'ed copy of a string (length, bytes); NULL with @failed set, also if out of memory. */
char *varint_read_string(struct varint_reader *t);

#endif
