/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * utf8.h - decode one character of UTF-8 (RFC 3629)
 */
#ifndef LIB_BASE_UTF8_H
#define LIB_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * utf8_decode - decode the character at @s, of at most @len bytes
 * Returns its length, 1 to 4, and sets *@code.  Returns 0 and sets *@code to 0 if the bytes are not
 * valid UTF-8.  Overlong forms, surrogates and values above U+10FFFF are not valid.
 */
static inline size_t utf8_decode(const char *s, size_t len, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	size_t n, i;
	uint32_t c;

	*code = 0;
	if (!len)
		return 0;
	c = p[0];
	if (c < 0x80) {
		*code = c;
		return 1;
	}
	if (c < 0xc2 || c > 0xf4)
		return 0;
	n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	c &= 0x7f >> n;
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*code = c;
	return n;
}

#endif
