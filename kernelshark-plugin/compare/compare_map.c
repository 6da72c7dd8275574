// SPDX-License-Identifier: GPL-2.0
/*
 * compare_map.c - the difference of two heat maps, over time since the begin of each window
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "kernelshark-plugin/compare/compare.h"
#include "lib/base/error.h"

/* Less than this part of the largest difference has no colour. */
#define NEUTRAL 0.01

static uint64_t compare_map_begin(const struct hist_heatmap *map)
{
	return map->columns[0].from;
}

static uint64_t compare_map_length(const struct hist_heatmap *map)
{
	return map->columns[map->ncolumns - 1].to - compare_map_begin(map);
}

/* The time that column @from has in bin @bin, in ns. */
static double compare_map_overlap(const struct compared_map *m, const struct hist_heatmap *from,
				  unsigned int column, unsigned int bin)
{
	const uint64_t begin = compare_map_begin(from);
	const double c1 = from->columns[column].from - begin, c2 = from->columns[column].to - begin;
	const double b1 = (double)bin * m->step, b2 = b1 + m->step;
	const double least = c1 > b1 ? c1 : b1, most = c2 < b2 ? c2 : b2;

	return most > least ? most - least : 0;
}

/* Add one column of the figures to all bins that it covers; @seconds: the time of each bin. */
static void compare_map_add_column(struct compared_map *m, const struct compared *c, int side,
				   unsigned int column, double *seconds)
{
	const struct hist_heatmap *from = c->side[side]->map;
	const struct hist_heat_column *col = &from->columns[column];
	const uint64_t length = col->to - col->from;
	const uint64_t first = (col->from - compare_map_begin(from)) / m->step;
	unsigned int bin;
	uint32_t i, row;

	for (bin = first; length && bin < m->ncolumns; bin++) {
		const double part = compare_map_overlap(m, from, column, bin);

		if (part <= 0 && bin > first)
			break;
		seconds[bin] += part / 1e9;
		for (i = row = 0; i < from->nrows; i++) {
			if (from->rows[i].empty || !from->rows[i].cells)
				continue;
			/* both ascend */
			while (row < c->n && c->rows[row].ge != from->rows[i].ge)
				row++;
			if (row < c->n)
				m->rate[side][(size_t)row * m->ncolumns + bin] +=
					from->rows[i].cells[column] * part / length;
		}
	}
}

/* Counts of a bin become rates; a bin without recorded time is unknown. */
static int compare_map_fill(struct compared_map *m, const struct compared *c, int side)
{
	const struct hist_heatmap *from = c->side[side]->map;
	double *seconds = calloc(m->ncolumns, sizeof(*seconds));
	unsigned int column, bin;
	uint32_t row;

	if (!seconds)
		return -ENOMEM;
	for (column = 0; column < from->ncolumns; column++)
		compare_map_add_column(m, c, side, column, seconds);
	for (row = 0; row < m->nrows; row++)
		for (bin = 0; bin < m->ncolumns; bin++) {
			double *rate = &m->rate[side][(size_t)row * m->ncolumns + bin];

			*rate = seconds[bin] > 0 ? *rate / seconds[bin] : NAN;
		}
	free(seconds);
	return 0;
}

int compare_make_map(struct compared_map **map, const struct compared *c, unsigned int columns,
		     struct hist_error *error)
{
	uint64_t length = 0;
	struct compared_map *m;
	unsigned int bin;
	uint32_t row;
	int s, ret = 0;

	for (s = 0; s < SIDES; s++) {
		const struct hist_heatmap *from = c->side[s]->map;

		if (!c->has_axis || !c->has_rates || !from || !from->ncolumns || from->merged)
			return hist_error_set(
				error, -EOPNOTSUPP, "%s",
				!c->has_axis ? "no key is a quantity, such as a duration or a size"
					     : "the times of the intervals of \"before\" or "
					       "\"after\" are unknown");
		length = compare_map_length(from) > length ? compare_map_length(from) : length;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->nrows = c->n;
	m->ncolumns = columns;
	m->step = length / columns + 1;
	for (s = 0; s < SIDES && !ret; s++) {
		m->rate[s] = calloc((size_t)m->nrows * columns + 1, sizeof(*m->rate[s]));
		ret = m->rate[s] ? compare_map_fill(m, c, s) : -ENOMEM;
	}
	if (ret) {
		compare_free_map(m);
		return ret;
	}
	for (row = 0; row < m->nrows; row++)
		for (bin = 0; bin < columns; bin++) {
			const double size = fabs(compare_map_difference(m, row, bin));

			m->most = size > m->most ? size : m->most;
		}
	*map = m;
	return 0;
}

void compare_free_map(struct compared_map *m)
{
	if (!m)
		return;
	free(m->rate[BEFORE]);
	free(m->rate[AFTER]);
	free(m);
}

double compare_map_difference(const struct compared_map *m, uint32_t row, unsigned int column)
{
	const size_t at = (size_t)row * m->ncolumns + column;

	return m->rate[AFTER][at] - m->rate[BEFORE][at];
}

int compare_level(double difference, double most, int levels)
{
	const double size = fabs(difference);
	int level;

	if (!(size > 0) || size < most * NEUTRAL)
		return 0;
	level = levels + (int)ceil(log2(size / most));
	level = level < 1 ? 1 : level > levels ? levels : level;
	return difference < 0 ? -level : level;
}
