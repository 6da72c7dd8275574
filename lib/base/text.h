/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * text.h - tests of characters, and of texts that do not end with a NUL
 *
 * The tests of characters do not depend on the locale, unlike those of <ctype.h>.
 */
#ifndef LIB_BASE_TEXT_H
#define LIB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
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

/* The length of @s without the blanks at its end. */
static inline size_t text_without_blanks(const char *s, size_t len)
{
	while (len && s[len - 1] == ' ')
		len--;
	return len;
}

#endif
