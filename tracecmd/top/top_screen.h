/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_screen.h - the terminal that `trace-cmd hist top` is shown on
 *
 * While the screen is open, messages for stderr are held back where stderr is
 * the terminal, and told when it is closed.
 */
#ifndef TRACECMD_TOP_TOP_SCREEN_H
#define TRACECMD_TOP_TOP_SCREEN_H

#include "tracecmd/top/top_canvas.h"
#include "tracecmd/top/top_model.h"

struct top_screen;

/* Can it be used? 0, or -ENOTSUP after a message. Changes nothing. */
int top_screen_check(void);

/* Takes the terminal over; -errno after a message. */
int top_screen_open(struct top_screen **screen);

/* Gives it back as it was.  NULL is fine. */
void top_screen_close(struct top_screen *screen);

/*
 * top_screen_size - the size it has now, for the canvas and for ncurses
 * -ENOMEM; -ENOTTY when the terminal is gone.
 */
int top_screen_size(struct canvas *c);

/* Left out where the terminal takes no output for now. */
void top_screen_show(struct top_screen *screen, const struct canvas *c);

/* The next key that was typed, in *@key; false when there is none. */
bool top_screen_key(int32_t *key);

#endif
