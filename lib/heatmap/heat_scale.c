// SPDX-License-Identifier: LGPL-2.1
/*
 * heat_scale.c - counts as levels of intensity
 *
 * Invariant: a level is found by comparing with the bounds that a legend prints, so that no value
 * is on the wrong side of a printed bound.
 */
#include <math.h>
#include <string.h>

#include "lib/heatmap/heat_scale.h"

void hist_heat_make_scale(struct hist_heat *heat, uint64_t least, uint64_t most,
			  unsigned int levels)
{
	double ratio, bound;
	unsigned int i;

	if (levels < 2)
		levels = 2;
	if (levels > HIST_HEAT_MAX)
		levels = HIST_HEAT_MAX;
	if (!least)
		least = 1;
	if (most < least)
		most = least;
	memset(heat, 0, sizeof(*heat));
	heat->levels = levels;
	ratio = log((double)most / least);
	for (i = 1; i < levels; i++) {
		/* rounding must not lift a bound that is a whole number to the next one */
		bound = ceil(least * exp(ratio * (i - 1) / (levels - 1)) * (1 - 1e-12));
		/* above 2^53 a double may be rounded up beyond the end */
		heat->from[i] = bound >= (double)most ? most : (uint64_t)bound;
		if (i == 1)
			heat->from[i] = least;
	}
}

bool hist_heat_has_level(const struct hist_heat *heat, unsigned int level)
{
	return level + 1 >= heat->levels || heat->from[level + 1] != heat->from[level];
}

unsigned int hist_heat_level(const struct hist_heat *heat, uint64_t value)
{
	unsigned int i;

	if (!value)
		return 0;
	for (i = heat->levels - 1; i > 1; i--)
		if (value >= heat->from[i])
			break;
	return i;
}
