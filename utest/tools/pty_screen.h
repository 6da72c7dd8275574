/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pty_screen.h - what a terminal shows after the bytes that were written to it
 *
 * As much of a vt100, xterm and the Linux console as ncurses uses.  Colours
 * are not kept.  Every character takes one column.
 */
#ifndef UTEST_TOOLS_PTY_SCREEN_H
#define UTEST_TOOLS_PTY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pty_screen {
	unsigned int rows, columns;
	char (*cells)[5]; /* UTF-8 with a NUL */
	unsigned int row, column, top, bottom; /* the scrolling region, both included */
	unsigned int saved_row, saved_column;
	bool wrap; /* the next character begins a new line */
	char last[5];
	char sequence[64]; /* one that has begun, or a part of a character */
	size_t used;
	char unknown[80]; /* what feed() did not understand */
};

/* Begin with all zero; keeps what still fits.  Ends the program without memory. */
void pty_screen_resize(struct pty_screen *s, unsigned int rows, unsigned int columns);
void pty_screen_clear(struct pty_screen *s);

/* False at a sequence that is not known: see @unknown. */
bool pty_screen_feed(struct pty_screen *s, const char *data, size_t len);

/* Lines without blanks at their ends; free it. */
char *pty_screen_text(const struct pty_screen *s);

#endif
