// SPDX-License-Identifier: LGPL-2.1
/*
 * rows.c - which rows of a snapshot are shown, in which order, and their sums
 *
 * Sorting is stable and goes field by field, the least important first.  Entries with equal fields
 * therefore keep the order of first appearance.  Numbers are sorted by radix, one byte per pass.
 * Bytes that are the same in all keys are skipped: counters are small, so two or three passes are
 * enough.  A few numbers and all names are sorted by comparison.
 *
 * Invariant: items[0..n) is a permutation of the chosen entries.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/rows.h"
#include "lib/base/array.h"

struct hist_sort_item {
	uint64_t key;
	uint32_t entry;
	uint32_t place; /* before the pass; makes sorting by comparison stable */
};

void hist_rows_free(struct hist_rows *rows)
{
	if (!rows)
		return;
	free(rows->entries);
	free(rows->items);
	free(rows->spare);
	memset(rows, 0, sizeof(*rows));
}

static int make_room(struct hist_rows *rows, uint32_t n)
{
	uint32_t entries = rows->room, items = rows->room, spare = rows->room;

	if (array_grow(&rows->entries, &entries, n, sizeof(*rows->entries)) ||
	    array_grow(&rows->items, &items, n, sizeof(*rows->items)) ||
	    array_grow(&rows->spare, &spare, n, sizeof(*rows->spare)))
		return -ENOMEM;
	/* all three grow to the same capacity */
	rows->room = entries;
	return 0;
}

/* Up to this number of items, inserting each at its place takes less time than one radix pass. */
#define FEW_ITEMS 32

static void insertion_sort(struct hist_sort_item *items, uint32_t n)
{
	struct hist_sort_item item;
	uint32_t i, at;

	for (i = 1; i < n; i++) {
		item = items[i];
		for (at = i; at && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static void radix_sort(struct hist_rows *rows, uint32_t n)
{
	struct hist_sort_item *from = rows->items, *to = rows->spare, *swap;
	uint64_t any = 0, all = UINT64_MAX;
	uint32_t start[256], i, sum, count;
	unsigned int shift;

	if (n <= FEW_ITEMS) {
		insertion_sort(rows->items, n);
		return;
	}
	for (i = 0; i < n; i++) {
		any |= from[i].key;
		all &= from[i].key;
	}
	for (shift = 0; shift < 64; shift += 8) {
		if (((any ^ all) >> shift & 0xff) == 0)
			continue;
		memset(start, 0, sizeof(start));
		for (i = 0; i < n; i++)
			start[from[i].key >> shift & 0xff]++;
		for (i = 0, sum = 0; i < 256; i++) {
			count = start[i];
			start[i] = sum;
			sum += count;
		}
		for (i = 0; i < n; i++)
			to[start[from[i].key >> shift & 0xff]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	rows->items = from;
	rows->spare = to;
}

struct name_sort {
	const struct hist_table *table;
	const struct hist_sort *sort;
};

static int compare_names(const void *pa, const void *pb, void *arg)
{
	const struct hist_sort_item *a = pa, *b = pb;
	const struct name_sort *by = arg;
	const char *sa, *sb;
	size_t la, lb;
	int diff = 0;

	if (a->key != b->key) {
		sa = hist_table_string(by->table, (uint32_t)a->key, &la);
		sb = hist_table_string(by->table, (uint32_t)b->key, &lb);
		diff = memcmp(sa, sb, la < lb ? la : lb);
		if (!diff)
			diff = (la > lb) - (la < lb);
	}
	if (diff)
		return by->sort->descending ? -diff : diff;
	return a->place < b->place ? -1 : 1;
}

static void sort_by_name(struct hist_rows *rows, const struct hist_table *table,
			 const struct hist_sort *sort, uint32_t n)
{
	struct name_sort by = { table, sort };
	uint32_t i;

	for (i = 0; i < n; i++) {
		rows->items[i].key = hist_table_cells(table, rows->items[i].entry)[sort->index].str;
		rows->items[i].place = i;
	}
	qsort_r(rows->items, n, sizeof(*rows->items), compare_names, &by);
}

static void sort_by_number(struct hist_rows *rows, const struct hist_table *table,
			   const struct hist_snapshot *snap, const struct hist_sort *sort,
			   uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(table);
	bool is_signed = sort->is_key ? schema->keys[sort->index].is_signed :
					schema->values[sort->index].is_signed;
	uint64_t flip = (is_signed ? UINT64_C(1) << 63 : 0) ^ (sort->descending ? UINT64_MAX : 0);
	uint32_t i, entry;

	for (i = 0; i < n; i++) {
		entry = rows->items[i].entry;
		rows->items[i].key = flip ^ (sort->is_key ?
			hist_table_cells(table, entry)[sort->index].num :
			snap->values[(size_t)entry * schema->nvalues + sort->index]);
	}
	radix_sort(rows, n);
}

/* Fill items and totals.  Returns the number of rows. */
static uint32_t rows_collect_items(struct hist_rows *rows, const struct hist_schema *schema,
				   const struct hist_snapshot *snap,
				   const struct hist_selection *selection)
{
	unsigned int nvalues = schema->nvalues, v;
	uint32_t candidates = selection->changed ? selection->nchanged : snap->nentries;
	bool sums = false, overflow = false, changed;
	int main_value = rows->main_value;
	const uint64_t *values;
	uint32_t entry, i, n = 0;

	memset(rows->totals, 0, sizeof(rows->totals));
	for (v = 0; v < nvalues; v++)
		sums |= hist_value_is_sum(schema->values[v].kind);

	for (i = 0; i < candidates; i++) {
		entry = selection->changed ? selection->changed[i] : i;
		values = snap->values + (size_t)entry * nvalues;
		changed = !selection->difference || !sums || entry >= selection->first_new;
		for (v = 0; v < nvalues; v++) {
			if (!hist_value_is_sum(schema->values[v].kind))
				continue;
			changed |= values[v] != 0;
			rows->totals[v] += values[v];
			if ((int)v == main_value)
				overflow |= rows->totals[v] < values[v] ||
					    (schema->values[v].is_signed && values[v] >> 63);
		}
		if (changed)
			rows->items[n++].entry = entry;
	}
	rows->has_shares = main_value >= 0 && !overflow && rows->totals[main_value];
	return n;
}

int hist_rows_select(struct hist_rows *rows, const struct hist_table *table,
		     const struct hist_snapshot *snap, const struct hist_selection *selection)
{
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_row_order *order = selection->order;
	const struct hist_sort *sort;
	uint32_t n, i, entry;
	unsigned int v;
	int ret;

	rows->main_value = hist_row_find_main_value(schema, order);
	if (selection->none) {
		rows->n = rows->total = 0;
		rows->has_shares = false;
		memset(rows->totals, 0, sizeof(rows->totals));
		memset(rows->rest, 0, sizeof(rows->rest));
		return 0;
	}
	ret = make_room(rows, snap->nentries);
	if (ret)
		return ret;
	n = rows_collect_items(rows, schema, snap, selection);
	for (i = order ? order->n : 0; i-- > 0;) {
		sort = &order->sorts[i];
		if (sort->is_key &&
		    (sort->by_name || hist_key_is_text(schema->keys[sort->index].kind)))
			sort_by_name(rows, table, sort, n);
		else
			sort_by_number(rows, table, snap, sort, n);
	}
	rows->total = n;
	rows->n = selection->top && selection->top < n ? selection->top : n;
	memset(rows->rest, 0, sizeof(rows->rest));
	for (i = 0; i < n; i++) {
		entry = rows->items[i].entry;
		if (i < rows->n) {
			rows->entries[i] = entry;
			continue;
		}
		for (v = 0; v < schema->nvalues; v++)
			if (hist_value_is_sum(schema->values[v].kind))
				rows->rest[v] += snap->values[(size_t)entry * schema->nvalues + v];
	}
	return 0;
}

uint64_t hist_rows_amount(const struct hist_rows *rows, const struct hist_table *table,
			  const struct hist_snapshot *snap, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(table);
	int value = rows->main_value;
	uint64_t v;

	if (value < 0)
		return 0;
	v = snap->values[(size_t)entry * schema->nvalues + value];
	return schema->values[value].is_signed && v >> 63 ? 0 : v;
}
