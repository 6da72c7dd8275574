/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text_style.h - what the terminal, or the file, that is written to can show
 */
#ifndef TRACECMD_BASE_TEXT_STYLE_H
#define TRACECMD_BASE_TEXT_STYLE_H

#include <stdio.h>

#include "lib/analysis/snapshot_view.h"

enum text_colour {
	TEXT_COLOUR_AUTO, /* on a terminal that has colours, unless NO_COLOR says no */
	TEXT_COLOUR_ALWAYS,
	TEXT_COLOUR_NEVER,
};

/* "auto", "always", "never": 0, or -EINVAL. */
int text_colour_parse(enum text_colour *colour, const char *word);

/*
 * text_style - Unicode by the locale (LC_CTYPE is set from the environment), ASCII
 * on a terminal with TERM=dumb; the width of the terminal, else $COLUMNS, else 80;
 * colour as @colour says
 */
void text_style(struct hist_view_style *style, FILE *f, enum text_colour colour);

#endif
