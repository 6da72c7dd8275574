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
#include "lib/report/disambiguate.h"

/* Compares each text with the previous one; @same: two of them were equal. */
struct texts {
	struct hist_strbuf now, before;
	bool any, same;
};

static void add_text(struct texts *t, uint64_t ge, uint64_t le, bool is_signed,
		     enum hist_unit unit)
{
	t->now.len = 0;
	hist_unit_range(&t->now, ge, le, is_signed, unit, false);
	if (t->any && !t->now.error && t->now.len == t->before.len &&
	    !memcmp(t->now.data, t->before.data, t->now.len))
		t->same = true;
	t->before.len = 0;
	hist_strbuf_add(&t->before, t->now.data, t->now.len);
	t->any = true;
}

/* Set *@same to the result.  Returns 0, or -ENOMEM if *@same is not reliable. */
static int texts_end(struct texts *t, bool *same)
{
	int ret = t->now.error ? t->now.error : t->before.error;

	*same = t->same;
	hist_strbuf_free(&t->now);
	hist_strbuf_free(&t->before);
	return ret;
}

int distinct_durations(bool *exact, const struct hist_table *table, unsigned int key,
		       const uint32_t *entries, uint32_t n)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	enum hist_unit unit = hist_unit_of_key(desc);
	struct texts t = { 0 };
	uint64_t *nums;
	uint32_t i;

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
	for (i = 0; i < n && !t.same; i++)
		if (!i || nums[i] != nums[i - 1])
			add_text(&t, nums[i], nums[i], desc->is_signed, unit);
	free(nums);
	return texts_end(&t, exact);
}

bool distinct_rows(const struct hist_heatmap *map, const struct hist_key_desc *key)
{
	enum hist_unit unit = hist_unit_of_key(key);
	struct texts t = { 0 };
	bool same;
	uint32_t i;

	if (!map->has_axis || hist_key_form(key->kind) != HIST_FORM_NUMBER || unit == HIST_UNIT_NONE)
		return false;
	for (i = 0; i < map->nrows && !t.same; i++)
		if (!map->rows[i].empty)
			add_text(&t, map->rows[i].ge, map->rows[i].le, map->is_signed, unit);
	/* without memory, prefer too many digits */
	return texts_end(&t, &same) || same;
}

unsigned int distinct_label(struct hist_strbuf *b, const struct hist_table *table,
			    unsigned int key, const struct hist_cell *cell, bool exact,
			    unsigned int flags)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	struct hist_bounds bounds;

	if (hist_unit_of_key(desc) == HIST_UNIT_NONE)
		return hist_label(b, table, key, cell, flags);
	hist_axis_bounds(desc, cell->num, &bounds);
	return hist_bucket_label(b, desc, &bounds, exact);
}

int distinct_symbols(bool *ambiguous, bool *which, const struct hist_table *table,
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

int distinct_groups(bool *ambiguous, bool *which, const struct hist_percentiles *s)
{
	const struct hist_grouping *grouping = hist_percentiles_grouping(s);
	const struct hist_table *table = hist_grouping_table(grouping);
	uint32_t n = hist_percentiles_count(s), i, entries_of;
	unsigned int keys = hist_table_schema(table)->nkeys, key;
	uint32_t *entries;
	int ret = 0;

	*ambiguous = false;
	entries = calloc(n ? n : 1, sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		entries[i] = hist_grouping_entries(grouping, hist_percentiles_row(s, i)->group,
						   &entries_of)[0];
	for (key = 0; key < keys && !ret; key++) {
		bool in_key = false;

		if ((int)key != hist_grouping_axis(grouping))
			ret = distinct_symbols(&in_key, which, table, key, entries, n);
		*ambiguous |= in_key;
	}
	free(entries);
	return ret;
}
