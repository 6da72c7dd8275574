// SPDX-License-Identifier: LGPL-2.1
/*
 * varbuf.c - buffers of bytes and varints; see varbuf.h
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/varbuf.h"

static bool reserve(struct bytes *b, size_t more)
{
	size_t room = b->room ? b->room : 256;
	unsigned char *p;

	if (b->failed)
		return false;
	if (b->len + more <= b->room)
		return true;
	while (room < b->len + more)
		room *= 2;
	p = realloc(b->data, room);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->data = p;
	b->room = room;
	return true;
}

void bytes_put(struct bytes *b, const void *data, size_t len)
{
	if (!len || !reserve(b, len))
		return;
	memcpy(b->data + b->len, data, len);
	b->len += len;
}

void bytes_put_varint(struct bytes *b, uint64_t v)
{
	if (!reserve(b, 10))
		return;
	while (v >= 0x80) {
		b->data[b->len++] = v | 0x80;
		v >>= 7;
	}
	b->data[b->len++] = v;
}

void bytes_put_string(struct bytes *b, const char *s)
{
	size_t len = s ? strlen(s) : 0;

	bytes_put_varint(b, len);
	bytes_put(b, s, len);
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

void take_skip_varints(struct take *t, uint64_t n)
{
	const uint64_t tops = UINT64_C(0x8080808080808080);
	uint64_t w, ends;

	/* each varint ends in the one byte of it without the top bit */
	while (n >= 8 && t->end - t->at >= 8) {
		memcpy(&w, t->at, 8);
		ends = ((~w & tops) >> 7) * UINT64_C(0x0101010101010101) >> 56;
		n -= ends;
		t->at += 8;
	}
	while (n && t->at < t->end)
		n -= *t->at++ < 0x80;
	if (n)
		t->failed = true;
}

uint64_t take_long_varint(struct take *t)
{
	unsigned int shift;
	uint64_t v = 0;

	for (shift = 0; shift < 64 && t->at < t->end; shift += 7) {
		unsigned char c = *t->at++;

		/* the tenth byte has room for one bit */
		if (shift == 63 && c > 1)
			break;
		v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
	t->failed = true;
	t->at = t->end;
	return 0;
}

const void *take_bytes(struct take *t, size_t len)
{
	const void *p = t->at;

	if (t->failed || (size_t)(t->end - t->at) < len) {
		t->failed = true;
		t->at = t->end;
		return NULL;
	}
	t->at += len;
	return p;
}

char *take_string(struct take *t)
{
	uint64_t len = take_varint(t);
	const void *p = len > SIZE_MAX / 2 ? NULL : take_bytes(t, len);
	char *s = NULL;

	if (p) {
		s = malloc(len + 1);
		if (s) {
			memcpy(s, p, len);
			s[len] = '\0';
		}
		t->no_memory |= !s;
	}
	if (!s)
		t->failed = true;
	return s;
}
