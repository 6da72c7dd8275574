/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * ansi.h - colours of a terminal (ECMA-48 SGR; 38;5 and 48;5 of xterm's 256 colours)
 *
 * The functions add nothing if style->colour is false.
 */
#ifndef LIB_REPORT_ANSI_H
#define LIB_REPORT_ANSI_H

#include "lib/analysis/snapshot_view.h"
#include "lib/base/strbuf.h"

#define COLOUR_NOTE "\033[33m" /* yellow: what was lost */
#define COLOUR_BAR "\033[32m"  /* green */

static inline void colour_begin(struct hist_strbuf *b, const struct hist_view_style *style,
				const char *colour)
{
	if (style->colour)
		hist_strbuf_str(b, colour);
}

static inline void colour_end(struct hist_strbuf *b, const struct hist_view_style *style)
{
	if (style->colour)
		hist_strbuf_str(b, "\033[0m");
}

#endif
