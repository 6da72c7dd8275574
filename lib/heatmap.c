// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap.c - the matrix behind a heat map, filled as intervals come
 *
 * Rows are found by the number of their first cell of the axis, or by label.
 * A cache tells the row of each entry of the table, so that an interval costs
 * one addition for each entry that changed.  When the columns are used up they
 * are merged two and two, and a column takes twice as many intervals from then
 * on; when an axis has more rows than allowed its grid becomes coarser
 * (heatmap_grid.c), and rows that fall together are added.
 * Invariant: the sum of all cells and of @before is what was added, unless it saturates.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "heatmap_private.h"
#include "saturate.h"

#define ROWS_LEAST 128

struct hist_heatmap *hist_heatmap_new(const struct hist_series_info *info, unsigned int columns,
				      uint32_t rows)
{
	struct hist_heatmap *map = calloc(1, sizeof(*map));
	struct hist_heatmap_work *work = calloc(1, sizeof(*work));

	if (!map || !work)
		goto fail;
	map->work = work;
	map->ns = hist_clock_is_ns(info->def.clock);
	map->per_column = 1;
	work->max_columns = columns < 2 ? 2 : columns + columns % 2;
	work->max_rows = rows < ROWS_LEAST ? ROWS_LEAST : rows;
	work->seed = hash_seed(work);
	work->lead = map;
	work->columns = calloc(work->max_columns, sizeof(*work->columns));
	if (!work->columns)
		goto fail;
	map->columns = work->columns;
	return map;
fail:
	free(work);
	free(map);
	return NULL;
}

struct hist_heatmap *hist_heatmap_like(struct hist_heatmap *lead)
{
	const struct hist_heatmap_work *from = lead->work;
	struct hist_heatmap *map = calloc(1, sizeof(*map));
	struct hist_heatmap_work *work = calloc(1, sizeof(*work));

	if (!map || !work) {
		free(map);
		free(work);
		return NULL;
	}
	map->work = work;
	map->has_axis = lead->has_axis;
	map->is_signed = lead->is_signed;
	map->ns = lead->ns;
	map->ncolumns = lead->ncolumns;
	map->per_column = lead->per_column;
	map->columns = lead->columns;
	work->lead = lead;
	work->max_columns = from->max_columns;
	work->max_rows = from->max_rows;
	work->seed = from->seed;
	work->axis = from->axis;
	work->key = from->key;
	return map;
}

static void free_row(struct heat_row *row)
{
	free(row->label);
	free(row->cells);
}

void hist_heatmap_free(struct hist_heatmap *map)
{
	struct hist_heatmap_work *work;
	uint32_t i;

	if (!map)
		return;
	work = map->work;
	for (i = 0; i < work->nrows; i++)
		free_row(&work->rows[i]);
	free_row(&work->others);
	free(work->rows);
	free(work->index.slots);
	free(work->columns);
	free(work->shown);
	free(work->cache.of);
	hist_grouping_free(work->grouping);
	hist_strbuf_free(&work->text);
	free(work);
	free(map);
}

static void merge_cells(struct heat_row *row, unsigned int ncolumns)
{
	unsigned int i;

	if (!row->cells)
		return;
	for (i = 0; i < ncolumns / 2; i++)
		row->cells[i] = saturating_add(row->cells[2 * i], row->cells[2 * i + 1]);
	memset(row->cells + i, 0, (ncolumns - i) * sizeof(*row->cells));
}

static void take_column(struct hist_heat_column *to, const struct hist_heat_column *from)
{
	to->to = from->to;
	to->intervals += from->intervals;
	to->reset |= from->reset;
	to->lost = saturating_add(to->lost, from->lost);
	to->dropped = saturating_add(to->dropped, from->dropped);
}

/* Cells of columns that are not in use are 0. */
static void merge_rows(struct hist_heatmap *map)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t i;

	for (i = 0; i < work->nrows; i++)
		merge_cells(&work->rows[i], work->max_columns);
	merge_cells(&work->others, work->max_columns);
	map->per_column *= 2;
}

/* All columns are in use, and there is an even number of them. */
static void merge_columns(struct hist_heatmap *map)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t i;

	merge_rows(map);
	for (i = 0; i < map->ncolumns / 2; i++) {
		work->columns[i] = work->columns[2 * i];
		take_column(&work->columns[i], &work->columns[2 * i + 1]);
	}
	map->ncolumns /= 2;
}

void heat_follow(struct hist_heatmap *map)
{
	const struct hist_heatmap *lead = map->work->lead;

	while (map->per_column < lead->per_column)
		merge_rows(map);
	map->ncolumns = lead->ncolumns;
}

static void forget_rows(struct heat_cache *cache)
{
	if (cache->room)
		memset(cache->of, 0, cache->room * sizeof(*cache->of));
}

/* Makes room in the cache for all entries. */
static int reserve_cache(struct heat_cache *cache, uint32_t entries)
{
	uint32_t room = cache->room;

	if (entries <= room)
		return 0;
	if (array_grow((void **)&cache->of, &cache->room, entries, sizeof(*cache->of)))
		return -ENOMEM;
	memset(cache->of + room, 0, (cache->room - room) * sizeof(*cache->of));
	return 0;
}

/* Entry numbers mean something for one generation of one table only. */
static int settle_table(struct hist_heatmap *map, const struct hist_table *table)
{
	struct hist_heatmap_work *work = map->work;
	const struct hist_schema *schema = hist_table_schema(table);

	if (work->table != table || work->generation != hist_table_generation(table)) {
		hist_grouping_free(work->grouping);
		work->grouping = NULL;
		work->table = table;
		work->generation = hist_table_generation(table);
		forget_rows(&work->cache);
	}
	if (!work->settled) {
		work->settled = true;
		work->axis = hist_axis_key(schema);
		map->has_axis = work->axis >= 0;
		if (map->has_axis) {
			work->key = schema->keys[work->axis];
			work->key.name = NULL;
			map->is_signed = work->key.is_signed;
		}
	}
	if (map->has_axis)
		return 0;
	if (!work->grouping) {
		work->grouping = hist_grouping_new(table);
		if (!work->grouping)
			return -ENOMEM;
	}
	return hist_grouping_update(work->grouping);
}

int hist_heatmap_interval(struct hist_heatmap *map, const struct hist_view *view)
{
	struct hist_heatmap_work *work = map->work;
	struct hist_heat_column column = {
		.from = view->from_time,
		.to = view->snap->time,
		.intervals = 1,
		.reset = view->reset,
		.lost = saturating_add(view->lost, view->snap->missed),
		.dropped = view->snap->dropped,
	};
	int ret;

	ret = settle_table(map, view->table);
	if (!ret)
		ret = reserve_cache(&work->cache, view->snap->nentries);
	if (ret)
		return ret;
	work->no_column = !view->difference || (view->from_nothing && !view->reset);
	if (view->from_nothing && !view->from_time)
		work->no_column = true;
	if (work->no_column)
		return 0;
	if (map->ncolumns) {
		struct hist_heat_column *last = &work->columns[map->ncolumns - 1];

		if (last->intervals < map->per_column) {
			take_column(last, &column);
			return 0;
		}
	}
	if (map->ncolumns == work->max_columns)
		merge_columns(map);
	if (map->ncolumns && work->columns[map->ncolumns - 1].intervals < map->per_column)
		take_column(&work->columns[map->ncolumns - 1], &column);
	else
		work->columns[map->ncolumns++] = column;
	return 0;
}

bool hist_heatmap_has_column(const struct hist_heatmap *map)
{
	return !map->work->no_column;
}

static int add_to(struct hist_heatmap *map, struct heat_row *row, uint64_t count)
{
	struct hist_heatmap_work *work = map->work;
	uint64_t *cell;

	if (!row->cells) {
		row->cells = calloc(work->max_columns, sizeof(*row->cells));
		if (!row->cells)
			return -ENOMEM;
	}
	cell = &row->cells[map->ncolumns - 1];
	*cell = saturating_add(*cell, count);
	row->total = saturating_add(row->total, count);
	return 0;
}

static bool same_row(const struct hist_heatmap *map, const struct heat_row *row,
		     const struct heat_row *wanted)
{
	if (map->has_axis)
		return row->ge == wanted->ge;
	return row->label_len == wanted->label_len &&
	       !memcmp(row->label, wanted->label, row->label_len);
}

static uint32_t row_hash(const struct hist_heatmap *map, const struct heat_row *row)
{
	uint64_t seed = map->work->seed;

	return map->has_axis ? hash_mix(row->ge, seed) : hash_bytes(seed, row->label, row->label_len);
}

/* The row like @wanted, whose label is copied; HIST_NO_ENTRY where a new one has no place. */
static int find_row(struct hist_heatmap *map, const struct heat_row *wanted, uint32_t *found)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t hash = row_hash(map, wanted), i;
	struct heat_row *row;

	for (i = hash & work->index.mask; work->index.slots; i = (i + 1) & work->index.mask) {
		struct hash_slot *slot = &work->index.slots[i];

		if (!slot->number)
			break;
		if (slot->hash == hash && same_row(map, &work->rows[slot->number - 1], wanted)) {
			*found = slot->number - 1;
			return 0;
		}
	}
	*found = HIST_NO_ENTRY;
	if (!map->has_axis && work->nrows >= work->max_rows)
		return 0;
	if (array_grow((void **)&work->rows, &work->rows_room, work->nrows + 1, sizeof(*row)) ||
	    hash_index_reserve(&work->index, 1))
		return -ENOMEM;
	row = &work->rows[work->nrows];
	*row = (struct heat_row){ .ge = wanted->ge, .le = wanted->le };
	if (!map->has_axis) {
		row->label_len = wanted->label_len;
		row->label = strndup(wanted->label, wanted->label_len);
		if (!row->label)
			return -ENOMEM;
	}
	*found = work->nrows++;
	hash_index_put(&work->index, (struct hash_slot){ *found + 1, hash });
	return 0;
}

static int coarser(struct hist_heatmap *map)
{
	struct hist_heatmap_work *work = map->work;
	struct heat_row *old = work->rows, *row;
	uint32_t n = work->nrows, i, found;
	unsigned int c;
	int ret = 0;

	work->level++;
	map->merged = true;
	work->rows = NULL;
	work->nrows = work->rows_room = 0;
	hash_index_clear(&work->index);
	forget_rows(&work->lead->work->cache);
	for (i = 0; i < n; i++) {
		struct heat_row wanted = { 0 };

		heat_grid_cell(map, old[i].ge, &wanted.ge, &wanted.le);
		if (!ret)
			ret = find_row(map, &wanted, &found);
		if (ret) {
			free_row(&old[i]);
			continue;
		}
		row = &work->rows[found];
		if (!row->cells) {
			row->cells = old[i].cells;
			row->total = old[i].total;
			continue;
		}
		for (c = 0; c < map->ncolumns && old[i].cells; c++)
			row->cells[c] = saturating_add(row->cells[c], old[i].cells[c]);
		row->total = saturating_add(row->total, old[i].total);
		free_row(&old[i]);
	}
	free(old);
	return ret;
}

static int find_cell(struct hist_heatmap *map, uint32_t entry, uint32_t *found)
{
	struct hist_heatmap_work *work = map->work;
	const struct hist_cell *cells = hist_table_cells(work->lead->work->table, entry);
	struct hist_bounds bounds;
	struct heat_row wanted = { 0 };
	int ret;

	hist_axis_bounds(&work->key, cells[work->axis].num, &bounds);
	for (;;) {
		wanted.ge = bounds.ge;
		wanted.le = bounds.le;
		if (work->level)
			heat_grid_cell(map, bounds.ge, &wanted.ge, &wanted.le);
		ret = find_row(map, &wanted, found);
		if (ret || work->nrows <= work->max_rows || !heat_grid_has_coarser(map))
			return ret;
		ret = coarser(map);
		if (ret)
			return ret;
	}
}

static int find_label(struct hist_heatmap *map, uint32_t entry, uint32_t *found)
{
	struct hist_heatmap_work *work = map->work;
	struct heat_row wanted = { 0 };
	int ret;

	work->text.len = 0;
	hist_grouping_label(&work->text, work->grouping, hist_grouping_of(work->grouping, entry), 0);
	if (work->text.error)
		return work->text.error;
	wanted.label = work->text.data;
	wanted.label_len = work->text.len;
	ret = find_row(map, &wanted, found);
	if (!ret && *found == HIST_NO_ENTRY)
		map->others++;
	return ret;
}

int hist_heatmap_count(struct hist_heatmap *map, uint32_t entry, uint64_t count)
{
	struct hist_heatmap_work *work = map->work, *lead = work->lead->work;
	uint32_t found;
	int ret;

	if (lead->no_column) {
		map->before = saturating_add(map->before, count);
		return 0;
	}
	heat_follow(map);
	found = lead->cache.of[entry];
	if (!found) {
		ret = map->has_axis ? find_cell(map, entry, &found) : find_label(map, entry, &found);
		if (ret)
			return ret;
		found = found == HIST_NO_ENTRY ? HIST_NO_ENTRY : found + 1;
		lead->cache.of[entry] = found;
	}
	return add_to(map, found == HIST_NO_ENTRY ? &work->others : &work->rows[found - 1], count);
}

int hist_heatmap_add(struct hist_heatmap *map, const struct hist_view *view, unsigned int value,
		     const uint32_t *entries, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	bool is_signed = schema->values[value].is_signed;
	uint32_t i, entry;
	uint64_t count;
	int ret = 0;

	if (!entries) {
		entries = view->changed;
		n = entries ? view->nchanged : view->snap->nentries;
	}
	for (i = 0; i < n && !ret; i++) {
		entry = entries ? entries[i] : i;
		if (entry >= view->snap->nentries)
			continue;
		count = view->snap->values[(size_t)entry * schema->nvalues + value];
		if (count && !(is_signed && count >> 63))
			ret = hist_heatmap_count(map, entry, count);
	}
	return ret;
}
