// SPDX-License-Identifier: LGPL-2.1
/*
 * bar_groups.c - group the rows of a view by all keys except the axis
 *
 * The grouping lists the entries of each group in the order of the axis.  Entries that are
 * not rows (unchanged in a difference) are skipped.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/saturate.h"
#include "lib/report/bar_groups.h"

static int by_total(const void *a, const void *b)
{
	const struct bar_group *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->group < y->group ? -1 : x->group != y->group;
}

static uint64_t amount(const struct hist_view *view, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	int value = view->rows->main_value;
	uint64_t v;

	if (value < 0)
		return 0;
	v = view->snap->values[(size_t)entry * schema->nvalues + value];
	return schema->values[value].is_signed && v >> 63 ? 0 : v;
}

static void take_group(struct bar_groups *g, const struct hist_view *view, uint32_t group,
		       const bool *is_row, uint32_t *used)
{
	struct bar_group made = { .group = group, .first = *used };
	const uint32_t *entries;
	uint32_t i, n;

	entries = hist_grouping_entries(g->grouping, group, &n);
	for (i = 0; i < n; i++) {
		if (!is_row[entries[i]])
			continue;
		g->entries[(*used)++] = entries[i];
		made.n++;
		made.total = saturating_add(made.total, amount(view, entries[i]));
	}
	if (!made.n)
		return;
	g->groups[g->n++] = made;
	g->total = saturating_add(g->total, made.total);
}

/* Entries with one symbol name are not adjacent, so the first address of each is stored. */
static int find_ambiguous(struct bar_groups *g, const struct hist_table *table, unsigned int key)
{
	uint32_t i, strings = hist_table_strings(table), *first;

	first = calloc(strings ? strings : 1, sizeof(*first));
	if (!first)
		return -ENOMEM;
	for (i = 0; i < g->n && !g->ambiguous; i++) {
		uint32_t entry = g->entries[g->groups[i].first];
		struct hist_cell cell = hist_table_cells(table, entry)[key];

		if (cell.str >= strings)
			continue;
		if (first[cell.str])
			g->ambiguous = hist_table_cells(table, first[cell.str] - 1)[key].num !=
				       cell.num;
		else
			first[cell.str] = entry + 1;
	}
	free(first);
	return 0;
}

int bar_groups_make(struct bar_groups *g, const struct hist_view *view)
{
	uint32_t i, count, used = 0, all = hist_table_entries(view->table);
	bool *is_row = calloc(all ? all : 1, sizeof(*is_row));
	int ret = -ENOMEM;

	g->grouping = hist_grouping_new(view->table);
	if (!is_row || !g->grouping)
		goto out;
	ret = hist_grouping_update(g->grouping);
	if (ret)
		goto out;
	count = hist_grouping_count(g->grouping);
	g->entries = calloc(all ? all : 1, sizeof(*g->entries));
	g->groups = calloc(count ? count : 1, sizeof(*g->groups));
	ret = g->entries && g->groups ? 0 : -ENOMEM;
	if (ret)
		goto out;
	for (i = 0; i < view->rows->n; i++)
		is_row[view->rows->entries[i]] = true;
	for (i = 0; i < count; i++)
		take_group(g, view, i, is_row, &used);
	for (i = 0; i < hist_table_schema(view->table)->nkeys && !ret; i++)
		if (hist_table_schema(view->table)->keys[i].kind == HIST_KEY_SYM)
			ret = find_ambiguous(g, view->table, i);
	qsort(g->groups, g->n, sizeof(*g->groups), by_total);
out:
	free(is_row);
	return ret;
}

void bar_groups_free(struct bar_groups *g)
{
	hist_grouping_free(g->grouping);
	free(g->entries);
	free(g->groups);
}
