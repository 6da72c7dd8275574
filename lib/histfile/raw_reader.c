// SPDX-License-Identifier: LGPL-2.1
/*
 * raw_reader.c - read one histogram of a hist_raw file into table and snapshot
 *
 * The table of fields comes first.  Keys are in the order of the trigger.  Values are in the order
 * of the text, with some values that the text does not print (hitcount with nohitcount).
 *
 * The entry of each row is found next.  The values are copied only if no entry is missing.  The
 * snapshot is therefore unchanged if names must be learned before.
 *
 * A key has the names that the text uses.  A number of a system call or an address gets the name
 * that the text printed with it before; the table has it.  A stack has no such number: the text
 * prints the names of its frames, without addresses, and these names are the key.  The frames of a
 * stack in hist_raw are therefore named by the kernel's symbols.  Such a name is used only after
 * the text has printed it in a stack.
 *
 * Invariants: all accepted fields are inside an entry.  The text prints every key that was added to
 * the table in the same way.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/hash_index.h"
#include "lib/base/text.h"
#include "lib/histfile/raw_private.h"
#include "lib/histfile/row_met.h"

struct raw_field {
	uint32_t offset, size; /* in an entry */
};

/* The positions of the schema's keys and values in the entries of a block. */
struct raw_layout {
	struct raw_field key[HIST_KEYS_MAX];
	uint32_t value[HIST_VALUES_MAX];
	uint32_t keys, keys_size; /* all keys, with any gaps between them */
};

/*
 * The keys of the rows read, and their entries.  The kernel inserts rows but never changes their
 * order.  The previous row therefore determines the next expected entry, and a known key is
 * compared instead of looked up.
 */
struct raw_rows {
	unsigned char *keys;
	uint32_t keys_room;
	uint32_t *entries; /* or HIST_NO_ENTRY */
	uint32_t entries_room;
	uint32_t n;
};

/* The name of number @num in key @key is string @str of the table. */
struct raw_name {
	uint64_t num;
	uint32_t str;
	uint32_t key; /* RAW_FRAME: an address whose symbol was found in the text */
};

#define RAW_FRAME HIST_KEYS_MAX

struct hist_raw_reader {
	struct hist_table *table;
	struct hist_schema *schema; /* of the table */
	uint64_t generation;	    /* of the table at the last reading */
	bool known;		    /* id and resets are those of the last snapshot */
	uint64_t id, resets;
	struct raw_layout layout;
	struct raw_rows last, now;

	struct row_met *met; /* one for each entry */
	uint32_t met_room, reading;

	struct raw_name *names;
	uint32_t nnames, names_room;
	struct hash_index index;
	uint64_t seed;
	uint32_t learnt; /* number of table entries already searched for names */

	const struct hist_kallsyms *symbols;
	/* what this reading lacks */
	bool lacks_name, lacks_frame, lacks_symbol;
	bool proved;	   /* a frame was found in the text */
	unsigned int vain; /* consecutive readings that lacked frames and proved none */
	bool needs_text; /* names of some keys are learned from the text */
	bool ambiguous;	 /* blanks at the end of a name of the table were removed */
	struct hist_error *error; /* of the current block */
};

struct field {
	uint32_t flags, offset, size;
	uint64_t buckets;
	const char *name;
};

/* In the order of the tests in hist_trigger_print_key(). */
static enum hist_key_kind raw_find_key_kind(const struct field *f)
{
	static const struct {
		uint32_t flag;
		enum hist_key_kind kind;
	} kinds[] = {
		{ FIELD_HEX, HIST_KEY_HEX },
		{ FIELD_SYM, HIST_KEY_SYM },
		{ FIELD_SYM_OFFSET, HIST_KEY_SYM_OFFSET },
		{ FIELD_EXECNAME, HIST_KEY_EXECNAME },
		{ FIELD_SYSCALL, HIST_KEY_SYSCALL },
		{ FIELD_STACKTRACE, HIST_KEY_STACK },
		{ FIELD_LOG2, HIST_KEY_LOG2 },
		{ FIELD_BUCKET, HIST_KEY_BUCKETS },
		{ FIELD_STRING, HIST_KEY_STRING },
	};
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!(f->flags & kinds[i].flag))
			continue;
		return kinds[i].kind == HIST_KEY_LOG2 && f->buckets ? HIST_KEY_FINE_LOG2 :
								      kinds[i].kind;
	}
	return HIST_KEY_NUM;
}

static enum hist_value_kind value_kind(uint32_t flags)
{
	return flags & FIELD_PERCENT ? HIST_VALUE_PERCENT :
	       flags & FIELD_GRAPH ? HIST_VALUE_GRAPH :
	       flags & FIELD_HEX ? HIST_VALUE_HEX : HIST_VALUE_SUM;
}

static int raw_add_key_field(struct hist_raw_reader *r, const struct hist_raw *raw,
			     const struct hist_raw_block *block, const struct field *f,
			     unsigned int k)
{
	enum hist_key_kind kind = raw_find_key_kind(f);
	struct raw_layout *l = &r->layout;
	struct hist_key_desc *key;
	bool fits;

	if (k >= r->schema->nkeys)
		return hist_error_set(r->error, -EBADMSG, "more keys than the trigger has");
	key = &r->schema->keys[k];
	if (key->kind == HIST_KEY_UNKNOWN && (kind == HIST_KEY_NUM || kind == HIST_KEY_STRING))
		key->kind = kind;
	if (key->kind != kind &&
	    (kind != HIST_KEY_NUM || hist_key_form(key->kind) != HIST_FORM_NUMBER))
		return hist_error_set(r->error, -EBADMSG,
				      "key %u does not have the type that the trigger defines",
				      k + 1);
	if (kind == HIST_KEY_STACK)
		fits = !(f->size % raw->long_size);
	else
		fits = kind == HIST_KEY_STRING ? f->size > 0 : f->size == sizeof(uint64_t);
	if (!fits || (hist_key_form(kind) == HIST_FORM_TASK && !block->comm) ||
	    ((hist_key_is_linear(key) || hist_key_is_fine_log2(key)) && f->buckets != key->bucket))
		return hist_error_set(
			r->error, -EBADMSG,
			"key %u does not have the size, bucket width or task names that "
			"the trigger requires",
			k + 1);
	if (!k || f->offset < l->keys) {
		l->keys_size += k ? l->keys - f->offset : 0;
		l->keys = f->offset;
	}
	if (f->offset + f->size > l->keys + l->keys_size)
		l->keys_size = f->offset + f->size - l->keys;
	l->key[k] = (struct raw_field){ f->offset, f->size };
	return 0;
}

static int get_field(struct hist_raw_reader *r, const struct hist_raw *raw,
		     const struct hist_raw_block *block, uint32_t i, struct field *f)
{
	const unsigned char *at = block->data + block->fields + (size_t)i * block->field_size;
	uint32_t name = bytes_u32(raw->big_endian, at + FIELD_NAME);

	f->flags = bytes_u32(raw->big_endian, at + FIELD_FLAGS);
	f->offset = bytes_u32(raw->big_endian, at + FIELD_OFFSET);
	f->size = bytes_u32(raw->big_endian, at + FIELD_BYTES);
	f->buckets = bytes_u64(raw->big_endian, at + FIELD_BUCKETS);
	if (name >= block->size || !memchr(block->data + name, '\0', block->size - name) ||
	    (uint64_t)f->offset + f->size > block->entry_size)
		return hist_error_set(r->error, -EBADMSG,
				      "field %u has an invalid name, offset or size", i + 1);
	f->name = (const char *)block->data + name;
	return 0;
}

/* Read the fields of a block, which must match the schema.  -EBADMSG. */
static int raw_read_layout(struct hist_raw_reader *r, const struct hist_raw *raw,
			   const struct hist_raw_block *block)
{
	const struct hist_schema *schema = r->schema;
	unsigned int keys = 0, values = 0;
	struct field f = { 0 };
	uint32_t i;
	int ret;

	memset(&r->layout, 0, sizeof(r->layout));
	for (i = 0; i < block->nfields; i++) {
		ret = get_field(r, raw, block, i, &f);
		if (!ret && f.flags & FIELD_KEY)
			ret = raw_add_key_field(r, raw, block, &f, keys++);
		if (ret)
			return ret;
		if (f.flags & FIELD_KEY || values == schema->nvalues ||
		    strcmp(f.name, schema->values[values].name) ||
		    value_kind(f.flags) != schema->values[values].kind)
			continue;
		if (f.size != sizeof(uint64_t))
			return hist_error_set(r->error, -EBADMSG, "value %u is not 64 bits wide",
					      values + 1);
		r->layout.value[values++] = f.offset;
	}
	if (keys != schema->nkeys)
		return hist_error_set(r->error, -EBADMSG, "%u key%s, but the trigger has %u", keys,
				      text_plural(keys), schema->nkeys);
	if (values != schema->nvalues)
		return hist_error_set(r->error, -EBADMSG, "no value \"%s\"",
				      schema->values[values].name);
	return 0;
}

static uint32_t name_hash(const struct hist_raw_reader *r, uint32_t key, uint64_t num)
{
	return hash_mix(num ^ r->seed, r->seed + key);
}

static const struct raw_name *raw_find_name(const struct hist_raw_reader *r, uint32_t key,
					    uint64_t num)
{
	uint32_t hash = name_hash(r, key, num), i;
	const struct raw_name *name;

	for (i = hash & r->index.mask; r->index.slots; i = (i + 1) & r->index.mask) {
		if (!r->index.slots[i].number)
			break;
		name = &r->names[r->index.slots[i].number - 1];
		if (r->index.slots[i].hash == hash && name->num == num && name->key == key)
			return name;
	}
	return NULL;
}

static int raw_add_name(struct hist_raw_reader *r, uint32_t key, uint64_t num, uint32_t str)
{
	int ret;

	if (raw_find_name(r, key, num))
		return 0;
	ret = hash_index_reserve(&r->index, 1);
	if (!ret)
		ret = array_grow(&r->names, &r->names_room, (size_t)r->nnames + 1,
				 sizeof(*r->names));
	if (ret)
		return ret;
	r->names[r->nnames++] = (struct raw_name){ num, str, key };
	hash_index_put(&r->index, (struct hash_slot){ r->nnames, name_hash(r, key, num) });
	return 0;
}

/* Learn the names that the text has added to the table.  -ENOMEM, -E2BIG. */
static int raw_learn_names(struct hist_raw_reader *r)
{
	const struct hist_cell *cells;
	unsigned int i;
	int ret;

	for (; r->learnt < hist_table_entries(r->table); r->learnt++) {
		cells = hist_table_cells(r->table, r->learnt);
		for (i = 0; i < r->schema->nkeys; i++) {
			if (!hist_key_has_id(r->schema->keys[i].kind))
				continue;
			ret = raw_add_name(r, i, cells[i].num, cells[i].str);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/* Forget the names: the table was cleared. */
static void raw_forget_names(struct hist_raw_reader *r)
{
	hash_index_clear(&r->index);
	r->nnames = 0;
	r->learnt = 0;
}

static uint64_t frame_at(const struct hist_raw *raw, const unsigned char *at)
{
	return raw->long_size == 8 ? bytes_u64(raw->big_endian, at)
				   : bytes_u32(raw->big_endian, at);
}

/* Mark the frames of a stack as known: the text has the whole stack with the same names. */
static int raw_prove_frames(struct hist_raw_reader *r, const struct hist_raw *raw,
			    const unsigned char *at,
			    unsigned int n)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		uint64_t frame = frame_at(raw, at + i * raw->long_size);

		if (raw_find_name(r, RAW_FRAME, frame))
			continue;
		r->proved = true;
		ret = raw_add_name(r, RAW_FRAME, frame, HIST_NO_STRING);
	}
	return ret;
}

/* More than the number of frames that the kernel prints, HIST_STACKTRACE_DEPTH. */
#define FRAMES_MAX 64

/* *@known: the names of the frames are those of the text. */
static int raw_intern_stack(struct hist_raw_reader *r, const struct hist_raw *raw,
			    const unsigned char *at, uint32_t size, uint32_t *str, bool *known)
{
	char text[FRAMES_MAX * (HIST_SYMBOL_MAX + 1)];
	unsigned int n = 0, max = size / raw->long_size;
	bool proved = true;
	size_t len = 0;
	int ret;

	text[0] = '\0';
	for (; n < max && frame_at(raw, at + n * raw->long_size); n++) {
		uint64_t frame = frame_at(raw, at + n * raw->long_size);

		if (n == FRAMES_MAX)
			return hist_error_set(r->error, -EBADMSG,
					      "a stack has more frames than the kernel stores");
		if (n)
			text[len++] = '\n';
		ret = r->symbols ? hist_kallsyms_format(r->symbols, frame, text + len) : -ENOENT;
		if (ret < 0) {
			r->lacks_symbol = true;
			return 0;
		}
		len += ret;
		proved &= raw_find_name(r, RAW_FRAME, frame) != NULL;
	}
	*known = true;
	if (hist_table_find(r->table, text, len, str))
		return raw_prove_frames(r, raw, at, n);
	if (proved)
		return hist_table_intern(r->table, text, len, str);
	*known = false;
	r->lacks_frame = true;
	return 0;
}

/* If the text also fills the table, names end as there. */
static size_t raw_trim(struct hist_raw_reader *r, const char *name, size_t len)
{
	size_t trimmed = r->needs_text ? text_trim(name, len) : len;

	r->ambiguous |= trimmed < len;
	return trimmed;
}

static int raw_intern_string(struct hist_raw_reader *r, const char *s, size_t room, uint32_t *str)
{
	size_t len = strnlen(s, room);

	if (len <= hist_key_kinds[HIST_KEY_STRING].column)
		len = raw_trim(r, s, len);
	return hist_table_intern(r->table, s, len, str);
}

static int raw_intern_comm(struct hist_raw_reader *r, const struct hist_raw_block *block,
			   const unsigned char *row, uint32_t *str)
{
	const char *comm = (const char *)row + block->comm;
	size_t len = raw_trim(r, comm, strnlen(comm, RAW_COMM));

	return hist_table_intern(r->table, comm, len, str);
}

/* The number of the bucket of .log2=K that begins with *@num. */
static int raw_find_bucket(struct hist_raw_reader *r, const struct hist_key_desc *key,
			   uint64_t *num)
{
	uint64_t bucket = hist_key_traits(key)->range->find(key, *num);
	struct hist_bounds bounds;

	hist_key_bounds(key, bucket, &bounds);
	if (bounds.ge != *num)
		return hist_error_set(r->error, -EBADMSG,
				      "\"%s\" has no bucket that starts at %" PRIu64, key->name,
				      *num);
	*num = bucket;
	return 0;
}

/* *@known: false if the name is not known. */
static int raw_make_cell(struct hist_raw_reader *r, const struct hist_raw *raw,
			 const struct hist_raw_block *block, const unsigned char *row,
			 unsigned int k,
			 struct hist_cell *cell, bool *known)
{
	const struct hist_key_desc *key = &r->schema->keys[k];
	const struct raw_field *f = &r->layout.key[k];
	const struct raw_name *name;

	*known = true;
	cell->str = HIST_NO_STRING;
	cell->num = 0;
	if (key->kind == HIST_KEY_STRING)
		return raw_intern_string(r, (const char *)row + f->offset, f->size, &cell->str);
	if (key->kind == HIST_KEY_STACK) {
		*known = false;
		return raw_intern_stack(r, raw, row + f->offset, f->size, &cell->str, known);
	}
	cell->num = bytes_u64(raw->big_endian, row + f->offset);
	if (hist_key_form(key->kind) == HIST_FORM_TASK)
		return raw_intern_comm(r, block, row, &cell->str);
	if (hist_key_is_fine_log2(key))
		return raw_find_bucket(r, key, &cell->num);
	cell->num = hist_key_from_kernel(key, cell->num);
	if (!hist_key_has_id(key->kind))
		return 0;
	name = raw_find_name(r, k, cell->num);
	*known = name != NULL;
	r->lacks_name |= !name;
	if (name)
		cell->str = name->str;
	return 0;
}

/*
 * raw_find_entry - find or add the entry of a row
 * *@entry is HIST_NO_ENTRY, and lacks_* is set, if a name is not known.  -ENOMEM, -E2BIG.
 */
static int raw_find_entry(struct hist_raw_reader *r, const struct hist_raw *raw,
			  const struct hist_raw_block *block, const unsigned char *row,
			  uint32_t *entry)
{
	struct hist_cell cells[HIST_KEYS_MAX];
	bool known, all_known = true;
	unsigned int k;
	int ret;

	*entry = HIST_NO_ENTRY;
	for (k = 0; k < r->schema->nkeys; k++) {
		ret = raw_make_cell(r, raw, block, row, k, &cells[k], &known);
		if (ret)
			return ret;
		all_known &= known;
	}
	return all_known ? hist_table_add(r->table, cells, entry) : 0;
}

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
