// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_percentiles.c - percentiles over time, drawn as ranges (lib/chart/course.h)
 *
 * Each column of the heat map is a distribution.  A percentile is known only to be in one row of
 * the column.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/saturate.h"
#include "lib/chart/course.h"
#include "lib/chart/legend.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"

#define HEAD 26
#define PLOT 240
#define LEFT (10 * SVG_CHAR + 14)
#define RIGHT 16
#define TITLE_WIDTH (60 * SVG_CHAR)
#define LEGEND_BELOW 48 /* the middle of its first line below the plot */

struct percentiles {
	const struct hist_heatmap *map;
	struct chart_time_axis time;
	const uint32_t *p;
	unsigned int n;
	struct hist_quantile *q; /* n per column; unset if the column does not have counts */
	bool *counted;
	enum hist_unit unit;
};

static struct chart_span svg_percentiles_column(void *data, uint32_t i)
{
	const struct percentiles *v = data;

	return svg_time_span(&v->time, &v->map->columns[i]);
}

static bool svg_percentiles_range(void *data, uint32_t column, unsigned int i,
				  struct chart_span *range)
{
	const struct percentiles *v = data;
	const struct hist_quantile *q = &v->q[(size_t)column * v->n + i];

	if (!v->counted[column])
		return false;
	range->from = hist_number_real(q->low, v->map->is_signed);
	range->to = hist_number_real(q->high, v->map->is_signed);
	return true;
}

static void svg_percentiles_tick(void *data, double number, struct hist_strbuf *b)
{
	hist_number_put_tick(b, number, ((const struct percentiles *)data)->unit);
}

static void svg_percentiles_name(void *data, uint8_t level, struct hist_strbuf *b)
{
	char name[HIST_QUANTILE_NAME];

	hist_quantile_name(name, *(const uint32_t *)data);
	(void)level;
	hist_strbuf_str(b, name);
}

static int svg_percentiles_collect(struct percentiles *v)
{
	const struct hist_heatmap *map = v->map;
	struct hist_distribution d = { .is_signed = map->is_signed };
	unsigned int col, i;
	uint32_t row;
	int ret = 0;

	v->q = calloc((size_t)map->ncolumns * v->n, sizeof(*v->q));
	v->counted = calloc(map->ncolumns, sizeof(*v->counted));
	d.buckets = calloc(map->nrows, sizeof(*d.buckets));
	if (!v->q || !v->counted || !d.buckets) {
		hist_distribution_free(&d);
		return -ENOMEM;
	}
	for (col = 0; col < map->ncolumns && !ret; col++) {
		d.n = 0;
		d.total = 0;
		for (row = 0; row < map->nrows; row++) {
			const struct hist_heat_row *r = &map->rows[row];

			if (!r->cells || !r->cells[col])
				continue;
			d.buckets[d.n++] = (struct hist_bucket){ r->ge, r->le, r->cells[col] };
			d.total = saturating_add(d.total, r->cells[col]);
		}
		v->counted[col] = d.n != 0;
		for (i = 0; i < v->n && d.n && !ret; i++)
			ret = hist_quantile(&d, v->p[i], &v->q[(size_t)col * v->n + i]);
	}
	hist_distribution_free(&d);
	return ret;
}

static void svg_percentiles_add_title(struct chart_scene *scene, const struct chart_data *c,
				      bool log)
{
	struct hist_strbuf text = { 0 };
	struct hist_cut cut;

	svg_chart_axis_title(&text, c, hist_axis_key(chart_data_schema(c)));
	if (log)
		hist_strbuf_str(&text, ", log scale");
	hist_cut_init(&cut, svg_font.measure, svg_font.data, HIST_CUT_MARK);
	hist_cut_add(&cut, &text);
	hist_cut_fit(&cut, TITLE_WIDTH);
	chart_scene_label(scene, CHART_CLASS_TITLE, CHART_NO_ITEM, 's', 0, 14, &cut, 0);
	hist_cut_free(&cut);
	hist_strbuf_free(&text);
}

/* Returns the lower end. */
static double svg_percentiles_add_legend(const struct percentiles *v, const struct chart_box *plot,
					 struct chart_scene *scene)
{
	const char *note = "Each percentile lies within its box; the line is the upper bound.";
	double x = plot->x, y = plot->y + plot->h + LEGEND_BELOW, end = y, width;
	struct hist_strbuf text = { .data = (char *)note, .len = strlen(note) };
	unsigned int i;
	int ret;

	for (i = 0; i < v->n; i++) {
		struct chart_legend l = {
			.data = (void *)&v->p[i],
			.look = CHART_CLASS_EDGE,
			.lines = true,
			.first = chart_bands_level(i),
			.last = chart_bands_level(i),
			.text = svg_percentiles_name,
			.font = svg_tick_font,
		};

		ret = chart_legend_width(&l, &width);
		if (ret)
			scene->error = ret;
		if (x > plot->x && x + width > plot->x + plot->w) {
			x = plot->x;
			y = end;
		}
		end = chart_legend_draw(&l, x, y, width + 1, scene);
		x += width + 20;
	}
	chart_scene_words(scene, CHART_CLASS_MUTED, CHART_NO_ITEM, 's', plot->x, end + 4, &text);
	return end + 18;
}

static void svg_percentiles_draw(struct percentiles *v, struct chart_scene *scene,
				 const struct chart_data *c, double width)
{
	const struct chart_bands_figures f = {
		.data = v,
		.columns = v->map->ncolumns,
		.n = v->n,
		.column = svg_percentiles_column,
		.range = svg_percentiles_range,
		.tick = svg_percentiles_tick,
		.binary = hist_unit_is_size(v->unit),
	};
	const struct chart_box plot = { LEFT, HEAD, width - LEFT - RIGHT, PLOT };
	struct chart_scale scale;

	v->time = svg_make_time_axis(c, plot.x, plot.w);
	chart_scene_rect(scene, CHART_CLASS_PLOT, CHART_NO_ITEM, plot.x, plot.y, plot.w, plot.h);
	svg_add_time_axis(scene, c, &v->time, plot.y, plot.y + plot.h);
	scale = chart_bands_draw(&f, &plot, &svg_font, scene);
	svg_percentiles_add_title(scene, c, scale.kind != CHART_LINEAR);
	scene->height = svg_percentiles_add_legend(v, &plot, scene);
}

static double svg_percentiles_draw_chart(struct hist_strbuf *b, const struct chart_data *c,
					 double width, const struct hist_writer_options *o)
{
	static const uint32_t default_order[] = { 500000, 900000, 990000 };
	struct percentiles v = {
		.map = c->map,
		.p = o->nquantiles ? o->quantiles : default_order,
		.n = o->nquantiles ? o->nquantiles : 3,
	};
	const struct hist_schema *schema = chart_data_schema(c);
	struct chart_scene scene = { 0 };
	int axis = hist_axis_key(schema), ret;
	double height = 0;

	if (axis < 0 || !svg_has_time(c))
		return svg_nothing(b, axis < 0 ? "percentiles need a key that is a quantity" :
				   "nothing was counted between two snapshots");
	ret = svg_percentiles_collect(&v);
	if (ret) {
		hist_strbuf_fail(b, ret);
		goto out;
	}
	v.unit = hist_unit_from_key(&schema->keys[axis]);
	svg_percentiles_draw(&v, &scene, c, width);
	height = svg_put_scene(b, &scene);
out:
	free(v.q);
	free(v.counted);
	chart_scene_free(&scene);
	return height;
}

static bool svg_percentiles_has(const struct chart_data *c)
{
	return svg_has_axis(c) && svg_has_time(c);
}

static void svg_percentiles_put_about(const struct chart_data *c, struct hist_strbuf *b)
{
	(void)c;
	hist_strbuf_str(b, "each percentile is a range");
}

const struct svg_chart svg_chart_percentiles = {
	.kind = "percentiles",
	.caption = "Percentiles over time",
	.width = SVG_HALF,
	.has = svg_percentiles_has,
	.put_about = svg_percentiles_put_about,
	.draw = svg_percentiles_draw_chart,
};
