/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * strbuf.h - a growing buffer of bytes, for text and for the sections of files
 *
 * Views print millions of cells, and a printf() per cell would be the largest cost.  The buffer is
 * written to a stream in large pieces.
 *
 * Errors are sticky: the caller can go on adding and check hist_strbuf_flush() or @error at the
 * end.  After an error nothing more is added.  hist_strbuf_append(), xml_text() and
 * hist_strbuf_fail() pass the error of one buffer on to another.
 */
#ifndef LIB_BASE_STRBUF_H
#define LIB_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Initialize with zeros.  @data is not NUL-terminated. */
struct hist_strbuf {
	char *data;
	size_t len;
	size_t room;
	int error; /* 0, -ENOMEM, or the error of the stream */
};

void hist_strbuf_free(struct hist_strbuf *b);

/*
 * hist_strbuf_string - the contents as a string, which the caller frees instead of @b
 * After an error @b is freed, and the result is NULL.
 */
char *hist_strbuf_string(struct hist_strbuf *b);

/* Make room for @more bytes after @len; false, with the error set, if out of memory. */
bool hist_strbuf_grow(struct hist_strbuf *b, size_t more);

/*
 * hist_strbuf_flush - write the contents to @f and empty the buffer
 * Returns the sticky error.  The stream itself is not flushed.
 */
int hist_strbuf_flush(struct hist_strbuf *b, FILE *f);

/* Flush if the buffer holds a large piece. */
static inline void hist_strbuf_drain(struct hist_strbuf *b, FILE *f)
{
	if (b->len >= 64u << 10)
		hist_strbuf_flush(b, f);
}

/* For formats that are used a few times per report, not once per row. */
void hist_strbuf_printf(struct hist_strbuf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void hist_strbuf_u64(struct hist_strbuf *b, uint64_t v);
void hist_strbuf_s64(struct hist_strbuf *b, int64_t v);
/* Lower-case hexadecimal without "0x", as the kernel prints it. */
void hist_strbuf_hex(struct hist_strbuf *b, uint64_t v);

/* @v / 10^@digits with @digits decimals, at most 19: "12.34" for (1234, 2). */
void hist_strbuf_fixed(struct hist_strbuf *b, uint64_t v, unsigned int digits);

/* The number of columns of the numbers above. */
unsigned int hist_strbuf_u64_width(uint64_t v);
unsigned int hist_strbuf_s64_width(int64_t v);
unsigned int hist_strbuf_hex_width(uint64_t v);

static inline bool hist_strbuf_reserve(struct hist_strbuf *b, size_t more)
{
	return (b->room - b->len >= more && !b->error) || hist_strbuf_grow(b, more);
}

static inline void hist_strbuf_add(struct hist_strbuf *b, const void *data, size_t len)
{
	if (len && hist_strbuf_reserve(b, len)) {
		memcpy(b->data + b->len, data, len);
		b->len += len;
	}
}

static inline void hist_strbuf_str(struct hist_strbuf *b, const char *s)
{
	hist_strbuf_add(b, s, strlen(s));
}

static inline void hist_strbuf_char(struct hist_strbuf *b, char c)
{
	if (hist_strbuf_reserve(b, 1))
		b->data[b->len++] = c;
}

static inline void hist_strbuf_fill(struct hist_strbuf *b, char c, size_t n)
{
	if (n && hist_strbuf_reserve(b, n)) {
		memset(b->data + b->len, c, n);
		b->len += n;
	}
}

/* Empty @b and return it. */
static inline struct hist_strbuf *hist_strbuf_clear(struct hist_strbuf *b)
{
	b->len = 0;
	return b;
}

/* Set the error of @b, unless it has one; 0 is not an error. */
static inline void hist_strbuf_fail(struct hist_strbuf *b, int error)
{
	if (!b->error)
		b->error = error;
}

static inline void hist_strbuf_append(struct hist_strbuf *b, const struct hist_strbuf *from)
{
	hist_strbuf_fail(b, from->error);
	hist_strbuf_add(b, from->data, from->len);
}

/* Add a 64-bit number, signed or unsigned. */
static inline void hist_strbuf_number(struct hist_strbuf *b, uint64_t v, bool is_signed)
{
	if (is_signed)
		hist_strbuf_s64(b, (int64_t)v);
	else
		hist_strbuf_u64(b, v);
}

static inline unsigned int hist_strbuf_number_width(uint64_t v, bool is_signed)
{
	return is_signed ? hist_strbuf_s64_width((int64_t)v) : hist_strbuf_u64_width(v);
}

/* Pad a text of @used columns with blanks to @width columns. */
static inline void hist_strbuf_pad(struct hist_strbuf *b, unsigned int used, unsigned int width)
{
	if (used < width)
		hist_strbuf_fill(b, ' ', width - used);
}

#endif
