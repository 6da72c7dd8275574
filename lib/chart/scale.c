// SPDX-License-Identifier: LGPL-2.1
/*
 * scale.c - map numbers to positions, and select the ticks of an axis
 */
#include <math.h>

#include "lib/chart/scale.h"

#define CLOSE 1e-12 /* rounding must not remove a tick at the end */

static const unsigned int scale_parts[] = { 1, 2, 5 };

struct chart_scale chart_scale_make(enum chart_scale_kind kind, double low, double high,
				    double from, double to)
{
	if (kind == CHART_LOG && !(low > 0))
		low = 0.5;
	if (kind == CHART_LOG_ONE && low < 0)
		low = 0;
	if (!(high > low))
		high = kind == CHART_LINEAR ? low + 1 : low * 10 + 1;
	return (struct chart_scale){ kind, low, high, from, to, false };
}

/* A number as a length that is proportional to the distance on the axis. */
static double scale_put(const struct chart_scale *s, double number)
{
	switch (s->kind) {
	case CHART_LOG:
		return log10(number > 0 ? number : s->low);
	case CHART_LOG_ONE:
		return number > 0 ? log10(1 + number) : 0;
	default:
		return number;
	}
}

double chart_scale_at(const struct chart_scale *s, double number)
{
	double low = scale_put(s, s->low),
	       part = (scale_put(s, number) - low) / (scale_put(s, s->high) - low);

	part = part < 0 ? 0 : part > 1 ? 1 : part;
	return s->from + (s->to - s->from) * part;
}

static void scale_add(struct chart_ticks *ticks, double number)
{
	if (ticks->n < CHART_TICKS_MAX)
		ticks->at[ticks->n++] = number;
}

static double scale_step(double range, unsigned int most, bool binary)
{
	double raw = range / most, ten = pow(10, floor(log10(raw)));
	unsigned int i;

	if (binary)
		return exp2(ceil(log2(raw) - CLOSE));
	for (i = 0; i < 3; i++)
		if (raw <= scale_parts[i] * ten * 1.000001)
			return scale_parts[i] * ten;
	return 10 * ten;
}

static void scale_add_linear(struct chart_ticks *ticks, const struct chart_scale *s,
			     unsigned int most, bool whole)
{
	double step = scale_step(s->high - s->low, most, s->binary), first, i;

	if (whole && step < 1)
		step = 1;
	first = s->low / step;
	for (i = ceil(first - fabs(first) * CLOSE); i * step <= s->high + fabs(s->high) * CLOSE;
	     i++)
		scale_add(ticks, i * step);
}

static void scale_add_decades(struct chart_ticks *ticks, const struct chart_scale *s,
			      unsigned int most)
{
	double base = s->binary ? 2 : 10, unit = log10(base);
	int first = floor(log10(s->low > 0 ? s->low : 1) / unit + 1e-9);
	int last = ceil(log10(s->high) / unit - 1e-9), decades = last - first + 1;
	int every = (decades + (int)most - 1) / (int)most;
	unsigned int parts = !s->binary && decades * 3 <= (int)most ? 3 : 1, k;
	int i;

	if (s->kind == CHART_LOG_ONE && s->low <= 0)
		scale_add(ticks, 0);
	/* if decades are skipped, 1 is not skipped */
	first = (int)floor((double)first / every) * every;
	for (i = first; i <= last; i += every)
		for (k = 0; k < parts; k++) {
			double number = scale_parts[k] * pow(base, i);

			if (number >= s->low && number <= s->high * (1 + CLOSE))
				scale_add(ticks, number);
		}
}

struct chart_ticks chart_scale_ticks(const struct chart_scale *s, unsigned int most, double apart,
				     bool whole)
{
	double room = apart > 0 ? fabs(s->to - s->from) / apart : most;
	struct chart_ticks all = { 0 }, kept = { 0 };
	unsigned int i;

	if (most > room)
		most = room;
	most = most < 1 ? 1 : most > CHART_TICKS_MAX - 2 ? CHART_TICKS_MAX - 2 : most;
	if (s->kind != CHART_LINEAR)
		scale_add_decades(&all, s, most);
	/* also for example for a log scale from 300 to 900 */
	if (all.n < 2) {
		all.n = 0;
		scale_add_linear(&all, s, most, whole);
	}
	for (i = 0; i < all.n; i++) {
		if (whole && all.at[i] != floor(all.at[i]))
			continue;
		if (!kept.n || fabs(chart_scale_at(s, all.at[i]) -
				    chart_scale_at(s, kept.at[kept.n - 1])) >= apart)
			scale_add(&kept, all.at[i]);
	}
	return kept;
}
