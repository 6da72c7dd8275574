/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * escape.h - names that others chose, made safe for a terminal
 *
 * Names come from whoever runs on the target.  So that a task name cannot
 * drive the terminal or forge a line, these are written as escapes: control
 * characters (\n, \t, \x1b), bytes that are not UTF-8 (\xff), the controls of
 * Unicode and what turns the direction of writing (\u202e), and the backslash
 * itself (\\), so that an escaped name has one reading.
 *
 * Functions return the number of columns that the text takes on a terminal;
 * errors are in the buffer.
 */
#ifndef LIB_BASE_ESCAPE_H
#define LIB_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

/* Escape everything that is not ASCII, for terminals without UTF-8. */
#define HIST_ESCAPE_ASCII 0x1

/* Does hist_escape() write the character @c of Unicode as an escape, wherever it stands? */
bool hist_is_control(uint32_t c);

unsigned int hist_escape(struct hist_strbuf *b, const char *s, size_t len, unsigned int flags);
unsigned int hist_escape_width(const char *s, size_t len, unsigned int flags);

/*
 * hist_escape_short - the same into @buf, cut where it is full, and without an allocation
 * Of @s, the first HIST_ESCAPE_SHORT - 1 bytes.
 */
#define HIST_ESCAPE_SHORT 256
void hist_escape_short(char *buf, size_t size, const char *s);

#endif
