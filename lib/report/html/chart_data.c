// SPDX-License-Identifier: LGPL-2.1
/*
 * chart_data.c - collect the total of a histogram and its course over time
 *
 * A report may start in the middle of a recording (--between).  The base is the first
 * snapshot without its difference, and the total is the last snapshot minus the base.  The
 * base becomes zero when the histogram is cleared.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/default_order.h"
#include "lib/report/html/chart_data.h"

int chart_data_begin(struct chart_data *c, const struct hist_series_info *info, const char *name,
		     unsigned int columns)
{
	memset(c, 0, sizeof(*c));
	c->info = info;
	c->value = -1;
	c->name = name;
	if (columns) {
		bool axis = hist_axis_key(info->def.schema) >= 0;

		c->map = hist_heatmap_new(info, columns, axis ? CHART_MAP_ROWS : 16384);
		if (!c->map)
			return -ENOMEM;
	}
	return 0;
}

const struct hist_schema *chart_data_schema(const struct chart_data *c)
{
	return c->table ? hist_table_schema(c->table) : c->info->def.schema;
}

/* Set c->base to the snapshot of @view without its difference. */
static int make_base(struct chart_data *c, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	struct hist_snapshot difference = *view->snap;
	const uint64_t *added = view->added;
	size_t width = schema->nvalues, v;
	uint32_t i;
	int ret;

	ret = hist_snapshot_copy(&c->base, view->whole, schema);
	if (ret)
		return ret;
	/* the differences are in the list @added, not in the snapshot */
	if (added)
		difference.nentries = 0;
	hist_snapshot_subtract(&c->base, &difference, schema);
	for (v = 0; added && v < width; v++)
		for (i = 0; i < view->nchanged; i++)
			c->base.values[view->changed[i] * width + v] -= *added++;
	/* later entries are new, and were 0 */
	c->base.nentries = view->from_entries;
	return 0;
}

/* Store view->changed of a whole snapshot: the only entries to show. */
static int take_only(struct chart_data *c, const struct hist_view *view)
{
	free(c->only);
	c->only = NULL;
	if (view->difference || !view->changed)
		return 0;
	c->only = malloc((view->nchanged + 1) * sizeof(*c->only));
	if (!c->only)
		return -ENOMEM;
	if (view->nchanged)
		memcpy(c->only, view->changed, view->nchanged * sizeof(*c->only));
	c->nonly = view->nchanged;
	return 0;
}

int chart_data_add(struct chart_data *c, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	int ret = take_only(c, view);

	c->table = view->table;
	c->value = hist_axis_find_counted(schema);
	c->over_time |= view->difference;
	if (!ret && !c->shown && view->difference && !view->from_nothing)
		ret = make_base(c, view);
	else if (view->reset && view->difference)
		hist_snapshot_clear(&c->base);
	if (!ret && view->changed && c->shown)
		ret = hist_snapshot_follow(&c->total, view->whole, schema, view->changed,
					   view->nchanged);
	else if (!ret)
		ret = hist_snapshot_copy(&c->total, view->whole, schema);
	if (ret)
		return ret;
	if (view->difference && !c->has_from && (!view->from_nothing || view->reset)) {
		c->has_from = true;
		c->from_time = view->from_time;
	}
	if (!c->shown) {
		c->extent = view->extent;
		c->from_seq = hist_view_begin(view);
		c->from_hits = view->from_hits;
		c->shown = view->difference && !view->from_nothing;
	}
	c->shown++;
	c->wall = view->wall;
	hist_loss_add(&c->loss, view);
	if (!c->map || c->value < 0)
		return 0;
	ret = hist_heatmap_begin_interval(c->map, view);
	return ret ? ret : hist_heatmap_add(c->map, view, c->value, NULL, 0);
}

/* Subtract the base from the total, and list the worst of the difference. */
static int chart_data_subtract_base(struct chart_data *c)
{
	const struct hist_schema *schema = chart_data_schema(c);
	struct hist_snapshot whole = { 0 };
	const struct hist_view view = {
		.info = c->info, .table = c->table, .snap = &c->total, .whole = &whole,
		.changed = c->only, .nchanged = c->nonly,
		.difference = c->base.values != NULL, .lost = c->loss.lost,
		.from_seq = c->from_seq, .from_entries = c->base.nentries,
	};
	int ret = 0;

	if (hist_schema_worst(schema) >= 0)
		ret = hist_snapshot_copy(&whole, &c->total, schema);
	/* values that are not sums keep their number of the last snapshot */
	if (!ret && c->base.values)
		hist_snapshot_subtract(&c->total, &c->base, schema);
	if (!ret)
		ret = hist_worst_select(&c->worst, &view);
	hist_snapshot_clear(&whole);
	return ret;
}

uint64_t chart_data_entries(const struct chart_data *c)
{
	return c->only ? c->rows.total : c->total.entries;
}

int chart_data_end(struct chart_data *c, uint32_t top, uint32_t map_top)
{
	struct hist_selection selection = { .order = &c->order, .top = top };
	int ret;

	if (!c->table)
		return 0;
	ret = chart_data_subtract_base(c);
	if (ret)
		return ret;
	c->top = top;
	if (top || !hist_default_order_set_axis(chart_data_schema(c), &c->order))
		hist_row_order_set_largest(&c->order, c->value);
	selection.difference = c->base.values != NULL;
	selection.first_new = c->base.nentries;
	selection.changed = c->only;
	selection.nchanged = c->nonly;
	ret = hist_rows_select(&c->rows, c->table, &c->total, &selection);
	c->loss.full_stacks =
		ret ? 0 : hist_loss_count_full_stacks(&c->info->def, c->table, &c->rows);
	if (!ret && c->map)
		ret = hist_heatmap_finish(c->map, map_top);
	return ret;
}

void chart_data_clear(struct chart_data *c)
{
	hist_snapshot_clear(&c->total);
	hist_snapshot_clear(&c->base);
	hist_rows_free(&c->rows);
	hist_heatmap_free(c->map);
	free(c->only);
	hist_worst_free(&c->worst);
	memset(c, 0, sizeof(*c));
}
