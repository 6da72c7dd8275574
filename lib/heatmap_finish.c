// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap_finish.c - the rows of a heat map in order, with the empty ones between
 *
 * An axis is shown with what is empty between its rows: up to GAP_MAX of them as
 * rows, more as one row that tells how many they are.
 */
#include <errno.h>
#include <stdlib.h>

#include "heatmap_private.h"

#define GAP_MAX 16

static bool is_less(const struct hist_heatmap *map, uint64_t a, uint64_t b)
{
	return map->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static int by_axis(const void *a, const void *b, void *map)
{
	const struct heat_row *x = a, *y = b;

	return is_less(map, x->ge, y->ge) ? -1 : x->ge != y->ge;
}

static int by_total(const void *a, const void *b, void *map)
{
	const struct heat_row *x = a, *y = b;
	size_t len = x->label_len < y->label_len ? x->label_len : y->label_len;
	int cmp;

	(void)map;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	cmp = memcmp(x->label, y->label, len);
	return cmp ? cmp : x->label_len < y->label_len ? -1 : x->label_len > y->label_len;
}

/* How many cells lie between. */
static uint64_t gap(const struct hist_heatmap *map, uint64_t from_le, uint64_t to_ge)
{
	enum hist_key_kind kind = map->work->key.kind;
	uint64_t n, ge, le = from_le, width = 1;

	if (kind == HIST_KEY_BUCKETS || (kind != HIST_KEY_LOG2 && !map->work->level)) {
		if (kind == HIST_KEY_BUCKETS && map->work->key.bucket)
			width = map->work->key.bucket << map->work->level;
		n = to_ge - from_le - 1;
		/* over zero a bucket is cut */
		return n / width + (n % width != 0);
	}
	for (n = 0; is_less(map, le, to_ge - 1); n++)
		heat_grid_cell(map, le + 1, &ge, &le);
	return n;
}

static int show(struct hist_heatmap *map, const struct hist_heat_row *row)
{
	struct hist_heatmap_work *work = map->work;

	if (array_grow((void **)&work->shown, &work->shown_room, map->nrows + 1,
		       sizeof(*work->shown)))
		return -ENOMEM;
	work->shown[map->nrows++] = *row;
	map->rows = work->shown;
	return 0;
}

static int show_gap(struct hist_heatmap *map, uint64_t from_le, uint64_t to_ge)
{
	uint64_t n = gap(map, from_le, to_ge);
	struct hist_heat_row row = { .le = from_le };
	int ret = 0;

	if (n > GAP_MAX && map->work->key.kind != HIST_KEY_LOG2) {
		row.empty = n;
		row.ge = from_le + 1;
		row.le = to_ge - 1;
		return show(map, &row);
	}
	while (is_less(map, row.le, to_ge - 1) && !ret) {
		heat_grid_cell(map, row.le + 1, &row.ge, &row.le);
		ret = show(map, &row);
	}
	return ret;
}

static void largest(struct hist_heatmap *map, const struct heat_row *row)
{
	unsigned int i;

	for (i = 0; row->cells && i < map->ncolumns; i++)
		if (row->cells[i] > map->largest)
			map->largest = row->cells[i];
}

static int show_row(struct hist_heatmap *map, const struct heat_row *row, bool others)
{
	const struct hist_heat_row shown = {
		.ge = row->ge,
		.le = row->le,
		.label = map->has_axis ? NULL : others ? "" : row->label,
		.others = others,
		.total = row->total,
		.cells = row->cells,
	};

	largest(map, row);
	return show(map, &shown);
}

static int fold(struct hist_heatmap *map, struct heat_row *row)
{
	struct hist_heatmap_work *work = map->work;
	struct heat_row *others = &work->others;
	unsigned int i;

	map->others++;
	if (!others->cells) {
		others->cells = calloc(work->max_columns, sizeof(*others->cells));
		if (!others->cells)
			return -ENOMEM;
	}
	for (i = 0; i < map->ncolumns; i++)
		if (__builtin_add_overflow(others->cells[i], row->cells[i], &others->cells[i]))
			others->cells[i] = UINT64_MAX;
	if (__builtin_add_overflow(others->total, row->total, &others->total))
		others->total = UINT64_MAX;
	return 0;
}

int hist_heatmap_finish(struct hist_heatmap *map, uint32_t top)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t i;
	int ret = 0;

	heat_follow(map);
	if (work->nrows)
		qsort_r(work->rows, work->nrows, sizeof(*work->rows), map->has_axis ? by_axis : by_total,
			map);
	for (i = 0; i < work->nrows && !ret; i++) {
		if (map->has_axis && i)
			ret = show_gap(map, work->rows[i - 1].le, work->rows[i].ge);
		if (ret)
			break;
		if (!map->has_axis && top && i >= top)
			ret = fold(map, &work->rows[i]);
		else
			ret = show_row(map, &work->rows[i], false);
	}
	if (!ret && work->others.cells)
		ret = show_row(map, &work->others, true);
	return ret;
}

uint64_t hist_heatmap_rate(const struct hist_heatmap *map, const struct hist_heat_row *row,
			   unsigned int column)
{
	const struct hist_heat_column *c = &map->columns[column];
	uint64_t count = row->cells ? row->cells[column] : 0, per;
	unsigned __int128 rate;

	if (!count)
		return 0;
	per = map->ns && c->to > c->from ? c->to - c->from : c->intervals;
	rate = (unsigned __int128)count * 1000;
	if (map->ns && c->to > c->from)
		rate *= 1000000000;
	rate /= per;
	return !rate ? 1 : rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
}

void hist_heatmap_range(const struct hist_heatmap *map, uint64_t *least, uint64_t *most)
{
	unsigned int i;
	uint64_t rate;
	uint32_t row;

	*least = *most = 0;
	for (row = 0; row < map->nrows; row++) {
		for (i = 0; map->rows[row].cells && i < map->ncolumns; i++) {
			rate = hist_heatmap_rate(map, &map->rows[row], i);
			if (rate > *most)
				*most = rate;
			if (rate && (!*least || rate < *least))
				*least = rate;
		}
	}
}
