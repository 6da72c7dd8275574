// SPDX-License-Identifier: LGPL-2.1
/*
 * raw_keys.c - make the key of a row, with the names that the text uses
 *
 * A number of a system call or an address gets the name that the text printed with it before; the
 * table has it.  A stack has no such number: the text prints the names of its frames, without
 * addresses, and these names are the key.  The frames of a stack in hist_raw are therefore named by
 * the kernel's symbols.  Such a name is used only after the text has printed it in a stack.
 *
 * Invariant: every key added to the table is printed in the same way by the text.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/text.h"
#include "lib/histfile/raw_reader.h"

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

int raw_learn_names(struct hist_raw_reader *r)
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

void raw_forget_names(struct hist_raw_reader *r)
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

int raw_find_entry(struct hist_raw_reader *r, const struct hist_raw *raw,
		   const struct hist_raw_block *block, const unsigned char *row, uint32_t *entry)
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
