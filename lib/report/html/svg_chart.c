// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_chart.c - what the charts share: titles, labels of rows, the time axis
 */
#include "lib/base/text.h"
#include "lib/table/disambiguate.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"
#include "lib/report/text/views.h"

#define TIME_RIGHT 16 /* right of a plot, for half of the last time */

static void unit_title(struct hist_strbuf *b, const char *name, enum hist_unit unit)
{
	hist_escape(b, name, strlen(name), 0);
	if (unit != HIST_UNIT_NONE) {
		hist_strbuf_str(b, " (");
		hist_strbuf_str(b, hist_unit_name(unit));
		hist_strbuf_char(b, ')');
	}
}

void svg_put_value_title(struct hist_strbuf *b, const struct chart_data *c)
{
	const struct hist_schema *schema = chart_data_schema(c);
	char title[300];

	if (c->value < 0)
		return;
	hist_column_format_value(schema, c->value, title, sizeof(title));
	unit_title(b, title, hist_unit_from_value(&schema->values[c->value]));
}

void svg_chart_axis_title(struct hist_strbuf *b, const struct chart_data *c, int axis)
{
	const struct hist_schema *schema = chart_data_schema(c);
	char title[HIST_TITLE_MAX];
	int i;

	for (i = axis < 0 ? 0 : axis; i < (axis < 0 ? (int)schema->nkeys : axis + 1); i++) {
		if (i && axis < 0)
			hist_strbuf_str(b, " / ");
		hist_column_format_key(schema, i, title, sizeof(title));
		unit_title(b, title, hist_unit_from_key(&schema->keys[i]));
	}
}

bool svg_need_exact_rows(const struct chart_data *c, const struct hist_heatmap *map)
{
	int axis = hist_axis_key(chart_data_schema(c));

	return axis >= 0 && disambiguate_rows(map, &chart_data_schema(c)->keys[axis]);
}

void svg_put_row_label(struct hist_strbuf *b, const struct chart_data *c,
		       const struct hist_heatmap *map, const struct hist_heat_row *row, bool exact)
{
	const struct hist_bounds bounds = { map->is_signed, row->ge, row->le };
	const struct hist_schema *schema = chart_data_schema(c);
	int axis = hist_axis_key(schema);

	if (row->empty) {
		hist_strbuf_char(b, '(');
		hist_number_put_grouped(b, row->empty, false);
		hist_strbuf_str(b, " empty)");
	} else if (row->others) {
		hist_number_put_grouped(b, map->others, false);
		hist_strbuf_printf(b, " other%s", text_plural(map->others));
	} else if (row->label || axis < 0) {
		hist_strbuf_str(b, row->label ? row->label : "");
	} else {
		hist_label_put_bucket(b, &schema->keys[axis], &bounds, exact);
	}
}

/* True if the times of several files are on one line. */
static bool svg_is_on_line(const struct chart_data *c)
{
	return c->info->timeline && c->info->timeline->on_line;
}

struct chart_time_axis svg_make_time_axis(const struct chart_data *c, double x, double w)
{
	const struct hist_timeline *timeline = c->info->timeline;
	const struct hist_heatmap *map = c->map;

	return (struct chart_time_axis){
		.x = x,
		.w = w,
		.from = svg_is_on_line(c) ? timeline->from : map->columns[0].from,
		.to = svg_is_on_line(c) ? timeline->to : map->columns[map->ncolumns - 1].to,
		.ns = map->ns,
		.relative = true,
	};
}

struct chart_span svg_time_span(const struct chart_time_axis *t,
				const struct hist_heat_column *column)
{
	struct chart_time_axis part = *t;

	part.x = 0;
	part.w = 1;
	return (struct chart_span){ chart_time_axis_at(&part, column->from),
				    chart_time_axis_at(&part, column->to) };
}

void svg_add_time_axis(struct chart_scene *scene, const struct chart_data *c,
		       const struct chart_time_axis *t, double top, double y)
{
	struct hist_strbuf text = { 0 };

	chart_time_axis_draw(t, &svg_font, top, y, t->x + t->w + TIME_RIGHT, scene);
	hist_strbuf_str(&text, t->ns ? "seconds after " : "ticks of the clock after ");
	if (svg_is_on_line(c))
		hist_view_put_date(&text, t->from);
	else
		hist_label_put_time(&text, t->from, t->ns);
	chart_scene_words(scene, CHART_CLASS_TITLE, CHART_NO_ITEM, 'm', t->x + t->w / 2, y + 31,
			  &text);
	hist_strbuf_free(&text);
}

bool svg_has_time(const struct chart_data *c)
{
	return c->map && c->map->ncolumns && c->map->nrows && c->value >= 0;
}

bool svg_has_axis(const struct chart_data *c)
{
	return hist_axis_key(chart_data_schema(c)) >= 0 && c->value >= 0;
}
