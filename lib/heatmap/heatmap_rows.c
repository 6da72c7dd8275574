// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap_rows.c - the sorted rows of a heat map, with the empty rows between them
 *
 * Empty rows of an axis are shown, too.  If more than GAP_MAX are adjacent, one row with their
 * number replaces them.  The counts of the row of the others are the sums of the columns minus all
 * other rows.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/base/wide.h"
#include "lib/heatmap/heatmap_cells.h"
#include "lib/heatmap/heatmap_private.h"

#define GAP_MAX 16

/* The rows of one part, to be shown in @map. */
struct row_list {
	struct hist_heatmap *map;
	const struct hist_heatmap_work *from; /* the counts: of @map or of another map */
	uint32_t *numbers;
	uint32_t n;
	uint64_t *counts; /* of the next row */
};

static int by_axis(const void *a, const void *b, void *data)
{
	const struct row_list *s = data;
	uint64_t x = s->from->rows[*(const uint32_t *)a].ge,
		 y = s->from->rows[*(const uint32_t *)b].ge;

	return hist_number_is_less(x, y, s->map->is_signed) ? -1 : x != y;
}

static int heatmap_rows_compare_totals(const void *a, const void *b, void *data)
{
	const struct hist_heatmap_work *from = ((const struct row_list *)data)->from;
	uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
	const struct heatmap_row *x = &from->rows[m], *y = &from->rows[n];
	size_t len = x->label_len < y->label_len ? x->label_len : y->label_len;
	int cmp;

	if (from->totals[m] != from->totals[n])
		return from->totals[m] > from->totals[n] ? -1 : 1;
	cmp = memcmp(x->label, y->label, len);
	return cmp ? cmp : x->label_len < y->label_len ? -1 : x->label_len > y->label_len;
}

/* The number of cells between two rows. */
static uint64_t heatmap_rows_count_gap(const struct hist_heatmap *map, uint64_t from_le,
				       uint64_t to_ge)
{
	const struct heatmap_grid *grid = &map->work->grid;
	uint64_t n, ge, le = from_le, width;

	if (hist_key_is_linear(&grid->key) ||
	    (!hist_key_traits(&grid->key)->range && !grid->level)) {
		width = hist_key_step(&grid->key) << grid->level;
		n = to_ge - from_le - 1;
		/* the bucket at zero is cut */
		return n / width + (n % width != 0);
	}
	for (n = 0; hist_number_is_less(le, to_ge - 1, map->is_signed); n++)
		heatmap_grid_find_cell(grid, le + 1, &ge, &le);
	return n;
}

static int heatmap_rows_append_row(struct hist_heatmap *map, const struct hist_heat_row *row)
{
	struct hist_heatmap_work *work = map->work;

	if (array_grow(&work->shown, &work->shown_room, map->nrows + 1,
		       sizeof(*work->shown)))
		return -ENOMEM;
	work->shown[map->nrows++] = *row;
	map->rows = work->shown;
	return 0;
}

static int show_gap(struct hist_heatmap *map, uint64_t from_le, uint64_t to_ge)
{
	uint64_t n = heatmap_rows_count_gap(map, from_le, to_ge);
	struct hist_heat_row row = { .le = from_le };
	int ret = 0;

	if (n > GAP_MAX && !hist_key_is_log2(&map->work->grid.key)) {
		row.empty = n;
		row.ge = from_le + 1;
		row.le = to_ge - 1;
		return heatmap_rows_append_row(map, &row);
	}
	while (hist_number_is_less(row.le, to_ge - 1, map->is_signed) && !ret) {
		heatmap_grid_find_cell(&map->work->grid, row.le + 1, &row.ge, &row.le);
		ret = heatmap_rows_append_row(map, &row);
	}
	return ret;
}

/* Show @row with the counts in s->counts. */
static int show_counts(struct row_list *s, struct hist_heat_row *row)
{
	row->cells = s->counts;
	s->counts += s->map->ncolumns;
	return heatmap_rows_append_row(s->map, row);
}

static int heatmap_rows_show_cells(struct row_list *s, uint32_t number)
{
	const struct heatmap_row *from = &s->from->rows[number];
	struct hist_heat_row row = { .total = s->from->totals[number] };
	unsigned int i;

	if (s->map->has_axis) {
		row.ge = from->ge;
		row.le = from->le;
	} else {
		row.label = from->label;
	}
	for (i = 0; i < s->map->ncolumns; i++)
		s->counts[i] = heatmap_cells_get(&s->from->cells, i, number);
	return show_counts(s, &row);
}

/* Show the counts that are in no row yet. */
static int heatmap_rows_show_others(struct row_list *s, uint32_t folded)
{
	struct hist_heat_row row = { .label = "", .others = true };
	struct hist_heatmap *map = s->map;
	struct hist_wide sum;
	unsigned int i;
	uint32_t k;

	map->others += folded;
	for (i = 0; i < map->ncolumns; i++) {
		sum = heatmap_cells_sum_column(&s->from->cells, i);
		for (k = 0; k < map->nrows; k++)
			sum = hist_wide_sub(sum, hist_wide(map->rows[k].cells[i]));
		s->counts[i] = sum.high ? UINT64_MAX : sum.low;
	}
	for (k = s->n - folded; k < s->n; k++)
		row.total = saturating_add(row.total, s->from->totals[s->numbers[k]]);
	if (s->from->others != HIST_NO_ENTRY)
		row.total = saturating_add(row.total, s->from->totals[s->from->others]);
	return show_counts(s, &row);
}

static int show_rows(struct row_list *s, uint32_t top)
{
	uint32_t n = !s->map->has_axis && top && top < s->n ? top : s->n, i;
	const struct heatmap_row *rows = s->from->rows;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		if (s->map->has_axis && i)
			ret = show_gap(s->map, rows[s->numbers[i - 1]].le, rows[s->numbers[i]].ge);
		if (!ret)
			ret = heatmap_rows_show_cells(s, s->numbers[i]);
	}
	if (!ret && !s->map->has_axis && (n < s->n || s->from->others != HIST_NO_ENTRY))
		ret = heatmap_rows_show_others(s, s->n - n);
	return ret;
}

/* Make @work->totals. */
static int heatmap_rows_sum_totals(struct hist_heatmap_work *work)
{
	if (work->totals)
		return 0;
	work->totals = calloc(work->nrows ? work->nrows : 1, sizeof(*work->totals));
	if (!work->totals)
		return -ENOMEM;
	heatmap_cells_add_totals(&work->cells, work->totals, work->nrows);
	return 0;
}

/* Set the rows of @map to the rows of @part in @from. */
static int show_part(struct hist_heatmap *map, struct hist_heatmap_work *from, uint32_t part,
		     uint32_t top)
{
	struct row_list s = { .map = map, .from = from };
	uint32_t i, n = part < from->nparts ? from->parts[part].nrows : 0;
	int ret;

	ret = heatmap_rows_sum_totals(from);
	if (ret)
		return ret;
	s.numbers = malloc(n ? n * sizeof(*s.numbers) : 1);
	/* one more for the others */
	map->work->counts = calloc((size_t)n + 1, (map->ncolumns ? map->ncolumns : 1) *
						  sizeof(*s.counts));
	s.counts = map->work->counts;
	if (s.numbers && s.counts) {
		for (i = 0; i < from->nrows; i++)
			if (from->rows[i].part == part)
				s.numbers[s.n++] = i;
		qsort_r(s.numbers, s.n, sizeof(*s.numbers),
			map->has_axis ? by_axis : heatmap_rows_compare_totals, &s);
		ret = show_rows(&s, top);
	} else {
		ret = -ENOMEM;
	}
	free(s.numbers);
	return ret;
}

int hist_heatmap_finish(struct hist_heatmap *map, uint32_t top)
{
	if (map->work->nparts)
		map->work->grid.level = map->work->parts->level;
	return show_part(map, map->work, 0, top);
}

int hist_heatmap_sum_parts(struct hist_heatmap *map, uint64_t *totals, uint32_t n, uint64_t *none)
{
	struct hist_heatmap_work *work = map->work;
	uint32_t i, part;
	int ret;

	ret = heatmap_rows_sum_totals(work);
	if (ret)
		return ret;
	memset(totals, 0, n * sizeof(*totals));
	for (i = 0; i < work->nrows; i++) {
		part = work->rows[i].part;
		if (part < n)
			totals[part] = saturating_add(totals[part], work->totals[i]);
	}
	*none = work->others == HIST_NO_ENTRY ? 0 : work->totals[work->others];
	return 0;
}

int hist_heatmap_make_part(struct hist_heatmap **part, struct hist_heatmap *map, uint32_t number)
{
	struct hist_heatmap *made = heatmap_alloc();
	struct hist_heatmap_work *work;
	int ret;

	if (!made)
		return -ENOMEM;
	work = made->work;
	*made = *map;
	made->work = work;
	made->before = 0;
	made->work->grid = map->work->grid;
	if (number < map->work->nparts)
		made->work->grid.level = map->work->parts[number].level;
	made->merged = made->work->grid.level > 0;
	ret = show_part(made, map->work, number, 0);
	if (ret)
		hist_heatmap_free(made);
	else
		*part = made;
	return ret;
}

uint64_t hist_heatmap_rate(const struct hist_heatmap *map, const struct hist_heat_row *row,
			   unsigned int column)
{
	const struct hist_heat_column *c = &map->columns[column];
	uint64_t count = row->cells ? row->cells[column] : 0, rate;

	if (!count)
		return 0;
	if (map->ns && c->to > c->from)
		rate = hist_mul_div(count, UINT64_C(1000000000000), 0, c->to - c->from);
	else
		rate = hist_mul_div(count, 1000, 0, c->intervals);
	return rate ? rate : 1;
}

void hist_heatmap_find_range(const struct hist_heatmap *map, uint64_t *least, uint64_t *most)
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

void hist_heatmap_find_levels(const struct hist_heatmap *map, const struct hist_heat *heat,
			      uint8_t *levels)
{
	uint32_t row;
	unsigned int i;

	for (row = 0; row < map->nrows; row++)
		for (i = 0; i < map->ncolumns; i++)
			*levels++ = hist_heat_level(
				heat, hist_heatmap_rate(map, &map->rows[row], i));
}
