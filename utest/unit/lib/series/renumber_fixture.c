// SPDX-License-Identifier: GPL-2.0
/*
 * renumber_fixture.c - a full snapshot that numbers its entries and strings anew
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "utest/unit/lib/series/renumber_fixture.h"

/* @from, in the other order, into the empty @table. */
static int turn_round(const struct hist_table *from, struct hist_table *table)
{
	unsigned int nkeys = hist_table_schema(table)->nkeys, k;
	uint32_t n = hist_table_strings(from), entries = hist_table_entries(from), i, id;
	struct hist_cell cells[HIST_KEYS_MAX];
	const char *s;
	size_t len;
	int ret;

	for (i = n; i--;) {
		s = hist_table_string(from, i, &len);
		ret = hist_table_intern(table, s, len, &id);
		if (ret)
			return ret;
	}
	for (i = entries; i--;) {
		memcpy(cells, hist_table_cells(from, i), nkeys * sizeof(*cells));
		for (k = 0; k < nkeys; k++)
			if (cells[k].str != HIST_NO_STRING)
				cells[k].str = n - 1 - cells[k].str;
		ret = hist_table_add(table, cells, &id);
		if (ret)
			return ret;
	}
	return 0;
}

static void swap_rows(uint64_t *a, uint64_t *b, unsigned int width)
{
	uint64_t value;
	unsigned int v;

	for (v = 0; v < width; v++) {
		value = a[v];
		a[v] = b[v];
		b[v] = value;
	}
}

static void turn_values(const struct hist_schema *schema, struct hist_snapshot *snap, uint32_t strings)
{
	unsigned int width = schema->nvalues, v;
	uint64_t *row;
	uint32_t i;

	for (i = 0; i < snap->nentries / 2; i++)
		swap_rows(snap->values + (size_t)i * width,
			  snap->values + (size_t)(snap->nentries - 1 - i) * width, width);
	for (i = 0; i < snap->nentries; i++) {
		row = snap->values + (size_t)i * width;
		for (v = 0; v < width; v++)
			if (schema->values[v].kind == HIST_VALUE_SAVED && row[v] < strings)
				row[v] = strings - 1 - row[v];
	}
}

int fixture_renumber(struct hist_series_writer *writer, int hist, struct hist_table *table,
		     struct hist_snapshot *snap)
{
	struct hist_table *old = hist_table_new(hist_table_schema(table));
	struct hist_snapshot too_large = { .nentries = UINT32_MAX };
	int ret;

	if (!old)
		return -ENOMEM;
	hist_table_move(old, table);
	hist_table_clear(table);
	ret = turn_round(old, table);
	if (!ret)
		turn_values(hist_table_schema(table), snap, hist_table_strings(table));
	hist_table_free(old);
	/* a full snapshot follows one that could not be written */
	if (!ret && hist_series_add(writer, hist, &too_large) != -E2BIG)
		ret = -EINVAL;
	return ret;
}
