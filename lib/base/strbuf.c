// SPDX-License-Identifier: LGPL-2.1
/*
 * strbuf.c - a growing buffer of bytes, for text and for the sections of files
 *
 * Decimal numbers are written from the last digit, two digits at a time, into a small array.
 * Invariant: len <= room, and nothing is added once error is set.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "lib/base/strbuf.h"

static const char pairs[201] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

void hist_strbuf_free(struct hist_strbuf *b)
{
	if (!b)
		return;
	free(b->data);
	memset(b, 0, sizeof(*b));
}

char *hist_strbuf_string(struct hist_strbuf *b)
{
	hist_strbuf_char(b, '\0');
	if (b->error)
		hist_strbuf_free(b);
	return b->data;
}

bool hist_strbuf_grow(struct hist_strbuf *b, size_t more)
{
	size_t room = b->room ? b->room : 256;
	char *data;

	if (b->error)
		return false;
	if (more > SIZE_MAX / 2 - b->len) {
		b->error = -ENOMEM;
		return false;
	}
	while (room - b->len < more)
		room *= 2;
	if (room == b->room)
		return true;
	data = realloc(b->data, room);
	if (!data) {
		b->error = -ENOMEM;
		return false;
	}
	b->data = data;
	b->room = room;
	return true;
}

int hist_strbuf_flush(struct hist_strbuf *b, FILE *f)
{
	if (!b->error && b->len) {
		errno = 0;
		if (fwrite(b->data, 1, b->len, f) != b->len)
			b->error = errno ? -errno : -EIO;
	}
	b->len = 0;
	return b->error;
}

void hist_strbuf_printf(struct hist_strbuf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (!hist_strbuf_reserve(b, 128))
		return;
	va_start(ap, fmt);
	n = vsnprintf(b->data + b->len, b->room - b->len, fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->error = -EINVAL;
		return;
	}
	if ((size_t)n >= b->room - b->len) {
		if (!hist_strbuf_grow(b, (size_t)n + 1))
			return;
		va_start(ap, fmt);
		vsnprintf(b->data + b->len, b->room - b->len, fmt, ap);
		va_end(ap);
	}
	b->len += n;
}

void hist_strbuf_u64(struct hist_strbuf *b, uint64_t v)
{
	char digits[20], *p = digits + sizeof(digits);

	while (v >= 100) {
		p -= 2;
		memcpy(p, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		p -= 2;
		memcpy(p, pairs + v * 2, 2);
	} else {
		*--p = '0' + v;
	}
	hist_strbuf_add(b, p, digits + sizeof(digits) - p);
}

void hist_strbuf_s64(struct hist_strbuf *b, int64_t v)
{
	if (v < 0)
		hist_strbuf_char(b, '-');
	hist_strbuf_u64(b, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void hist_strbuf_hex(struct hist_strbuf *b, uint64_t v)
{
	char digits[16], *p = digits + sizeof(digits);

	do {
		*--p = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	hist_strbuf_add(b, p, digits + sizeof(digits) - p);
}

void hist_strbuf_fixed(struct hist_strbuf *b, uint64_t v, unsigned int digits)
{
	char text[20];
	unsigned int i;

	for (i = digits; i > 0; i--, v /= 10)
		text[i] = '0' + v % 10;
	text[0] = '.';
	hist_strbuf_u64(b, v);
	if (digits)
		hist_strbuf_add(b, text, digits + 1);
}

unsigned int hist_strbuf_u64_width(uint64_t v)
{
	unsigned int width = 1;

	while (v >= 10000) {
		v /= 10000;
		width += 4;
	}
	return width + (v >= 10) + (v >= 100) + (v >= 1000);
}

unsigned int hist_strbuf_s64_width(int64_t v)
{
	return v < 0 ? 1 + hist_strbuf_u64_width(-(uint64_t)v) : hist_strbuf_u64_width(v);
}

unsigned int hist_strbuf_hex_width(uint64_t v)
{
	return v ? (67 - __builtin_clzll(v)) / 4 : 1;
}
