// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_scene.c - draw a scene, shapes and titles as SVG
 *
 * Sizes and positions have one digit after the decimal point.
 *
 * The class of a shape is a class of chart.css, which has the colours and fonts; its level is the
 * last digits of this class.  Titles have the font that svg_font measures, as labels have.  A
 * picture shows all of a chart, so that it has no clips, and areas of items are not drawn.
 *
 * A cell is a path.  Without titles, neighbours in a row with the same level are one path.
 */
#include <math.h>
#include <string.h>

#include "lib/label/cut.h"
#include "lib/report/html/svg_scene.h"
#include "lib/report/text_column.h"
#include "lib/report/xml.h"

#define SVG_CLASS 32 /* bytes of the names of a class */
#define WIDTH_LEAST 0.6 /* so that a short time is seen */

/* --- elements --- */

/* Not printf(): it is slow for thousands of numbers, and some locales use a comma. */
static void svg_real(struct hist_strbuf *b, double v)
{
	int64_t tenths = llround(v * 10);

	if (tenths < 0) {
		hist_strbuf_char(b, '-');
		tenths = -tenths;
	}
	hist_strbuf_u64(b, tenths / 10);
	if (tenths % 10) {
		hist_strbuf_char(b, '.');
		hist_strbuf_char(b, '0' + tenths % 10);
	}
}

void svg_step(struct hist_strbuf *b, char command, double v)
{
	hist_strbuf_char(b, command);
	svg_real(b, v);
}

static void svg_begin_element(struct hist_strbuf *b, const char *name, const char *class)
{
	hist_strbuf_char(b, '<');
	hist_strbuf_str(b, name);
	hist_strbuf_str(b, " class=\"");
	hist_strbuf_str(b, class);
	hist_strbuf_char(b, '"');
}

static void svg_put_attribute(struct hist_strbuf *b, const char *name, double v)
{
	hist_strbuf_char(b, ' ');
	hist_strbuf_str(b, name);
	hist_strbuf_str(b, "=\"");
	svg_real(b, v);
	hist_strbuf_char(b, '"');
}

static void svg_put_shape(struct hist_strbuf *b, const char *name, const char *class,
			  const char *const names[4], const double values[4])
{
	unsigned int i;

	svg_begin_element(b, name, class);
	for (i = 0; i < 4; i++)
		svg_put_attribute(b, names[i], values[i]);
	hist_strbuf_str(b, "/>\n");
}

void svg_rect(struct hist_strbuf *b, const char *class, double x, double y, double w, double h)
{
	static const char *const names[] = { "x", "y", "width", "height" };

	svg_put_shape(b, "rect", class, names, (double[]){ x, y, w, h });
}

static void svg_line(struct hist_strbuf *b, const char *class, double x1, double y1, double x2,
		     double y2)
{
	static const char *const names[] = { "x1", "y1", "x2", "y2" };

	svg_put_shape(b, "line", class, names, (double[]){ x1, y1, x2, y2 });
}

/*
 * Escapes @text for XML.  @anchor: 's'tart, 'm'iddle or 'e'nd.  @title: what a reader who points at
 * it sees, or NULL.
 */
static void svg_text(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
		     const struct hist_strbuf *text, const struct hist_strbuf *title)
{
	svg_begin_element(b, "text", class);
	svg_put_attribute(b, "x", x);
	svg_put_attribute(b, "y", y);
	if (anchor != 's')
		hist_strbuf_str(b,
				anchor == 'e' ? " text-anchor=\"end\"" : " text-anchor=\"middle\"");
	hist_strbuf_char(b, '>');
	xml_text(b, text);
	if (title) {
		hist_strbuf_str(b, "<title>");
		xml_text(b, title);
		hist_strbuf_str(b, "</title>");
	}
	hist_strbuf_str(b, "</text>\n");
}

void svg_title(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	       const struct hist_strbuf *text, unsigned int columns)
{
	struct hist_strbuf cut = { 0 };

	text_column_put_title(&cut, text, columns, false);
	if (cut.len == text->len && (!cut.len || !memcmp(cut.data, text->data, cut.len)))
		svg_text(b, class, anchor, x, y, text, NULL);
	else
		svg_text(b, class, anchor, x, y, &cut, text);
	hist_strbuf_free(&cut);
}

double svg_nothing(struct hist_strbuf *b, const char *why)
{
	svg_text(b, "muted", 's', 0, 16,
		 &(struct hist_strbuf){ .data = (char *)why, .len = strlen(why) }, NULL);
	return 24;
}

/* --- scenes --- */

static const char *const scene_classes[CHART_CLASSES] = {
	[CHART_CLASS_PLOT] = "plot",
	[CHART_CLASS_GRID] = "grid",
	[CHART_CLASS_AXIS] = "axis",
	[CHART_CLASS_BAR] = "bar",
	[CHART_CLASS_MERGED] = "bar merged",
	[CHART_CLASS_BEFORE] = "before",
	[CHART_CLASS_GAP] = "gap",
	[CHART_CLASS_UNKNOWN] = "unknown",
	[CHART_CLASS_MARK] = "mark",
	[CHART_CLASS_LABEL] = "label",
	[CHART_CLASS_MUTED] = "muted",
	[CHART_CLASS_TICK] = "tick",
	[CHART_CLASS_NUMBER] = "number",
	[CHART_CLASS_ZERO] = "number none",
	[CHART_CLASS_SHARE] = "share",
	[CHART_CLASS_TITLE] = "axis-title label",
	[CHART_CLASS_HEAT] = "h",
	[CHART_CLASS_DIFFERENCE] = "d",
	[CHART_CLASS_QUANTILE] = "range q",
	[CHART_CLASS_BAND] = "band q",
	[CHART_CLASS_EDGE] = "edge q",
};

static double svg_scene_measure(void *data, const char *text, size_t len)
{
	return hist_cut_columns(data, text, len) * SVG_CHAR;
}

static double svg_scene_measure_tick(void *data, const char *text, size_t len)
{
	return hist_cut_columns(data, text, len) * SVG_TICK_CHAR;
}

const struct chart_font svg_tick_font = { .measure = svg_scene_measure_tick, .line = 12 };
const struct chart_font svg_font = { .measure = svg_scene_measure, .line = 12 };

static struct hist_strbuf svg_scene_text(const struct chart_scene *scene, size_t at)
{
	char *text = (char *)chart_scene_text(scene, at);

	return (struct hist_strbuf){ .data = text, .len = strlen(text) };
}

static void svg_scene_put_words(struct hist_strbuf *b, const struct chart_scene *scene,
				const struct chart_shape *shape)
{
	struct hist_strbuf words = svg_scene_text(scene, shape->words), title;

	if (shape->title)
		title = svg_scene_text(scene, shape->title);
	svg_text(b, scene_classes[shape->look], shape->anchor, shape->x, shape->y, &words,
		 shape->title ? &title : NULL);
}

void svg_put_box(struct hist_strbuf *b, double x, double y, double w, double h)
{
	if (w < WIDTH_LEAST)
		w = WIDTH_LEAST;
	svg_step(b, 'M', x);
	svg_step(b, ' ', y);
	svg_step(b, 'h', w);
	svg_step(b, 'v', h);
	svg_step(b, 'h', -w);
	hist_strbuf_char(b, 'z');
}

static void svg_scene_begin_path(struct hist_strbuf *b, const char *class)
{
	hist_strbuf_str(b, "<path class=\"");
	hist_strbuf_str(b, class);
	hist_strbuf_str(b, "\" d=\"");
}

/* @title: NULL: none. */
static void svg_scene_end_path(struct hist_strbuf *b, const struct hist_strbuf *title)
{
	if (!title) {
		hist_strbuf_str(b, "\"/>\n");
		return;
	}
	hist_strbuf_str(b, "\"><title>");
	xml_text(b, title);
	hist_strbuf_str(b, "</title></path>\n");
}

static const char *svg_scene_class(char class[SVG_CLASS], const struct chart_shape *shape,
				   unsigned int level)
{
	snprintf(class, SVG_CLASS, level ? "%s%u" : "%s", scene_classes[shape->look], level);
	return class;
}

static void svg_scene_put_row(struct hist_strbuf *b, const struct chart_shape *shape, uint32_t row)
{
	const struct chart_cells *cells = shape->cells;
	const uint8_t *levels = cells->levels + (size_t)row * cells->columns;
	uint32_t place = cells->upward ? cells->rows - 1 - row : row, col, end;
	struct hist_strbuf title = { 0 };
	char class[SVG_CLASS];

	for (col = 0; col < cells->columns; col = end) {
		end = col + 1;
		if (!levels[col])
			continue;
		while (!cells->title && end < cells->columns && levels[end] == levels[col])
			end++;
		svg_scene_begin_path(b, svg_scene_class(class, shape, levels[col]));
		svg_put_box(b, cells->spans[col].from, shape->y + cells->row * place,
			    cells->spans[end - 1].to - cells->spans[col].from,
			    cells->row - cells->gap);
		if (cells->title)
			cells->title(cells->data, row, col, hist_strbuf_clear(&title));
		svg_scene_end_path(b, cells->title ? &title : NULL);
	}
	hist_strbuf_free(&title);
}

/* A line along an axis takes one number. */
static void svg_scene_put_points(struct hist_strbuf *b, const struct chart_scene *scene,
				 const struct chart_shape *shape)
{
	const struct chart_point *point = scene->points + shape->point;
	const struct chart_point *end = point + shape->points;

	for (; point < end; point++) {
		if (shape->kind == CHART_DOTS) {
			svg_put_box(b, point->x - shape->size / 2, point->y - shape->size / 2,
				    shape->size, shape->size);
		} else if (point->item != CHART_BEGIN && point->y == point[-1].y) {
			svg_step(b, 'H', point->x);
		} else if (point->item != CHART_BEGIN && point->x == point[-1].x) {
			svg_step(b, 'V', point->y);
		} else {
			svg_step(b, point->item == CHART_BEGIN ? 'M' : 'L', point->x);
			svg_step(b, ' ', point->y);
		}
	}
}

static void svg_scene_put_rect(struct hist_strbuf *b, const struct chart_scene *scene,
			       const struct chart_shape *shape, const char *class)
{
	struct hist_strbuf title;

	if (!shape->title) {
		svg_rect(b, class, shape->x, shape->y, shape->w, shape->h);
		return;
	}
	title = svg_scene_text(scene, shape->title);
	svg_scene_begin_path(b, class);
	svg_put_box(b, shape->x, shape->y, shape->w, shape->h);
	svg_scene_end_path(b, &title);
}

static void svg_scene_put_shape(struct hist_strbuf *b, const struct chart_scene *scene,
				const struct chart_shape *shape)
{
	char name[SVG_CLASS];
	const char *class = svg_scene_class(name, shape, shape->level);
	uint32_t row;

	switch (shape->kind) {
	case CHART_RECT:
		svg_scene_put_rect(b, scene, shape, class);
		break;
	case CHART_LINE:
		svg_line(b, class, shape->x, shape->y, shape->x + shape->w, shape->y + shape->h);
		break;
	case CHART_WORDS:
		svg_scene_put_words(b, scene, shape);
		break;
	case CHART_CELLS:
		for (row = 0; row < shape->cells->rows && !b->error; row++)
			svg_scene_put_row(b, shape, row);
		break;
	case CHART_PATH:
	case CHART_DOTS:
		svg_scene_begin_path(b, class);
		svg_scene_put_points(b, scene, shape);
		svg_scene_end_path(b, NULL);
		break;
	case CHART_AREA:
	case CHART_CLIP:
	case CHART_UNCLIP:
		break;
	}
}

double svg_put_scene(struct hist_strbuf *b, const struct chart_scene *scene)
{
	uint32_t i;

	hist_strbuf_fail(b, scene->error);
	for (i = 0; i < scene->n && !b->error; i++)
		svg_scene_put_shape(b, scene, &scene->shapes[i]);
	return scene->height;
}
