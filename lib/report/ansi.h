/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * ansi.h - the colours of a terminal
 *
 * All colours that the program writes to a terminal are in the palette (lib/chart/palette.h).  They
 * are numbers of xterm's 256 colours from 16 on, because the user's terminal chooses the colours 0
 * to 15.  Each text has a contrast ratio (WCAG 2) of at least 3:1 to black and to white, because
 * the background of the terminal is not known.  A cell of a heat map has its own text and
 * background: the background has this ratio too, and the text has at least 4.5:1 to its cell.
 */
#ifndef LIB_REPORT_ANSI_H
#define LIB_REPORT_ANSI_H

#include <stdbool.h>

#include "lib/analysis/snapshot_view.h"
#include "lib/base/strbuf.h"
#include "lib/heatmap/heat_scale.h"

enum ansi_style {
	ANSI_PLAIN,
	ANSI_NOTE, /* what was lost, or is uncertain */
	ANSI_WARN,
	ANSI_DIM, /* less important than the rest */
	ANSI_BAR,
	/* verdicts of diff */
	ANSI_PASS,
	ANSI_IMPROVED,
	ANSI_INCONCLUSIVE,
	ANSI_REGRESSED,
	ANSI_INCOMPARABLE,
	/* a cell of a heat map: ANSI_HEAT + level; level 0 is plain */
	ANSI_HEAT,
	ANSI_STYLES = ANSI_HEAT + HIST_HEAT_CHAR_LEVELS,
};

/* Numbers of colours; ANSI_OWN: that of the terminal. */
struct ansi_colours {
	short text, ground;
	bool bold;
};

#define ANSI_OWN -1

const struct ansi_colours *ansi_colours(enum ansi_style style);

/* Begin or end text in @style (ECMA-48 SGR).  They add nothing if @view does not have colours. */
void ansi_begin(struct hist_strbuf *b, const struct hist_view_style *view, enum ansi_style style);
void ansi_end(struct hist_strbuf *b, const struct hist_view_style *view, enum ansi_style style);

#endif
