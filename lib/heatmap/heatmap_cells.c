// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap_cells.c - the counts of a heat map: rows by columns, column after column
 *
 * An interval changes a few scattered rows of the last column.  The column is small, so that it
 * stays in the CPU cache: a count has two bytes at first.  If a count does not fit, all counts of
 * the column are copied to four bytes each, then to eight.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/heatmap/heatmap_cells.h"

void heatmap_cells_free(struct heatmap_cells *cells)
{
	uint32_t i;

	for (i = 0; i < cells->n; i++)
		free(cells->columns[i].cells);
	free(cells->columns);
	memset(cells, 0, sizeof(*cells));
}

static uint64_t cells_get_count(const struct heatmap_column *column, uint32_t row)
{
	if (row >= column->room)
		return 0;
	switch (column->width) {
	case sizeof(*column->narrow):
		return column->narrow[row];
	case sizeof(*column->middle):
		return column->middle[row];
	default:
		return column->wide[row];
	}
}

/* @value fits into the width. */
static void cells_put_count(struct heatmap_column *column, uint32_t row, uint64_t value)
{
	switch (column->width) {
	case sizeof(*column->narrow):
		column->narrow[row] = value;
		break;
	case sizeof(*column->middle):
		column->middle[row] = value;
		break;
	default:
		column->wide[row] = value;
	}
}

static uint32_t cells_find_width(uint64_t value)
{
	return value <= UINT16_MAX ? sizeof(uint16_t) :
	       value <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
}

/* Make room for at least @rows cells of at least @width bytes. */
static int cells_reserve_column(struct heatmap_column *column, uint32_t rows, uint32_t width)
{
	struct heatmap_column made = *column;
	uint32_t i;

	if (rows <= column->room && width <= column->width)
		return 0;
	if (rows > column->room) {
		if (rows > UINT32_MAX - HEATMAP_CELLS_STEP)
			return -ENOMEM;
		made.room =
			(rows + HEATMAP_CELLS_STEP - 1) / HEATMAP_CELLS_STEP * HEATMAP_CELLS_STEP;
	}
	if (width > column->width)
		made.width = width;
	made.cells = calloc(made.room, made.width);
	if (!made.cells)
		return -ENOMEM;
	for (i = 0; i < column->room; i++)
		cells_put_count(&made, i, cells_get_count(column, i));
	free(column->cells);
	*column = made;
	return 0;
}

int heatmap_cells_next_column(struct heatmap_cells *cells)
{
	struct heatmap_column column = { 0 };
	int ret;

	ret = array_grow(&cells->columns, &cells->columns_room, cells->n + 1,
			 sizeof(*cells->columns));
	if (!ret)
		ret = cells_reserve_column(&column, cells->rows ? cells->rows : 1,
					   sizeof(*column.narrow));
	if (!ret)
		cells->columns[cells->n++] = column;
	return ret;
}

static int cells_add_count(struct heatmap_column *column, uint32_t row, uint64_t count)
{
	uint64_t sum = saturating_add(cells_get_count(column, row), count);
	int ret;

	ret = cells_reserve_column(column, row + 1, cells_find_width(sum));
	if (!ret)
		cells_put_count(column, row, sum);
	return ret;
}

int heatmap_cells_add(struct heatmap_cells *cells, uint32_t row, uint64_t count)
{
	struct heatmap_column *last = &cells->columns[cells->n - 1];

	if (row >= cells->rows) {
		cells->rows = cells->rows ? cells->rows : HEATMAP_CELLS_STEP;
		while (row >= cells->rows)
			cells->rows = cells->rows > UINT32_MAX / 2 ? UINT32_MAX : cells->rows * 2;
	}
	if (row >= last->room && cells_reserve_column(last, cells->rows, 0))
		return -ENOMEM;
	return cells_add_count(last, row, count);
}

static int cells_merge_column(struct heatmap_column *to, const struct heatmap_column *from)
{
	uint64_t count;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < from->room && !ret; i++) {
		count = cells_get_count(from, i);
		ret = count ? cells_add_count(to, i, count) : 0;
	}
	return ret;
}

int heatmap_cells_merge_columns(struct heatmap_cells *cells)
{
	struct heatmap_column *columns = cells->columns, *to;
	uint32_t i, n = cells->n;
	int ret = 0;

	for (i = 0; i < n && !ret; i += 2) {
		/* the later column has at least the rows of the earlier one */
		to = &columns[i + 1];
		ret = cells_merge_column(to, &columns[i]);
		if (ret)
			break;
		free(columns[i].cells);
		columns[i].cells = NULL;
		columns[i / 2] = *to;
		to->cells = NULL;
	}
	cells->n = ret ? n : n / 2;
	return ret;
}

uint64_t heatmap_cells_get(const struct heatmap_cells *cells, uint32_t column, uint32_t row)
{
	return cells_get_count(&cells->columns[column], row);
}

int heatmap_cells_join_rows(struct heatmap_cells *cells, uint32_t to, uint32_t from)
{
	struct heatmap_column *column;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < cells->n && !ret; i++) {
		column = &cells->columns[i];
		ret = cells_add_count(column, to, cells_get_count(column, from));
		if (!ret && from < column->room)
			cells_put_count(column, from, 0);
	}
	return ret;
}

void heatmap_cells_add_totals(const struct heatmap_cells *cells, uint64_t *totals, uint32_t rows)
{
	const struct heatmap_column *c;
	uint32_t row, i, n;

	for (i = 0; i < cells->n; i++) {
		c = &cells->columns[i];
		n = c->room < rows ? c->room : rows;
		/* nearly all columns: without a choice for each cell */
		if (c->width == sizeof(*c->narrow))
			for (row = 0; row < n; row++)
				totals[row] = saturating_add(totals[row], c->narrow[row]);
		else
			for (row = 0; row < n; row++)
				totals[row] = saturating_add(totals[row], cells_get_count(c, row));
	}
}

struct hist_wide heatmap_cells_sum_column(const struct heatmap_cells *cells, uint32_t column)
{
	const struct heatmap_column *c = &cells->columns[column];
	struct hist_wide sum = { 0 };
	uint32_t row;

	for (row = 0; row < c->room; row++)
		sum = hist_wide_add(sum, hist_wide(cells_get_count(c, row)));
	return sum;
}
