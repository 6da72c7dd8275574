// SPDX-License-Identifier: LGPL-2.1
/*
 * renumber.c - translate the entry numbers of a file into stable entry numbers
 *
 * The table and snapshot with the numbers of the file are kept next to those of the cursor.
 * Each snapshot is copied entry by entry through an array of entry numbers.  The time is linear
 * in the number of entries, which is acceptable: trace-cmd hist does not write such files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/series/renumber.h"

void renumber_clear(struct renumber *r)
{
	hist_table_free(r->table);
	hist_snapshot_clear(&r->snap);
	free(r->entries);
	memset(r, 0, sizeof(*r));
}

static int move_keys(struct renumber *r, struct hist_table *to)
{
	int ret = array_grow(&r->entries, &r->room, (size_t)r->snap.nentries + 1,
			     sizeof(*r->entries));

	for (; !ret && r->known < r->snap.nentries; r->known += !ret)
		ret = hist_table_add_from(to, r->table, r->known, &r->entries[r->known]);
	return ret;
}

static int move_values(const struct renumber *r, struct hist_table *to, struct hist_snapshot *snap)
{
	const struct hist_schema *schema = hist_table_schema(to);
	size_t width = schema->nvalues, v;
	const uint64_t *from;
	uint32_t e, string;
	uint64_t *value;
	int ret;

	for (e = 0; e < r->snap.nentries; e++) {
		from = r->snap.values + e * width;
		value = snap->values + r->entries[e] * width;
		memcpy(value, from, width * sizeof(*value));
		for (v = 0; v < width; v++) {
			if (!hist_value_is_text(schema->values[v].kind))
				continue;
			ret = hist_table_intern_from(to, r->table, from[v], &string);
			if (ret)
				return ret;
			value[v] = string == HIST_NO_STRING ? UINT64_MAX : string;
		}
	}
	return 0;
}

int renumber_follow(struct renumber *r, struct hist_table *table, struct hist_snapshot *snap)
{
	uint32_t nentries, taken = r->snap.taken;
	int ret;

	ret = move_keys(r, table);
	if (!ret && r->snap.flags & HIST_SNAP_TAKEN)
		ret = hist_table_intern_from(table, r->table, taken, &taken);
	if (!ret)
		ret = hist_snapshot_grow(snap, hist_table_schema(table), hist_table_entries(table));
	if (!ret)
		ret = move_values(r, table, snap);
	if (ret)
		return ret;
	nentries = snap->nentries;
	hist_snapshot_copy_head(snap, &r->snap);
	snap->nentries = nentries;
	snap->taken = taken;
	return 0;
}
