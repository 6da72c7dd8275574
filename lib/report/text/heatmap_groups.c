// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap_groups.c - collect the heat maps of one histogram, one for each group
 *
 * The label identifies a group, because its number changes when the histogram is cleared.
 * All groups are parts of one map while they are counted.  Only groups that are shown get
 * their own map.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/label/label.h"
#include "lib/report/text/heatmap_groups.h"
#include "lib/report/text/text_view.h"

/* Groups beyond this number are only added up. */
#define GROUPS_MOST 1024

static unsigned int map_columns(const struct heatmaps *m)
{
	unsigned int width = m->style->width, labels = width * 2 / 5;

	if (m->axis >= 0 || labels < HEATMAP_SIDES)
		labels = HEATMAP_SIDES;
	if (labels > 2 * HEATMAP_SIDES)
		labels = 2 * HEATMAP_SIDES;
	return width > labels + HEATMAP_LEAST ? (width - labels) & ~1u : HEATMAP_LEAST;
}

static bool has_groups(const struct heatmaps *m)
{
	return m->axis >= 0 && m->info->def.schema->nkeys > 1;
}

/* The index in groups of the group of @entry. */
static uint32_t heatmaps_find_part(void *data, uint32_t entry)
{
	const struct heatmaps *m = data;

	return m->of[hist_grouping_find(m->grouping, entry)];
}

struct heatmaps *heatmap_groups_new(const struct hist_series_info *info, const char *name,
				    const struct hist_view_style *style, uint32_t top)
{
	struct heatmaps *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->info = info;
	m->name = name;
	m->style = style;
	m->axis = hist_axis_key(info->def.schema);
	m->value = -1;
	m->top = top ? top : m->axis >= 0 ? HEATMAP_GROUPS : HEATMAP_ROWS;
	m->across = map_columns(m);
	if (info->timeline && info->timeline->on_line)
		m->line = info->timeline;
	m->columns = hist_heatmap_new(info, m->across, HEATMAP_ROWS_KEPT);
	m->fulls = hist_table_new(info->def.schema);
	if (!m->columns || !m->fulls) {
		heatmap_groups_free(m);
		return NULL;
	}
	if (has_groups(m))
		hist_heatmap_split(m->columns, heatmaps_find_part, m);
	return m;
}

void heatmap_groups_free(struct heatmaps *m)
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

/* The label of a group of the table, valid until the next call.  NULL without memory. */
static const char *heatmaps_make_group_label(struct heatmaps *m, uint32_t group, unsigned int flags)
{
	m->text.len = 0;
	hist_grouping_label(&m->text, m->grouping, group,
			    flags | HIST_LABEL_KEYS | text_flags(m->style));
	hist_strbuf_char(&m->text, '\0');
	return m->text.error ? NULL : m->text.data;
}

const char *heatmap_groups_full_label(const struct heatmaps *m, const struct heat_group *g)
{
	size_t len;

	return hist_table_string(m->fulls, g->number, &len);
}

/* Set *@found to the group with the label of table group @group; HIST_NO_ENTRY if all are used. */
static int find_group(struct heatmaps *m, uint32_t group, uint32_t *found)
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
		ret = find_group(m, m->nof, &m->of[m->nof]);
		if (ret)
			return ret;
		m->nof++;
	}
	return 0;
}

int heatmap_groups_add(struct heatmaps *m, const struct hist_view *view)
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
	if (!ret && has_groups(m))
		ret = heatmaps_update_groups(m, view->table);
	return ret ? ret : hist_heatmap_add(m->columns, view, m->value, NULL, 0);
}

static int heatmaps_compare_totals(const void *a, const void *b, void *maps)
{
	const struct heat_group *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return strcmp(heatmap_groups_full_label(maps, x), heatmap_groups_full_label(maps, y));
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

int heatmap_groups_finish(struct heatmaps *m)
{
	struct heat_group *g;
	int ret;

	if (!has_groups(m))
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
