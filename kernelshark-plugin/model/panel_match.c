// SPDX-License-Identifier: GPL-2.0
/*
 * panel_match.c - find the same key in other figures of a histogram
 *
 * Entry and row numbers are valid only within their figures. A selection that is kept
 * from one window to the next is found again by its key.
 */
#include <string.h>

#include "kernelshark-plugin/model/panel_data.h"

uint32_t panel_match_entry(const struct panel_data *f, const struct panel_data *old, uint32_t entry)
{
	const struct hist_cell *want = hist_table_cells(old->view.table, entry), *cells;
	const unsigned int nkeys = f->schema->nkeys;
	uint32_t i, n = hist_table_entries(f->view.table), text;
	unsigned int k;
	const char *s;
	size_t len;

	for (i = 0; i < n; i++) {
		cells = hist_table_cells(f->view.table, i);
		for (k = 0; k < nkeys; k++) {
			if (!hist_key_is_text(f->schema->keys[k].kind)) {
				if (cells[k].num != want[k].num)
					break;
				continue;
			}
			s = hist_table_string(old->view.table, want[k].str, &len);
			if (!hist_table_find(f->view.table, s, len, &text) || cells[k].str != text)
				break;
		}
		if (k == nkeys)
			return i;
	}
	return HIST_NO_ENTRY;
}

static bool panel_match_row_covers(const struct hist_heatmap *map, const struct hist_heat_row *row,
				   uint64_t number)
{
	if (map->is_signed)
		return (int64_t)row->ge <= (int64_t)number && (int64_t)number <= (int64_t)row->le;
	return row->ge <= number && number <= row->le;
}

uint32_t panel_match_row(const struct hist_heatmap *map, const struct hist_heat_row *old)
{
	const struct hist_heat_row *row;
	uint32_t i;

	for (i = 0; i < map->nrows && !old->empty; i++) {
		row = &map->rows[i];
		if (row->empty)
			continue;
		if (map->has_axis ? panel_match_row_covers(map, row, old->ge) :
		    old->others	  ? row->others :
				    row->label && old->label && !strcmp(row->label, old->label))
			return i;
	}
	return HIST_NO_ENTRY;
}
