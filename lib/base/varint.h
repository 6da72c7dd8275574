/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * varint.h - put variable-length integers into a buffer, and take them out again
 *
 * Varints are LEB128: seven bits a byte, lowest first, the top bit says that
 * another follows (DWARF 5, 7.6).  Signed numbers are zigzag-coded first, so
 * that small ones of either sign are short.  Errors are sticky in both
 * directions: put or take on, and look once at the end.
 */
#ifndef LIB_BASE_VARINT_H
#define LIB_BASE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

#define VARINT_MAX 10 /* bytes of the longest one */

void varint_put(struct hist_strbuf *b, uint64_t v);
/* A length and the bytes; NULL is an empty string. */
void varint_put_string(struct hist_strbuf *b, const char *s);

static inline uint64_t zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

static inline int64_t unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

struct take {
	const unsigned char *at, *end;
	bool failed; /* ran over the end, or a varint of more than 64 bits */
	bool no_memory; /* it failed for that */
};

static inline struct take take_begin(const void *data, size_t len)
{
	return (struct take){ .at = data, .end = (const unsigned char *)data + len };
}

uint64_t take_long_varint(struct take *t);

/*
 * take_varint() for a loop that keeps what lies in t->at in *@at, for the compiler to have in a
 * register; one or two bytes are what nearly all have.
 */
static inline uint64_t take_varint_at(struct take *t, const unsigned char **at)
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
	v = take_long_varint(t);
	*at = t->at;
	return v;
}

static inline uint64_t take_varint(struct take *t)
{
	return take_varint_at(t, &t->at);
}

/* Passes over @n varints; whether they are sound is seen when they are taken. */
void take_skip_varints(struct take *t, uint64_t n);
/* @len bytes, or NULL (and failed). */
const void *take_bytes(struct take *t, size_t len);
/* A malloc'ed copy of a length and its bytes; NULL: failed, or no memory. */
char *take_string(struct take *t);

#endif
