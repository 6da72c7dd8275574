// SPDX-License-Identifier: LGPL-2.1
/*
 * view_heatmap.c - heat maps as text: buckets down, time to the right
 *
 *      lat_us |  ░░▒▒▓▓▒░  | hitcount
 *    33-64 us |  ░░▒▒▓▓▒░  |       87
 *             |'0 s  '5 s  |
 *
 * A cell shows a rate, so columns of different length are comparable.  All maps have one
 * logarithmic scale.  A cell is an ASCII character, on a background colour if the terminal has
 * colours, or a Unicode block.
 * Columns of a short recording are drawn wider.
 *
 * In a report of several files all maps share one time line.  A column of the terminal then
 * shows the highest rate of the intervals that overlap it.
 *
 * The label identifies a group, because its number changes when the histogram is cleared.
 * All groups are parts of one map while they are counted.  Only groups that are shown get
 * their own map.
 *
 * Invariant: no line of a map is wider than the style's width, except for numbers.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/base/wide.h"
#include "lib/heatmap/heat_scale.h"
#include "lib/heatmap/heatmap.h"
#include "lib/label/cut.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/report/ansi.h"
#include "lib/report/text/text_view.h"
#include "lib/report/writer.h"
#include "lib/table/columns.h"
#include "lib/table/disambiguate.h"

#define CELL_MOST 8  /* most columns of the terminal for one column of the map */
#define TICK_LEAST 12
#define LABEL_LEAST 7 /* "cleared" */
#define LINE_NUMBER 10 /* fixed width of numbers, which aligns the maps of several files */

#define HEATMAP_SIDES 30 /* columns for the labels and numbers next to a map */
#define HEATMAP_LEAST 10 /* least columns of a map */
#define HEATMAP_GROUPS 5 /* default for --top: number of maps */
#define HEATMAP_ROWS 20	 /* default for --top: rows of a map without an axis */
#define HEATMAP_ROWS_KEPT 4096
/* Of .log2=K: its buckets are merged until so many rows are left, which fit on a screen. */
#define HEATMAP_ROWS_FINE 32

struct heat_group {
	char *label;
	uint32_t number; /* in @fulls; also the part number in the map, see hist_heatmap_split() */
	uint64_t total;
	struct hist_heatmap *map; /* NULL if the group is not shown */
};

struct heatmaps {
	const struct hist_series_info *info;
	const char *name;
	const struct hist_view_style *style;
	const struct hist_timeline *line; /* the common time of several files, or NULL */
	unsigned int across;		  /* columns of the terminal for the common time */
	int axis;			  /* number of the key, or -1 */
	int value;			  /* number of the value; -1 before the first interval */
	bool is_signed;
	uint32_t top;
	struct hist_heatmap *columns; /* the map; each group is a part of it */
	struct heat_group *groups;
	uint32_t n, room;
	struct hist_table
		*fulls; /* string N is the label of group N with addresses: it is unique */
	uint32_t shown;
	uint64_t late; /* sum of the groups beyond GROUPS_MOST */
	struct hist_grouping *grouping;
	uint32_t *of; /* index in groups by group number of the table */
	uint32_t nof, of_room;
	uint32_t from_seq, to_seq;
	uint64_t from_hits;
	enum hist_extent extent;
	uint64_t first_time, last_time;
	struct hist_loss loss; /* sums over all intervals */
	uint64_t wall;	       /* of the last snapshot; 0: unknown */
	struct hist_strbuf text;
};

/* --- collect --- */

/* Groups beyond this number are only added up. */
#define GROUPS_MOST 1024

static unsigned int heatmaps_choose_width(const struct heatmaps *m)
{
	unsigned int width = m->style->width, labels = width * 2 / 5;

	if (m->axis >= 0 || labels < HEATMAP_SIDES)
		labels = HEATMAP_SIDES;
	if (labels > 2 * HEATMAP_SIDES)
		labels = 2 * HEATMAP_SIDES;
	return width > labels + HEATMAP_LEAST ? (width - labels) & ~1u : HEATMAP_LEAST;
}

static bool heatmaps_has_groups(const struct heatmaps *m)
{
	return m->axis >= 0 && m->info->def.schema->nkeys > 1;
}

/* The index in groups of the group of @entry. */
static uint32_t heatmaps_find_part(void *data, uint32_t entry)
{
	const struct heatmaps *m = data;

	return m->of[hist_grouping_find(m->grouping, entry)];
}

void view_heatmaps_free(struct heatmaps *m)
{
	uint32_t i;

	if (!m)
		return;
	for (i = 0; i < m->n; i++) {
		hist_heatmap_free(m->groups[i].map);
		free(m->groups[i].label);
	}
	free(m->groups);
	hist_table_free(m->fulls);
	free(m->of);
	hist_grouping_free(m->grouping);
	hist_heatmap_free(m->columns);
	hist_strbuf_free(&m->text);
	free(m);
}

static struct heatmaps *heatmaps_new(const struct hist_writer *w)
{
	const struct hist_series_info *info = w->info;
	struct heatmaps *m = calloc(1, sizeof(*m));
	uint32_t top = w->o.top;
	bool is_fine;

	if (!m)
		return NULL;
	m->info = info;
	m->name = w->name;
	m->style = &w->o.style;
	m->axis = hist_axis_key(info->def.schema);
	m->value = -1;
	m->top = top ? top : m->axis >= 0 ? HEATMAP_GROUPS : HEATMAP_ROWS;
	m->across = heatmaps_choose_width(m);
	if (info->timeline && info->timeline->on_line)
		m->line = info->timeline;
	is_fine = m->axis >= 0 && hist_key_is_fine_log2(&info->def.schema->keys[m->axis]);
	m->columns = hist_heatmap_new(info, m->across,
				      is_fine ? HEATMAP_ROWS_FINE : HEATMAP_ROWS_KEPT);
	m->fulls = hist_table_new(info->def.schema);
	if (!m->columns || !m->fulls) {
		view_heatmaps_free(m);
		return NULL;
	}
	if (heatmaps_has_groups(m))
		hist_heatmap_split(m->columns, heatmaps_find_part, m);
	return m;
}

/* The label of a group of the table, valid until the next call.  NULL without memory. */
static const char *heatmaps_make_group_label(struct heatmaps *m, uint32_t group, unsigned int flags)
{
	m->text.len = 0;
	hist_grouping_label(&m->text, m->grouping, group,
			    flags | HIST_LABEL_KEYS | text_flags(m->style));
	hist_strbuf_char(&m->text, '\0');
	return m->text.error ? NULL : m->text.data;
}

/* The label of a group with addresses. */
static const char *heatmaps_get_full_label(const struct heatmaps *m, const struct heat_group *g)
{
	size_t len;

	return hist_table_string(m->fulls, g->number, &len);
}

/* Set *@found to the group with the label of table group @group; HIST_NO_ENTRY if all are used. */
static int heatmaps_find_group(struct heatmaps *m, uint32_t group, uint32_t *found)
{
	const char *full = heatmaps_make_group_label(m, group, HIST_LABEL_ADDRESS), *label;
	struct heat_group g = { .number = m->n };
	int ret;

	*found = HIST_NO_ENTRY;
	if (!full)
		return -ENOMEM;
	if (hist_table_find(m->fulls, full, strlen(full), found) || m->n == GROUPS_MOST)
		return 0;
	ret = array_grow(&m->groups, &m->room, m->n + 1, sizeof(*m->groups));
	if (!ret)
		ret = hist_table_intern(m->fulls, full, strlen(full), found);
	if (ret)
		return ret;
	label = heatmaps_make_group_label(m, group, 0);
	g.label = label ? strdup(label) : NULL;
	m->groups[m->n++] = g;
	return g.label ? 0 : -ENOMEM;
}

/* Find or add the groups that are new in this interval. */
static int heatmaps_update_groups(struct heatmaps *m, const struct hist_table *table)
{
	uint32_t count;
	int ret;

	ret = hist_grouping_follow(&m->grouping, table, &m->nof);
	if (ret)
		return ret;
	count = hist_grouping_count(m->grouping);
	if (array_grow(&m->of, &m->of_room, count, sizeof(*m->of)))
		return -ENOMEM;
	while (m->nof < count) {
		ret = heatmaps_find_group(m, m->nof, &m->of[m->nof]);
		if (ret)
			return ret;
		m->nof++;
	}
	return 0;
}

static int heatmaps_add(struct heatmaps *m, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	int ret;

	if (m->value < 0) {
		m->value = view->rows->main_value;
		m->from_seq = hist_view_begin(view);
		m->from_hits = view->from_hits;
		m->extent = view->extent;
		m->first_time = view->from_nothing ? view->snap->time : view->from_time;
	}
	if (m->value < 0 || !hist_value_is_sum(schema->values[m->value].kind))
		return -EINVAL;
	m->to_seq = view->snap->seq;
	m->last_time = view->snap->time;
	hist_loss_add(&m->loss, view);
	m->wall = view->wall;
	m->is_signed = schema->values[m->value].is_signed;
	ret = hist_heatmap_begin_interval(m->columns, view);
	if (!ret && heatmaps_has_groups(m))
		ret = heatmaps_update_groups(m, view->table);
	return ret ? ret : hist_heatmap_add(m->columns, view, m->value, NULL, 0);
}

int view_heatmaps_add(struct heatmaps **maps, const struct hist_writer *writer,
		      const struct hist_view *view)
{
	if (!*maps)
		*maps = heatmaps_new(writer);
	return *maps ? heatmaps_add(*maps, view) : -ENOMEM;
}

static int heatmaps_compare_totals(const void *a, const void *b, void *maps)
{
	const struct heat_group *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return strcmp(heatmaps_get_full_label(maps, x), heatmaps_get_full_label(maps, y));
}

static int heatmaps_sum_groups(struct heatmaps *m)
{
	uint64_t *totals = calloc(m->n + 1, sizeof(*totals));
	uint32_t i;
	int ret;

	if (!totals)
		return -ENOMEM;
	ret = hist_heatmap_sum_parts(m->columns, totals, m->n, &m->late);
	for (i = 0; i < m->n; i++)
		m->groups[i].total = totals[i];
	free(totals);
	return ret;
}

/* Make the rows, and move the groups that are shown to the front. */
static int heatmaps_finish(struct heatmaps *m)
{
	struct heat_group *g;
	int ret;

	if (!heatmaps_has_groups(m))
		return hist_heatmap_finish(m->columns, m->top);
	ret = heatmaps_sum_groups(m);
	if (ret)
		return ret;
	if (m->n)
		qsort_r(m->groups, m->n, sizeof(*m->groups), heatmaps_compare_totals, m);
	for (; m->shown < m->n && m->shown < m->top; m->shown++) {
		g = &m->groups[m->shown];
		if (!g->total)
			break;
		ret = hist_heatmap_make_part(&g->map, m->columns, g->number);
		if (ret)
			return ret;
	}
	return 0;
}

/* --- draw --- */

struct drawing {
	struct text_view t;
	struct heatmaps *m;
	const struct hist_heatmap *map;
	char title[HIST_TITLE_MAX]; /* of the value */
	struct hist_heat heat;
	unsigned int cell;  /* columns of the terminal per cell */
	unsigned int label; /* columns of the labels */
	unsigned int number;
	bool exact; /* do not round the rows: rounding makes some equal */
	struct hist_cut labels; /* of the rows, if some are wider than the column */
};

/* --- head --- */

static const struct hist_heatmap *view_heatmap_get_map(const struct heatmaps *m, uint32_t i)
{
	return m->n ? m->groups[i].map : m->columns;
}

static void view_heatmap_put_cell(struct drawing *d, unsigned int level, unsigned int columns)
{
	static const char *const shades[] = HIST_HEAT_SHADES;
	struct hist_strbuf *b = &d->t.out;

	if (d->t.style->colour) {
		ansi_begin(b, d->t.style, ANSI_HEAT + level);
		hist_strbuf_fill(b, HIST_HEAT_CHARS[level], columns);
		ansi_end(b, d->t.style, ANSI_HEAT + level);
	} else if (d->t.style->utf8) {
		while (columns--)
			hist_strbuf_str(b, shades[level]);
	} else {
		hist_strbuf_fill(b, HIST_HEAT_CHARS[level], columns);
	}
}

/* Compute one scale for all maps that are shown. */
static void make_scale(struct drawing *d)
{
	uint64_t least = 0, most = 0, from, to;
	uint32_t i, n = d->m->n ? d->m->shown : 1;

	for (i = 0; i < n; i++) {
		hist_heatmap_find_range(view_heatmap_get_map(d->m, i), &from, &to);
		if (from && (!least || from < least))
			least = from;
		if (to > most)
			most = to;
	}
	hist_heat_make_scale(&d->heat, least, most,
			     d->t.style->utf8 && !d->t.style->colour ? HIST_HEAT_SHADE_LEVELS :
							      HIST_HEAT_CHAR_LEVELS);
	if (!most)
		d->heat.levels = 0;
}

static void view_heatmap_put_legend(struct drawing *d)
{
	const struct heatmaps *m = d->m;
	unsigned int i;
	char rate[32];

	hist_strbuf_str(&d->t.out, "# scale: ");
	hist_escape(&d->t.out, d->title, strlen(d->title), d->t.flags);
	hist_strbuf_str(&d->t.out, m->columns->ns ? " per second, from:" : " per interval, from:");
	for (i = 1; i < d->heat.levels; i++) {
		if (!hist_heat_has_level(&d->heat, i))
			continue;
		hist_number_format_rate(d->heat.from[i], rate, sizeof(rate));
		hist_strbuf_str(&d->t.out, "  ");
		view_heatmap_put_cell(d, i, 1);
		hist_strbuf_printf(&d->t.out, " %s", rate);
	}
	if (!d->heat.levels)
		hist_strbuf_str(&d->t.out, " nothing was counted");
	hist_strbuf_char(&d->t.out, '\n');
}

static void put_span(struct drawing *d)
{
	const struct heatmaps *m = d->m;
	const struct hist_heatmap *c = m->columns;
	struct hist_strbuf *b = &d->t.out;

	hist_strbuf_printf(b, "# heat map: snapshots %" PRIu32 " to %" PRIu32 ", from ",
			   m->from_seq, m->to_seq);
	hist_label_put_time(b, m->first_time, c->ns);
	hist_strbuf_str(b, " to ");
	hist_label_put_time(b, m->last_time, c->ns);
	if (m->last_time >= m->first_time) {
		hist_strbuf_str(b, " (");
		hist_label_put_time(b, m->last_time - m->first_time, c->ns);
		hist_strbuf_str(b, c->ns ? " s)" : " ticks)");
	}
	if (m->line) {
		hist_strbuf_printf(b, "\n# columns: %u, each ", m->across);
		hist_unit_put(b, (m->line->to - m->line->from) / m->across, false, HIST_UNIT_NS);
		hist_strbuf_str(b, ", aligned with the other files; '/' means not recorded\n");
		return;
	}
	hist_strbuf_printf(b, "\n# columns: %u, ", c->ncolumns);
	if (c->per_column > 1)
		hist_strbuf_printf(b,
				   "one per %u intervals, because the output line is too short\n",
				   c->per_column);
	else
		hist_strbuf_str(b, "one per interval\n");
}

static void view_heatmap_put_notes(struct drawing *d)
{
	const struct heatmaps *m = d->m;
	const struct hist_heatmap *c = m->columns;
	uint64_t lost = 0, dropped = 0, rest = 0;
	bool reset = false, merged = !m->n && c->merged;
	char shown[16] = "";
	struct hist_strbuf *b = &d->t.out;
	unsigned int i;

	for (i = 0; i < c->ncolumns; i++) {
		lost += c->columns[i].lost;
		dropped += c->columns[i].dropped;
		reset |= c->columns[i].reset;
	}
	if (m->shown != 1)
		snprintf(shown, sizeof(shown), "%" PRIu32 " ", m->shown);
	for (i = 0; i < m->n; i++) {
		merged |= i < m->shown && m->groups[i].map->merged;
		rest += i < m->shown ? 0 : m->groups[i].total;
	}
	if (m->n > m->shown)
		hist_view_put_note(b, d->t.style,
				   "the %slargest of %" PRIu32 " groups: the other "
				   "%s %" PRIu64 " in total", shown, m->n,
				   m->n - m->shown == 1 ? "group has" : "groups have", rest);
	if (m->late)
		hist_view_put_note(b, d->t.style,
				   "a total of %" PRIu64 " is in groups that are not shown: they "
				   "appeared after the limit of groups was reached",
				   m->late);
	if (merged)
		hist_view_put_note(b, d->t.style,
				   "too many different numbers: each row combines adjacent "
				   "numbers");
	if (m->is_signed)
		hist_view_put_note(b, d->t.style, "negative values are not drawn");
	if (c->before)
		hist_view_put_note(b, d->t.style,
				   "a total of %" PRIu64 " is not in the heat map, because it was "
				   "counted before the first snapshot, at unknown times",
				   c->before);
	if (reset)
		hist_view_put_note(b, d->t.style,
				   "the histogram was cleared: earlier hits in the marked columns "
				   "are lost");
	if (lost)
		hist_view_put_note(b, d->t.style,
				   "snapshots missing in the marked columns: %" PRIu64 " (not "
				   "taken, not in the file, or damaged)",
				   lost);
	if (dropped)
		hist_view_put_note(b, d->t.style,
				   "hits dropped in the marked columns: %" PRIu64 " (the table was "
				   "full)\n" HIST_LOSS_DROPPED_HINT,
				   dropped);
	/* except what the columns mark */
	hist_view_put_losses(b, d->t.style, m->loss);
}

static void view_heatmap_put_head(struct drawing *d)
{
	hist_view_put_title(&d->t.out, d->m->name, d->m->info, d->t.style);
	put_span(d);
	hist_view_put_when(&d->t.out, d->m->wall, d->m->info->timeline);
	hist_view_put_extent(&d->t.out, d->m->extent, d->m->from_seq, d->m->from_hits);
	view_heatmap_put_legend(d);
	view_heatmap_put_notes(d);
	hist_strbuf_str(&d->t.out, "#\n");
}

/* --- a map --- */

/* The number of places: columns of the terminal on a time line, otherwise columns of the map. */
static unsigned int view_heatmap_count_places(const struct drawing *d)
{
	return d->m->line ? d->m->across : d->map->ncolumns;
}

/* The time at which place @i of the time line begins. */
static uint64_t place_time(const struct heatmaps *m, unsigned int i)
{
	return m->line->from + hist_mul_div(m->line->to - m->line->from, i, 0, m->across);
}

/* Find the columns [*@first, *@end) of the map that place @i shows; false if there are none. */
static bool place_columns(const struct drawing *d, unsigned int i, unsigned int *first,
			  unsigned int *end)
{
	const struct hist_heatmap *map = d->map;
	uint64_t from, to;

	*first = i;
	*end = i + 1;
	if (!d->m->line)
		return true;
	from = place_time(d->m, i);
	to = place_time(d->m, i + 1);
	for (*first = 0; *first < map->ncolumns && map->columns[*first].to <= from; ++*first)
		;
	for (*end = *first; *end < map->ncolumns && map->columns[*end].from < to; ++*end)
		;
	return *first < *end;
}

static void put_place(struct drawing *d, const struct hist_heat_row *row, unsigned int i)
{
	unsigned int col, end;
	uint64_t most = 0, rate;

	if (!place_columns(d, i, &col, &end)) {
		hist_strbuf_char(&d->t.out, '/');
		return;
	}
	for (; col < end && row->cells; col++) {
		rate = hist_heatmap_rate(d->map, row, col);
		most = rate > most ? rate : most;
	}
	view_heatmap_put_cell(d, most ? hist_heat_level(&d->heat, most) : 0, d->cell);
}

static const struct hist_key_desc *axis_key(const struct drawing *d)
{
	return &d->t.schema->keys[d->m->axis];
}

static unsigned int view_heatmap_make_row_label(struct drawing *d, const struct hist_heat_row *row)
{
	const struct hist_bounds bounds = { d->map->is_signed, row->ge, row->le };
	struct hist_strbuf *b = text_clear(&d->t);

	if (row->empty) {
		hist_strbuf_str(b, "...");
	} else if (row->others) {
		hist_strbuf_printf(b, "%" PRIu32 " more", d->map->others);
	} else if (row->label) {
		return text_column_escape(b, row->label, d->t.flags);
	} else {
		return hist_label_put_bucket(b, axis_key(d), &bounds, d->exact);
	}
	return b->len;
}

/* The names of the keys of the rows. */
static unsigned int view_heatmap_put_label_title(struct drawing *d)
{
	struct hist_strbuf title = { 0 };
	char key[HIST_TITLE_MAX];
	unsigned int width;

	if (d->m->axis >= 0) {
		hist_column_format_key(d->t.schema, d->m->axis, key, sizeof(key));
		return text_name(&d->t, key);
	}
	hist_columns_put_key_titles(&title, d->t.schema, -1);
	width = hist_escape(text_clear(&d->t), title.data, title.len,
			    d->t.flags & HIST_ESCAPE_ASCII);
	hist_strbuf_fail(&d->t.text, title.error);
	hist_strbuf_free(&title);
	return width;
}

/* Cut the labels of the rows to their column, whose width is known. */
static void view_heatmap_cut_labels(struct drawing *d)
{
	uint32_t i;

	for (i = 0; i < d->map->nrows; i++) {
		view_heatmap_make_row_label(d, &d->map->rows[i]);
		hist_cut_add(&d->labels, &d->t.text);
	}
	hist_strbuf_fail(&d->t.out, hist_cut_fit(&d->labels, d->label));
}

static void view_heatmap_measure_columns(struct drawing *d)
{
	const struct hist_heatmap *map = d->map;
	unsigned int room, used, n, widest = 0;
	uint32_t i;

	d->number = strlen(d->title);
	d->label = view_heatmap_put_label_title(d);
	text_widen(&d->label, LABEL_LEAST);
	d->exact = d->m->axis >= 0 && disambiguate_rows(map, axis_key(d));
	for (i = 0; i < map->nrows; i++) {
		text_widen(&widest, view_heatmap_make_row_label(d, &map->rows[i]));
		text_widen(&d->number, hist_strbuf_u64_width(map->rows[i].total));
	}
	text_widen(&d->label, widest);
	if (d->number > 10 && strlen(d->title) == d->number)
		d->number = 10;
	if (d->m->line)
		text_widen(&d->number, LINE_NUMBER);
	/* "  label |map| number" */
	used = 2 + 2 + 2 + d->number;
	room = d->t.style->width > used ? d->t.style->width - used : 0;
	n = view_heatmap_count_places(d);
	if (d->m->line || d->label + n > room) {
		d->label = room > n + LABEL_LEAST ? room - n : LABEL_LEAST;
		d->cell = 1;
		if (widest > d->label)
			view_heatmap_cut_labels(d);
		return;
	}
	d->cell = n ? (room - d->label) / n : 1;
	d->cell = d->cell > CELL_MOST ? CELL_MOST : d->cell;
}

static void view_heatmap_put_label(struct drawing *d, unsigned int width)
{
	text_column(&d->t, width, d->label, d->m->axis >= 0);
	hist_strbuf_add(&d->t.out, " |", 2);
}

/* Set t.text to the label of row @i, as it is shown.  Returns its width. */
static unsigned int view_heatmap_make_shown_label(struct drawing *d, uint32_t i)
{
	const char *text;

	if (d->labels.error || i >= d->labels.n)
		return view_heatmap_make_row_label(d, &d->map->rows[i]);
	text = hist_cut_text(&d->labels, i);
	hist_strbuf_str(text_clear(&d->t), text);
	return hist_cut_columns(NULL, text, strlen(text));
}

static void view_heatmap_put_row(struct drawing *d, uint32_t number)
{
	const struct hist_heat_row *row = &d->map->rows[number];
	unsigned int i;

	view_heatmap_put_label(d, view_heatmap_make_shown_label(d, number));
	if (row->empty) {
		hist_strbuf_printf(&d->t.out, " (%" PRIu64 " empty)\n", row->empty);
		return;
	}
	for (i = 0; i < view_heatmap_count_places(d); i++)
		put_place(d, row, i);
	hist_strbuf_add(&d->t.out, "| ", 2);
	text_u64(&d->t, row->total, d->number);
	hist_strbuf_char(&d->t.out, '\n');
}

enum mark { MARK_CLEARED, MARK_MISSING, MARK_DROPPED, MARKS };

static uint64_t view_heatmap_get_mark(const struct hist_heat_column *c, enum mark mark)
{
	return mark == MARK_CLEARED ? c->reset : mark == MARK_MISSING ? c->lost : c->dropped;
}

/* Write a line with a mark below each column in which something was lost, if there is one. */
static void view_heatmap_put_marks(struct drawing *d, enum mark mark)
{
	static const char *const names[MARKS] = { "cleared", "missing", "dropped" };
	const struct hist_heatmap *map = d->map;
	uint64_t sum = 0, marked;
	unsigned int i, col, end;

	for (i = 0; i < map->ncolumns; i++)
		sum += view_heatmap_get_mark(&map->columns[i], mark);
	if (!sum)
		return;
	ansi_begin(&d->t.out, d->t.style, ANSI_NOTE);
	hist_strbuf_str(text_clear(&d->t), names[mark]);
	view_heatmap_put_label(d, d->t.text.len);
	for (i = 0; i < view_heatmap_count_places(d); i++) {
		marked = 0;
		for (place_columns(d, i, &col, &end); col < end; col++)
			marked += view_heatmap_get_mark(&map->columns[col], mark);
		hist_strbuf_fill(&d->t.out, marked ? '^' : ' ', d->cell);
	}
	hist_strbuf_char(&d->t.out, '|');
	ansi_end(&d->t.out, d->t.style, ANSI_NOTE);
	hist_strbuf_char(&d->t.out, '\n');
}

/* Write "'0 s        '12 s": the times at which the marked columns begin. */
static void put_times(struct drawing *d)
{
	const struct hist_heatmap *map = d->map;
	unsigned int i, at = 0, next = 0, width = view_heatmap_count_places(d) * d->cell;
	uint64_t time;

	if (!map->ncolumns)
		return;
	hist_strbuf_fill(&d->t.out, ' ', 2 + d->label + 2);
	for (i = 0; i < view_heatmap_count_places(d); i++) {
		if (i * d->cell < next)
			continue;
		time = d->m->line ? place_time(d->m, i) - d->m->line->from :
				    map->columns[i].from - map->columns[0].from;
		hist_strbuf_char(text_clear(&d->t), '\'');
		if (map->ns)
			hist_unit_put(&d->t.text, time, false, time ? HIST_UNIT_NS : HIST_UNIT_S);
		else
			hist_strbuf_u64(&d->t.text, time);
		if (i && i * d->cell + d->t.text.len > width)
			break;
		hist_strbuf_pad(&d->t.out, at, i * d->cell);
		hist_strbuf_append(&d->t.out, &d->t.text);
		at = i * d->cell + d->t.text.len;
		next = at + 1 > i * d->cell + TICK_LEAST ? at + 1 : i * d->cell + TICK_LEAST;
	}
	hist_strbuf_char(&d->t.out, '\n');
}

static void put_map(struct drawing *d)
{
	unsigned int width;
	enum mark mark;
	uint32_t i;

	hist_cut_init(&d->labels, hist_cut_columns, NULL,
		      d->t.style->utf8 ? HIST_CUT_MARK : HIST_CUT_MARK_ASCII);
	view_heatmap_measure_columns(d);
	view_heatmap_put_label(d, view_heatmap_put_label_title(d));
	hist_strbuf_fill(&d->t.out, ' ', (size_t)view_heatmap_count_places(d) * d->cell);
	hist_strbuf_add(&d->t.out, "| ", 2);
	width = text_name(&d->t, d->title);
	text_column_put(&d->t.out, &d->t.text, width, d->number, true, !d->t.style->utf8);
	hist_strbuf_char(&d->t.out, '\n');
	for (i = 0; i < d->map->nrows; i++)
		view_heatmap_put_row(d, i);
	for (mark = 0; mark < MARKS; mark++)
		view_heatmap_put_marks(d, mark);
	put_times(d);
	hist_cut_free(&d->labels);
}

/* The label of a group; with addresses if another group has the same label. */
static const char *group_title(const struct heatmaps *m, uint32_t group)
{
	uint32_t i;

	for (i = 0; i < m->n; i++)
		if (i != group && !strcmp(m->groups[i].label, m->groups[group].label))
			return heatmaps_get_full_label(m, &m->groups[group]);
	return m->groups[group].label;
}

static void view_heatmap_put_group(struct drawing *d, uint32_t group)
{
	const struct heatmaps *m = d->m;
	uint64_t sum = m->late;
	uint32_t i;

	for (i = 0; i < m->n; i++)
		sum = saturating_add(sum, m->groups[i].total);
	hist_strbuf_char(&d->t.out, '\n');
	hist_strbuf_str(text_clear(&d->t), group_title(m, group));
	text_group(&d->t, m->groups[group].total, sum);
	d->map = m->groups[group].map;
	put_map(d);
}

int view_heatmaps_print(struct heatmaps *m, FILE *f)
{
	struct drawing d = { .t = text_begin(f, NULL, m->style), .m = m };
	uint32_t i;
	int ret;

	ret = heatmaps_finish(m);
	if (ret)
		return ret;
	d.t.schema = m->info->def.schema;
	hist_column_format_value(d.t.schema, m->value, d.title, sizeof(d.title));
	make_scale(&d);
	view_heatmap_put_head(&d);
	for (i = 0; i < m->shown && !d.t.out.error; i++) {
		view_heatmap_put_group(&d, i);
		hist_strbuf_flush(&d.t.out, f);
	}
	if (!m->n) {
		hist_strbuf_char(&d.t.out, '\n');
		d.map = m->columns;
		put_map(&d);
	}
	return text_end(&d.t, 0);
}
