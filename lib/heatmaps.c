// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmaps.c - the heat maps of one histogram, one for each group
 *
 * Groups are known by their label, as their numbers change when somebody clears
 * the histogram.  An interval costs what changed in it, not a look at each group: only
 * the map without rows is told of intervals, those of groups follow it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tracehist/label.h>

#include "heatmaps.h"
#include "index.h"
#include "saturate.h"

/* More groups than that are only added up. */
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

struct heatmaps *heatmaps_new(const struct hist_series_info *info, const char *name,
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
	if (info->among && info->among->on_line)
		m->line = info->among;
	m->columns = hist_heatmap_new(info, m->across, HEATMAP_ROWS_KEPT);
	if (m->columns)
		return m;
	free(m);
	return NULL;
}

void heatmaps_free(struct heatmaps *m)
{
	uint32_t i;

	if (!m)
		return;
	for (i = 0; i < m->n; i++) {
		hist_heatmap_free(m->groups[i].map);
		free(m->groups[i].label);
		free(m->groups[i].full);
	}
	free(m->groups);
	free(m->of);
	hist_grouping_free(m->grouping);
	hist_heatmap_free(m->columns);
	hist_strbuf_free(&m->text);
	free(m);
}

static char *group_label(struct heatmaps *m, uint32_t group, unsigned int flags)
{
	m->text.len = 0;
	hist_grouping_label(&m->text, m->grouping, group,
			    flags | HIST_LABEL_KEYS | (m->style->utf8 ? 0 : HIST_LABEL_ASCII));
	hist_strbuf_char(&m->text, '\0');
	return m->text.error ? NULL : strdup(m->text.data);
}

/* The number of the group with the label of @group of the table, new or known. */
static int find_group(struct heatmaps *m, uint32_t group, uint32_t *found)
{
	char *full = group_label(m, group, HIST_LABEL_ADDRESS);
	struct heat_group *g;
	uint32_t i;

	if (!full)
		return -ENOMEM;
	for (i = 0; i < m->n && strcmp(m->groups[i].full, full); i++)
		;
	*found = i;
	if (i < m->n || i == GROUPS_MOST) {
		free(full);
		return 0;
	}
	if (array_grow((void **)&m->groups, &m->room, m->n + 1, sizeof(*m->groups))) {
		free(full);
		return -ENOMEM;
	}
	g = &m->groups[m->n];
	g->full = full;
	g->label = group_label(m, group, 0);
	g->map = hist_heatmap_like(m->columns);
	g->total = 0;
	if (!g->label || !g->map) {
		free(g->full);
		free(g->label);
		hist_heatmap_free(g->map);
		return -ENOMEM;
	}
	m->n++;
	return 0;
}

/* Finds the groups that came with the interval. */
static int settle_groups(struct heatmaps *m, const struct hist_table *table)
{
	uint32_t count;
	int ret;

	ret = hist_grouping_follow(&m->grouping, table, &m->nof);
	if (ret)
		return ret;
	count = hist_grouping_count(m->grouping);
	if (array_grow((void **)&m->of, &m->of_room, count, sizeof(*m->of)))
		return -ENOMEM;
	while (m->nof < count) {
		ret = find_group(m, m->nof, &m->of[m->nof]);
		if (ret)
			return ret;
		m->nof++;
	}
	return 0;
}

static int add_entry(struct heatmaps *m, uint32_t entry, uint64_t count)
{
	uint32_t group = m->of[hist_grouping_of(m->grouping, entry)];
	uint64_t *late;

	if (group >= m->n) {
		late = hist_heatmap_has_column(m->columns) ? &m->late : &m->late_before;
		*late = saturating_add(*late, count);
		return 0;
	}
	m->groups[group].total = saturating_add(m->groups[group].total, count);
	return hist_heatmap_count(m->groups[group].map, entry, count);
}

static int add_groups(struct heatmaps *m, const struct hist_view *view)
{
	uint32_t i, entry, n = view->changed ? view->nchanged : view->snap->nentries;
	const struct hist_schema *schema = hist_table_schema(view->table);
	bool is_signed = schema->values[m->value].is_signed;
	uint64_t count;
	int ret;

	ret = hist_heatmap_interval(m->columns, view);
	if (!ret)
		ret = settle_groups(m, view->table);
	for (i = 0; i < n && !ret; i++) {
		entry = view->changed ? view->changed[i] : i;
		count = view->snap->values[(size_t)entry * schema->nvalues + m->value];
		if (count && !(is_signed && count >> 63))
			ret = add_entry(m, entry, count);
	}
	return ret;
}

int heatmaps_add(struct heatmaps *m, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	int ret;

	if (m->value < 0) {
		m->value = view->rows->main_value;
		m->from_seq = view->from_nothing ? view->snap->seq : view->from_seq;
		m->first_time = view->from_nothing ? view->snap->time : view->from_time;
	}
	if (m->value < 0 || !hist_value_is_sum(schema->values[m->value].kind))
		return -EINVAL;
	m->to_seq = view->snap->seq;
	m->last_time = view->snap->time;
	m->flags |= view->snap->flags;
	m->is_signed = schema->values[m->value].is_signed;
	if (m->axis >= 0 && schema->nkeys > 1)
		return add_groups(m, view);
	ret = hist_heatmap_interval(m->columns, view);
	return ret ? ret : hist_heatmap_add(m->columns, view, m->value, NULL, 0);
}

static int by_total(const void *a, const void *b)
{
	const struct heat_group *x = a, *y = b;

	return x->total != y->total ? (x->total > y->total ? -1 : 1) : strcmp(x->full, y->full);
}

int heatmaps_finish(struct heatmaps *m)
{
	uint32_t i;
	int ret;

	if (m->axis < 0 || m->info->def.schema->nkeys == 1)
		return hist_heatmap_finish(m->columns, m->top);
	/* what was counted before the first snapshot is in no cell */
	for (i = 0; i < m->n; i++)
		m->groups[i].total -= m->groups[i].map->before;
	if (m->n)
		qsort(m->groups, m->n, sizeof(*m->groups), by_total);
	for (i = 0; i < m->n && i < m->top; i++) {
		if (!m->groups[i].total)
			break;
		ret = hist_heatmap_finish(m->groups[i].map, 0);
		if (ret)
			return ret;
	}
	m->shown = i;
	return 0;
}
