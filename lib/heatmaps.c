// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmaps.c - the heat maps of one histogram, one for each group
 *
 * Groups are known by their label, as their numbers change when somebody clears
 * the histogram.  A map that comes late gets the columns of the first one.
 * Invariant: all maps have the same columns.
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
	g->map = hist_heatmap_like(m->info, m->columns);
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
	uint64_t generation = hist_table_generation(table);
	uint32_t count;
	int ret;

	if (!m->grouping || hist_grouping_table(m->grouping) != table) {
		hist_grouping_free(m->grouping);
		m->grouping = hist_grouping_new(table);
		if (!m->grouping)
			return -ENOMEM;
		m->nof = 0;
	}
	if (m->generation != generation)
		m->nof = 0;
	m->generation = generation;
	ret = hist_grouping_update(m->grouping);
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

/* The entries [0, @n) of @entries are of @group. */
static int add_group(struct heatmaps *m, const struct hist_view *view, uint32_t group,
		     const uint32_t *entries, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	bool is_signed = schema->values[m->value].is_signed;
	struct heat_group *g;
	uint64_t sum = 0, count, *late;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (entries[i] >= view->snap->nentries)
			continue;
		count = view->snap->values[(size_t)entries[i] * schema->nvalues + m->value];
		if (!is_signed || !(count >> 63))
			sum = saturating_add(sum, count);
	}
	if (!sum)
		return 0;
	if (m->of[group] >= m->n) {
		late = hist_heatmap_has_column(m->columns) ? &m->late : &m->late_before;
		*late = saturating_add(*late, sum);
		return 0;
	}
	g = &m->groups[m->of[group]];
	g->total = saturating_add(g->total, sum);
	return hist_heatmap_add(g->map, view, m->value, entries, n);
}

static int add_groups(struct heatmaps *m, const struct hist_view *view)
{
	const uint32_t *entries;
	uint32_t group, i, n;
	int ret = 0;

	for (group = 0; group < m->n && !ret; group++)
		ret = hist_heatmap_interval(m->groups[group].map, view);
	/* new groups have the column already, from the first map */
	if (!ret)
		ret = hist_heatmap_interval(m->columns, view);
	if (!ret)
		ret = settle_groups(m, view->table);
	for (i = 0; view->changed && i < view->nchanged && !ret; i++)
		ret = add_group(m, view, hist_grouping_of(m->grouping, view->changed[i]),
				&view->changed[i], 1);
	for (group = 0; !view->changed && group < m->nof && !ret; group++) {
		entries = hist_grouping_entries(m->grouping, group, &n);
		ret = add_group(m, view, group, entries, n);
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
