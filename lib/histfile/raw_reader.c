// SPDX-License-Identifier: LGPL-2.1
/*
 * raw_reader.c - read one histogram of a hist_raw file into table and snapshot
 *
 * The entry of each row is found first.  The values are copied only if no entry is missing.  The
 * snapshot is therefore unchanged if names must be learned before.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/histfile/raw_reader.h"

/* Give up the symbols after this many consecutive readings that lack frames and prove none. */
#define VAIN_MAX 8

struct hist_raw_reader *hist_raw_reader_new(struct hist_table *table)
{
	struct hist_raw_reader *r = calloc(1, sizeof(*r));
	unsigned int i;

	if (!r)
		return NULL;
	r->table = table;
	r->schema = hist_table_schema(table);
	r->generation = hist_table_generation(table);
	r->seed = hash_seed(r);
	for (i = 0; i < r->schema->nkeys; i++)
		r->needs_text |= hist_key_has_id(r->schema->keys[i].kind) ||
				 r->schema->keys[i].kind == HIST_KEY_STACK;
	return r;
}

static void free_rows(struct raw_rows *rows)
{
	free(rows->keys);
	free(rows->entries);
}

void hist_raw_reader_free(struct hist_raw_reader *r)
{
	if (!r)
		return;
	free_rows(&r->last);
	free_rows(&r->now);
	free(r->met);
	free(r->names);
	free(r->index.slots);
	free(r);
}

void hist_raw_note_text(struct hist_raw_reader *r)
{
	r->known = false;
}

bool hist_raw_can_read(const struct hist_schema *schema)
{
	unsigned int i;

	for (i = 0; i < schema->nvalues; i++) {
		if (hist_value_is_text(schema->values[i].kind))
			return false;
	}
	return true;
}

static const unsigned char *row_at(const struct hist_raw_block *block, uint32_t i)
{
	return block->data + block->entries + (size_t)i * block->entry_size;
}

/* Find the entry of each row and store it in r->now. */
static int raw_find_entries(struct hist_raw_reader *r, const struct hist_raw *raw,
			    const struct hist_raw_block *block)
{
	size_t width = r->layout.keys_size;
	uint32_t i, next = 0, entry;
	int ret;

	r->now.n = 0;
	ret = array_grow(&r->now.entries, &r->now.entries_room, block->nentries,
			 sizeof(*r->now.entries));
	if (!ret)
		ret = array_grow(&r->now.keys, &r->now.keys_room, block->nentries * width, 1);
	for (i = 0; i < block->nentries && !ret; i++) {
		const unsigned char *row = row_at(block, i);

		entry = HIST_NO_ENTRY;
		if (next < r->last.n &&
		    !memcmp(r->last.keys + next * width, row + r->layout.keys, width))
			entry = r->last.entries[next++];
		if (entry == HIST_NO_ENTRY)
			ret = raw_find_entry(r, raw, block, row, &entry);
		r->now.entries[i] = entry;
		memcpy(r->now.keys + i * width, row + r->layout.keys, width);
	}
	return ret;
}

/* The base of percentages (the sum of all rows) or of bars (the largest value). */
static uint64_t raw_sum_value(const struct hist_raw *raw, const struct hist_raw_block *block,
			      uint32_t offset, enum hist_value_kind kind)
{
	uint64_t whole = 0, value;
	uint32_t i;

	for (i = 0; i < block->nentries; i++) {
		value = bytes_u64(raw->big_endian, row_at(block, i) + offset);
		if (kind == HIST_VALUE_PERCENT)
			whole += value;
		else if (value > whole)
			whole = value;
	}
	return whole;
}

/* Copy the values of all rows; rows with the same key, which can occur twice, are added up. */
static void copy_values(struct hist_raw_reader *r, const struct hist_raw *raw,
			const struct hist_raw_block *block, struct hist_snapshot *snap,
			uint32_t *shrunk)
{
	const struct hist_schema *schema = r->schema;
	int hitcount = hist_schema_hitcount(schema);
	uint64_t whole[HIST_VALUES_MAX] = { 0 }, value, *into;
	unsigned int v;
	uint32_t i;

	for (v = 0; v < schema->nvalues; v++) {
		if (!hist_value_is_sum(schema->values[v].kind))
			whole[v] = raw_sum_value(raw, block, r->layout.value[v],
						 schema->values[v].kind);
	}
	for (i = 0; i < block->nentries; i++) {
		uint32_t entry = r->last.entries[i];
		bool first = row_met_is_first(&r->met[entry], r->reading);

		into = snap->values + (size_t)entry * schema->nvalues;
		for (v = 0; v < schema->nvalues; v++) {
			value = bytes_u64(raw->big_endian, row_at(block, i) + r->layout.value[v]);
			if ((int)v == hitcount)
				row_met_compare(&r->met[entry], first, into[v], value, shrunk);
			value = hist_value_convert(schema->values[v].kind, value, whole[v],
						   raw->long_size);
			if (first || !hist_value_is_sum(schema->values[v].kind))
				into[v] = value;
			else
				into[v] += value;
		}
	}
}

/* Make room in met[] for all entries, and start a new reading; 0 means that none was found. */
static int begin_reading(struct hist_raw_reader *r)
{
	int ret;

	ret = array_grow_zeroed(&r->met, &r->met_room, hist_table_entries(r->table),
				sizeof(*r->met));
	if (ret)
		return ret;
	if (++r->reading == 0) {
		memset(r->met, 0, r->met_room * sizeof(*r->met));
		r->reading = 1;
	}
	return 0;
}

/* The source of missing names: newer symbols (-EADDRNOTAVAIL) or the text (-ENOENT). */
static int raw_find_missing(struct hist_raw_reader *r)
{
	if (r->proved || !r->lacks_frame)
		r->vain = 0;
	else
		r->vain++;
	if (r->lacks_symbol || r->vain > VAIN_MAX)
		return -EADDRNOTAVAIL;
	return r->lacks_frame || r->lacks_name ? -ENOENT : 0;
}

/* If the table was cleared, forget what is known of its entries. */
static void follow_table(struct hist_raw_reader *r)
{
	if (hist_table_generation(r->table) == r->generation)
		return;
	r->generation = hist_table_generation(r->table);
	r->last.n = 0;
	r->ambiguous = false;
	raw_forget_names(r);
}

static int raw_find_all_entries(struct hist_raw_reader *r, const struct hist_raw *raw,
				const struct hist_raw_block *block)
{
	uint32_t width = r->layout.keys_size;
	struct raw_rows rows;
	int ret;

	ret = raw_read_layout(r, raw, block);
	if (ret)
		return ret;
	if (r->layout.keys_size != width)
		r->last.n = 0;
	r->lacks_name = r->lacks_frame = r->lacks_symbol = r->proved = false;
	ret = raw_learn_names(r);
	if (!ret)
		ret = raw_find_entries(r, raw, block);
	if (ret)
		return ret;
	r->now.n = block->nentries;
	rows = r->last;
	r->last = r->now;
	r->now = rows;
	return raw_find_missing(r);
}

int hist_raw_read(struct hist_raw_reader *r, const struct hist_kallsyms *symbols,
		  const struct hist_raw *raw, const struct hist_raw_block *block,
		  struct hist_snapshot *snap, struct hist_error *error)
{
	const uint32_t mine = HIST_SNAP_AMBIGUOUS | HIST_SNAP_PAUSED | HIST_SNAP_RESET;
	bool is_other, known = r->known;
	uint32_t shrunk;
	int ret;

	r->error = error;
	r->symbols = symbols;
	follow_table(r);
	is_other = known && (block->id != r->id || block->resets != r->resets);
	r->known = true;
	r->id = block->id;
	r->resets = block->resets;
	if (is_other) {
		snap->flags = (snap->flags & ~mine) | HIST_SNAP_RESET;
		return 0;
	}
	ret = raw_find_all_entries(r, raw, block);
	if (!ret)
		ret = begin_reading(r);
	if (!ret)
		ret = hist_snapshot_grow(snap, r->schema, hist_table_entries(r->table));
	if (ret)
		return ret;
	shrunk = block->hits < snap->hits;
	copy_values(r, raw, block, snap, &shrunk);
	snap->hits = block->hits;
	snap->entries = block->nentries;
	snap->dropped = block->dropped;
	snap->flags &= ~mine;
	if (shrunk)
		snap->flags |= HIST_SNAP_RESET;
	if (block->paused)
		snap->flags |= HIST_SNAP_PAUSED;
	if (r->ambiguous)
		snap->flags |= HIST_SNAP_AMBIGUOUS;
	snap->losses[HIST_LOSS_CUT_KEYS] = hist_snapshot_count_cut(snap, r->table);
	return 0;
}
