// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_story.c - the time line of an episode (lib/chart/lanes.h)
 *
 * A row for each of the largest parts, and a box for each of its spans.  A box of merged spans has
 * a lighter colour, because its time belongs to several parts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/chart/lanes.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"

#define NAME_COLUMNS 24
#define ROWS_SHOWN 8
#define SPANS_SHOWN 400

struct story_chart {
	const struct hist_story *story;
	struct hist_story_span *spans;
};

static struct chart_span svg_story_span(void *data, uint32_t i, uint32_t *row, bool *merged)
{
	const struct story_chart *c = data;
	const struct hist_story_span *span = &c->spans[i];
	double all = c->story->end - c->story->start;

	*row = span->part;
	*merged = span->merged > 1;
	return (struct chart_span){ (span->from - c->story->start) / all,
				    (span->to - c->story->start) / all };
}

static void svg_story_name(void *data, uint32_t row, struct hist_strbuf *b)
{
	const struct story_chart *c = data;

	hist_report_frame_put(b, &c->story->parts[row].what, 0);
}

static void svg_story_title(void *data, uint32_t i, struct hist_strbuf *b)
{
	const struct story_chart *c = data;
	const struct hist_story_span *span = &c->spans[i];

	hist_report_offset_put(b, span->from - c->story->start);
	hist_strbuf_str(b, ", ");
	hist_unit_put(b, span->to - span->from, false, HIST_UNIT_NS);
	hist_strbuf_str(b, ": ");
	svg_story_name(data, span->part, b);
	if (span->merged > 1)
		hist_strbuf_printf(b, " and others, %" PRIu32 " spans", span->merged);
}

static void svg_story_tick(void *data, unsigned int third, struct hist_strbuf *b)
{
	const struct hist_story *s = ((const struct story_chart *)data)->story;

	hist_report_offset_put(b, (s->end - s->start) / 2 * third);
}

double svg_draw_story(struct hist_strbuf *b, const struct hist_story *s, double width)
{
	struct story_chart c = { s, calloc(s->nspans + 1ul, sizeof(*c.spans)) };
	struct chart_spans_figures f = {
		.data = &c,
		.rows = s->nparts < ROWS_SHOWN ? s->nparts : ROWS_SHOWN,
		.span = svg_story_span,
		.label = svg_story_name,
		.title = svg_story_title,
		.tick = svg_story_tick,
	};
	struct chart_scene scene = { 0 };
	double height;

	if (!c.spans) {
		hist_strbuf_fail(b, -ENOMEM);
		return 0;
	}
	if (s->nspans)
		memcpy(c.spans, s->spans, s->nspans * sizeof(*c.spans));
	f.n = hist_story_shorten(c.spans, s->nspans, SPANS_SHOWN, false);
	chart_spans_draw(&f, width, NAME_COLUMNS * SVG_CHAR, &svg_font, &scene);
	height = svg_put_scene(b, &scene);
	chart_scene_free(&scene);
	free(c.spans);
	return height;
}
