// SPDX-License-Identifier: LGPL-2.1
/*
 * disambiguate.c - find the details that keep the labels of different rows different
 *
 * Rounding keeps the order of numbers.  Numbers that rounding makes equal are therefore
 * neighbours in sorted order, and comparing neighbours finds all of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/label/unit.h"
#include "lib/table/disambiguate.h"

/* True if two different ranges are printed alike.  @b: memory for the texts. */
static bool print_alike(struct hist_strbuf *b, const struct hist_bounds *x,
			const struct hist_bounds *y, enum hist_unit unit)
{
	size_t len;

	b->len = 0;
	hist_unit_range(b, x->ge, x->le, x->is_signed, unit, false);
	len = b->len;
	hist_unit_range(b, y->ge, y->le, y->is_signed, unit, false);
	return !b->error && b->len == 2 * len && !memcmp(b->data, b->data + len, len);
}

int disambiguate_durations(bool *exact, const struct hist_table *table, unsigned int key,
			   const uint32_t *entries, uint32_t n)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	enum hist_unit unit = hist_unit_from_key(desc);
	struct hist_bounds now = { .is_signed = desc->is_signed }, before = now;
	struct hist_strbuf b = { 0 };
	uint64_t *nums;
	uint32_t i;
	int ret;

	*exact = false;
	if (!n || hist_key_form(desc->kind) != HIST_FORM_NUMBER || unit == HIST_UNIT_NONE)
		return 0;
	nums = malloc(n * sizeof(*nums));
	if (!nums)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		nums[i] = hist_table_cells(table, entries[i])[key].num;
	/* unsigned order: negative numbers stay adjacent as well */
	qsort(nums, n, sizeof(*nums), array_compare_u64);
	for (i = 1; i < n && !*exact; i++) {
		before.ge = before.le = nums[i - 1];
		now.ge = now.le = nums[i];
		*exact = nums[i] != nums[i - 1] && print_alike(&b, &before, &now, unit);
	}
	free(nums);
	ret = b.error;
	hist_strbuf_free(&b);
	return ret;
}

bool disambiguate_rows(const struct hist_heatmap *map, const struct hist_key_desc *key)
{
	enum hist_unit unit = hist_unit_from_key(key);
	struct hist_bounds now, before;
	struct hist_strbuf b = { 0 };
	bool same = false, any = false;
	uint32_t i;

	if (!map->has_axis || hist_key_form(key->kind) != HIST_FORM_NUMBER ||
	    unit == HIST_UNIT_NONE)
		return false;
	for (i = 0; i < map->nrows && !same; i++) {
		if (map->rows[i].empty)
			continue;
		now = (struct hist_bounds){ map->is_signed, map->rows[i].ge, map->rows[i].le };
		same = any && print_alike(&b, &before, &now, unit);
		before = now;
		any = true;
	}
	/* without memory, prefer too many digits */
	same |= b.error != 0;
	hist_strbuf_free(&b);
	return same;
}

unsigned int disambiguate_label(struct hist_strbuf *b, const struct hist_table *table,
				unsigned int key, const struct hist_cell *cell, bool exact,
				unsigned int flags)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	struct hist_bounds bounds;

	if (hist_unit_from_key(desc) == HIST_UNIT_NONE)
		return hist_label_put(b, table, key, cell, flags);
	hist_axis_get_bounds(desc, cell->num, &bounds);
	return hist_label_put_bucket(b, desc, &bounds, exact);
}

int disambiguate_symbols(bool *ambiguous, bool *which, const struct hist_table *table,
			 unsigned int key, const uint32_t *entries, uint32_t n)
{
	uint32_t i, strings = hist_table_strings(table), *first;
	const struct hist_cell *cell;

	*ambiguous = false;
	if (hist_table_schema(table)->keys[key].kind != HIST_KEY_SYM)
		return 0;
	/* by string: the first entry with this symbol, + 1 */
	first = calloc(strings ? strings : 1, sizeof(*first));
	if (!first)
		return -ENOMEM;
	for (i = 0; i < n && (which || !*ambiguous); i++) {
		cell = &hist_table_cells(table, entries[i])[key];
		if (cell->str >= strings)
			continue;
		if (!first[cell->str]) {
			first[cell->str] = entries[i] + 1;
		} else if (hist_table_cells(table, first[cell->str] - 1)[key].num != cell->num) {
			*ambiguous = true;
			if (which)
				which[cell->str] = true;
		}
	}
	free(first);
	return 0;
}
