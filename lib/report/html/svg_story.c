// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_story.c - the time line of an episode as a Gantt chart
 *
 * A row for each of the largest parts, and a box for each of its spans.  A box of merged spans has
 * a lighter colour, because its time belongs to several parts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"
#include "lib/report/xml.h"

#define NAME_COLUMNS 24
#define LEFT (NAME_COLUMNS * SVG_CHAR + 12)
#define RIGHT 8
#define ROW 20
#define ROWS_SHOWN 8
#define SPANS_SHOWN 400

struct story_chart {
	struct hist_strbuf *b;
	struct hist_strbuf text;
	const struct hist_story *story;
	double width; /* of the time */
};

/* The names of the parts, one for each row. */
static void svg_story_put_names(struct story_chart *c, uint32_t rows)
{
	struct chart_scene scene = { 0 };
	struct hist_cut names;
	uint32_t i;

	hist_cut_init(&names, hist_cut_columns, NULL, HIST_CUT_MARK);
	for (i = 0; i < rows; i++) {
		hist_report_frame_put(hist_strbuf_clear(&c->text), &c->story->parts[i].what, 0);
		hist_cut_add(&names, &c->text);
	}
	hist_strbuf_fail(c->b, hist_cut_fit(&names, NAME_COLUMNS));
	for (i = 0; i < rows && !names.error; i++)
		chart_scene_label(&scene, CHART_CLASS_LABEL, CHART_NO_ITEM, 'e', LEFT - 6,
				  i * ROW + 14, &names, i);
	svg_put_scene(c->b, &scene);
	chart_scene_free(&scene);
	hist_cut_free(&names);
}

static void svg_story_put_span(struct story_chart *c, const struct hist_story_span *span)
{
	const struct hist_story *s = c->story;
	double scale = c->width / (double)(s->end - s->start),
	       width = (span->to - span->from) * scale;

	hist_strbuf_str(c->b, span->merged > 1 ? "<path class=\"bar merged\" d=\"" :
			      "<path class=\"bar\" d=\"");
	svg_step(c->b, 'M', LEFT + (span->from - s->start) * scale);
	svg_step(c->b, ' ', span->part * ROW + 3);
	width = width < 0.6 ? 0.6 : width;
	svg_step(c->b, 'h', width);
	svg_step(c->b, 'v', ROW - 6);
	svg_step(c->b, 'h', -width);
	hist_strbuf_str(c->b, "z\"><title>");
	hist_report_offset_put(hist_strbuf_clear(&c->text), span->from - s->start);
	hist_strbuf_str(&c->text, ", ");
	hist_unit_put(&c->text, span->to - span->from, false, HIST_UNIT_NS);
	hist_strbuf_str(&c->text, ": ");
	hist_report_frame_put(&c->text, &s->parts[span->part].what, 0);
	if (span->merged > 1)
		hist_strbuf_printf(&c->text, " and others, %" PRIu32 " spans", span->merged);
	xml_text(c->b, &c->text);
	hist_strbuf_str(c->b, "</title></path>\n");
}

/* The scale below the rows: start, middle and end. */
static void svg_story_put_scale(struct story_chart *c, double y)
{
	static const char anchors[] = { 's', 'm', 'e' };
	int i;

	svg_line(c->b, "grid", LEFT, y, LEFT + c->width, y);
	for (i = 0; i < 3; i++) {
		hist_report_offset_put(hist_strbuf_clear(&c->text),
				       (c->story->end - c->story->start) / 2 * i);
		svg_text(c->b, "tick", anchors[i], LEFT + c->width * i / 2, y + 14, &c->text,
			 NULL);
	}
}

double svg_draw_story(struct hist_strbuf *b, const struct hist_story *s, double width)
{
	struct story_chart c = { .b = b, .story = s, .width = width - LEFT - RIGHT };
	struct hist_story_span *spans = calloc(s->nspans + 1ul, sizeof(*spans));
	uint32_t rows = s->nparts < ROWS_SHOWN ? s->nparts : ROWS_SHOWN, i, n;

	if (!spans) {
		hist_strbuf_fail(b, -ENOMEM);
		return 0;
	}
	if (s->nspans)
		memcpy(spans, s->spans, s->nspans * sizeof(*spans));
	n = hist_story_shorten(spans, s->nspans, SPANS_SHOWN, false);
	svg_rect(b, "plot", LEFT, 0, c.width, rows * ROW);
	svg_story_put_names(&c, rows);
	for (i = 0; i < n; i++)
		if (spans[i].part < rows)
			svg_story_put_span(&c, &spans[i]);
	svg_story_put_scale(&c, rows * ROW);
	hist_strbuf_fail(b, c.text.error);
	hist_strbuf_free(&c.text);
	free(spans);
	return rows * ROW + 20;
}
