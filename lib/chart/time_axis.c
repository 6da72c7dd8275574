// SPDX-License-Identifier: LGPL-2.1
/*
 * time_axis.c - the time axis below a plot
 */
#include <math.h>

#include "lib/chart/time_axis.h"
#include "lib/label/number.h"

#define TICK 4
#define TICK_LINES 6 /* heights of a line from tick to tick, at least */

uint64_t chart_time_axis_step(uint64_t range, unsigned int most)
{
	static const unsigned int parts[] = { 1, 2, 5 };
	uint64_t least, ten;
	unsigned int i;

	most = most ? most : 1;
	least = range / most + (range % most != 0);
	for (ten = 1;; ten *= 10)
		for (i = 0; i < 3; i++) {
			if (least <= ten * parts[i])
				return ten * parts[i];
			/* twice this does not fit into 64 bits */
			if (ten == UINT64_C(10000000000000000000))
				return UINT64_MAX;
		}
}

void chart_time_axis_put(struct hist_strbuf *b, uint64_t time, uint64_t step, bool ns)
{
	unsigned int digits = 9;
	uint64_t unit = 1;

	if (!ns) {
		hist_number_put_grouped(b, time, false);
		return;
	}
	for (; digits && step % (unit * 10) == 0; digits--)
		unit *= 10;
	hist_strbuf_fixed(b, time / unit, digits);
}

static void time_axis_put_tick(const struct chart_time_axis *t, uint64_t after, uint64_t step,
			       struct hist_strbuf *b)
{
	if (t->start && !after) {
		hist_strbuf_str(b, t->start);
		return;
	}
	if (t->start)
		hist_strbuf_char(b, '+');
	chart_time_axis_put(b, t->relative ? after : t->from + after, step, t->ns);
	if (t->ns && (!t->relative || t->start))
		hist_strbuf_str(b, " s");
}

void chart_time_axis_draw(const struct chart_time_axis *t, const struct chart_font *font,
			  double top, double y, double width, struct chart_scene *scene)
{
	uint64_t range = t->to > t->from ? t->to - t->from : 0, step, time, first = 0;
	double ticks = t->w / (font->line * TICK_LINES), x, half;
	struct hist_strbuf text = { 0 };

	step = chart_time_axis_step(range, fmax(ticks, 1));
	/* from @from on, or from the first whole step on */
	if (!t->relative && t->from % step)
		first = step - t->from % step;
	for (time = first; time <= range; time += step) {
		x = chart_time_axis_at(t, t->from + time);
		chart_scene_line(scene, top < y ? CHART_CLASS_GRID : CHART_CLASS_AXIS, x, top, x,
				 y + TICK);
		time_axis_put_tick(t, time, step, hist_strbuf_clear(&text));
		half = chart_font_width(font, &text) / 2;
		chart_scene_words(scene, CHART_CLASS_TICK, CHART_NO_ITEM, 'm',
				  fmin(x, width - half), y + TICK + font->line, &text);
		if (range - time < step)
			break;
	}
	hist_strbuf_free(&text);
}
