// SPDX-License-Identifier: LGPL-2.1
/*
 * varint.c - append variable-length integers to a buffer, and decode them; see varint.h
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/varint.h"

void varint_put(struct hist_strbuf *b, uint64_t v)
{
	if (!hist_strbuf_reserve(b, VARINT_MAX))
		return;
	while (v >= 0x80) {
		b->data[b->len++] = v | 0x80;
		v >>= 7;
	}
	b->data[b->len++] = v;
}

void varint_put_string(struct hist_strbuf *b, const char *s)
{
	size_t len = s ? strlen(s) : 0;

	varint_put(b, len);
	hist_strbuf_add(b, s, len);
}

uint64_t varint_read_long(struct varint_reader *t)
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

const void *varint_read_bytes(struct varint_reader *t, size_t len)
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

char *varint_read_string(struct varint_reader *t)
{
	uint64_t len = varint_read(t);
	const void *p = len > SIZE_MAX / 2 ? NULL : varint_read_bytes(t, len);
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
