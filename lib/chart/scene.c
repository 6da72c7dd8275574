// SPDX-License-Identifier: LGPL-2.1
/*
 * scene.c - a chart as a list of shapes
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/chart/scene.h"

void chart_scene_clear(struct chart_scene *s)
{
	s->n = 0;
	s->npoints = 0;
	s->error = 0;
	s->texts.len = 0;
	s->texts.error = 0;
}

void chart_scene_free(struct chart_scene *s)
{
	free(s->shapes);
	free(s->points);
	hist_strbuf_free(&s->texts);
	*s = (struct chart_scene){ 0 };
}

static struct chart_shape *scene_add(struct chart_scene *s, enum chart_kind kind,
				     enum chart_class look, int32_t item, double x, double y,
				     double w, double h)
{
	if (!s->error && array_grow(&s->shapes, &s->room, s->n + 1ul, sizeof(*s->shapes)))
		s->error = -ENOMEM;
	if (s->error)
		return NULL;
	s->shapes[s->n] = (struct chart_shape){
		.kind = kind, .look = look, .item = item, .x = x, .y = y, .w = w, .h = h,
	};
	return &s->shapes[s->n++];
}

/* A copy of @text; its place in scene.texts. */
static size_t scene_add_text(struct chart_scene *s, const char *text, size_t len)
{
	size_t at;

	if (!s->texts.len)
		hist_strbuf_char(&s->texts, '\0');
	at = s->texts.len;
	hist_strbuf_add(&s->texts, text, len);
	hist_strbuf_char(&s->texts, '\0');
	if (s->texts.error)
		s->error = s->texts.error;
	return s->error ? 0 : at;
}

void chart_scene_rect(struct chart_scene *s, enum chart_class look, int32_t item, double x,
		      double y, double w, double h)
{
	scene_add(s, CHART_RECT, look, item, x, y, w, h);
}

void chart_scene_line(struct chart_scene *s, enum chart_class look, double x1, double y1, double x2,
		      double y2)
{
	scene_add(s, CHART_LINE, look, CHART_NO_ITEM, x1, y1, x2 - x1, y2 - y1);
}

void chart_scene_words(struct chart_scene *s, enum chart_class look, int32_t item, char anchor,
		       double x, double y, const struct hist_strbuf *text)
{
	struct chart_shape *shape;

	if (text->error && !s->error)
		s->error = text->error;
	shape = scene_add(s, CHART_WORDS, look, item, x, y, 0, 0);
	if (!shape)
		return;
	shape->size = 1;
	shape->anchor = anchor;
	shape->words = scene_add_text(s, text->data, text->len);
}

void chart_scene_area(struct chart_scene *s, int32_t item, double x, double y, double w, double h)
{
	scene_add(s, CHART_AREA, CHART_CLASS_NONE, item, x, y, w, h);
}

void chart_scene_clip(struct chart_scene *s, double x, double y, double w, double h)
{
	scene_add(s, CHART_CLIP, CHART_CLASS_NONE, CHART_NO_ITEM, x, y, w, h);
}

void chart_scene_unclip(struct chart_scene *s)
{
	scene_add(s, CHART_UNCLIP, CHART_CLASS_NONE, CHART_NO_ITEM, 0, 0, 0, 0);
}

void chart_scene_cells(struct chart_scene *s, enum chart_class look, double y,
		       const struct chart_cells *cells)
{
	const struct chart_span *spans = cells->spans;
	struct chart_shape *shape =
		scene_add(s, CHART_CELLS, look, CHART_NO_ITEM, spans[0].from, y,
			  spans[cells->columns - 1].to - spans[0].from, cells->row * cells->rows);

	if (shape)
		shape->cells = cells;
}

void chart_scene_points(struct chart_scene *s, enum chart_kind kind, enum chart_class look,
			const struct chart_box *box)
{
	struct chart_shape *shape =
		box ? scene_add(s, kind, look, CHART_NO_ITEM, box->x, box->y, box->w, box->h)
		    : scene_add(s, kind, look, CHART_NO_ITEM, 0, 0, 0, 0);

	if (shape)
		shape->point = s->npoints;
}

void chart_scene_point(struct chart_scene *s, double x, double y, int32_t item)
{
	if (!s->error && array_grow(&s->points, &s->points_room, s->npoints + 1ul,
				    sizeof(*s->points)))
		s->error = -ENOMEM;
	if (s->error)
		return;
	s->points[s->npoints++] = (struct chart_point){ x, y, item };
	s->shapes[s->n - 1].points++;
}

void chart_scene_level(struct chart_scene *s, uint8_t level)
{
	if (!s->error)
		s->shapes[s->n - 1].level = level;
}

void chart_scene_size(struct chart_scene *s, double size)
{
	if (!s->error)
		s->shapes[s->n - 1].size = size;
}

void chart_scene_title(struct chart_scene *s, const struct hist_strbuf *title)
{
	if (title->error && !s->error)
		s->error = title->error;
	if (!s->error)
		s->shapes[s->n - 1].title = scene_add_text(s, title->data, title->len);
}

void chart_scene_label(struct chart_scene *s, enum chart_class look, int32_t item, char anchor,
		       double x, double y, const struct hist_cut *cut, uint32_t i)
{
	struct hist_strbuf text = { 0 };

	if (cut->error && !s->error)
		s->error = cut->error;
	if (s->error)
		return;
	text.data = (char *)hist_cut_text(cut, i);
	text.len = strlen(text.data);
	chart_scene_words(s, look, item, anchor, x, y, &text);
	text.data = cut->items[i].label;
	text.len = strlen(text.data);
	if (hist_cut_is_cut(cut, i))
		chart_scene_title(s, &text);
}

static bool scene_has(const struct chart_shape *shape, double x, double y)
{
	return x >= shape->x && x < shape->x + shape->w && y >= shape->y && y < shape->y + shape->h;
}

/* The box of cells under a point; narrow columns, and the last one, have a pixel. */
static int32_t scene_find_cell(const struct chart_shape *shape, double x, double y)
{
	const struct chart_cells *cells = shape->cells;
	double place = floor((y - shape->y) / cells->row);
	uint32_t low = 0, high = cells->columns, middle, row;

	if (place < 0 || place >= cells->rows)
		return CHART_NO_ITEM;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (cells->spans[middle].to <= x)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == cells->columns && x < cells->spans[low - 1].to + 1)
		low--;
	if (low == cells->columns || cells->spans[low].from > x + 1)
		return CHART_NO_ITEM;
	row = cells->upward ? cells->rows - 1 - place : place;
	return row * cells->columns + low;
}

static int32_t scene_find_dot(const struct chart_scene *s, const struct chart_shape *shape,
			      double x, double y)
{
	const struct chart_point *dot = s->points + shape->point, *end = dot + shape->points;
	double least = CHART_NEAR * CHART_NEAR, away;
	int32_t found = CHART_NO_ITEM;

	for (; dot < end; dot++) {
		away = (dot->x - x) * (dot->x - x) + (dot->y - y) * (dot->y - y);
		if (away >= least)
			continue;
		least = away;
		found = dot->item;
	}
	return found;
}

int32_t chart_scene_find(const struct chart_scene *s, double x, double y)
{
	const struct chart_shape *shape;
	int32_t found = CHART_NO_ITEM, part;
	bool inside = true;

	for (shape = s->shapes; shape < s->shapes + s->n; shape++) {
		if (shape->kind == CHART_CLIP) {
			inside = scene_has(shape, x, y);
		} else if (shape->kind == CHART_UNCLIP) {
			inside = true;
		} else if (shape->kind == CHART_AREA && inside && scene_has(shape, x, y)) {
			found = shape->item;
		} else if (shape->kind == CHART_CELLS && inside) {
			part = scene_find_cell(shape, x, y);
			found = part == CHART_NO_ITEM ? found : part;
		} else if (shape->kind == CHART_DOTS && inside) {
			part = scene_find_dot(s, shape, x, y);
			found = part == CHART_NO_ITEM ? found : part;
		}
	}
	return found;
}
