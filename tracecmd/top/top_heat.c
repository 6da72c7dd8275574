// SPDX-License-Identifier: GPL-2.0
/*
 * top_heat.c - the last intervals as columns, the newest at the right
 *
 * Each cell shows the rate of its row in its interval, so that intervals of
 * different length compare.  The scale is that of all cells that the columns
 * hold, also of rows that do not fit on the screen, and stands in the head:
 * the rate at which each level begins.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/label/label.h"
#include "tracecmd/top/top_view.h"

#define MAP_LEAST 12

static uint64_t cell_rate(const struct top_page *p, const struct top_line *line, unsigned int back)
{
	int64_t rate;

	if (line->entry == HIST_NO_ENTRY)
		return 0;
	rate = top_rate(p->schema, p->value, top_interval(p->h, back), line->entry);
	return rate < 0 ? 0 : rate;
}

static void measure_scale(struct top_page *p)
{
	uint64_t least = 0, most = 0, rate;
	unsigned int back;
	uint32_t line;

	for (line = 0; line < p->h->nlines; line++) {
		for (back = 0; back < p->intervals; back++) {
			rate = cell_rate(p, &p->h->lines[line], back);
			if (rate > most)
				most = rate;
			if (rate && (!least || rate < least))
				least = rate;
		}
	}
	hist_heat_scale(&p->heat, least, most, HIST_HEAT_CHAR_LEVELS);
	p->most = most;
}

static void measure(struct top_page *p)
{
	unsigned int columns = p->c->columns, used;
	char text[256];
	uint32_t line;

	p->drawn = (struct top_column){ TOP_RATE, p->value < 0 ? 0 : p->value };
	if (p->value >= 0) {
		top_column_title(p->h, &p->drawn, text, sizeof(text));
		p->number = strlen(text);
		for (line = p->from; line < p->to; line++) {
			top_cell_text(p, &p->drawn, &p->h->lines[line], text, sizeof(text));
			if (strlen(text) > p->number)
				p->number = strlen(text);
		}
	}
	used = p->number + 2 + MAP_LEAST;
	top_measure_keys(p, columns > used && columns - used < columns / 2 ? columns - used :
									     columns / 2);
	used = top_keys_width(p) + p->number + 2;
	p->bar = columns > used ? columns - used : 0;
	p->intervals = p->bar < p->h->n ? p->bar : p->h->n;
	if (p->value >= 0)
		measure_scale(p);
}

/* "scale /s:  . 1  : 4  - 16 ...": where each level begins. */
static void draw_scale(struct top_page *p, unsigned int row)
{
	unsigned int at, i;
	char text[48], rate[32];

	at = canvas_str(p->c, row, 0, CANVAS_DIM, "per second:");
	if (!p->most) {
		canvas_str(p->c, row, at + 2, CANVAS_DIM, "nothing yet");
		return;
	}
	for (i = 1; i < p->heat.levels; i++) {
		if (!hist_heat_has(&p->heat, i))
			continue;
		hist_rate_text(p->heat.from[i], rate, sizeof(rate));
		snprintf(text, sizeof(text), "%s", rate);
		canvas_heat(p->c, row, at + 1, i);
		at += 3;
		at += canvas_str(p->c, row, at, CANVAS_DIM, text);
	}
}

/* "-1m20s ... now" over the map. */
static void draw_times(struct top_page *p, unsigned int row, unsigned int at)
{
	const struct top_interval *newest = top_interval(p->h, 0), *oldest;
	unsigned int left, right = at + p->bar;
	char text[32];
	uint64_t ns;

	if (!p->intervals)
		return;
	oldest = top_interval(p->h, p->intervals - 1);
	ns = newest->end_ns - oldest->end_ns + oldest->length_ns;
	snprintf(text, sizeof(text), "-%.3g s", ns / 1e9);
	left = right - p->intervals;
	if (p->intervals > strlen(text) + 5)
		canvas_str(p->c, row, left, CANVAS_HEAD, text);
	if (right >= 3)
		canvas_str(p->c, row, right - 3, CANVAS_HEAD, "now");
}

static void head(struct top_page *p, unsigned int row)
{
	unsigned int at = top_keys_width(p);
	char title[256];

	top_keys_head(p, row + 1);
	if (p->value < 0) {
		canvas_str(p->c, row, 0, CANVAS_DIM, "no sum to draw over time");
		return;
	}
	draw_scale(p, row);
	top_column_title(p->h, &p->drawn, title, sizeof(title));
	canvas_text(p->c, row + 1, at, p->number,
		    top_is_sorted(p, &p->drawn) ? CANVAS_HEAD_SORT : CANVAS_HEAD, true, title,
		    strlen(title));
	draw_times(p, row + 1, at + p->number + 2);
}

static void draw_line(struct top_page *p, unsigned int row, const struct top_line *line)
{
	unsigned int at = top_keys_width(p), back;
	char text[64];

	top_keys_line(p, row, line);
	if (line->more) {
		snprintf(text, sizeof(text), "(%" PRIu64 " empty)", line->more);
		canvas_str(p->c, row, at, CANVAS_DIM, text);
		return;
	}
	if (p->value < 0)
		return;
	top_cell_text(p, &p->drawn, line, text, sizeof(text));
	canvas_text(p->c, row, at, p->number,
		    line->entry == HIST_NO_ENTRY ? CANVAS_DIM : CANVAS_PLAIN, true, text,
		    strlen(text));
	at += p->number + 2 + p->bar - 1;
	for (back = 0; back < p->intervals; back++)
		canvas_heat(p->c, row, at - back,
			    hist_heat_level(&p->heat, cell_rate(p, line, back)));
}

const struct top_view_ops top_heat_view = {
	.name = "heatmap",
	.head_rows = 2,
	.measure = measure,
	.head = head,
	.line = draw_line,
};
