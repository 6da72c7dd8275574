// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_bars.c - a horizontal bar for each row of the total
 *
 * A histogram with an axis has one bar per bucket, in order, summed over its groups,
 * including empty buckets.  Other histograms show their largest rows.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/text.h"
#include "lib/chart/bars.h"
#include "lib/table/label_details.h"
#include "lib/report/html/chart_data.h"
#include "lib/report/html/html.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"

struct bars {
	const struct chart_data *c;
	const struct hist_schema *schema;
	const struct hist_heatmap *map; /* its rows are the bars; NULL: the rows of the total are */
	struct label_details details; /* of rows of the total */
	bool exact;		      /* of rows of the map */
};

static uint64_t svg_bars_value(void *data, uint32_t bar)
{
	const struct bars *v = data;
	const struct chart_data *c = v->c;
	uint64_t value;

	if (v->map)
		return v->map->rows[bar].total;
	value = c->total.values[(size_t)c->rows.entries[bar] * v->schema->nvalues + c->value];
	return v->schema->values[c->value].is_signed && value >> 63 ? 0 : value;
}

static uint64_t svg_bars_gap(void *data, uint32_t bar)
{
	const struct bars *v = data;

	return v->map ? v->map->rows[bar].empty : 0;
}

static void svg_bars_label(void *data, uint32_t bar, struct hist_strbuf *b)
{
	const struct bars *v = data;
	const struct hist_cell *cells;
	unsigned int i;

	if (v->map) {
		svg_put_row_label(b, v->c, v->map, &v->map->rows[bar], v->exact);
		return;
	}
	cells = hist_table_cells(v->c->table, v->c->rows.entries[bar]);
	for (i = 0; i < v->schema->nkeys; i++) {
		if (i)
			hist_strbuf_str(b, " / ");
		label_details_put(&v->details, b, v->c->table, i, &cells[i], false, 0);
	}
}

/* The line of the bars from @n on, which are not shown; "" if there are none. */
static void svg_bars_put_more(struct bars *v, uint32_t n, struct hist_strbuf *b)
{
	const struct hist_rows *rows = &v->c->rows;
	uint32_t more = (v->map ? v->map->nrows : rows->total) - n, i;
	uint64_t rest = rows->rest[v->c->value];

	if (!more)
		return;
	hist_strbuf_printf(b, "%" PRIu32 " more", more);
	if (v->map)
		return;
	for (i = n; i < rows->n; i++)
		rest += svg_bars_value(v, i);
	hist_strbuf_printf(b, " row%s, ", text_plural(more));
	hist_number_put_grouped(b, rest, false);
}

/* Draw the first @n bars. */
static double svg_bars_draw(struct bars *v, struct hist_strbuf *b, double width, uint32_t n)
{
	struct hist_strbuf titles[3] = { { 0 } };
	struct chart_bars_figures f = {
		.data = v,
		.n = n,
		.value = svg_bars_value,
		.gap = svg_bars_gap,
		.label = svg_bars_label,
		.has_shares = v->c->rows.has_shares,
		.whole = v->c->rows.totals[v->c->value],
	};
	struct chart_bars_options o = { .width = width, .font = svg_font };
	struct chart_scene scene = { 0 };
	struct chart_bars bars = { 0 };
	char *key, *value, *more;
	double height;
	int ret;

	svg_chart_axis_title(&titles[0], v->c, v->map ? hist_axis_key(v->schema) : -1);
	svg_put_value_title(&titles[1], v->c);
	svg_bars_put_more(v, n, &titles[2]);
	f.key_title = key = hist_strbuf_string(&titles[0]);
	f.value_title = value = hist_strbuf_string(&titles[1]);
	more = titles[2].len || titles[2].error ? hist_strbuf_string(&titles[2]) : NULL;
	f.more = more;
	ret = key && value && !titles[2].error ? chart_bars_measure(&bars, &f, &o) : -ENOMEM;
	if (!ret)
		chart_bars_draw(&bars, 0, &scene);
	hist_strbuf_fail(b, ret);
	height = svg_put_scene(b, &scene);
	chart_bars_free(&bars);
	chart_scene_free(&scene);
	free(key);
	free(value);
	free(more);
	return height;
}

/*
 * The total over the axis, summed over all groups, as a map with one column.  Returns NULL if there
 * is no axis to draw, or after an error, which is in *@ret.
 */
static struct hist_heatmap *svg_bars_make_axis_map(const struct chart_data *c, int *ret)
{
	const struct hist_view view = {
		.info = c->info,
		.table = c->table,
		.snap = &c->total,
		.difference = true,
	};
	struct hist_heatmap *map;

	*ret = 0;
	if (!c->table || c->value < 0 || hist_axis_key(chart_data_schema(c)) < 0)
		return NULL;
	map = hist_heatmap_new(c->info, 2, CHART_MAP_ROWS);
	*ret = map ? hist_heatmap_begin_interval(map, &view) : -ENOMEM;
	if (!*ret)
		*ret = hist_heatmap_add(map, &view, c->value, NULL, 0);
	if (!*ret)
		*ret = hist_heatmap_finish(map, 0);
	if (!*ret)
		return map;
	hist_heatmap_free(map);
	return NULL;
}

double svg_draw_bars(struct hist_strbuf *b, const struct chart_data *c, double width, uint32_t most,
		     bool rows)
{
	struct bars v = { .c = c, .schema = chart_data_schema(c) };
	struct hist_heatmap *map = NULL;
	double height = 0;
	uint32_t n;
	int ret = 0;

	if (!c->rows.n || c->value < 0)
		return svg_nothing(b, c->value < 0 && c->rows.n ? "nothing to draw: the histogram "
				   "has neither the hit count nor the sum of a field" :
								  "nothing was counted");
	if (!rows)
		map = svg_bars_make_axis_map(c, &ret);
	v.map = map;
	n = map ? map->nrows : c->rows.n;
	n = n < most ? n : most;
	if (map)
		v.exact = svg_need_exact_rows(c, map);
	else if (!ret)
		ret = label_details_make(&v.details, c->table, c->rows.entries, n);
	hist_strbuf_fail(b, ret);
	if (!ret)
		height = svg_bars_draw(&v, b, width, n);
	hist_heatmap_free(map);
	label_details_free(&v.details);
	return height;
}

static bool svg_bars_has(const struct chart_data *c)
{
	(void)c;
	return true;
}

static void svg_bars_put_about(const struct chart_data *c, struct hist_strbuf *b)
{
	if (!svg_has_axis(c))
		hist_strbuf_str(b, "the largest rows");
	else if (chart_data_schema(c)->nkeys > 1)
		hist_strbuf_str(b, "along the axis, sum of all groups");
	else
		hist_strbuf_str(b, "along the axis");
}

static double svg_bars_draw_page(struct hist_strbuf *b, const struct chart_data *c, double width,
				 const struct hist_writer_options *o)
{
	(void)o;
	return svg_draw_bars(b, c, width,
			     svg_has_axis(c) ? HTML_AXIS_BARS : c->top ? UINT32_MAX : HTML_BARS,
			     false);
}

const struct svg_chart svg_chart_bars = {
	.kind = "bars",
	.caption = "Total",
	.width = SVG_HALF,
	.has = svg_bars_has,
	.put_about = svg_bars_put_about,
	.draw = svg_bars_draw_page,
};
