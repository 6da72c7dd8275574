// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_heatmap.c - a heat map: rows of an axis or of keys over time, in nine colours
 *
 * lib/chart/heat.h draws the map.  A cell shows a rate, so intervals of different length are
 * comparable.  A mark above the map shows columns in which something was lost.  The legend shows
 * the lowest rate of each colour.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/chart/heat.h"
#include "lib/chart/legend.h"
#include "lib/heatmap/heat_scale.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"
#include "lib/report/xml.h"

#define ROW_MOST 18
#define TITLES_MAX 1500 /* cells that have their numbers in a <title> */
#define LEGEND_BELOW 48 /* the middle of its first line below the plot */

struct heatmap {
	const struct chart_data *c;
	const struct hist_heatmap *map;
	struct chart_time_axis time;
	struct hist_heat heat;
	uint8_t *levels;
	char *key_title;
	bool exact;
	struct chart_heat chart;
	struct chart_scene scene;
	struct hist_strbuf text;
};

static struct chart_span svg_heatmap_column(void *data, uint32_t i)
{
	const struct heatmap *v = data;

	return svg_time_span(&v->time, &v->map->columns[i]);
}

static void svg_heatmap_label(void *data, uint32_t i, struct hist_strbuf *b)
{
	const struct heatmap *v = data;

	svg_put_row_label(b, v->c, v->map, &v->map->rows[i], v->exact);
}

static bool svg_heatmap_is_gap(void *data, uint32_t i)
{
	return ((const struct heatmap *)data)->map->rows[i].empty;
}

static bool svg_heatmap_is_marked(void *data, uint32_t i)
{
	const struct hist_heat_column *column = &((const struct heatmap *)data)->map->columns[i];

	return column->reset || column->lost || column->dropped;
}

static void svg_heatmap_title(void *data, uint32_t row, uint32_t col, struct hist_strbuf *b)
{
	const struct heatmap *v = data;
	const struct hist_heat_column *column = &v->map->columns[col];

	svg_heatmap_label(data, row, b);
	hist_strbuf_str(b, ": ");
	hist_number_put_grouped(b, v->map->rows[row].cells[col], false);
	hist_strbuf_str(b, " from ");
	hist_label_put_time(b, column->from, v->map->ns);
	hist_strbuf_str(b, " to ");
	hist_label_put_time(b, column->to, v->map->ns);
	if (v->map->ns) {
		hist_strbuf_str(b, ", ");
		hist_number_put_rate(b, hist_heatmap_rate(v->map, &v->map->rows[row], col));
		hist_strbuf_str(b, "/s");
	}
}

static bool svg_heatmap_has_titles(const struct heatmap *v)
{
	size_t i, n = (size_t)v->map->nrows * v->map->ncolumns, cells = 0;

	for (i = 0; i < n; i++)
		cells += v->levels[i] != 0;
	return cells <= TITLES_MAX;
}

/* The row of an axis that has @number, or HIST_NO_ENTRY. */
static uint32_t svg_heatmap_find_row(const struct heatmap *v, uint64_t number)
{
	uint32_t i;

	for (i = 0; i < v->map->nrows; i++) {
		const struct hist_heat_row *row = &v->map->rows[i];

		if (!row->empty && number >= row->ge && number <= row->le)
			return i;
	}
	return HIST_NO_ENTRY;
}

/* The column of @time, or ncolumns. */
static unsigned int svg_heatmap_find_column(const struct heatmap *v, uint64_t time)
{
	unsigned int i;

	for (i = 0; i < v->map->ncolumns; i++)
		if (time >= v->map->columns[i].from && time <= v->map->columns[i].to)
			break;
	return i;
}

/* A box around the cell of an episode, with a link to its story. */
static void svg_heatmap_put_episode(struct heatmap *v, struct hist_strbuf *b,
				    const struct hist_report_episode *e, uint64_t unit)
{
	unsigned int col = svg_heatmap_find_column(v, e->what.end + e->time_offset);
	uint32_t row = svg_heatmap_find_row(v, e->what.value / unit);
	struct chart_box box;

	if (col == v->map->ncolumns || row == HIST_NO_ENTRY)
		return;
	box = chart_heat_cell(&v->chart, 0, row, col);
	hist_strbuf_printf(b, "<a href=\"#episode-%" PRIu32 "\"><path class=\"episode\" d=\"",
			   e->rank);
	svg_put_box(b, box.x, box.y, box.w, box.h);
	hist_strbuf_printf(b, "\"><title>Episode %" PRIu32 ": ", e->rank);
	hist_unit_put(b, e->what.value, false, HIST_UNIT_NS);
	if (e->story && e->story->nparts) {
		hist_strbuf_str(b, ", ");
		hist_report_frame_put(hist_strbuf_clear(&v->text), &e->story->parts[0].what, 0);
		xml_text(b, &v->text);
	}
	hist_strbuf_str(b, "</title></path></a>\n");
}

static void svg_heatmap_put_episodes(struct heatmap *v, struct hist_strbuf *b)
{
	const struct hist_schema *schema = chart_data_schema(v->c);
	enum hist_unit unit;
	uint32_t i;

	if (!v->c->episodes || !v->map->has_axis)
		return;
	unit = hist_unit_from_key(&schema->keys[hist_axis_key(schema)]);
	if (unit != HIST_UNIT_NS && unit != HIST_UNIT_US)
		return;
	/* several episodes of a cell: the worst is on top */
	for (i = v->c->episodes->n; i--;)
		if (hist_report_episode_is_of(&v->c->episodes->list[i], v->c->info))
			svg_heatmap_put_episode(v, b, &v->c->episodes->list[i],
						unit == HIST_UNIT_US ? 1000 : 1);
}

static void svg_heatmap_put_level(void *data, uint8_t level, struct hist_strbuf *b)
{
	const struct heatmap *v = data;

	if (hist_heat_has_level(&v->heat, level))
		hist_number_put_short(b, v->heat.from[level] / 1000.0);
}

static void svg_heatmap_put_mark(void *data, uint8_t level, struct hist_strbuf *b)
{
	(void)data;
	(void)level;
	hist_strbuf_str(b, "hits dropped, snapshots missing, or histogram cleared");
}

static void svg_heatmap_put_unknown(void *data, uint8_t level, struct hist_strbuf *b)
{
	(void)data;
	(void)level;
	hist_strbuf_str(b, "time without snapshots");
}

/* The legend of the levels, and of marks and unknown time if there are any.  Returns the end. */
static double svg_heatmap_add_legends(struct heatmap *v, double y)
{
	struct chart_legend l = {
		.data = v,
		.look = CHART_CLASS_HEAT,
		.first = 1,
		.last = v->heat.levels - 1,
		.text = svg_heatmap_put_level,
		.font = svg_tick_font,
	};
	const struct chart_box *plot = &v->chart.plot;
	struct hist_strbuf text = { 0 };
	unsigned int i;
	char *title;

	svg_put_value_title(&text, v->c);
	hist_strbuf_str(&text,
			v->map->ns ? " per second, log scale:" : " per interval, log scale:");
	l.title = title = hist_strbuf_string(&text);
	if (!title) {
		v->scene.error = -ENOMEM;
		return y;
	}
	y = chart_legend_draw(&l, plot->x, y, plot->w, &v->scene);
	free(title);
	l.title = NULL;
	l.first = l.last = 0;
	for (i = 0; i < v->map->ncolumns && !svg_heatmap_is_marked(v, i);)
		i++;
	l.look = CHART_CLASS_MARK;
	l.text = svg_heatmap_put_mark;
	if (i < v->map->ncolumns)
		y = chart_legend_draw(&l, plot->x, y, plot->w, &v->scene);
	l.look = CHART_CLASS_UNKNOWN;
	l.text = svg_heatmap_put_unknown;
	if (v->chart.has_unknown)
		y = chart_legend_draw(&l, plot->x, y, plot->w, &v->scene);
	return y;
}

/* Add the note v->text.  Returns the place of the next one. */
static double svg_heatmap_add_note(struct heatmap *v, double y)
{
	chart_scene_words(&v->scene, CHART_CLASS_MUTED, CHART_NO_ITEM, 's', v->chart.plot.x, y + 4,
			  &v->text);
	return y + 18;
}

static double svg_heatmap_add_notes(struct heatmap *v, double y)
{
	const struct hist_heatmap *map = v->map;

	if (map->before) {
		hist_strbuf_str(hist_strbuf_clear(&v->text), "a total of ");
		hist_number_put_grouped(&v->text, map->before, false);
		hist_strbuf_str(&v->text, " is not in the heat map, because it was counted before "
					  "the first snapshot, at unknown times");
		y = svg_heatmap_add_note(v, y);
	}
	if (map->per_column > 1) {
		hist_strbuf_printf(hist_strbuf_clear(&v->text), "%u intervals per column",
				   map->per_column);
		y = svg_heatmap_add_note(v, y);
	}
	return y;
}

static int svg_heatmap_make(struct heatmap *v)
{
	const struct hist_heatmap *map = v->map;
	struct hist_strbuf title = { 0 };
	uint64_t least, most;

	svg_chart_axis_title(&title, v->c,
			     map->has_axis ? hist_axis_key(chart_data_schema(v->c)) : -1);
	v->key_title = hist_strbuf_string(&title);
	v->levels = malloc((size_t)map->nrows * map->ncolumns);
	if (!v->levels || !v->key_title)
		return -ENOMEM;
	hist_heatmap_find_range(map, &least, &most);
	hist_heat_make_scale(&v->heat, least, most, HIST_HEAT_CHAR_LEVELS);
	hist_heatmap_find_levels(map, &v->heat, v->levels);
	v->exact = svg_need_exact_rows(v->c, map);
	v->time = svg_make_time_axis(v->c, 0, 1);
	return 0;
}

static int svg_heatmap_draw(struct heatmap *v, struct hist_strbuf *b, double width)
{
	const struct chart_heat_figures f = {
		.data = v,
		.rows = v->map->nrows,
		.columns = v->map->ncolumns,
		.upward = v->map->has_axis,
		.look = CHART_CLASS_HEAT,
		.levels = v->levels,
		.column = svg_heatmap_column,
		.label = svg_heatmap_label,
		.is_gap = svg_heatmap_is_gap,
		.is_marked = svg_heatmap_is_marked,
		.title = svg_heatmap_has_titles(v) ? svg_heatmap_title : NULL,
		.key_title = v->key_title,
	};
	const struct chart_heat_options o = {
		.width = width,
		.row_most = ROW_MOST,
		.aligned = v->c->info->timeline != NULL,
		.font = svg_font,
	};
	int ret = chart_heat_measure(&v->chart, &f, &o);
	double y;

	if (ret)
		return ret;
	chart_heat_draw(&v->chart, 0, &v->scene);
	v->time = svg_make_time_axis(v->c, v->chart.plot.x, v->chart.plot.w);
	y = v->chart.plot.y + v->chart.plot.h;
	svg_add_time_axis(&v->scene, v->c, &v->time, y, y);
	v->scene.height = svg_heatmap_add_notes(v, svg_heatmap_add_legends(v, y + LEGEND_BELOW));
	svg_put_scene(b, &v->scene);
	svg_heatmap_put_episodes(v, b);
	return v->text.error;
}

static double svg_heatmap_draw_chart(struct hist_strbuf *b, const struct chart_data *c,
				     double width, const struct hist_writer_options *o)
{
	struct heatmap v = { .c = c, .map = c->map };
	double height;
	int ret;

	(void)o;
	if (!svg_has_time(c))
		return svg_nothing(b, c->value < 0 && c->shown ? "nothing to draw: the histogram "
				   "has neither the hit count nor the sum of a field" :
				   "nothing was counted between two snapshots");
	ret = svg_heatmap_make(&v);
	if (!ret)
		ret = svg_heatmap_draw(&v, b, width);
	hist_strbuf_fail(b, ret);
	height = v.scene.height;
	chart_heat_free(&v.chart);
	chart_scene_free(&v.scene);
	free(v.levels);
	free(v.key_title);
	hist_strbuf_free(&v.text);
	return height;
}

static void svg_heatmap_put_about(const struct chart_data *c, struct hist_strbuf *b)
{
	hist_strbuf_printf(b, "%u %s from left to right", c->map->ncolumns,
			   c->map->ncolumns == 1     ? "interval"
			   : c->map->per_column > 1 ? "columns"
						     : "intervals");
}

const struct svg_chart svg_chart_heatmap = {
	.kind = "heatmap",
	.caption = "Over time",
	.width = SVG_WIDE,
	.has = svg_has_time,
	.put_about = svg_heatmap_put_about,
	.draw = svg_heatmap_draw_chart,
};
