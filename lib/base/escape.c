// SPDX-License-Identifier: LGPL-2.1
/*
 * escape.c - escape untrusted names for a terminal
 *
 * Nearly all names are plain ASCII.  A first pass checks whether the whole text can be copied
 * unchanged.  Otherwise the text is decoded character by character.
 */
#include <string.h>
#include <wchar.h>

#include "lib/base/bytes.h"
#include "lib/base/utf8.h"
#include "lib/base/escape.h"

/* Not 0 if a byte of @word is not printable ASCII, or a backslash. */
static uint64_t escape_find_odd(uint64_t word)
{
	return (word & BYTES_TOPS) | bytes_find_below(word, 0x20) |
	       bytes_find_below(word ^ BYTES_EACH(0x7f), 1) |
	       bytes_find_below(word ^ BYTES_EACH('\\'), 1);
}

/* True if all bytes are printable ASCII except the backslash.  Eight bytes are tested at a time. */
static bool escape_is_plain_ascii(const char *s, size_t len)
{
	uint64_t word = BYTES_EACH(' '), odd;
	size_t i;

	if (len < sizeof(word)) {
		for (i = 0; i < len; i++)
			word = word << 8 | (unsigned char)s[i];
		return !escape_find_odd(word);
	}
	memcpy(&word, s + len - sizeof(word), sizeof(word));
	odd = escape_find_odd(word);
	for (i = 0; i + sizeof(word) < len; i += sizeof(word)) {
		memcpy(&word, s + i, sizeof(word));
		odd |= escape_find_odd(word);
	}
	return !odd;
}

/* Control characters, invisible characters, and characters that change the direction of writing. */
bool hist_escape_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe0fff);
}

/* The width of @c; 1 if the C library does not know it, as 0 would misalign more. */
static unsigned int escape_char_columns(uint32_t c)
{
	int width = c < 0x300 ? 1 : wcwidth((wchar_t)c);

	return width < 0 ? 1 : width;
}

/* Write the escape of the @n bytes at @s with the value @c; @n is 0 if they are not UTF-8. */
static unsigned int make_escape(char out[12], const char *s, size_t n, uint32_t c)
{
	static const char *const shorts = "abtnvfr";

	if (n == 1 && c == '\\')
		return snprintf(out, 12, "\\\\");
	if (n == 1 && c >= 7 && c <= 13)
		return snprintf(out, 12, "\\%c", shorts[c - 7]);
	if (n <= 1)
		return snprintf(out, 12, "\\x%02x", (unsigned char)*s);
	return snprintf(out, 12, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
}

/* @b may be NULL to compute only the width. */
static unsigned int escape_put_text(struct hist_strbuf *b, const char *s, size_t len,
				    unsigned int flags)
{
	unsigned int width = 0, count;
	size_t i, n, step;
	char out[12];
	uint32_t c;

	for (i = 0; i < len; i += step) {
		n = utf8_decode(s + i, len - i, &c);
		step = n ? n : 1;
		if (n && c != '\\' && !hist_escape_is_control(c) &&
		    (c < 0x80 || !(flags & HIST_ESCAPE_ASCII))) {
			if (b)
				hist_strbuf_add(b, s + i, n);
			width += escape_char_columns(c);
			continue;
		}
		count = make_escape(out, s + i, n, c);
		if (b)
			hist_strbuf_add(b, out, count);
		width += count;
	}
	return width;
}

unsigned int hist_escape(struct hist_strbuf *b, const char *s, size_t len, unsigned int flags)
{
	if (!escape_is_plain_ascii(s, len))
		return escape_put_text(b, s, len, flags);
	hist_strbuf_add(b, s, len);
	return len;
}

unsigned int hist_escape_width(const char *s, size_t len, unsigned int flags)
{
	return escape_is_plain_ascii(s, len) ? len : escape_put_text(NULL, s, len, flags);
}

void hist_escape_short(char *buf, size_t size, const char *s)
{
	/* an escape of one byte has at most four bytes ("\\xff"), so the buffer never grows */
	char room[4 * HIST_ESCAPE_SHORT];
	struct hist_strbuf b = { .data = room, .room = sizeof(room) };

	hist_escape(&b, s, strnlen(s, HIST_ESCAPE_SHORT - 1), 0);
	snprintf(buf, size, "%.*s", (int)b.len, b.data);
}
