// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_bars.c - a horizontal bar for each row of the total
 *
 * A histogram with an axis has one bar per bucket, in order, summed over its groups,
 * including empty buckets.  Other histograms show their largest rows.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/text.h"
#include "lib/table/label_details.h"
#include "lib/report/html/svg_chart.h"

#define ROW 20
#define BAR 14
#define HEAD 22
#define LABEL_COLUMNS 40
#define LABEL_LEAST 14 /* room for the title of the keys above the labels */

struct bars {
	struct hist_strbuf *b;
	const struct chart_data *c;
	const struct hist_schema *schema;
	const struct hist_heatmap *map; /* its rows are the bars; NULL: the rows of the total are */
	double width, left, plot, y;
	unsigned int columns; /* for labels */
	uint64_t most, all;
	struct hist_strbuf text;
	struct label_details details; /* of rows of the total */
	bool exact;		      /* of rows of the map */
};

static uint64_t bar_value(const struct bars *v, uint32_t bar)
{
	const struct chart_data *c = v->c;
	uint64_t value;

	if (v->map)
		return v->map->rows[bar].total;
	value = c->total.values[(size_t)c->rows.entries[bar] * v->schema->nvalues + c->value];
	return v->schema->values[c->value].is_signed && value >> 63 ? 0 : value;
}

/* Set v->text to the label of a bar. */
static void bar_label(struct bars *v, uint32_t bar)
{
	const struct hist_cell *cells;
	unsigned int i;

	v->text.len = 0;
	if (v->map) {
		svg_put_row_label(&v->text, v->c, v->map, &v->map->rows[bar], v->exact);
		return;
	}
	cells = hist_table_cells(v->c->table, v->c->rows.entries[bar]);
	for (i = 0; i < v->schema->nkeys; i++) {
		if (i)
			hist_strbuf_str(&v->text, " / ");
		label_details_put(&v->details, &v->text, v->c->table, i, &cells[i], false, 0);
	}
}

static void svg_bars_measure_labels(struct bars *v, unsigned int columns)
{
	unsigned int most = v->width * 0.42 / SVG_CHAR;

	if (most > LABEL_COLUMNS)
		most = LABEL_COLUMNS;
	v->columns = columns < most ? columns : most;
	if (v->columns < LABEL_LEAST)
		v->columns = LABEL_LEAST;
	v->left = v->columns * SVG_CHAR + 12;
	/* room for value and share after the longest bar */
	hist_number_put_grouped(hist_strbuf_clear(&v->text), v->most, false);
	v->plot = v->width - v->left - (v->text.len + 9) * SVG_CHAR - 6;
	v->y = HEAD;
}

/* Draw a bar whose label is v->text. */
static void svg_bars_put_bar(struct bars *v, uint64_t value)
{
	double w = v->most ? v->plot * ((double)value / v->most) : 0;

	hist_strbuf_str(v->b, "<g class=\"row\">\n");
	svg_label(v->b, "label", 'e', v->left - 6, v->y + 14, &v->text, v->columns);
	if (value)
		svg_rect(v->b, "bar", v->left, v->y + (ROW - BAR) / 2, w < 1 ? 1 : w, BAR);
	hist_number_put_grouped(hist_strbuf_clear(&v->text), value, false);
	if (v->all && value) {
		hist_strbuf_add(&v->text, "  ", 2);
		hist_number_put_share(&v->text, value, v->all);
	}
	svg_text(v->b, value ? "number" : "number none", 's', v->left + (value ? w : 0) + 6,
		 v->y + 14, &v->text);
	hist_strbuf_str(v->b, "</g>\n");
}

/* Called before the bars, because later lines would cover the labels. */
static void svg_bars_put_grid(struct bars *v, double height)
{
	struct chart_scale scale = chart_scale_make(CHART_LINEAR, 0, v->most, v->left, v->left + v->plot);
	struct chart_ticks ticks = chart_scale_ticks(&scale, v->plot / 70, 0, true);
	unsigned int i;

	for (i = 0; i < ticks.n; i++) {
		double x = chart_scale_at(&scale, ticks.at[i]);

		svg_line(v->b, "grid", x, HEAD, x, HEAD + height + 4);
		hist_number_put_short(hist_strbuf_clear(&v->text), ticks.at[i]);
		svg_text(v->b, "tick", 'm', x, HEAD + height + 16, &v->text);
	}
	svg_put_value_title(hist_strbuf_clear(&v->text), v->c);
	svg_text(v->b, "axis-title", 'm', v->left + v->plot / 2, HEAD + height + 31, &v->text);
}

/* Write the line of the bars that are not shown. */
static void put_more(struct bars *v, uint32_t more, uint64_t rest)
{
	hist_strbuf_printf(hist_strbuf_clear(&v->text), "%" PRIu32 " more", more);
	if (!v->map) {
		hist_strbuf_printf(&v->text, " row%s, ", text_plural(more));
		hist_number_put_grouped(&v->text, rest, false);
	}
	svg_text(v->b, "muted", 's', v->left + (v->map ? 0 : 6), v->y + 14, &v->text);
	v->y += ROW;
}

static double svg_bars_draw(struct bars *v, uint32_t most)
{
	const struct hist_rows *rows = &v->c->rows;
	uint32_t all = v->map ? v->map->nrows : rows->n, n = all < most ? all : most, i, more;
	uint64_t rest = rows->rest[v->c->value], value;
	unsigned int columns = 0, width;

	more = (v->map ? all : rows->total) - n;
	for (i = 0; i < n; i++) {
		bar_label(v, i);
		width = hist_escape_width(v->text.data, v->text.len, 0);
		columns = width > columns ? width : columns;
		value = bar_value(v, i);
		v->most = value > v->most ? value : v->most;
	}
	for (; i < all; i++)
		rest += bar_value(v, i);
	svg_bars_measure_labels(v, columns);
	svg_chart_axis_title(hist_strbuf_clear(&v->text), v->c,
			     v->map ? hist_axis_key(v->schema) : -1);
	svg_label(v->b, "axis-title label", 'e', v->left - 6, 14, &v->text, v->columns);
	svg_bars_put_grid(v, (n + (more != 0)) * ROW);
	for (i = 0; i < n && !v->b->error; i++) {
		bar_label(v, i);
		if (v->map && v->map->rows[i].empty)
			svg_text(v->b, "muted", 'e', v->left - 6, v->y + 14, &v->text);
		else
			svg_bars_put_bar(v, bar_value(v, i));
		v->y += ROW;
	}
	if (more)
		put_more(v, more, rest);
	return v->y + 40;
}

double svg_draw_bars(struct hist_strbuf *b, const struct chart_data *c, double width, uint32_t most,
		     bool rows)
{
	struct bars v = { .b = b, .c = c, .schema = chart_data_schema(c), .width = width };
	struct hist_heatmap *map = NULL;
	double height = 0;
	int ret = 0;

	if (!c->rows.n || c->value < 0)
		return svg_nothing(b, c->value < 0 && c->rows.n ? "nothing to draw: the histogram "
				   "has neither the hit count nor the sum of a field" :
								  "nothing was counted");
	if (!rows)
		map = chart_data_make_axis_map(c, &ret);
	v.map = map;
	if (map)
		v.exact = svg_need_exact_rows(c, map);
	else if (!ret)
		ret = label_details_make(&v.details, c->table, c->rows.entries,
					 c->rows.n < most ? c->rows.n : most);
	hist_strbuf_fail(b, ret);
	v.all = c->rows.has_shares ? c->rows.totals[c->value] : 0;
	if (!ret)
		height = svg_bars_draw(&v, most);
	hist_heatmap_free(map);
	hist_strbuf_fail(b, v.text.error);
	hist_strbuf_free(&v.text);
	label_details_free(&v.details);
	return height;
}
