// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_buckets.c - the buckets of a histogram, common to all its label sets
 *
 * The bounds are the upper bounds of all rows, and the number below each row.  Prometheus
 * interpolates between two bounds, so the number below a row keeps its estimates within
 * the row.  Numbers are compared as places: unsigned, in the order of the axis.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/report/openmetrics/openmetrics.h"

/* Least number of .log2 buckets: histograms of several machines are added up bucket by bucket. */
#define LADDER 33

void openmetrics_get_row_bounds(const struct om_hist *h, uint32_t row, struct hist_bounds *bounds)
{
	hist_axis_get_bounds(&h->info->def.schema->keys[h->axis],
			     hist_table_cells(h->rows, row)[1].num, bounds);
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct om_buckets *buckets = arg;
	const struct om_hist *h = buckets->h;
	uint32_t gx = hist_table_cells(h->rows, x)->str, gy = hist_table_cells(h->rows, y)->str;
	struct hist_bounds bx, by;

	if (gx != gy)
		return gx < gy ? -1 : 1;
	openmetrics_get_row_bounds(h, x, &bx);
	openmetrics_get_row_bounds(h, y, &by);
	bx.ge ^= buckets->flip;
	by.ge ^= buckets->flip;
	return bx.ge < by.ge ? -1 : bx.ge > by.ge;
}

int openmetrics_buckets_make(struct om_buckets *k, const struct om_hist *h)
{
	const struct hist_key_desc *axis = &h->info->def.schema->keys[h->axis];
	uint32_t n = hist_table_entries(h->rows), i;
	struct hist_bounds bounds;
	uint64_t least, most = 0;
	size_t to;

	memset(k, 0, sizeof(*k));
	k->h = h;
	k->is_signed = axis->is_signed;
	k->flip = axis->is_signed ? UINT64_C(1) << 63 : 0;
	k->les = reallocarray(NULL, 2 * (size_t)n + 64, sizeof(*k->les));
	k->rows = reallocarray(NULL, (size_t)n + 1, sizeof(*k->rows));
	if (!k->les || !k->rows)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		openmetrics_get_row_bounds(h, i, &bounds);
		k->negative |= k->is_signed && bounds.ge > INT64_MAX;
	}
	/* Prometheus starts the first bucket at 0 if all bounds are positive */
	least = k->negative ? 0 : k->flip;
	for (i = 0; i < n; i++) {
		k->rows[i] = i;
		openmetrics_get_row_bounds(h, i, &bounds);
		if ((bounds.ge ^ k->flip) > least)
			k->les[k->n++] = (bounds.ge ^ k->flip) - 1;
		k->les[k->n++] = bounds.le ^ k->flip;
		if (!k->is_signed || bounds.le <= INT64_MAX)
			most = bounds.le > most ? bounds.le : most;
	}
	for (i = 0; hist_key_is_log2(axis) && i < (most >> (LADDER - 1) > 1 ? 63 : LADDER); i++)
		k->les[k->n++] = (UINT64_C(1) << i) ^ k->flip;
	qsort(k->les, k->n, sizeof(*k->les), array_compare_u64);
	qsort_r(k->rows, n, sizeof(*k->rows), compare_rows, k);
	for (i = 0, to = 0; i < k->n; i++)
		/* the bound UINT64_MAX is the bucket +Inf */
		if (k->les[i] != UINT64_MAX && (!to || k->les[to - 1] != k->les[i]))
			k->les[to++] = k->les[i];
	k->n = to;
	return 0;
}

void openmetrics_buckets_free(struct om_buckets *k)
{
	free(k->les);
	free(k->rows);
}
