// SPDX-License-Identifier: LGPL-2.1
/*
 * heat.c - the scene of a map
 *
 * Levels of 0 are not drawn: the ground of the plot, or of unknown time, is below them.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/chart/heat.h"

#define SPACE 6
#define RIGHT 16	/* right of the plot, for half of the last time */
#define LABEL_PART 0.3	/* of the width, at most */
#define LABEL_LEAST 40
#define MARK 4		/* height */
#define MARK_SPACE 6	/* of the marks above the plot */
#define ROWS_HEIGHT 420 /* all rows need no more, if they can be as low */
#define ROW_LEAST 4	/* of an axis; each other row has its label */
#define GAP_LEAST 7	/* lower rows do not have a gap */

static int heat_add_labels(struct chart_heat *v)
{
	struct hist_strbuf text = { 0 };
	uint32_t i;

	hist_cut_init(&v->labels, v->o.font.measure, v->o.font.data, HIST_CUT_MARK);
	for (i = 0; i < v->f->rows; i++) {
		v->f->label(v->f->data, i, hist_strbuf_clear(&text));
		hist_cut_add(&v->labels, &text);
	}
	hist_strbuf_free(&text);
	return v->labels.error;
}

/* Put brief labels in the place of those that are wider than @width. */
static int heat_shorten_labels(struct chart_heat *v, double width)
{
	struct hist_strbuf text = { 0 };
	struct hist_cut whole = v->labels;
	uint32_t i;

	hist_cut_init(&v->labels, v->o.font.measure, v->o.font.data, HIST_CUT_MARK);
	for (i = 0; i < v->f->rows; i++) {
		hist_strbuf_clear(&text);
		if (whole.items[i].width > width)
			v->f->brief(v->f->data, i, &text);
		if (!text.len)
			hist_strbuf_str(&text, whole.items[i].label);
		hist_cut_add(&v->labels, &text);
	}
	hist_strbuf_free(&text);
	hist_cut_free(&whole);
	return v->labels.error;
}

/* Labels become a bit smaller first, then brief, and then they are cut. */
static int heat_fit_labels(struct chart_heat *v, double width)
{
	double widest = v->labels.widest;
	int ret = 0;

	v->size = 1;
	if (widest > width && v->o.size_least)
		v->size = fmax(v->o.size_least, (width - 1) / widest);
	/* to the width before the change of size */
	width = width / v->size + 1;
	if (widest > width && v->f->brief)
		ret = heat_shorten_labels(v, width);
	return ret ? ret : hist_cut_fit(&v->labels, fmax(width, 1));
}

static double heat_title_width(const struct chart_heat *v)
{
	const char *title = v->f->key_title;

	return title ? v->o.font.measure(v->o.font.data, title, strlen(title)) : 0;
}

static void heat_place_columns(struct chart_heat *v)
{
	double width = v->o.right - v->o.left, most = v->o.width * LABEL_PART, label, end = 0;
	uint32_t i;

	v->plot.x = v->o.left;
	if (v->o.left >= v->o.right) {
		label = fmax(fmax(v->labels.widest, heat_title_width(v)), LABEL_LEAST);
		label = v->o.aligned ? most : fmin(label, most);
		v->plot.x = v->o.margin + ceil(label) + 2 * SPACE;
		width = v->o.width - v->plot.x - RIGHT;
	}
	v->plot.w = fmax(width, RIGHT);
	for (i = 0; i < v->f->columns; i++) {
		struct chart_span at = v->f->column(v->f->data, i);

		/* half a pixel */
		v->has_unknown |= (at.from - end) * v->plot.w > 0.5;
		end = at.to;
		v->spans[i].from = v->plot.x + at.from * v->plot.w;
		v->spans[i].to = v->plot.x + at.to * v->plot.w;
	}
	v->has_unknown |= v->f->zero_is_unknown || (1 - end) * v->plot.w > 0.5;
}

static void heat_place_rows(struct chart_heat *v)
{
	double line = v->o.font.line, room = ROWS_HEIGHT, row;

	v->plot.y = v->o.top + (v->f->key_title ? line + 8 : 0) + MARK_SPACE;
	if (v->o.height)
		room = fmax(v->o.height - v->plot.y - line - 8, RIGHT);
	row = fmin(room / v->f->rows, v->o.row_most);
	row = fmax(row, v->f->upward ? ROW_LEAST : line + 2);
	/* whole pixels give even rows */
	v->cells.row = floor(row);
	v->cells.gap = row >= GAP_LEAST && !v->f->zero_is_unknown ? 1 : 0;
	v->all = v->cells.row * v->f->rows;
	v->plot.h = v->o.height ? fmin(room, v->all) : v->all;
}

int chart_heat_measure(struct chart_heat *v, const struct chart_heat_figures *f,
		       const struct chart_heat_options *o)
{
	int ret;

	*v = (struct chart_heat){ .f = f, .o = *o };
	ret = heat_add_labels(v);
	v->spans = calloc(f->columns, sizeof(*v->spans));
	if (ret || !v->spans)
		return ret ? ret : -ENOMEM;
	v->cells = (struct chart_cells){
		.rows = f->rows,
		.columns = f->columns,
		.upward = f->upward,
		.levels = f->levels,
		.spans = v->spans,
		.title = f->title,
		.data = f->data,
	};
	heat_place_columns(v);
	heat_place_rows(v);
	return heat_fit_labels(v, v->plot.x - v->o.margin - 2 * SPACE);
}

void chart_heat_free(struct chart_heat *v)
{
	hist_cut_free(&v->labels);
	free(v->spans);
	v->spans = NULL;
}

static uint32_t heat_place(const struct chart_heat *v, uint32_t row)
{
	return v->f->upward ? v->f->rows - 1 - row : row;
}

struct chart_box chart_heat_cell(const struct chart_heat *v, double scroll, uint32_t row,
				 uint32_t column)
{
	const struct chart_span *span = &v->spans[column];
	double y = v->plot.y + v->cells.row * heat_place(v, row) - scroll;

	return (struct chart_box){ span->from, y, span->to - span->from, v->cells.row };
}

/* A ground for each run of columns without time between them. */
static void heat_draw_ground(const struct chart_heat *v, struct chart_scene *scene)
{
	const struct chart_span *spans = v->spans;
	uint32_t i, end;

	if (v->has_unknown)
		chart_scene_rect(scene, CHART_CLASS_UNKNOWN, CHART_NO_ITEM, v->plot.x, v->plot.y,
				 v->plot.w, v->plot.h);
	else
		chart_scene_rect(scene, CHART_CLASS_PLOT, CHART_NO_ITEM, v->plot.x, v->plot.y,
				 v->plot.w, v->plot.h);
	if (!v->has_unknown || v->f->zero_is_unknown)
		return;
	for (i = 0; i < v->f->columns; i = end) {
		double from = fmax(spans[i].from, v->plot.x), to;

		for (end = i + 1; end < v->f->columns; end++)
			if (spans[end].from - spans[end - 1].to > 0.5)
				break;
		to = fmin(spans[end - 1].to, v->plot.x + v->plot.w);
		if (to > from)
			chart_scene_rect(scene, CHART_CLASS_PLOT, CHART_NO_ITEM, from, v->plot.y,
					 to - from, v->plot.h);
	}
}

/* A mark for each run of marked columns. */
static void heat_draw_marks(const struct chart_heat *v, struct chart_scene *scene)
{
	double right = v->plot.x + v->plot.w, from, to;
	uint32_t i, end;

	for (i = 0; i < v->f->columns; i = end) {
		end = i + 1;
		if (!v->f->is_marked(v->f->data, i))
			continue;
		while (end < v->f->columns && v->f->is_marked(v->f->data, end))
			end++;
		from = fmax(v->spans[i].from, v->plot.x);
		to = fmin(fmax(v->spans[end - 1].to, from + 1), right);
		if (from < right && to > v->plot.x)
			chart_scene_rect(scene, CHART_CLASS_MARK, CHART_NO_ITEM, from,
					 v->plot.y - MARK_SPACE, to - from, MARK);
	}
}

/* As many labels as have room, from the top. */
static void heat_draw_labels(const struct chart_heat *v, double scroll, struct chart_scene *scene)
{
	double line = v->o.font.line * v->size, last = -HUGE_VAL, middle;
	uint32_t place, row;

	for (place = 0; place < v->f->rows; place++) {
		row = heat_place(v, place);
		middle = v->plot.y + v->cells.row * (place + 0.5) - scroll;
		if (middle < v->plot.y || middle > v->plot.y + v->plot.h || middle - last < line)
			continue;
		last = middle;
		chart_scene_label(scene,
				  v->f->is_gap && v->f->is_gap(v->f->data, row)
					  ? CHART_CLASS_MUTED
					  : CHART_CLASS_LABEL,
				  CHART_NO_ITEM, 'e', v->plot.x - SPACE, middle + line / 3,
				  &v->labels, row);
		chart_scene_size(scene, v->size);
	}
}

/* The title of the keys, cut as the labels below it. */
static void heat_draw_key_title(const struct chart_heat *v, struct chart_scene *scene)
{
	struct hist_strbuf text = { 0 };
	struct hist_cut cut;

	hist_strbuf_str(&text, v->f->key_title);
	hist_cut_init(&cut, v->o.font.measure, v->o.font.data, HIST_CUT_MARK);
	hist_cut_add(&cut, &text);
	hist_cut_fit(&cut, v->plot.x - v->o.margin - 2 * SPACE);
	chart_scene_label(scene, CHART_CLASS_TITLE, CHART_NO_ITEM, 'e', v->plot.x - SPACE,
			  v->plot.y - MARK_SPACE - SPACE, &cut, 0);
	hist_cut_free(&cut);
	hist_strbuf_free(&text);
}

void chart_heat_draw(const struct chart_heat *v, double scroll, struct chart_scene *scene)
{
	if (v->f->key_title)
		heat_draw_key_title(v, scene);
	heat_draw_ground(v, scene);
	if (v->f->is_marked)
		heat_draw_marks(v, scene);
	/* a forced plot can leave no room for labels */
	if (v->plot.x - v->o.margin >= LABEL_LEAST)
		heat_draw_labels(v, scroll, scene);
	chart_scene_clip(scene, v->plot.x, v->plot.y, v->plot.w, v->plot.h);
	chart_scene_cells(scene, v->f->look, v->plot.y - scroll, &v->cells);
	chart_scene_unclip(scene);
	scene->width = v->o.width;
	scene->height = v->o.height ? v->o.height : v->plot.y + v->plot.h;
}
