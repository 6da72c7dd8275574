/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * escape.h - escape untrusted names for a terminal
 *
 * Names come from programs on the target.  A task name must not control the terminal or forge a
 * line.  These characters are written as escapes: control characters (\n, \t, \x1b), bytes that are
 * not UTF-8 (\xff), control characters of Unicode and characters that change the direction of
 * writing (\u202e), and the backslash (\\).  The escaped backslash makes an escaped name
 * unambiguous.
 *
 * The functions return the number of columns of the text on a terminal.  Errors are kept in the
 * buffer.
 */
#ifndef LIB_BASE_ESCAPE_H
#define LIB_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

/* Escape everything that is not ASCII, for terminals without UTF-8. */
#define HIST_ESCAPE_ASCII 0x1

/* Does hist_escape() always escape the Unicode character @c? */
bool hist_escape_is_control(uint32_t c);

unsigned int hist_escape(struct hist_strbuf *b, const char *s, size_t len, unsigned int flags);
unsigned int hist_escape_width(const char *s, size_t len, unsigned int flags);

/*
 * hist_escape_short - escape into @buf without an allocation; truncate the result to @size
 * Only the first HIST_ESCAPE_SHORT - 1 bytes of @s are used.
 */
#define HIST_ESCAPE_SHORT 256
void hist_escape_short(char *buf, size_t size, const char *s);

#endif
