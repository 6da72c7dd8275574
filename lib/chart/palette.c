// SPDX-License-Identifier: LGPL-2.1
/*
 * palette.c - all colours of charts, pages, the panel and the terminal
 */
#include "lib/chart/palette.h"

uint32_t chart_palette_rgb(enum chart_colour colour, bool dark)
{
#define PALETTE_ROW(name, light, dark, terminal) { light, dark },
	static const uint32_t rows[CHART_COLOURS][2] = { CHART_PALETTE(PALETTE_ROW) };
#undef PALETTE_ROW

	return rows[colour][dark];
}
