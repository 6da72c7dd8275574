/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_screen.h - show a canvas on a terminal, and read its keys
 *
 * If stderr is the terminal, messages are kept while the screen is open, and printed when it is
 * closed.
 */
#ifndef TRACECMD_TOP_TOP_SCREEN_H
#define TRACECMD_TOP_TOP_SCREEN_H

#include "tracecmd/top/top_canvas.h"
#include "tracecmd/top/top_model.h"

struct top_screen;

/* Check that the terminal can be used.  0, or -ENOTSUP after a message.  Changes nothing. */
int top_screen_check(void);

/* Take over the terminal.  0, or -errno after a message. */
int top_screen_open(struct top_screen **screen);

/* Restore the terminal.  @screen may be NULL. */
void top_screen_close(struct top_screen *screen);

/*
 * top_screen_size - set the size of the canvas and of ncurses to that of the terminal
 * -ENOMEM; -ENOTTY if the terminal was closed.
 */
int top_screen_size(struct top_canvas *c);

/* Show the canvas, unless the terminal is not ready for output. */
void top_screen_show(struct top_screen *screen, const struct top_canvas *c);

/* Read the next key into *@key; false if there is none. */
bool top_screen_key(int32_t *key);

#endif
