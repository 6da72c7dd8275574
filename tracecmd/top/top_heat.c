// SPDX-License-Identifier: GPL-2.0
/*
 * top_heat.c - the last intervals as columns, the newest at the right
 *
 * A cell shows the rate of its row in its interval, so that intervals of different length are
 * comparable.  The scale covers all rows, also those that do not fit on the screen.  The head
 * shows the lowest rate of each level.
 */
#include <string.h>

#include "lib/label/label.h"
#include "lib/label/number.h"
#include "tracecmd/top/top_view.h"

static void top_heat_choose(struct top_page *p)
{
	p->drawn = top_rate_column(p->h);
}

static void top_heat_measure_columns(struct top_page *p)
{
	uint64_t least = 0, rate;
	unsigned int back;
	uint32_t line;

	p->intervals = p->room < p->h->n ? p->room : p->h->n;
	for (line = 0; line < p->h->nlines; line++) {
		for (back = 0; back < p->intervals; back++) {
			rate = top_line_rate(p, &p->h->lines[line], back);
			if (rate > p->most)
				p->most = rate;
			if (rate && (!least || rate < least))
				least = rate;
		}
	}
	hist_heat_make_scale(&p->heat, least, p->most, HIST_HEAT_CHAR_LEVELS);
}

/* "per second: . 1 : 4 - 16 ...": the lowest rate of each level. */
static void draw_scale(struct top_page *p, unsigned int row)
{
	unsigned int at, i;
	char rate[32];

	at = top_canvas_put_str(p->c, row, 0, CANVAS_DIM, "per second:");
	if (!p->most) {
		top_canvas_put_str(p->c, row, at + 2, CANVAS_DIM, "no hits yet");
		return;
	}
	for (i = 1; i < p->heat.levels; i++) {
		if (!hist_heat_has_level(&p->heat, i))
			continue;
		hist_number_format_rate(p->heat.from[i], rate, sizeof(rate));
		top_canvas_put_heat(p->c, row, at + 1, i);
		at += 3;
		at += top_canvas_put_str(p->c, row, at, CANVAS_DIM, rate);
	}
}

/* "-80 s ... now" above the map. */
static void draw_times(struct top_page *p, unsigned int row)
{
	const struct top_interval *newest = top_interval(p->h, 0), *oldest;
	unsigned int right = p->at + p->room;
	char text[32];
	uint64_t ns;

	if (!p->intervals)
		return;
	oldest = top_interval(p->h, p->intervals - 1);
	ns = newest->end_ns - oldest->end_ns + oldest->length_ns;
	snprintf(text, sizeof(text), "-%.3g s", ns / 1e9);
	if (p->intervals > strlen(text) + 5)
		top_canvas_put_str(p->c, row, right - p->intervals, CANVAS_HEAD, text);
	if (right >= 3)
		top_canvas_put_str(p->c, row, right - 3, CANVAS_HEAD, "now");
}

static void top_heat_draw_head(struct top_page *p, unsigned int row)
{
	if (!p->drawn) {
		top_canvas_put_str(p->c, row, 0, CANVAS_DIM, "a heat map needs the hit count or "
				   "the sum of a field");
		return;
	}
	draw_scale(p, row);
	draw_times(p, row + 1);
}

static void top_heat_draw_line(struct top_page *p, unsigned int row, const struct top_line *line)
{
	unsigned int back;

	for (back = 0; back < p->intervals; back++)
		top_canvas_put_heat(p->c, row, p->at + p->room - 1 - back,
				    hist_heat_level(&p->heat, top_line_rate(p, line, back)));
}

const struct top_view_ops top_heat_view = {
	.head_rows = 2,
	.least = 12,
	.keys_sixths = 3,
	.choose = top_heat_choose,
	.measure = top_heat_measure_columns,
	.head = top_heat_draw_head,
	.line = top_heat_draw_line,
};
