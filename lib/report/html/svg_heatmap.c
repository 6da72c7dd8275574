// SPDX-License-Identifier: LGPL-2.1
/*
 * svg_heatmap.c - a heat map: rows of an axis or of keys over time, in nine colours
 *
 * The width of a column is proportional to its time.  A cell shows a rate, so intervals of
 * different length are comparable.  Adjacent cells of a row with one colour are one
 * rectangle.  A mark above the map shows columns in which something was lost.  The legend
 * shows the lowest rate of each colour.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/heatmap/heat_scale.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/xml.h"

#define HEAD 26
#define NAMED 18 /* height of a row with its own label */
#define MAP_HEIGHT 420
#define ROW_LEAST 4
#define LABEL_STEP 13
#define LABEL_COLUMNS 40
#define LABEL_LEAST 14 /* room for the title of the key above the labels */
#define TITLES_MAX 1500 /* cells that have their numbers in a <title> */
#define LEGEND_BOX 16

struct heatmap {
	struct hist_strbuf *b;
	const struct chart_data *c;
	const struct hist_heatmap *map;
	struct chart_time_axis time;
	double left, row, height;
	struct hist_heat heat;
	uint64_t most;
	struct hist_strbuf text;
	unsigned int columns; /* of labels */
	struct hist_cut labels; /* of the rows */
	bool titles, exact;
};

static void svg_heatmap_measure_labels(struct heatmap *v, double width)
{
	unsigned int columns, most = width * 0.4 / SVG_CHAR;
	const struct hist_heatmap *map = v->map;
	uint64_t cells = 0, least;
	unsigned int col;
	uint32_t i;

	v->exact = svg_need_exact_rows(v->c, map);
	hist_cut_init(&v->labels, hist_cut_columns, NULL, HIST_CUT_MARK);
	for (i = 0; i < map->nrows; i++) {
		svg_put_row_label(hist_strbuf_clear(&v->text), v->c, map, &map->rows[i], v->exact);
		hist_cut_add(&v->labels, &v->text);
		for (col = 0; map->rows[i].cells && col < map->ncolumns; col++)
			cells += map->rows[i].cells[col] != 0;
	}
	columns = v->labels.widest;
	most = most > LABEL_COLUMNS ? LABEL_COLUMNS : most;
	v->columns = columns > most ? most : columns < LABEL_LEAST ? LABEL_LEAST : columns;
	/* a fixed width aligns the maps of several files */
	if (v->c->info->timeline)
		v->columns = most;
	hist_strbuf_fail(v->b, hist_cut_fit(&v->labels, v->columns));
	v->left = v->columns * SVG_CHAR + 12;
	v->titles = cells <= TITLES_MAX;
	v->row = NAMED;
	if (v->row * map->nrows > MAP_HEIGHT) {
		v->row = (double)MAP_HEIGHT / map->nrows;
		v->row = v->row < ROW_LEAST ? ROW_LEAST : v->row;
	}
	v->height = v->row * map->nrows;
	v->time = svg_make_time_axis(v->c, v->left, width - v->left - 16);
	hist_heatmap_find_range(map, &least, &v->most);
	hist_heat_make_scale(&v->heat, least, v->most, HIST_HEAT_CHAR_LEVELS);
}

/* The top row is the largest number of an axis, or the label with the largest total. */
static double row_y(const struct heatmap *v, uint32_t row)
{
	return HEAD + v->row * (v->map->has_axis ? v->map->nrows - 1 - row : row);
}

static void cell_title(struct heatmap *v, const struct hist_heat_row *row, unsigned int col)
{
	const struct hist_heat_column *column = &v->map->columns[col];

	svg_put_row_label(hist_strbuf_clear(&v->text), v->c, v->map, row, v->exact);
	hist_strbuf_str(&v->text, ": ");
	hist_number_put_grouped(&v->text, row->cells[col], false);
	hist_strbuf_str(&v->text, " from ");
	hist_label_put_time(&v->text, column->from, v->map->ns);
	hist_strbuf_str(&v->text, " to ");
	hist_label_put_time(&v->text, column->to, v->map->ns);
	if (v->map->ns) {
		hist_strbuf_str(&v->text, ", ");
		hist_number_put_rate(&v->text, hist_heatmap_rate(v->map, row, col));
		hist_strbuf_str(&v->text, "/s");
	}
	hist_strbuf_str(v->b, "<title>");
	xml_text(v->b, &v->text);
	hist_strbuf_str(v->b, "</title>");
}

/* "M1 2h3v4h-3z" */
static void svg_heatmap_put_box(struct heatmap *v, double x1, double x2, double y, double h)
{
	if (x2 - x1 < 0.6)
		x2 = x1 + 0.6;
	svg_step(v->b, 'M', x1);
	svg_step(v->b, ' ', y);
	svg_step(v->b, 'h', x2 - x1);
	svg_step(v->b, 'v', h);
	svg_step(v->b, 'h', x1 - x2);
	hist_strbuf_char(v->b, 'z');
}

static void svg_heatmap_put_cells(struct heatmap *v, uint32_t number)
{
	const struct hist_heat_row *row = &v->map->rows[number];
	double y = row_y(v, number), gap = v->row > 6 ? 1 : 0;
	unsigned int col, end, level;

	for (col = 0; col < v->map->ncolumns; col = end) {
		end = col + 1;
		level = hist_heat_level(&v->heat, hist_heatmap_rate(v->map, row, col));
		if (!level)
			continue;
		while (!v->titles && end < v->map->ncolumns &&
		       level == hist_heat_level(&v->heat, hist_heatmap_rate(v->map, row, end)))
			end++;
		hist_strbuf_str(v->b, "<path class=\"h");
		hist_strbuf_u64(v->b, level);
		hist_strbuf_str(v->b, "\" d=\"");
		svg_heatmap_put_box(v, chart_time_axis_at(&v->time, v->map->columns[col].from),
				    chart_time_axis_at(&v->time, v->map->columns[end - 1].to), y,
				    v->row - gap);
		if (v->titles) {
			hist_strbuf_str(v->b, "\">");
			cell_title(v, row, col);
			hist_strbuf_str(v->b, "</path>\n");
		} else {
			hist_strbuf_str(v->b, "\"/>\n");
		}
	}
}

static void svg_heatmap_put_rows(struct heatmap *v)
{
	double last = v->map->has_axis ? 1e9 : -1e9, y;
	uint32_t i;

	for (i = 0; i < v->map->nrows && !v->b->error; i++) {
		y = row_y(v, i) + v->row / 2 + 4;
		if (y - last >= LABEL_STEP || last - y >= LABEL_STEP) {
			svg_label(v->b, v->map->rows[i].empty ? "muted" : "label", 'e', v->left - 6,
				  y, &v->labels, i);
			last = y;
		}
		if (v->map->rows[i].cells)
			svg_heatmap_put_cells(v, i);
	}
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
static void svg_heatmap_put_episode(struct heatmap *v, const struct hist_report_episode *e,
				    uint64_t unit)
{
	unsigned int col = svg_heatmap_find_column(v, e->what.end + e->time_offset);
	uint32_t row = svg_heatmap_find_row(v, e->what.value / unit);

	if (col == v->map->ncolumns || row == HIST_NO_ENTRY)
		return;
	hist_strbuf_printf(v->b, "<a href=\"#episode-%" PRIu32 "\"><path class=\"episode\" d=\"",
			   e->rank);
	svg_heatmap_put_box(v, chart_time_axis_at(&v->time, v->map->columns[col].from),
			    chart_time_axis_at(&v->time, v->map->columns[col].to), row_y(v, row),
			    v->row);
	hist_strbuf_printf(v->b, "\"><title>Episode %" PRIu32 ": ", e->rank);
	hist_unit_put(v->b, e->what.value, false, HIST_UNIT_NS);
	if (e->story && e->story->nparts) {
		hist_strbuf_str(v->b, ", ");
		hist_report_frame_put(hist_strbuf_clear(&v->text), &e->story->parts[0].what, 0);
		xml_text(v->b, &v->text);
	}
	hist_strbuf_str(v->b, "</title></path></a>\n");
}

static void svg_heatmap_put_episodes(struct heatmap *v)
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
		if (html_episode_is_of(&v->c->episodes->list[i], v->c->info))
			svg_heatmap_put_episode(v, &v->c->episodes->list[i],
						unit == HIST_UNIT_US ? 1000 : 1);
}

static bool has_mark(const struct hist_heat_column *column)
{
	return column->reset || column->lost || column->dropped;
}

/* Draw a triangle for each run of columns in which something was lost. */
static bool svg_heatmap_put_marks(struct heatmap *v)
{
	unsigned int col, end;
	bool any = false;
	double x;

	for (col = 0; col < v->map->ncolumns; col = end) {
		end = col + 1;
		if (!has_mark(&v->map->columns[col]))
			continue;
		while (end < v->map->ncolumns && has_mark(&v->map->columns[end]))
			end++;
		x = chart_time_axis_at(&v->time, v->map->columns[col].from);
		svg_rect(v->b, "mark", x, HEAD - 8,
			 chart_time_axis_at(&v->time, v->map->columns[end - 1].to) - x, 4);
		any = true;
	}
	return any;
}

static double svg_heatmap_put_legend(struct heatmap *v, double y, bool marks)
{
	double x = v->left, from;
	unsigned int i;

	if (!v->most)
		return y;
	svg_put_value_title(hist_strbuf_clear(&v->text), v->c);
	hist_strbuf_str(&v->text,
			v->map->ns ? " per second, log scale:" : " per interval, log scale:");
	svg_text(v->b, "tick", 's', x, y + 12, &v->text);
	x += hist_escape_width(v->text.data, v->text.len, 0) * 6.2 + 8;
	if (x > v->left + v->time.w - 9 * 60) {
		x = v->left;
		y += 22;
	}
	for (i = 1; i < v->heat.levels; i++) {
		char class[16];

		if (!hist_heat_has_level(&v->heat, i))
			continue;
		snprintf(class, sizeof(class), "h%u", i);
		if (x + 60 > v->left + v->time.w && x > v->left) {
			x = v->left;
			y += 20;
		}
		svg_rect(v->b, class, x, y + 1, LEGEND_BOX, 13);
		from = v->heat.from[i] / 1000.0;
		hist_number_put_short(hist_strbuf_clear(&v->text), from);
		svg_text(v->b, "tick", 's', x + LEGEND_BOX + 4, y + 12, &v->text);
		x += LEGEND_BOX + 44;
	}
	y += 20;
	if (marks) {
		svg_rect(v->b, "mark", v->left, y + 6, LEGEND_BOX, 4);
		svg_str(v->b, "tick", 's', v->left + LEGEND_BOX + 4, y + 12,
			"hits dropped, snapshots missing, or histogram cleared");
		y += 20;
	}
	return y;
}

/* Write the note v->text.  Returns the lower end. */
static double put_note(struct heatmap *v, double y)
{
	svg_text(v->b, "muted", 's', v->left, y + 12, &v->text);
	return y + 18;
}

static double svg_heatmap_put_notes(struct heatmap *v, double y)
{
	const struct hist_heatmap *map = v->map;

	if (map->before) {
		hist_strbuf_str(hist_strbuf_clear(&v->text), "a total of ");
		hist_number_put_grouped(&v->text, map->before, false);
		hist_strbuf_str(&v->text, " is not in the heat map, because it was counted before "
					  "the first snapshot, at unknown times");
		y = put_note(v, y);
	}
	if (map->per_column > 1) {
		hist_strbuf_printf(hist_strbuf_clear(&v->text), "%u intervals per column",
				   map->per_column);
		y = put_note(v, y);
	}
	return y;
}

double svg_draw_heatmap(struct hist_strbuf *b, const struct chart_data *c, double width)
{
	struct heatmap v = { .b = b, .c = c, .map = c->map };
	double y;
	bool marks;

	if (!svg_has_time(c))
		return svg_nothing(b, c->value < 0 && c->shown ? "nothing to draw: the histogram "
				   "has neither the hit count nor the sum of a field" :
				   "nothing was counted between two snapshots");
	svg_heatmap_measure_labels(&v, width);
	y = HEAD + v.height;
	svg_chart_axis_title(hist_strbuf_clear(&v.text), c,
			     v.map->has_axis ? hist_axis_key(chart_data_schema(c)) : -1);
	svg_title(b, "axis-title label", 'e', v.left - 6, 14, &v.text, v.columns);
	svg_rect(b, "plot", v.left, HEAD, v.time.w, v.height);
	svg_put_time_axis(b, c, &v.time, HEAD, y);
	marks = svg_heatmap_put_marks(&v);
	svg_heatmap_put_rows(&v);
	svg_heatmap_put_episodes(&v);
	y = svg_heatmap_put_notes(&v, svg_heatmap_put_legend(&v, y + 42, marks));
	hist_cut_free(&v.labels);
	hist_strbuf_fail(b, v.text.error);
	hist_strbuf_free(&v.text);
	return y + 6;
}
