// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_chart.c - the drawing functions of charts: shapes, texts, ticks, the time scale
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/text.h"
#include "lib/table/disambiguate.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/text/views.h"
#include "lib/report/text_column.h"
#include "lib/report/xml.h"

/* Not printf(): it is slow for thousands of numbers, and some locales use a comma. */
void svg_real(struct hist_strbuf *b, double v)
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

static void element_begin(struct hist_strbuf *b, const char *name, const char *class)
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

static void svg_chart_shape(struct hist_strbuf *b, const char *name, const char *class,
			    const char *const names[4], const double values[4])
{
	unsigned int i;

	element_begin(b, name, class);
	for (i = 0; i < 4; i++)
		svg_put_attribute(b, names[i], values[i]);
	hist_strbuf_str(b, "/>\n");
}

void svg_rect(struct hist_strbuf *b, const char *class, double x, double y, double w, double h)
{
	static const char *const names[] = { "x", "y", "width", "height" };

	svg_chart_shape(b, "rect", class, names, (double[]){ x, y, w, h });
}

void svg_line(struct hist_strbuf *b, const char *class, double x1, double y1, double x2, double y2)
{
	static const char *const names[] = { "x1", "y1", "x2", "y2" };

	svg_chart_shape(b, "line", class, names, (double[]){ x1, y1, x2, y2 });
}

static void text_begin(struct hist_strbuf *b, const char *class, char anchor, double x, double y)
{
	element_begin(b, "text", class);
	svg_put_attribute(b, "x", x);
	svg_put_attribute(b, "y", y);
	if (anchor != 's')
		hist_strbuf_str(b, anchor == 'e' ? " text-anchor=\"end\"" :
						   " text-anchor=\"middle\"");
	hist_strbuf_char(b, '>');
}

void svg_text(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	      const struct hist_strbuf *text)
{
	text_begin(b, class, anchor, x, y);
	xml_text(b, text);
	hist_strbuf_str(b, "</text>\n");
}

void svg_str(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	     const char *text)
{
	const struct hist_strbuf s = { .data = (char *)text, .len = strlen(text) };

	svg_text(b, class, anchor, x, y, &s);
}

void svg_label(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	       const struct hist_strbuf *label, unsigned int columns)
{
	unsigned int width = hist_escape_width(label->data, label->len, 0);
	struct hist_strbuf cut = { 0 };

	text_begin(b, class, anchor, x, y);
	if (width > columns) {
		text_column_put(&cut, label, width, columns, false, false);
		xml_text(b, &cut);
		hist_strbuf_str(b, "<title>");
		xml_text(b, label);
		hist_strbuf_str(b, "</title>");
		hist_strbuf_free(&cut);
	} else {
		xml_text(b, label);
	}
	hist_strbuf_str(b, "</text>\n");
}

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

struct svg_time_scale svg_make_time_scale(const struct chart_data *c, double x, double w)
{
	const struct hist_timeline *timeline = c->info->timeline;
	const struct hist_heatmap *map = c->map;
	struct svg_time_scale t = {
		.x = x,
		.w = w,
		.from = map->columns[0].from,
		.to = map->columns[map->ncolumns - 1].to,
		.ns = map->ns,
	};

	if (timeline && timeline->on_line) {
		t.from = timeline->from;
		t.to = timeline->to;
		t.on_line = true;
	}
	return t;
}

double svg_time_to_x(const struct svg_time_scale *t, uint64_t time)
{
	if (time <= t->from || t->to <= t->from)
		return t->x;
	if (time >= t->to)
		return t->x + t->w;
	return t->x + t->w * ((double)(time - t->from) / (t->to - t->from));
}

void svg_put_time_axis(struct hist_strbuf *b, const struct svg_time_scale *t, double top, double y)
{
	uint64_t range = t->to > t->from ? t->to - t->from : 0, step, time;
	struct hist_strbuf text = { 0 };
	double x;

	step = chart_scale_time_step(range, t->w / 70 < 2 ? 2 : t->w / 70);
	for (time = 0; time <= range; time += step) {
		x = svg_time_to_x(t, t->from + time);
		svg_line(b, "grid", x, top, x, y + 4);
		chart_scale_put_time(hist_strbuf_clear(&text), time, step, t->ns);
		svg_text(b, "tick", 'm', x, y + 16, &text);
		if (range - time < step)
			break;
	}
	hist_strbuf_clear(&text);
	hist_strbuf_str(&text, t->ns ? "seconds after " : "ticks of the clock after ");
	if (t->on_line)
		hist_view_put_date(&text, t->from);
	else
		hist_label_put_time(&text, t->from, t->ns);
	svg_text(b, "axis-title", 'm', t->x + t->w / 2, y + 31, &text);
	hist_strbuf_free(&text);
}

bool svg_has_time(const struct chart_data *c)
{
	return c->map && c->map->ncolumns && c->map->nrows && c->value >= 0;
}

double svg_nothing(struct hist_strbuf *b, const char *why)
{
	svg_str(b, "muted", 's', 0, 16, why);
	return 24;
}
