// SPDX-License-Identifier: GPL-2.0
/*
 * top_groups.c - the summary: a line for each group of the axis, with percentiles and the maximum
 *
 * The groups are those of all counts since the first snapshot.  They are made again for each
 * refresh; a line is a row of h->percentiles.
 *
 * Invariant: h->groups is of h->percentiles, which is as old as the lines.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tracecmd/top/top_model.h"

static const uint32_t quantiles[] = { 500000, 990000 };

#define QUANTILES (sizeof(quantiles) / sizeof(*quantiles))
/* The columns with an order: group, rate, hits, quantiles and maximum; the shape follows. */
#define SORTABLE (4 + QUANTILES)

enum top_view top_shown_view(const struct top_model *m, const struct top_hist *h)
{
	const struct hist_schema *schema = hist_table_schema(h->table);

	if (m->view != TOP_SUMMARY)
		return m->view;
	if (!h->has_axis)
		return TOP_TABLE;
	return schema->nkeys > 1 ? TOP_SUMMARY : TOP_BARS;
}

int top_groups_select(struct top_model *m, struct top_hist *h)
{
	const struct top_interval *interval = top_interval(h, 0);
	int ret;

	if (!h->has_axis || m->view != TOP_SUMMARY)
		return 0;
	if (!h->percentiles)
		h->percentiles = hist_percentiles_new(quantiles, QUANTILES, 0);
	if (!h->percentiles)
		return -ENOMEM;
	h->percentiles->has_shapes = true;
	ret = hist_percentiles_select(h->percentiles, h->table, &h->total, &h->worst);
	percentiles_table_free(&h->groups);
	memset(&h->groups, 0, sizeof(h->groups));
	if (ret)
		return ret;
	h->groups.added = interval ? &interval->diff : NULL;
	h->groups.added_ns = interval ? interval->length_ns : 0;
	return percentiles_table_make(&h->groups, h->percentiles, PERCENTILES_OF_LIVE, m->flags);
}

void top_groups_sort_next(struct top_hist *h, int step)
{
	h->group_column = (h->group_column + SORTABLE + step) % SORTABLE;
	h->group_reverse = false;
}

/* A group with what it is sorted by. */
struct top_group {
	uint32_t row;
	uint64_t number; /* a larger one comes first */
	char *label;	 /* NULL: by the number */
};

static int top_groups_compare(const void *a, const void *b)
{
	const struct top_group *x = a, *y = b;
	int order;

	if (x->label)
		order = strcmp(x->label, y->label);
	else
		order = (x->number < y->number) - (x->number > y->number);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* 1: the filter leaves the row out; or 0 or -ENOMEM. */
static int top_groups_make(const struct top_model *m, struct top_hist *h, uint32_t row,
			   struct table_cell *cell, struct top_group *group)
{
	const struct table *table = &h->groups.base;

	group->row = row;
	table_get(table, row, 0, cell);
	hist_strbuf_char(&cell->text, '\0');
	if (cell->text.error)
		return cell->text.error;
	if (m->filter[0] && !strcasestr(cell->text.data, m->filter))
		return 1;
	if (!h->group_column) {
		group->label = strdup(cell->text.data);
		return group->label ? 0 : -ENOMEM;
	}
	table_get(table, row, h->group_column, cell);
	/* rates may be below zero: as signed numbers */
	group->number = cell->number ^ (cell->is_signed ? UINT64_C(1) << 63 : 0);
	return cell->text.error;
}

static int top_groups_fill(struct top_hist *h, const struct top_group *groups, uint32_t n)
{
	uint32_t i, last = n - 1;
	int ret;

	ret = array_grow(&h->lines, &h->lines_room, n, sizeof(*h->lines));
	if (ret)
		return ret;
	for (i = 0; i < n; i++)
		h->lines[i] = (struct top_line){
			.entry = groups[h->group_reverse ? last - i : i].row
		};
	h->nlines = n;
	return 0;
}

int top_groups_arrange(struct top_model *m, struct top_hist *h)
{
	uint32_t all = h->percentiles->nrows, row, n = 0, i;
	struct top_group *groups = calloc(all + 1, sizeof(*groups));
	struct table_cell cell = { 0 };
	int ret = groups ? 0 : -ENOMEM;

	h->nlines = h->hidden = 0;
	for (row = 0; row < all && ret >= 0; row++) {
		ret = top_groups_make(m, h, row, &cell, &groups[n]);
		n += !ret;
		h->hidden += ret == 1;
	}
	if (ret >= 0) {
		qsort(groups, n, sizeof(*groups), top_groups_compare);
		ret = top_groups_fill(h, groups, n);
	}
	for (i = 0; i < n; i++)
		free(groups[i].label);
	free(groups);
	table_cell_free(&cell);
	return ret;
}

void top_groups_put_line(const struct top_hist *h, struct hist_strbuf *b)
{
	const struct table *table = &h->groups.base;
	struct table_cell cell = { 0 };
	unsigned int i;

	if (!h->percentiles || h->percentiles->nrows != 1 ||
	    hist_table_schema(h->table)->nkeys > 1)
		return;
	for (i = h->groups.first_quantile; i < SORTABLE; i++) {
		table_get(table, 0, i, &cell);
		hist_strbuf_printf(b, "%s%s ", b->len ? "  " : "", table->columns[i].title);
		hist_strbuf_append(b, &cell.text);
	}
	table_cell_free(&cell);
}
