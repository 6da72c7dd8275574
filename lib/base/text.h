/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * text.h - tests of characters, texts that do not end with a NUL, and plurals
 *
 * The tests of characters do not depend on the locale, unlike those of <ctype.h>.
 */
#ifndef LIB_BASE_TEXT_H
#define LIB_BASE_TEXT_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* True for the characters of an identifier in C. */
static inline bool text_is_word(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || text_is_digit(c) || c == '_';
}

static inline bool text_equals(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(s, word, len);
}

static inline bool text_starts_with(const char *s, size_t len, const char *prefix)
{
	size_t n = strlen(prefix);

	return len >= n && !memcmp(s, prefix, n);
}

static inline bool text_ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(s + len - n, end, n);
}

/* The ending of a regular noun after the number @n */
static inline const char *text_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/*
 * Eight bytes as a word, the first one lowest; and eight blanks, to skip padding a word at a time.
 */
static inline uint64_t text_word(const char *at)
{
	uint64_t w;

	memcpy(&w, at, 8);
	return le64toh(w);
}

#define TEXT_BLANKS UINT64_C(0x2020202020202020)

/* The length of a name without the padding blanks of its column. */
static inline size_t text_trim(const char *name, size_t len)
{
	uint64_t w;

	while (len >= 8) {
		w = text_word(name + len - 8) ^ TEXT_BLANKS;
		if (w)
			return len - __builtin_clzll(w) / 8;
		len -= 8;
	}
	while (len && name[len - 1] == ' ')
		len--;
	return len;
}

#endif
