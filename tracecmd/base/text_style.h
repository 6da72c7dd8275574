/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text_style.h - choose characters, colours and width for a terminal or file
 */
#ifndef TRACECMD_BASE_TEXT_STYLE_H
#define TRACECMD_BASE_TEXT_STYLE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/analysis/snapshot_view.h"

enum text_colour {
	TEXT_COLOUR_AUTO, /* on a terminal with colours, unless NO_COLOR is set */
	TEXT_COLOUR_ALWAYS,
	TEXT_COLOUR_NEVER,
};

/* Set LC_CTYPE from the environment.  True if its characters are UTF-8. */
bool text_is_utf8(void);

/*
 * text_style_detect - set @style for output to @f
 * Unicode: text_is_utf8(), except on a terminal with TERM=dumb.  Width: that of the terminal,
 * otherwise $COLUMNS, otherwise 80.  Colour: @colour.
 */
void text_style_detect(struct hist_view_style *style, FILE *f, enum text_colour colour);

#endif
