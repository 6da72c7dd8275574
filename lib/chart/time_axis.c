// SPDX-License-Identifier: LGPL-2.1
/*
 * time_axis.c - the time axis below a plot
 */
#include <math.h>

#include "lib/chart/scale.h"
#include "lib/chart/time_axis.h"

#define TICK 4
#define TICK_LINES 6 /* heights of a line from tick to tick, at least */

double chart_time_axis_at(const struct chart_time_axis *t, uint64_t time)
{
	/* exact for times near each other, also far beyond 2^53 */
	double after = time >= t->from ? (double)(time - t->from) : -(double)(t->from - time);

	return t->x + (t->to > t->from ? t->w * (after / (double)(t->to - t->from)) : 0);
}

void chart_time_axis_draw(const struct chart_time_axis *t, const struct chart_font *font,
			  double top, double y, double width, struct chart_scene *scene)
{
	uint64_t range = t->to > t->from ? t->to - t->from : 0, step, time, first = 0;
	double ticks = t->w / (font->line * TICK_LINES), x, half;
	struct hist_strbuf text = { 0 };

	step = chart_scale_time_step(range, fmax(ticks, 1));
	/* from @from on, or from the first whole step on */
	if (!t->relative && t->from % step)
		first = step - t->from % step;
	for (time = first; time <= range; time += step) {
		x = chart_time_axis_at(t, t->from + time);
		chart_scene_line(scene, top < y ? CHART_CLASS_GRID : CHART_CLASS_AXIS, x, top, x,
				 y + TICK);
		chart_scale_put_time(hist_strbuf_clear(&text), t->relative ? time : t->from + time,
				     step, t->ns);
		if (t->ns && !t->relative)
			hist_strbuf_str(&text, " s");
		half = chart_font_width(font, &text) / 2;
		chart_scene_words(scene, CHART_CLASS_TICK, CHART_NO_ITEM, 'm',
				  fmin(x, width - half), y + TICK + font->line, &text);
		if (range - time < step)
			break;
	}
	hist_strbuf_free(&text);
}
