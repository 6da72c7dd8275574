// SPDX-License-Identifier: LGPL-2.1
/*
 * table.c - the entries and strings of a histogram, with a number for each
 *
 * Two open-addressing hash indexes of 32-bit numbers, at most half full, refer to two plain arrays:
 * the strings (offsets into one arena) and the cells of the entries.
 * Invariant: a number keeps its meaning until hist_table_clear().  Numbers are dense, so that other
 * code can use them as array indexes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/hash_index.h"
#include "lib/base/strbuf.h"
#include "lib/hist/key_names.h"
#include "lib/hist/table.h"

/* The limit for the bytes of all strings: kernels need far fewer, hostile files may not. */
#define STRINGS_MAX (256u << 20)

/* The memory per string besides its bytes and NUL: the offset, and slots of a half-full index. */
#define STRING_WEIGHT 32

struct hist_table {
	struct hist_schema *schema;
	uint64_t seed;
	uint64_t generation;

	uint64_t weight_max;
	struct hist_strbuf arena;
	uint32_t *offsets; /* start of string i; its end is offsets[i + 1] - 1 */
	uint32_t nstrings, strings_room;
	struct hash_index strings;

	struct hist_cell *cells; /* nkeys cells per entry */
	uint32_t nentries, entries_room;
	struct hash_index entries;
};

struct hist_table *hist_table_new(const struct hist_schema *schema)
{
	struct hist_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->schema = hist_schema_copy(schema);
	if (!table->schema) {
		free(table);
		return NULL;
	}
	table->seed = hash_seed(table);
	/* random, because a new table may get the address of an old one */
	table->generation = table->seed;
	table->weight_max = UINT32_MAX;
	return table;
}

void hist_table_free(struct hist_table *table)
{
	if (!table)
		return;
	hist_schema_free(table->schema);
	hist_strbuf_free(&table->arena);
	free(table->offsets);
	free(table->strings.slots);
	free(table->cells);
	free(table->entries.slots);
	free(table);
}

void hist_table_clear(struct hist_table *table)
{
	hash_index_clear(&table->strings);
	hash_index_clear(&table->entries);
	table->arena.len = 0;
	table->nstrings = 0;
	table->nentries = 0;
	table->generation++;
}

void hist_table_move(struct hist_table *to, struct hist_table *from)
{
	struct hist_table content = *from;

	content.schema = to->schema;
	content.generation = to->generation + 1;
	content.weight_max = to->weight_max;
	to->schema = from->schema;
	*from = *to;
	*to = content;
}

struct hist_schema *hist_table_schema(const struct hist_table *table)
{
	return table->schema;
}

uint64_t hist_table_generation(const struct hist_table *table)
{
	return table->generation;
}

uint32_t hist_table_entries(const struct hist_table *table)
{
	return table->nentries;
}

uint32_t hist_table_strings(const struct hist_table *table)
{
	return table->nstrings;
}

const struct hist_cell *hist_table_cells(const struct hist_table *table, uint32_t entry)
{
	return table->cells + (size_t)entry * table->schema->nkeys;
}

const char *hist_table_string(const struct hist_table *table, uint32_t id, size_t *len)
{
	if (id >= table->nstrings) {
		if (len)
			*len = 0;
		return "";
	}
	if (len)
		*len = table->offsets[id + 1] - table->offsets[id] - 1;
	return table->arena.data + table->offsets[id];
}

const char *hist_table_name(const struct hist_table *table, unsigned int key,
			    const struct hist_cell *cell, size_t *len)
{
	const struct hist_key_desc *desc = &table->schema->keys[key];
	const char *name = hist_key_has_name(desc->kind) ?
				   hist_key_names_find(desc->names, cell->num, len) : NULL;

	return name ? name : hist_table_string(table, cell->str, len);
}

uint64_t hist_table_weight(const struct hist_table *table)
{
	return table->arena.len + (uint64_t)table->nstrings * STRING_WEIGHT;
}

void hist_table_limit(struct hist_table *table, uint64_t weight)
{
	table->weight_max = weight;
}

static size_t index_memory(const struct hash_index *index)
{
	return index->slots ? ((size_t)index->mask + 1) * sizeof(*index->slots) : 0;
}

size_t hist_table_memory(const struct hist_table *table)
{
	return table->arena.room + (size_t)table->strings_room * sizeof(*table->offsets) +
	       (size_t)table->entries_room * table->schema->nkeys * sizeof(*table->cells) +
	       index_memory(&table->strings) + index_memory(&table->entries);
}

/* The hash of the identity of an entry; see hist_table_add(). */
static uint64_t cells_hash(const struct hist_table *table, const struct hist_cell *cells)
{
	uint64_t h = table->seed;
	unsigned int i;

	for (i = 0; i < table->schema->nkeys; i++)
		h = hash_mix(h ^ (hist_key_is_text(table->schema->keys[i].kind) ? cells[i].str :
										   cells[i].num),
			     table->seed + i);
	return h;
}

static bool cells_equal(const struct hist_table *table, const struct hist_cell *a,
			const struct hist_cell *b)
{
	unsigned int i;

	for (i = 0; i < table->schema->nkeys; i++) {
		if (hist_key_is_text(table->schema->keys[i].kind) ? a[i].str != b[i].str :
								     a[i].num != b[i].num)
			return false;
	}
	return true;
}

static bool find_string(const struct hist_table *table, const char *s, size_t len, uint32_t hash,
			uint32_t *id)
{
	const struct hash_slot *slot;
	const char *p;
	uint32_t i;
	size_t n;

	for (i = hash & table->strings.mask; table->strings.slots;
	     i = (i + 1) & table->strings.mask) {
		slot = &table->strings.slots[i];
		if (!slot->number)
			break;
		if (slot->hash != hash)
			continue;
		p = hist_table_string(table, slot->number - 1, &n);
		if (n == len && hash_same_bytes(p, s, len)) {
			*id = slot->number - 1;
			return true;
		}
	}
	return false;
}

bool hist_table_find(const struct hist_table *table, const char *s, size_t len, uint32_t *id)
{
	return find_string(table, s, len, hash_bytes(table->seed, s, len), id);
}

int hist_table_intern(struct hist_table *table, const char *s, size_t len, uint32_t *id)
{
	uint32_t hash = hash_bytes(table->seed, s, len);
	int ret;

	if (find_string(table, s, len, hash, id))
		return 0;
	if (table->nstrings == HIST_NO_STRING - 1 || len > STRINGS_MAX ||
	    table->arena.len + len + 1 > STRINGS_MAX ||
	    hist_table_weight(table) + len + 1 + STRING_WEIGHT > table->weight_max)
		return -E2BIG;
	ret = hash_index_reserve(&table->strings, 1);
	if (ret)
		return ret;
	ret = array_grow(&table->offsets, &table->strings_room, (size_t)table->nstrings + 2,
		   sizeof(*table->offsets));
	if (ret)
		return ret;
	/* a table may be used again after it was out of memory */
	table->arena.error = 0;
	if (!hist_strbuf_reserve(&table->arena, len + 1))
		return -ENOMEM;
	table->offsets[table->nstrings] = table->arena.len;
	hist_strbuf_add(&table->arena, s, len);
	hist_strbuf_char(&table->arena, '\0');
	table->offsets[table->nstrings + 1] = table->arena.len;
	*id = table->nstrings++;
	hash_index_put(&table->strings, (struct hash_slot){ *id + 1, hash });
	return 0;
}

int hist_table_reserve(struct hist_table *table, uint32_t more)
{
	int ret;

	if (more > HIST_NO_ENTRY - 1 - table->nentries)
		return -E2BIG;
	ret = hash_index_reserve(&table->entries, more);
	if (ret)
		return ret;
	return array_grow(&table->cells, &table->entries_room, table->nentries + more,
			  table->schema->nkeys * sizeof(*table->cells));
}

/* Look up the names of the numbers of a new entry. */
static int table_learn_names(struct hist_table *table, const struct hist_cell *cells)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < table->schema->nkeys; i++)
		if (table->schema->keys[i].names)
			ret = hist_key_names_learn(table->schema->keys[i].names, cells[i].num);
	return ret;
}

int hist_table_add(struct hist_table *table, const struct hist_cell *cells, uint32_t *entry)
{
	uint32_t hash = cells_hash(table, cells), i;
	unsigned int nkeys = table->schema->nkeys;
	struct hash_slot *slot;
	int ret;

	/* before the search, so that the empty slot it finds stays valid for the new entry */
	if (table->nentries == table->entries_room || !hash_index_has_room(&table->entries)) {
		ret = hist_table_reserve(table, 1);
		if (ret)
			return ret;
	}
	for (i = hash & table->entries.mask;; i = (i + 1) & table->entries.mask) {
		slot = &table->entries.slots[i];
		if (!slot->number)
			break;
		if (slot->hash == hash &&
		    cells_equal(table, hist_table_cells(table, slot->number - 1), cells)) {
			*entry = slot->number - 1;
			return 0;
		}
	}
	ret = table_learn_names(table, cells);
	if (ret)
		return ret;
	memcpy(table->cells + (size_t)table->nentries * nkeys, cells, nkeys * sizeof(*cells));
	*entry = table->nentries++;
	*slot = (struct hash_slot){ *entry + 1, hash };
	table->entries.used++;
	return 0;
}

int hist_table_intern_from(struct hist_table *table, const struct hist_table *from, uint64_t id,
			   uint32_t *added)
{
	const char *s;
	size_t len;

	*added = HIST_NO_STRING;
	if (id >= hist_table_strings(from))
		return 0;
	s = hist_table_string(from, id, &len);
	return hist_table_intern(table, s, len, added);
}

int hist_table_add_from(struct hist_table *table, const struct hist_table *from, uint32_t entry,
			uint32_t *added)
{
	unsigned int nkeys = table->schema->nkeys, k;
	struct hist_cell cells[HIST_KEYS_MAX];
	int ret = 0;

	memcpy(cells, hist_table_cells(from, entry), nkeys * sizeof(*cells));
	for (k = 0; k < nkeys && !ret; k++)
		ret = hist_table_intern_from(table, from, cells[k].str, &cells[k].str);
	return ret ? ret : hist_table_add(table, cells, added);
}

void hist_table_cut(struct hist_table *table, uint32_t entries, uint32_t strings)
{
	uint32_t i;
	const char *s;
	size_t len;

	if (strings < table->nstrings) {
		table->nstrings = strings;
		table->arena.len = strings ? table->offsets[strings] : 0;
		hash_index_clear(&table->strings);
		for (i = 0; i < strings; i++) {
			s = hist_table_string(table, i, &len);
			hash_index_put(&table->strings, (struct hash_slot){
				i + 1, hash_bytes(table->seed, s, len) });
		}
	}
	if (entries < table->nentries) {
		table->nentries = entries;
		hash_index_clear(&table->entries);
		for (i = 0; i < entries; i++)
			hash_index_put(&table->entries, (struct hash_slot){
				i + 1, cells_hash(table, hist_table_cells(table, i)) });
	}
}
