/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * palette.h - all colours of charts, pages, the panel and the terminal
 *
 * A colour has a value for light grounds, one for dark grounds, and a number of xterm's 256 colours
 * for terminals, whose ground is not known (lib/report/ansi.h); -1: not used there.
 *
 * Heat levels have one hue range and equal steps of lightness (CIE L*), so that their order is also
 * seen by the colour-blind and on grey; less and more, too.  utest/unit/lib/chart/palette_test.c
 * computes the contrasts.
 *
 * scripts/embed.cmake reads this table, too: "@BAR@" in the CSS of lib/report/html is the colour
 * BAR.
 */
#ifndef LIB_CHART_PALETTE_H
#define LIB_CHART_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

/* X(name, light, dark, terminal) */
#define CHART_PALETTE(X) \
	X(GROUND, 0xffffff, 0x12181f, -1) \
	X(PLOT, 0xf4f6f9, 0x1a222b, -1) /* ground of a plot; in a heat map: zero */ \
	X(GRID, 0xdbe1e8, 0x2c3743, -1) \
	X(TEXT, 0x1c2733, 0xe3e9ef, -1) \
	X(MUTED, 0x566574, 0x9fb0c0, 243) \
	X(BAR, 0x2d6fb0, 0x5aa2e0, 32) \
	X(POINTED, 0x1b4f85, 0x8cc1ef, -1) /* the bar under the mouse */ \
	X(BEFORE, 0x838e9a, 0x9aa7b4, -1) /* the bar before a change */ \
	X(WARN, 0xa3330a, 0xff9d6b, 160) \
	X(MARK, 0xd9480f, 0xff8a4c, -1) /* something was lost, or is important */ \
	X(NOTE, 0xa3330a, 0xff9d6b, 130) \
	X(GOOD, 0x1d8049, 0x5fd093, 28) \
	X(OTHER, 0xb3265f, 0xf07aa8, 163) \
	X(HEAT1, 0x67b3d2, 0x236f80, 60) \
	X(HEAT2, 0x4b9fc6, 0x2c8291, 61) \
	X(HEAT3, 0x368ab9, 0x3f959d, 62) \
	X(HEAT4, 0x2d75a9, 0x56a7a6, 97) \
	X(HEAT5, 0x276098, 0x72baaf, 133) \
	X(HEAT6, 0x264c86, 0x92cbb5, 168) \
	X(HEAT7, 0x25396e, 0xb3dcbd, 167) \
	X(HEAT8, 0x212756, 0xd6ecc7, 196) \
	X(HEAT9, 0x1a173d, 0xfbfbd6, 202) \
	X(LESS1, 0x7fa8d1, 0x35618f, -1) \
	X(LESS2, 0x5a8fc4, 0x4a7fb5, -1) \
	X(LESS3, 0x3a74b0, 0x69a0d6, -1) \
	X(LESS4, 0x245892, 0x95c0ec, -1) \
	X(LESS5, 0x123c6d, 0xc8e0f9, -1) \
	X(MORE1, 0xd6955c, 0x8a5426, -1) \
	X(MORE2, 0xc67a37, 0xb06f34, -1) \
	X(MORE3, 0xab5f1c, 0xd68f4e, -1) \
	X(MORE4, 0x874609, 0xf0b47d, -1) \
	X(MORE5, 0x5e2f03, 0xfbdcbd, -1) \
	X(QUANTILE1, 0x2d6fb0, 0x5aa2e0, -1) \
	X(QUANTILE2, 0xc76a00, 0xf0a040, -1) \
	X(QUANTILE3, 0xb3265f, 0xf07aa8, -1) \
	X(QUANTILE4, 0x5b3fb5, 0xab97f5, -1) \
	X(QUANTILE5, 0x1d8049, 0x5fd093, -1) \
	X(QUANTILE6, 0x59636e, 0xb4bec8, -1) \
	X(PAGE, 0xeef1f5, 0x0b1016, -1) /* around the parts of a page */ \
	X(LINK, 0x1d5fa0, 0x7db9f0, -1) \
	X(WARN_GROUND, 0xfff1e6, 0x2c1a10, -1) /* ground of a warning in a page */ \
	X(WARN_TEXT, 0x7a2a06, 0xffc9a8, -1)

#define CHART_HEAT_LEVELS 9	  /* CHART_HEAT1 + level - 1 */
#define CHART_DIFFERENCE_LEVELS 5 /* CHART_LESS1 and CHART_MORE1 + level - 1 */
#define CHART_QUANTILES 6	  /* CHART_QUANTILE1 + number, then they repeat */

#define CHART_PALETTE_NAME(name, light, dark, terminal) CHART_##name,
enum chart_colour { CHART_PALETTE(CHART_PALETTE_NAME) CHART_COLOURS };
#undef CHART_PALETTE_NAME

/* The numbers for terminals, as constants: CHART_TERMINAL_BAR. */
#define CHART_PALETTE_TERMINAL(name, light, dark, terminal) CHART_TERMINAL_##name = terminal,
enum { CHART_PALETTE(CHART_PALETTE_TERMINAL) };
#undef CHART_PALETTE_TERMINAL

/* chart_palette_rgb - 0xrrggbb, for a light or a dark ground */
uint32_t chart_palette_rgb(enum chart_colour colour, bool dark);

#endif
