// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_scene.c - draw a scene as SVG
 *
 * The class of a shape is a class of chart.css, which has the colours and fonts.  Titles have the
 * font that svg_font measures, as labels have.  A picture shows all of a chart, so that it has no
 * clips, and areas of items are not drawn.
 */
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"
#include "lib/report/xml.h"

static const char *const scene_classes[CHART_CLASSES] = {
	[CHART_CLASS_PLOT] = "plot",
	[CHART_CLASS_GRID] = "grid",
	[CHART_CLASS_AXIS] = "axis",
	[CHART_CLASS_BAR] = "bar",
	[CHART_CLASS_BEFORE] = "before",
	[CHART_CLASS_GAP] = "gap",
	[CHART_CLASS_LABEL] = "label",
	[CHART_CLASS_MUTED] = "muted",
	[CHART_CLASS_TICK] = "tick",
	[CHART_CLASS_NUMBER] = "number",
	[CHART_CLASS_ZERO] = "number none",
	[CHART_CLASS_SHARE] = "share",
	[CHART_CLASS_TITLE] = "axis-title label",
};

static double svg_scene_measure(void *data, const char *text, size_t len)
{
	return hist_cut_columns(data, text, len) * SVG_CHAR;
}

const struct chart_font svg_font = { .measure = svg_scene_measure, .line = 12 };

static void svg_scene_put_words(struct hist_strbuf *b, const struct chart_scene *scene,
				const struct chart_shape *shape)
{
	svg_begin_text(b, scene_classes[shape->look], shape->anchor, shape->x, shape->y);
	xml_str(b, chart_scene_text(scene, shape->words));
	if (shape->title) {
		hist_strbuf_str(b, "<title>");
		xml_str(b, chart_scene_text(scene, shape->title));
		hist_strbuf_str(b, "</title>");
	}
	hist_strbuf_str(b, "</text>\n");
}

double svg_put_scene(struct hist_strbuf *b, const struct chart_scene *scene)
{
	const struct chart_shape *shape;

	hist_strbuf_fail(b, scene->error);
	for (shape = scene->shapes; shape < scene->shapes + scene->n && !b->error; shape++) {
		const char *class = scene_classes[shape->look];

		if (shape->kind == CHART_RECT)
			svg_rect(b, class, shape->x, shape->y, shape->w, shape->h);
		else if (shape->kind == CHART_LINE)
			svg_line(b, class, shape->x, shape->y, shape->x + shape->w,
				 shape->y + shape->h);
		else if (shape->kind == CHART_WORDS)
			svg_scene_put_words(b, scene, shape);
	}
	return scene->height;
}
