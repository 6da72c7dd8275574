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

#include "lib/base/xml.h"
#include "lib/report/html/svg_chart.h"

#define ROW 20
#define BAR 14
#define HEAD 22
#define LABEL_COLUMNS 40
#define LABEL_LEAST 14 /* room for the title of the keys above the labels */

struct bars {
	struct hist_strbuf *b;
	const struct course *c;
	const struct hist_schema *schema;
	double width, left, plot, y;
	unsigned int columns; /* for labels */
	uint64_t most, all;
	struct hist_strbuf text;
	/* details of row labels: see disambiguate.h */
	bool *ambiguous; /* by string */
	bool exact[HIST_KEYS_MAX];
};

static uint64_t row_value(const struct bars *v, uint32_t row)
{
	uint64_t value = v->c->total.values[(size_t)v->c->rows.entries[row] * v->schema->nvalues +
					    v->c->value];

	return v->schema->values[v->c->value].is_signed && value >> 63 ? 0 : value;
}

static void row_label(struct bars *v, uint32_t row)
{
	const struct hist_cell *cells = hist_table_cells(v->c->table, v->c->rows.entries[row]);
	unsigned int i;

	v->text.len = 0;
	for (i = 0; i < v->schema->nkeys; i++) {
		enum hist_unit unit = hist_unit_of_key(&v->schema->keys[i]);
		struct hist_bounds bounds;

		if (i)
			hist_strbuf_str(&v->text, " / ");
		if (unit == HIST_UNIT_NONE) {
			hist_label(&v->text, v->c->table, i, &cells[i],
				   chart_address(v->ambiguous, v->schema, i, &cells[i]));
			continue;
		}
		hist_axis_bounds(&v->schema->keys[i], cells[i].num, &bounds);
		hist_bucket_label(&v->text, &v->schema->keys[i], &bounds, v->exact[i]);
	}
}

static void measure(struct bars *v, unsigned int columns)
{
	unsigned int most = v->width * 0.42 / SVG_CHAR;

	if (most > LABEL_COLUMNS)
		most = LABEL_COLUMNS;
	v->columns = columns < most ? columns : most;
	if (v->columns < LABEL_LEAST)
		v->columns = LABEL_LEAST;
	v->left = v->columns * SVG_CHAR + 12;
	/* room for value and share after the longest bar */
	v->text.len = 0;
	chart_count(&v->text, v->most);
	v->plot = v->width - v->left - (v->text.len + 9) * SVG_CHAR - 6;
	v->y = HEAD;
}

static void put_bar(struct bars *v, const struct hist_strbuf *label, uint64_t value)
{
	double w = v->most ? v->plot * ((double)value / v->most) : 0;
	struct hist_strbuf number = { 0 };
	uint32_t share;

	hist_strbuf_str(v->b, "<g class=\"row\">\n");
	svg_label(v->b, "label", 'e', v->left - 6, v->y + 14, label, v->columns);
	if (value)
		svg_rect(v->b, "bar", v->left, v->y + (ROW - BAR) / 2, w < 1 ? 1 : w, BAR);
	chart_count(&number, value);
	if (v->all && value) {
		share = hist_share(value, v->all);
		hist_strbuf_printf(&number, "  %" PRIu32 ".%02" PRIu32 "%%", share / 100, share % 100);
	}
	svg_text(v->b, value ? "number" : "number none", 's', v->left + (value ? w : 0) + 6,
		 v->y + 14, &number);
	hist_strbuf_str(v->b, "</g>\n");
	v->y += ROW;
	hist_strbuf_free(&number);
}

static void put_note(struct bars *v, const char *text)
{
	svg_str(v->b, "muted", 's', v->left, v->y + 14, text);
	v->y += ROW;
}

/* Called before the bars, because later lines would cover the labels. */
static void grid(struct bars *v, double height)
{
	double step = chart_step(v->most, v->plot < 260 ? 3 : 5), at;

	if (step < 1)
		step = 1;
	for (at = 0; at <= v->most * 1.000001; at += step) {
		double x = v->left + (v->most ? v->plot * (at / v->most) : 0);

		svg_line(v->b, "grid", x, HEAD, x, HEAD + height + 4);
		v->text.len = 0;
		chart_short(&v->text, at);
		svg_text(v->b, "tick", 'm', x, HEAD + height + 16, &v->text);
		if (!v->most)
			break;
	}
	v->text.len = 0;
	chart_value_title(&v->text, v->c);
	svg_text(v->b, "axis-title", 'm', v->left + v->plot / 2, HEAD + height + 31, &v->text);
}

static void head(struct bars *v, bool axis)
{
	v->text.len = 0;
	if (axis)
		chart_key_title(&v->text, v->c, hist_axis_key(v->schema));
	else
		chart_keys_title(&v->text, v->c);
	svg_label(v->b, "axis-title label", 'e', v->left - 6, 14, &v->text, v->columns);
}

/* The bars of a histogram with an axis: its buckets are rows of a heat map. */
static double of_axis(struct bars *v, const struct hist_heatmap *map, uint32_t most)
{
	bool exact = chart_rows_exact(v->c, map);
	unsigned int columns = 0, width;
	uint32_t n = map->nrows < most ? map->nrows : most, i;
	char text[64];

	for (i = 0; i < n; i++) {
		v->text.len = 0;
		chart_row_label(&v->text, v->c, map, &map->rows[i], exact);
		width = hist_escape_width(v->text.data, v->text.len, 0);
		columns = width > columns ? width : columns;
		v->most = map->rows[i].total > v->most ? map->rows[i].total : v->most;
	}
	measure(v, columns);
	head(v, true);
	grid(v, (n + (map->nrows > n)) * ROW);
	for (i = 0; i < n; i++) {
		v->text.len = 0;
		chart_row_label(&v->text, v->c, map, &map->rows[i], exact);
		if (map->rows[i].empty) {
			svg_text(v->b, "muted", 'e', v->left - 6, v->y + 14, &v->text);
			v->y += ROW;
		} else {
			put_bar(v, &v->text, map->rows[i].total);
		}
	}
	if (map->nrows > n) {
		snprintf(text, sizeof(text), "%" PRIu32 " more", map->nrows - n);
		put_note(v, text);
	}
	return v->y + 40;
}

/* 0, -ENOMEM */
static int tell_apart(struct bars *v, uint32_t n)
{
	v->ambiguous = calloc(hist_table_strings(v->c->table) + 1, sizeof(*v->ambiguous));
	return v->ambiguous ? chart_tell_apart(v->c, v->c->rows.entries, n, v->ambiguous, v->exact) :
			      -ENOMEM;
}

static double of_rows(struct bars *v, uint32_t most)
{
	const struct hist_rows *rows = &v->c->rows;
	uint32_t n = rows->n < most ? rows->n : most, i;
	unsigned int columns = 0, width;
	uint64_t rest = 0;
	char text[96];
	int ret = tell_apart(v, n);

	hist_strbuf_fail(v->b, ret);
	for (i = 0; i < rows->n; i++) {
		uint64_t value = row_value(v, i);

		if (i >= n) {
			rest += value;
			continue;
		}
		row_label(v, i);
		width = hist_escape_width(v->text.data, v->text.len, 0);
		columns = width > columns ? width : columns;
		v->most = value > v->most ? value : v->most;
	}
	rest += rows->rest[v->c->value];
	measure(v, columns);
	head(v, false);
	grid(v, (n + (rows->total > n)) * ROW);
	for (i = 0; i < n && !v->b->error; i++) {
		row_label(v, i);
		put_bar(v, &v->text, row_value(v, i));
	}
	if (rows->total > n) {
		struct hist_strbuf more = { 0 };

		snprintf(text, sizeof(text), "%" PRIu32 " more rows, ", rows->total - n);
		hist_strbuf_str(&more, text);
		chart_count(&more, rest);
		svg_text(v->b, "muted", 's', v->left + 6, v->y + 14, &more);
		v->y += ROW;
		hist_strbuf_free(&more);
	}
	return v->y + 40;
}

double svg_bars(struct hist_strbuf *b, const struct course *c, double width, uint32_t most,
		bool rows)
{
	struct bars v = { .b = b, .c = c, .schema = course_schema(c), .width = width };
	struct hist_heatmap *map = NULL;
	double height;
	int ret = 0;

	if (!c->rows.n || c->value < 0) {
		svg_str(b, "muted", 's', 0, 16, c->value < 0 && c->rows.n ?
							"no value that is a sum to draw" :
							"nothing was counted");
		return 24;
	}
	if (!rows)
		map = course_axis_map(c, &ret);
	if (ret) {
		hist_strbuf_fail(b, ret);
		return 0;
	}
	v.all = c->rows.has_shares ? c->rows.totals[c->value] : 0;
	height = map ? of_axis(&v, map, most) : of_rows(&v, most);
	hist_heatmap_free(map);
	hist_strbuf_fail(b, v.text.error);
	hist_strbuf_free(&v.text);
	free(v.ambiguous);
	return height;
}
