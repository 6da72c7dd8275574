// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap.c - the matrix of a heat map, filled interval by interval
 *
 * A hash index finds a row by its part and the first number of its cell of the axis, or by its
 * label.  The counts are in heatmap_cells.h.  The row of each entry of the table is cached, so an
 * interval costs one addition for each entry that changed, whatever the number of parts.
 *
 * If all columns are used, they are merged in pairs, and a column takes twice as many intervals
 * from then on.  If a part has more rows of an axis than allowed, its grid becomes coarser
 * (heatmap_axis.c), and rows of the same cell are joined.
 *
 * Invariant: the sum of all cells and of @before is the sum of all added counts, unless it
 * saturates.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/saturate.h"
#include "lib/heatmap/heatmap_cells.h"
#include "lib/heatmap/heatmap_private.h"

#define ROWS_LEAST 32

struct hist_heatmap *heatmap_alloc(void)
{
	struct {
		struct hist_heatmap map;
		struct hist_heatmap_work work;
	} *both = calloc(1, sizeof(*both));

	if (!both)
		return NULL;
	both->map.work = &both->work;
	both->work.others = HIST_NO_ENTRY;
	return &both->map;
}

struct hist_heatmap *hist_heatmap_new(const struct hist_series_info *info, unsigned int columns,
				      uint32_t rows)
{
	struct hist_heatmap *map = heatmap_alloc();
	struct hist_heatmap_work *work;

	if (!map)
		return NULL;
	work = map->work;
	map->ns = hist_clock_is_ns(info->def.clock);
	map->per_column = 1;
	work->max_columns = columns < 2 ? 2 : columns + columns % 2;
	work->max_rows = rows < ROWS_LEAST ? ROWS_LEAST : rows;
	work->seed = hash_seed(work);
	work->columns = calloc(work->max_columns, sizeof(*work->columns));
	if (!work->columns) {
		hist_heatmap_free(map);
		return NULL;
	}
	map->columns = work->columns;
	return map;
}

void hist_heatmap_split(struct hist_heatmap *map, hist_heatmap_part_of *part_of, void *data)
{
	map->work->part_of = part_of;
	map->work->part_data = data;
}

void hist_heatmap_free(struct hist_heatmap *map)
{
	struct hist_heatmap_work *work;
	uint32_t i;

	if (!map)
		return;
	work = map->work;
	for (i = 0; i < work->nrows && !map->has_axis; i++)
		free(work->rows[i].label);
	heatmap_cells_free(&work->cells);
	free(work->rows);
	free(work->index.slots);
	free(work->spare);
	free(work->parts);
	free(work->columns);
	free(work->of);
	hist_grouping_free(work->grouping);
	hist_strbuf_free(&work->text);
	free(work->totals);
	free(work->shown);
	free(work->counts);
	free(map);
}

static void heatmap_merge_column(struct hist_heat_column *to, const struct hist_heat_column *from)
{
	to->to = from->to;
	to->intervals += from->intervals;
	to->reset |= from->reset;
	to->lost = saturating_add(to->lost, from->lost);
	to->dropped = saturating_add(to->dropped, from->dropped);
}

/*
 * Set the number of intervals per column from the number of snapshots in the file.  There are two
 * estimates, because the file may be damaged.  If both are too small, columns are merged later.
 */
static void heatmap_set_column_span(struct hist_heatmap *map, const struct hist_view *view)
{
	uint64_t n = (uint64_t)view->last_seq - view->snap->seq + 1;

	if (view->last_seq < view->snap->seq)
		return;
	if (n > view->info->snapshots)
		n = view->info->snapshots;
	while (n > (uint64_t)map->per_column * map->work->max_columns)
		map->per_column *= 2;
}

/* Merge all columns in pairs.  Their number is even. */
static int merge_columns(struct hist_heatmap *map)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t i;
	int ret;

	ret = heatmap_cells_merge_columns(&work->cells);
	if (ret)
		return ret;
	for (i = 0; i < map->ncolumns / 2; i++) {
		work->columns[i] = work->columns[2 * i];
		heatmap_merge_column(&work->columns[i], &work->columns[2 * i + 1]);
	}
	map->ncolumns /= 2;
	map->per_column *= 2;
	return 0;
}

static void forget_rows(struct hist_heatmap_work *work)
{
	if (work->of_room)
		memset(work->of, 0, work->of_room * sizeof(*work->of));
}

/* Entry numbers are valid only for one generation of one table. */
static int heatmap_set_table(struct hist_heatmap *map, const struct hist_table *table)
{
	struct hist_heatmap_work *work = map->work;
	const struct hist_schema *schema = hist_table_schema(table);

	if (work->table != table || work->generation != hist_table_generation(table)) {
		hist_grouping_free(work->grouping);
		work->grouping = NULL;
		work->table = table;
		work->generation = hist_table_generation(table);
		forget_rows(work);
	}
	if (!work->settled) {
		work->settled = true;
		work->axis = hist_axis_key(schema);
		map->has_axis = work->axis >= 0;
		if (map->has_axis) {
			work->grid.key = schema->keys[work->axis];
			work->grid.key.name = NULL;
			map->is_signed = work->grid.key.is_signed;
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

int hist_heatmap_begin_interval(struct hist_heatmap *map, const struct hist_view *view)
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

	ret = heatmap_set_table(map, view->table);
	if (!ret)
		ret = array_grow_zeroed(&work->of, &work->of_room, view->snap->nentries,
					sizeof(*work->of));
	if (ret)
		return ret;
	work->no_column = !view->difference || (view->from_nothing && !view->reset);
	if (view->from_nothing && !view->from_time)
		work->no_column = true;
	if (work->no_column)
		return 0;
	if (!map->ncolumns)
		heatmap_set_column_span(map, view);
	if (map->ncolumns == work->max_columns &&
	    work->columns[map->ncolumns - 1].intervals == map->per_column) {
		ret = merge_columns(map);
		if (ret)
			return ret;
	}
	if (map->ncolumns && work->columns[map->ncolumns - 1].intervals < map->per_column) {
		heatmap_merge_column(&work->columns[map->ncolumns - 1], &column);
		return 0;
	}
	ret = heatmap_cells_next_column(&work->cells);
	if (!ret)
		work->columns[map->ncolumns++] = column;
	return ret;
}

static bool same_row(const struct hist_heatmap *map, const struct heatmap_row *row,
		     const struct heatmap_row *wanted)
{
	if (row->part != wanted->part)
		return false;
	if (map->has_axis)
		return row->ge == wanted->ge;
	return row->label_len == wanted->label_len &&
	       !memcmp(row->label, wanted->label, row->label_len);
}

static uint32_t row_hash(const struct hist_heatmap *map, const struct heatmap_row *row)
{
	uint64_t seed = map->work->seed;

	return map->has_axis ? hash_mix(row->ge ^ hash_mix(row->part, seed), seed) :
			       hash_bytes(seed, row->label, row->label_len);
}

/* Returns the number of the row, or HIST_NO_ENTRY. */
static uint32_t heatmap_find_row(const struct hist_heatmap *map, const struct heatmap_row *wanted)
{
	const struct hist_heatmap_work *work = map->work;
	uint32_t hash = row_hash(map, wanted), i;

	for (i = hash & work->index.mask; work->index.slots; i = (i + 1) & work->index.mask) {
		const struct hash_slot *slot = &work->index.slots[i];

		if (!slot->number)
			break;
		if (slot->hash == hash && same_row(map, &work->rows[slot->number - 1], wanted))
			return slot->number - 1;
	}
	return HIST_NO_ENTRY;
}

/* Add row @number to the index with its current key. */
static int heatmap_index_row(struct hist_heatmap *map, uint32_t number)
{
	struct hist_heatmap_work *work = map->work;

	if (hash_index_reserve(&work->index, 1))
		return -ENOMEM;
	hash_index_put(&work->index,
		       (struct hash_slot){ number + 1, row_hash(map, &work->rows[number]) });
	return 0;
}

/* Get an empty row that is not in the index. */
static int new_row(struct hist_heatmap_work *work, uint32_t *number)
{
	if (work->nspare) {
		*number = work->spare[--work->nspare];
		return 0;
	}
	if (array_grow(&work->rows, &work->rows_room, work->nrows + 1,
		       sizeof(*work->rows)))
		return -ENOMEM;
	*number = work->nrows++;
	work->rows[*number] = (struct heatmap_row){ .part = HIST_NO_ENTRY };
	return 0;
}

/* Add a row like @wanted; its label is copied. */
static int add_row(struct hist_heatmap *map, const struct heatmap_row *wanted, uint32_t *number)
{
	struct hist_heatmap_work *work = map->work;
	char *label = NULL;
	int ret;

	ret = new_row(work, number);
	if (ret)
		return ret;
	if (!map->has_axis) {
		label = malloc(wanted->label_len + 1);
		if (!label)
			return -ENOMEM;
		memcpy(label, wanted->label, wanted->label_len);
		label[wanted->label_len] = '\0';
	}
	work->rows[*number] = *wanted;
	if (label)
		work->rows[*number].label = label;
	work->parts[wanted->part].nrows++;
	return heatmap_index_row(map, *number);
}

/* The row of all counts without their own row; it has no part. */
static int heatmap_find_others_row(struct hist_heatmap_work *work, uint32_t *number)
{
	int ret = 0;

	if (work->others == HIST_NO_ENTRY)
		ret = new_row(work, &work->others);
	*number = work->others;
	return ret;
}

static struct heatmap_grid heatmap_get_grid(const struct hist_heatmap_work *work, uint32_t part)
{
	struct heatmap_grid grid = work->grid;

	grid.level = work->parts[part].level;
	return grid;
}

/* Make @number the row of the coarser cell, or join it to the row that already is. */
static int widen_row(struct hist_heatmap *map, uint32_t number, const struct heatmap_grid *grid)
{
	struct hist_heatmap_work *work = map->work;
	struct heatmap_row *row = &work->rows[number], wanted = { .part = row->part };
	uint32_t found;
	int ret;

	heatmap_grid_find_cell(grid, row->ge, &wanted.ge, &wanted.le);
	/* this also finds a row that is not widened yet and begins where the cell begins */
	found = heatmap_find_row(map, &wanted);
	if (found == HIST_NO_ENTRY) {
		*row = wanted;
		return heatmap_index_row(map, number);
	}
	work->rows[found].le = wanted.le;
	if (found == number)
		return 0;
	if (array_grow(&work->spare, &work->spare_room, work->nspare + 1,
		       sizeof(*work->spare)))
		return -ENOMEM;
	ret = heatmap_cells_join_rows(&work->cells, found, number);
	row->part = HIST_NO_ENTRY;
	work->spare[work->nspare++] = number;
	work->parts[wanted.part].nrows--;
	return ret;
}

static int heatmap_coarsen_part(struct hist_heatmap *map, uint32_t part)
{
	struct hist_heatmap_work *work = map->work;
	struct heatmap_grid grid;
	uint32_t i;
	int ret = 0;

	work->parts[part].level++;
	map->merged = true;
	grid = heatmap_get_grid(work, part);
	forget_rows(work);
	for (i = 0; i < work->nrows && !ret; i++)
		if (work->rows[i].part == part)
			ret = widen_row(map, i, &grid);
	return ret;
}

static int heatmap_find_cell_row(struct hist_heatmap *map, uint32_t part, uint32_t entry,
				 uint32_t *number)
{
	struct hist_heatmap_work *work = map->work;
	const struct hist_cell *cells = hist_table_cells(work->table, entry);
	struct heatmap_row wanted = { .part = part };
	struct hist_bounds bounds;
	struct heatmap_grid grid;
	int ret;

	hist_axis_get_bounds(&work->grid.key, cells[work->axis].num, &bounds);
	for (;;) {
		grid = heatmap_get_grid(work, part);
		wanted.ge = bounds.ge;
		wanted.le = bounds.le;
		if (grid.level)
			heatmap_grid_find_cell(&grid, bounds.ge, &wanted.ge, &wanted.le);
		*number = heatmap_find_row(map, &wanted);
		if (*number != HIST_NO_ENTRY)
			return 0;
		if (work->parts[part].nrows < work->max_rows || !heatmap_grid_has_coarser(&grid))
			return add_row(map, &wanted, number);
		ret = heatmap_coarsen_part(map, part);
		if (ret)
			return ret;
	}
}

static int heatmap_find_label_row(struct hist_heatmap *map, uint32_t entry, uint32_t *number)
{
	struct hist_heatmap_work *work = map->work;
	struct heatmap_row wanted = { 0 };

	work->text.len = 0;
	hist_grouping_label(&work->text, work->grouping, hist_grouping_find(work->grouping, entry),
			    0);
	if (work->text.error)
		return work->text.error;
	wanted.label = work->text.data;
	wanted.label_len = work->text.len;
	*number = heatmap_find_row(map, &wanted);
	if (*number != HIST_NO_ENTRY)
		return 0;
	if (work->parts->nrows < work->max_rows)
		return add_row(map, &wanted, number);
	map->others++;
	return heatmap_find_others_row(work, number);
}

static int heatmap_find_entry_row(struct hist_heatmap *map, uint32_t entry, uint32_t *number)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t part = work->part_of ? work->part_of(work->part_data, entry) : 0;

	if (part == HIST_NO_ENTRY)
		return heatmap_find_others_row(work, number);
	if (array_grow_zeroed(&work->parts, &work->parts_room, (size_t)part + 1,
			      sizeof(*work->parts)))
		return -ENOMEM;
	if (part >= work->nparts)
		work->nparts = part + 1;
	return map->has_axis ? heatmap_find_cell_row(map, part, entry, number) :
			       heatmap_find_label_row(map, entry, number);
}

/* The values that one interval adds. */
struct heatmap_input {
	const uint64_t *values; /* by entry, @width apart; @listed: by position in @entries */
	size_t width;
	bool listed;
	uint64_t most; /* larger numbers are signed and below zero */
	uint32_t nentries;
	const uint32_t *entries; /* @n of them, or NULL: the first @n */
	uint32_t n;
};

/* Count @by of @entry in the last column, or before all columns if the interval has none. */
static int heatmap_count_entry(struct hist_heatmap *map, const struct heatmap_input *a,
			       uint32_t entry, uint64_t by)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t number;
	int ret;

	if (!by || by > a->most)
		return 0;
	if (work->no_column) {
		map->before = saturating_add(map->before, by);
		return 0;
	}
	number = work->of[entry] - 1;
	if (number == HIST_NO_ENTRY) {
		ret = heatmap_find_entry_row(map, entry, &number);
		if (ret)
			return ret;
		work->of[entry] = number + 1;
	}
	return heatmap_cells_add(&work->cells, number, by);
}

/* Add to a narrow cell without a call; false if the row is unknown or the sum does not fit. */
static inline bool add_narrow(uint16_t *narrow, uint32_t room, uint32_t number, uint64_t by)
{
	uint64_t sum;

	if (number >= room)
		return false;
	sum = narrow[number] + by;
	/* a number below zero is larger than UINT16_MAX, but the sum may be small */
	if ((sum | by) > UINT16_MAX)
		return false;
	narrow[number] = sum;
	return true;
}

static int add_listed(struct hist_heatmap *map, const struct heatmap_input *a)
{
	const struct hist_heatmap_work *work = map->work;
	const uint32_t *entries = a->entries, *of = work->of;
	const uint64_t *values = a->values;
	uint32_t n = a->n, i, room;
	uint16_t *narrow = heatmap_cells_get_narrow(&work->cells, &room);
	int ret;

	for (i = 0; i < n; i++) {
		if (add_narrow(narrow, room, of[entries[i]] - 1, values[i]))
			continue;
		ret = heatmap_count_entry(map, a, entries[i], values[i]);
		if (ret)
			return ret;
		narrow = heatmap_cells_get_narrow(&work->cells, &room);
	}
	return 0;
}

static int add_found(struct hist_heatmap *map, const struct heatmap_input *a)
{
	uint32_t i, entry;
	uint64_t by;
	int ret = 0;

	for (i = 0; i < a->n && !ret; i++) {
		entry = a->entries ? a->entries[i] : i;
		by = a->listed ? a->values[i] :
		     entry < a->nentries ? a->values[entry * a->width] : 0;
		ret = heatmap_count_entry(map, a, entry, by);
	}
	return ret;
}

int hist_heatmap_add(struct hist_heatmap *map, const struct hist_view *view, unsigned int value,
		     const uint32_t *entries, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	struct heatmap_input a = {
		.width = schema->nvalues,
		.most = schema->values[value].is_signed ? INT64_MAX : UINT64_MAX,
		.nentries = view->snap->nentries,
		.entries = entries ? entries : view->changed,
		.n = entries ? n : view->changed ? view->nchanged : view->snap->nentries,
	};

	if (!a.nentries)
		return 0;
	a.listed = !entries && view->added;
	a.values = a.listed ? view->added + (size_t)value * a.n : view->snap->values + value;
	return a.listed && !map->work->no_column ? add_listed(map, &a) : add_found(map, &a);
}
