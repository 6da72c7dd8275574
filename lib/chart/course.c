// SPDX-License-Identifier: LGPL-2.1
/*
 * course.c - numbers over time
 *
 * A band is one path with a box for each column, and its edge is one path with a gap where a column
 * has no numbers.  Edges have different dashes, which keeps bands of the same range apart.
 */
#include <math.h>

#include "lib/chart/course.h"

#define BAND_LEAST 2.0
#define LOG_FROM 32 /* a range of at least this gets a logarithmic scale */
#define TICK 4
#define FEW 3000 /* dots that can be large */
#define DOT_LARGE 5
#define DOT_SMALL 3

static void course_draw_axis(const struct chart_scale *scale, const struct chart_box *plot,
			     const struct chart_font *font, bool whole, void *data,
			     void (*tick)(void *data, double number, struct hist_strbuf *b),
			     struct chart_scene *scene)
{
	struct chart_ticks ticks = chart_scale_ticks(scale, fmax(2, plot->h / (font->line * 1.5)),
						     font->line + 2, whole);
	struct hist_strbuf text = { 0 };
	unsigned int i;

	for (i = 0; i < ticks.n; i++) {
		double y = chart_scale_at(scale, ticks.at[i]);

		chart_scene_line(scene, CHART_CLASS_GRID, plot->x - TICK, y, plot->x + plot->w, y);
		tick(data, ticks.at[i], hist_strbuf_clear(&text));
		chart_scene_words(scene, CHART_CLASS_TICK, CHART_NO_ITEM, 'e', plot->x - 2 * TICK,
				  y + font->line / 3, &text);
	}
	hist_strbuf_free(&text);
}

static struct chart_scale bands_make_scale(const struct chart_bands_figures *f,
					   const struct chart_box *plot)
{
	double low = HUGE_VAL, high = -HUGE_VAL;
	struct chart_scale scale;
	struct chart_span range;
	uint32_t column;
	unsigned int i;
	bool log;

	for (column = 0; column < f->columns; column++)
		for (i = 0; i < f->n; i++)
			if (f->range(f->data, column, i, &range)) {
				low = fmin(low, range.from);
				high = fmax(high, range.to);
			}
	if (low > high)
		low = high = 0;
	log = low >= 0 && high - low >= LOG_FROM;
	if (low == high) {
		low -= 0.5;
		high += 0.5;
	}
	scale = chart_scale_make(log ? CHART_LOG_ONE : CHART_LINEAR, low, high, plot->y + plot->h,
				 plot->y);
	scale.binary = f->binary;
	return scale;
}

static void bands_draw_one(const struct chart_bands_figures *f, const struct chart_scale *scale,
			   const struct chart_box *plot, unsigned int i, bool edge,
			   struct chart_scene *scene)
{
	struct chart_span range, at;
	double left, right, high, low;
	bool on = false;
	uint32_t column;

	chart_scene_points(scene, CHART_PATH, edge ? CHART_CLASS_EDGE : CHART_CLASS_BAND, NULL);
	chart_scene_level(scene, chart_bands_level(i));
	for (column = 0; column < f->columns; column++) {
		if (!f->range(f->data, column, i, &range)) {
			on = false;
			continue;
		}
		at = f->column(f->data, column);
		left = plot->x + at.from * plot->w;
		right = plot->x + at.to * plot->w;
		high = chart_scale_at(scale, range.to);
		low = fmax(chart_scale_at(scale, range.from), high + BAND_LEAST);
		chart_scene_point(scene, left, high, edge && on ? CHART_NO_ITEM : CHART_BEGIN);
		chart_scene_point(scene, right, high, CHART_NO_ITEM);
		on = true;
		if (edge)
			continue;
		chart_scene_point(scene, right, low, CHART_NO_ITEM);
		chart_scene_point(scene, left, low, CHART_NO_ITEM);
	}
}

struct chart_scale chart_bands_draw(const struct chart_bands_figures *f,
				    const struct chart_box *plot, const struct chart_font *font,
				    struct chart_scene *scene)
{
	struct chart_scale scale = bands_make_scale(f, plot);
	unsigned int i;

	course_draw_axis(&scale, plot, font, true, f->data, f->tick, scene);
	/* the lowest first: its solid line shows through the gaps of the other lines */
	for (i = 0; i < f->n; i++) {
		bands_draw_one(f, &scale, plot, i, false, scene);
		bands_draw_one(f, &scale, plot, i, true, scene);
	}
	return scale;
}

static bool dots_has(double at)
{
	return at >= 0 && at <= 1;
}

/* With some space above, and on a log scale also below. */
static struct chart_scale dots_make_scale(const struct chart_dots_figures *f,
					  const struct chart_box *plot)
{
	double least = HUGE_VAL, most = 0, bottom = plot->y + plot->h, at, number;
	uint32_t i;

	for (i = 0; i < f->n; i++) {
		number = f->number(f->data, i, &at);
		if (!dots_has(at))
			continue;
		least = number > 0 ? fmin(least, number) : least;
		most = fmax(most, number);
	}
	if (!(most > 0))
		least = most = 1;
	if (f->log)
		return chart_scale_make(CHART_LOG, least * 0.7, most * 1.3, bottom, plot->y);
	return chart_scale_make(CHART_LINEAR, 0, most * 1.04, bottom, plot->y);
}

struct chart_scale chart_dots_draw(const struct chart_dots_figures *f,
				   const struct chart_box *plot, const struct chart_font *font,
				   struct chart_scene *scene)
{
	struct chart_scale scale = dots_make_scale(f, plot);
	double at, number;
	uint32_t i;

	course_draw_axis(&scale, plot, font, false, f->data, f->tick, scene);
	chart_scene_points(scene, CHART_DOTS, CHART_CLASS_BAR, plot);
	chart_scene_size(scene, f->n > FEW ? DOT_SMALL : DOT_LARGE);
	for (i = 0; i < f->n; i++) {
		number = f->number(f->data, i, &at);
		if (dots_has(at))
			chart_scene_point(scene, plot->x + plot->w * at,
					  chart_scale_at(&scale, number), i);
	}
	return scale;
}
