/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * heat_scale.h - counts as a few levels of intensity, on a logarithmic scale
 *
 * Level 0 is the value 0.  Levels 1 to N-1 divide the range of the other values into parts of equal
 * ratio, because counts of one histogram differ by orders of magnitude.  Level i begins at
 *
 *	from[i] = ceil(least * (most / least) ^ ((i - 1) / (N - 1)))
 *
 * so @least has level 1, and @most has the last level.
 */
#ifndef LIB_HEATMAP_HEAT_SCALE_H
#define LIB_HEATMAP_HEAT_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#define HIST_HEAT_MAX 16

/* One character for each of ten levels. */
#define HIST_HEAT_CHARS " .:-=+*#%@"
#define HIST_HEAT_CHAR_LEVELS 10

/* One block character of Unicode for each of five levels. */
#define HIST_HEAT_SHADES { " ", "\xe2\x96\x91", "\xe2\x96\x92", "\xe2\x96\x93", "\xe2\x96\x88" }
#define HIST_HEAT_SHADE_LEVELS 5

/* from[0] is 0; from[1..] never decrease. */
struct hist_heat {
	unsigned int levels;
	uint64_t from[HIST_HEAT_MAX];
};

/*
 * hist_heat_make_scale - make the scale for values from @least to @most
 * @least, @most: of the values that are not 0; both 0 if there are none.
 * @levels: limited to 2..HIST_HEAT_MAX.
 */
void hist_heat_make_scale(struct hist_heat *heat, uint64_t least, uint64_t most,
			  unsigned int levels);

/* False if no value has @level, because the next level begins at the same value. */
bool hist_heat_has_level(const struct hist_heat *heat, unsigned int level);

/* The level of @value: 0 for 0; values outside of the scale have level 1 or the last one. */
unsigned int hist_heat_level(const struct hist_heat *heat, uint64_t value);

#endif
