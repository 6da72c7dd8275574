// SPDX-License-Identifier: LGPL-2.1
/*
 * lanes.c - ranges in lanes on a common axis
 */
#include "lib/chart/lanes.h"
#include "lib/chart/palette.h"

#define ROW 20 /* of a time line */
#define GAP 3  /* above and below a box */
#define SPACE 6
#define RIGHT 8

void chart_lanes_draw(const struct chart_scale *scale, const struct chart_box *cell,
		      const struct chart_lanes *row, struct chart_scene *scene)
{
	struct chart_ticks ticks = chart_lanes_ticks(scale);
	double from = chart_scale_at(scale, row->whole.from), x;
	struct chart_box box;
	unsigned int i;

	chart_scene_clip(scene, cell->x, cell->y, cell->w, cell->h);
	for (i = 0; i < ticks.n; i++) {
		x = chart_scale_at(scale, ticks.at[i]);
		chart_scene_line(scene, CHART_CLASS_GRID, x, cell->y, x, cell->y + cell->h);
	}
	chart_scene_rect(scene, CHART_CLASS_AXIS, CHART_NO_ITEM, from,
			 floor(cell->y + (cell->h - 1) / 2),
			 fmax(1, chart_scale_at(scale, row->whole.to) - from), 1);
	for (i = 0; i < row->n; i++) {
		box = chart_lanes_range(scale, cell, row->n, i, &row->ranges[i]);
		chart_scene_rect(scene, CHART_CLASS_QUANTILE, i, box.x, box.y, box.w, box.h);
		chart_scene_level(scene, 1 + i % CHART_QUANTILES);
	}
	chart_scene_unclip(scene);
}

static void spans_draw_labels(const struct chart_spans_figures *f, double label,
			      const struct chart_font *font, struct chart_scene *scene)
{
	struct hist_strbuf text = { 0 };
	struct hist_cut labels;
	uint32_t i;

	hist_cut_init(&labels, font->measure, font->data, HIST_CUT_MARK);
	for (i = 0; i < f->rows; i++) {
		f->label(f->data, i, hist_strbuf_clear(&text));
		hist_cut_add(&labels, &text);
	}
	hist_cut_fit(&labels, label);
	for (i = 0; i < f->rows; i++)
		chart_scene_label(scene, CHART_CLASS_LABEL, CHART_NO_ITEM, 'e', label + SPACE,
				  (i + 0.5) * ROW + font->line / 3, &labels, i);
	hist_cut_free(&labels);
	hist_strbuf_free(&text);
}

static void spans_draw_boxes(const struct chart_spans_figures *f, const struct chart_box *plot,
			     struct chart_scene *scene)
{
	struct hist_strbuf text = { 0 };
	struct chart_span span;
	bool merged;
	uint32_t i, row;

	for (i = 0; i < f->n; i++) {
		span = f->span(f->data, i, &row, &merged);
		if (row >= f->rows)
			continue;
		chart_scene_rect(scene, merged ? CHART_CLASS_MERGED : CHART_CLASS_BAR, i,
				 plot->x + span.from * plot->w, row * ROW + GAP,
				 (span.to - span.from) * plot->w, ROW - 2 * GAP);
		f->title(f->data, i, hist_strbuf_clear(&text));
		chart_scene_title(scene, &text);
	}
	hist_strbuf_free(&text);
}

/* The scale below the rows: start, middle and end. */
static void spans_draw_scale(const struct chart_spans_figures *f, const struct chart_box *plot,
			     const struct chart_font *font, struct chart_scene *scene)
{
	static const char anchors[] = { 's', 'm', 'e' };
	struct hist_strbuf text = { 0 };
	unsigned int i;

	chart_scene_line(scene, CHART_CLASS_GRID, plot->x, plot->h, plot->x + plot->w, plot->h);
	for (i = 0; i < 3; i++) {
		f->tick(f->data, i, hist_strbuf_clear(&text));
		chart_scene_words(scene, CHART_CLASS_TICK, CHART_NO_ITEM, anchors[i],
				  plot->x + plot->w * i / 2, plot->h + font->line + 2, &text);
	}
	hist_strbuf_free(&text);
}

void chart_spans_draw(const struct chart_spans_figures *f, double width, double label,
		      const struct chart_font *font, struct chart_scene *scene)
{
	double left = label + 2 * SPACE;
	struct chart_box plot = { left, 0, width - left - RIGHT, f->rows * ROW };

	chart_scene_rect(scene, CHART_CLASS_PLOT, CHART_NO_ITEM, plot.x, plot.y, plot.w, plot.h);
	spans_draw_labels(f, label, font, scene);
	spans_draw_boxes(f, &plot, scene);
	spans_draw_scale(f, &plot, font, scene);
	scene->width = width;
	scene->height = plot.h + font->line + 8;
}
