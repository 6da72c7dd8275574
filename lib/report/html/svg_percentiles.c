// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_percentiles.c - percentiles over time, drawn as intervals
 *
 * Each column of the heat map is a distribution.  A percentile is known only to be in one
 * row of the column.  It is drawn as a box from the lower to the upper bound of that row,
 * and a line at the upper bound.  Lines have different dashes, which keeps percentiles in
 * one row distinct.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/saturate.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"

#define HEAD 26
#define PLOT 240
#define BOX_LEAST 2.0
#define LOG_FROM 32 /* a range of at least this gets a logarithmic scale */
#define LABEL_COLUMNS 10
#define LABEL_STEP 14
#define TICKS 12

struct percentiles {
	struct hist_strbuf *b;
	const struct chart_data *c;
	const struct hist_heatmap *map;
	struct chart_time_axis time;
	const uint32_t *p;
	unsigned int n;
	struct hist_quantile *q; /* n per column; unset if the column does not have counts */
	bool *counted;
	double low, high; /* of all that is drawn */
	struct chart_scale scale;
	enum hist_unit unit;
	struct hist_strbuf text;
};

static int svg_percentiles_collect_points(struct percentiles *v)
{
	const struct hist_heatmap *map = v->map;
	struct hist_distribution d = { .is_signed = map->is_signed };
	unsigned int col, i;
	bool any = false;
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
		for (i = 0; i < v->n && d.n && !ret; i++) {
			struct hist_quantile *q = &v->q[(size_t)col * v->n + i];

			ret = hist_quantile(&d, v->p[i], q);
			if (!any || hist_number_real(q->low, v->map->is_signed) < v->low)
				v->low = hist_number_real(q->low, v->map->is_signed);
			if (!any || hist_number_real(q->high, v->map->is_signed) > v->high)
				v->high = hist_number_real(q->high, v->map->is_signed);
			any = true;
		}
	}
	hist_distribution_free(&d);
	return ret;
}

static double svg_percentiles_to_y(const struct percentiles *v, uint64_t bound)
{
	return chart_scale_at(&v->scale, hist_number_real(bound, v->map->is_signed));
}

static void value_axis(struct percentiles *v)
{
	struct chart_ticks ticks = chart_scale_ticks(&v->scale, TICKS, LABEL_STEP, true);
	unsigned int i;

	for (i = 0; i < ticks.n; i++) {
		double y = chart_scale_at(&v->scale, ticks.at[i]);

		svg_line(v->b, "grid", v->time.x - 4, y, v->time.x + v->time.w, y);
		hist_number_put_tick(hist_strbuf_clear(&v->text), ticks.at[i], v->unit);
		svg_text(v->b, "label", 'e', v->time.x - 8, y + 4, &v->text, NULL);
	}
}

static void class_attribute(struct hist_strbuf *b, const char *kind, unsigned int i)
{
	hist_strbuf_printf(b, "<path class=\"%s q%u\" d=\"", kind, i % 6);
}

static void put_point(struct hist_strbuf *b, char command, double x, double y)
{
	svg_step(b, command, x);
	svg_step(b, ' ', y);
}

static void put_quantile(struct percentiles *v, unsigned int i)
{
	struct hist_strbuf *b = v->b;
	unsigned int col;
	bool on = false;

	class_attribute(b, "band", i);
	for (col = 0; col < v->map->ncolumns; col++) {
		const struct hist_quantile *q = &v->q[(size_t)col * v->n + i];
		double x1 = chart_time_axis_at(&v->time, v->map->columns[col].from);
		double x2 = chart_time_axis_at(&v->time, v->map->columns[col].to);
		double y1 = svg_percentiles_to_y(v, q->high), y2 = svg_percentiles_to_y(v, q->low);

		if (!v->counted[col])
			continue;
		if (y2 - y1 < BOX_LEAST)
			y2 = y1 + BOX_LEAST;
		put_point(b, 'M', x1, y1);
		svg_step(b, 'H', x2);
		svg_step(b, 'V', y2);
		svg_step(b, 'H', x1);
		hist_strbuf_char(b, 'z');
	}
	hist_strbuf_str(b, "\"/>\n");
	class_attribute(b, "edge", i);
	for (col = 0; col < v->map->ncolumns; col++) {
		const struct hist_quantile *q = &v->q[(size_t)col * v->n + i];
		double y = svg_percentiles_to_y(v, q->high);

		if (v->counted[col]) {
			put_point(b, on ? 'L' : 'M',
				  chart_time_axis_at(&v->time, v->map->columns[col].from),
				  y);
			svg_step(b, 'H', chart_time_axis_at(&v->time, v->map->columns[col].to));
		}
		on = v->counted[col];
	}
	hist_strbuf_str(b, "\"/>\n");
}

static double svg_percentiles_put_legend(struct percentiles *v, double y)
{
	double x = v->time.x;
	unsigned int i;
	char name[32];

	for (i = 0; i < v->n; i++) {
		class_attribute(v->b, "edge", i);
		put_point(v->b, 'M', x, y + 8);
		hist_strbuf_str(v->b, "h24\"/>\n");
		hist_quantile_name(name, v->p[i]);
		hist_strbuf_str(hist_strbuf_clear(&v->text), name);
		svg_text(v->b, "tick", 's', x + 30, y + 12, &v->text, NULL);
		x += 92;
		if (x + 92 > v->time.x + v->time.w && i + 1 < v->n) {
			x = v->time.x;
			y += 20;
		}
	}
	y += 20;
	hist_strbuf_str(hist_strbuf_clear(&v->text),
			"Each percentile lies within its box; the line is the upper bound.");
	svg_text(v->b, "muted", 's', v->time.x, y + 12, &v->text, NULL);
	return y + 20;
}

double svg_draw_percentiles(struct hist_strbuf *b, const struct chart_data *c, double width,
			    const struct hist_writer_options *o)
{
	static const uint32_t default_order[] = { 500000, 900000, 990000 };
	struct percentiles v = {
		.b = b,
		.c = c,
		.map = c->map,
		.p = o->nquantiles ? o->quantiles : default_order,
		.n = o->nquantiles ? o->nquantiles : 3,
	};
	const struct hist_schema *schema = chart_data_schema(c);
	int axis = hist_axis_key(schema), ret;
	struct chart_scene axis_scene = { 0 };
	double y = HEAD + PLOT;
	unsigned int i;
	bool log;

	if (axis < 0 || !svg_has_time(c))
		return svg_nothing(b, axis < 0 ? "percentiles need a key that is a quantity" :
				   "nothing was counted between two snapshots");
	ret = svg_percentiles_collect_points(&v);
	if (ret) {
		hist_strbuf_fail(b, ret);
		goto out;
	}
	v.unit = hist_unit_from_key(&schema->keys[axis]);
	log = v.low >= 0 && v.high - v.low >= LOG_FROM;
	if (v.low == v.high) {
		v.low -= 0.5;
		v.high += 0.5;
	}
	v.scale = chart_scale_make(log ? CHART_LOG_ONE : CHART_LINEAR, v.low, v.high, HEAD + PLOT,
				   HEAD);
	v.time = svg_make_time_axis(c, LABEL_COLUMNS * SVG_CHAR + 14,
				     width - LABEL_COLUMNS * SVG_CHAR - 14 - 16);
	svg_chart_axis_title(&v.text, c, axis);
	if (log)
		hist_strbuf_str(&v.text, ", log scale");
	svg_title(b, "axis-title", 's', 0, 14, &v.text, 60);
	svg_rect(b, "plot", v.time.x, HEAD, v.time.w, PLOT);
	svg_add_time_axis(&axis_scene, c, &v.time, HEAD, y);
	svg_put_scene(b, &axis_scene);
	chart_scene_free(&axis_scene);
	value_axis(&v);
	/* the lowest first: its solid line shows through the gaps of the other lines */
	for (i = 0; i < v.n; i++)
		put_quantile(&v, i);
	y = svg_percentiles_put_legend(&v, y + 42) + 6;
	hist_strbuf_fail(b, v.text.error);
out:
	free(v.q);
	free(v.counted);
	hist_strbuf_free(&v.text);
	return y;
}
