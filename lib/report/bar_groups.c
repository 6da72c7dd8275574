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
#include "lib/table/disambiguate.h"

static int bar_groups_compare_totals(const void *a, const void *b)
{
	const struct bar_group *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->group < y->group ? -1 : x->group != y->group;
}

uint64_t bar_groups_amount(const struct hist_view *view, uint32_t entry)
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
		made.total = saturating_add(made.total, bar_groups_amount(view, entries[i]));
	}
	if (!made.n)
		return;
	g->groups[g->n++] = made;
	g->total = saturating_add(g->total, made.total);
}

/* Compare the first entry of each group with those of the others. */
static int find_ambiguous(struct bar_groups *g, const struct hist_table *table)
{
	uint32_t i, *first = calloc(g->n + 1, sizeof(*first));
	int ret = first ? 0 : -ENOMEM;

	for (i = 0; i < g->n && !ret; i++)
		first[i] = g->entries[g->groups[i].first];
	if (!ret)
		ret = disambiguate_keys(&g->ambiguous, NULL, table, first, g->n);
	free(first);
	return ret;
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
	ret = find_ambiguous(g, view->table);
	qsort(g->groups, g->n, sizeof(*g->groups), bar_groups_compare_totals);
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
