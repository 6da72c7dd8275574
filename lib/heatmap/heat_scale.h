/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heat_scale.h - counts as a few levels of intensity, on a log scale
 *
 * Level 0 is "nothing".  Levels 1 to N-1 divide the range from the least to
 * the largest value that is not 0 into parts of equal ratio, as counts of one
 * histogram differ by orders of magnitude.  Level i begins at
 *
 *	from[i] = ceil(least * (most / least) ^ ((i - 1) / (N - 1)))
 *
 * so that @least has level 1 and @most the last one.
 */
#ifndef LIB_HEATMAP_HEAT_SCALE_H
#define LIB_HEATMAP_HEAT_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#define HIST_HEAT_MAX 16

/* " .:-=+*#%@": one character a level, for ten levels. */
#define HIST_HEAT_CHARS " .:-=+*#%@"
#define HIST_HEAT_CHAR_LEVELS 10

/* The same in blocks of Unicode, for five levels. */
#define HIST_HEAT_SHADES { " ", "\xe2\x96\x91", "\xe2\x96\x92", "\xe2\x96\x93", "\xe2\x96\x88" }
#define HIST_HEAT_SHADE_LEVELS 5

/*
 * Blue to red to white: brighter for more, in the 6x6x6 cube of 256 colours, for
 * ten levels; level 0 is no colour.
 */
#define HIST_HEAT_COLOURS { -1, 17, 19, 54, 90, 126, 161, 202, 214, 229 }
/* From this level on text on the colour is black, else white. */
#define HIST_HEAT_BRIGHT 7

/* Plain data.  from[0] is 0; from[1..] never fall. */
struct hist_heat {
	unsigned int levels;
	uint64_t from[HIST_HEAT_MAX];
};

/*
 * hist_heat_scale - the scale for values from @least to @most
 * @least, @most: of the values that are not 0; both 0 where there is none.
 * @levels: 2 to HIST_HEAT_MAX, cut to that.
 */
void hist_heat_scale(struct hist_heat *heat, uint64_t least, uint64_t most, unsigned int levels);

/* False for a level that no value has, as the next begins where it does. */
bool hist_heat_has(const struct hist_heat *heat, unsigned int level);

/* 0 for 0; a value below the scale has level 1, one above it the last. */
unsigned int hist_heat_level(const struct hist_heat *heat, uint64_t value);

#endif
