// SPDX-License-Identifier: LGPL-2.1
/*
 * snapshot_codec.c - encode and decode a snapshot as the difference from the previous one
 *
 * Few entries change between two snapshots, and few are new.  A body lists the new strings and
 * keys, then the numbers of the changed entries as gaps, then the increments of their values.
 * Keys and values are stored by column, which improves the compression.  A full snapshot is the
 * difference from an empty one.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/hash.h"
#include "lib/series/record.h"

static void snapshot_encode_cells(struct hist_strbuf *b, const struct hist_table *table,
				  uint32_t first,
				  uint32_t end)
{
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_cell *cell;
	uint64_t num;
	uint32_t str, e;
	unsigned int k;

	for (k = 0; k < schema->nkeys; k++) {
		enum hist_key_kind kind = schema->keys[k].kind;

		num = 0;
		for (e = first; !hist_key_is_text(kind) && e < end; e++) {
			cell = hist_table_cells(table, e) + k;
			varint_put(b, varint_zigzag((int64_t)(cell->num - num)));
			num = cell->num;
		}
		str = 0;
		for (e = first; hist_key_has_string(kind) && e < end; e++) {
			cell = hist_table_cells(table, e) + k;
			varint_put(b, varint_zigzag((int64_t)cell->str - (int64_t)str));
			str = cell->str;
		}
	}
}

static bool entry_changed(const uint64_t *a, const uint64_t *b, unsigned int width)
{
	unsigned int v;

	for (v = 0; v < width; v++) {
		if (a[v] != b[v])
			return true;
	}
	return false;
}

/* The increment of a sum; the value itself for other kinds. */
static uint64_t value_diff(const struct hist_schema *schema, unsigned int v, uint64_t to,
			   uint64_t from)
{
	return varint_zigzag((int64_t)(hist_value_is_sum(schema->values[v].kind) ? to - from : to));
}

static void snapshot_encode_values(struct hist_strbuf *b, const struct hist_schema *schema,
				   const struct hist_snapshot *to, const struct hist_snapshot *from,
				   uint32_t known)
{
	unsigned int width = schema->nvalues, v;
	uint32_t e, last = 0, changed = 0;

	for (e = 0; e < known; e++)
		changed += entry_changed(to->values + (size_t)e * width,
					 from->values + (size_t)e * width, width);
	varint_put(b, changed);
	for (e = 0; e < known && changed; e++) {
		if (!entry_changed(to->values + (size_t)e * width, from->values + (size_t)e * width,
				   width))
			continue;
		varint_put(b, e - last);
		last = e;
	}
	for (v = 0; v < width; v++) {
		for (e = 0; e < known && changed; e++) {
			const uint64_t *t = to->values + (size_t)e * width;
			const uint64_t *f = from->values + (size_t)e * width;

			if (entry_changed(t, f, width))
				varint_put(b, value_diff(schema, v, t[v], f[v]));
		}
		for (e = known; e < to->nentries; e++)
			varint_put(b, value_diff(schema, v,
						       to->values[(size_t)e * width + v], 0));
	}
}

static void snapshot_encode_losses(struct hist_strbuf *b, const struct hist_snapshot *snap)
{
	unsigned int k, n = 0;

	for (k = 0; k < HIST_LOSS_KINDS; k++)
		n += snap->losses[k] != 0;
	varint_put(b, n);
	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		if (!snap->losses[k])
			continue;
		varint_put(b, k);
		varint_put(b, snap->losses[k]);
	}
}

void snapshot_encode(struct hist_strbuf *b, const struct hist_table *table,
		     const struct hist_snapshot *to, const struct hist_snapshot *from,
		     uint32_t strings, uint32_t entries, uint32_t resets)
{
	const struct hist_schema *schema = hist_table_schema(table);
	uint32_t i, nstrings = hist_table_strings(table);
	const char *s;
	size_t len;

	varint_put(b, from ? from->seq : resets);
	varint_put(b, to->read_ns);
	varint_put(b, to->missed);
	varint_put(b, varint_zigzag((int64_t)(to->hits - (from ? from->hits : 0))));
	varint_put(b, varint_zigzag((int64_t)(to->entries - (from ? from->entries : 0))));
	varint_put(b, varint_zigzag((int64_t)(to->dropped - (from ? from->dropped : 0))));
	if (to->wall)
		varint_put(b, varint_zigzag((int64_t)(to->wall - (from ? from->wall : 0))));
	if (to->events_lost)
		varint_put(b, to->events_lost);
	if (to->flags & HIST_SNAP_MISSES)
		varint_put(b, to->probe_misses);
	if (to->flags & HIST_SNAP_TAKEN)
		varint_put(b, to->taken);
	if (record_has_losses(to))
		snapshot_encode_losses(b, to);

	varint_put(b, nstrings - strings);
	for (i = strings; i < nstrings; i++) {
		hist_table_string(table, i, &len);
		varint_put(b, len);
	}
	for (i = strings; i < nstrings; i++) {
		s = hist_table_string(table, i, &len);
		hist_strbuf_add(b, s, len);
	}
	varint_put(b, to->nentries - entries);
	snapshot_encode_cells(b, table, entries, to->nentries);
	snapshot_encode_values(b, schema, to, from, entries);
}

/* Skip @n varints without checking that each has at most 64 bits. */
static void snapshot_skip_varints(struct varint_reader *t, uint64_t n)
{
	uint64_t w, ends;

	/* each varint has exactly one byte without the top bit: its last one */
	while (n >= 8 && t->end - t->at >= 8) {
		memcpy(&w, t->at, 8);
		ends = ((~w & BYTES_TOPS) >> 7) * BYTES_EACH(1) >> 56;
		n -= ends;
		t->at += 8;
	}
	while (n && t->at < t->end)
		n -= *t->at++ < 0x80;
	if (n)
		t->failed = true;
}

/* Adds new strings.  -ESTALE if the first @same strings differ from those of the table. */
static int take_strings(struct varint_reader *t, struct hist_table *table, uint32_t same)
{
	struct varint_reader lengths;
	uint64_t n, i, len;
	const char *s, *old;
	uint32_t id, want;
	size_t old_len;
	int ret;

	n = varint_read(t);
	/* each string needs at least one byte for its length */
	if (n > (uint64_t)(t->end - t->at))
		return -EBADMSG;
	if (n < same)
		return -ESTALE;
	lengths = *t;
	snapshot_skip_varints(t, n);
	for (i = 0; i < n; i++) {
		len = varint_read(&lengths);
		s = len <= SIZE_MAX / 2 ? varint_read_bytes(t, len) : NULL;
		if (!s)
			return -EBADMSG;
		if (i < same) {
			old = hist_table_string(table, i, &old_len);
			if (old_len != len || memcmp(old, s, len))
				return -ESTALE;
			continue;
		}
		want = hist_table_strings(table);
		ret = hist_table_intern(table, s, len, &id);
		if (ret)
			return ret;
		if (id != want)
			return -EBADMSG;
	}
	return lengths.failed ? -EBADMSG : 0;
}

static bool same_cells(const struct hist_cell *a, const struct hist_cell *b, unsigned int nkeys)
{
	unsigned int k;

	for (k = 0; k < nkeys && a[k].num == b[k].num && a[k].str == b[k].str; k++)
		;
	return k == nkeys;
}

/*
 * Reads the columns of @n entries in parallel, with one reader for each column.
 * -ESTALE if the first @same entries differ from those of the table.
 */
static int take_cells(struct varint_reader *t, struct hist_table *table, uint64_t n, uint32_t same)
{
	const struct hist_schema *schema = hist_table_schema(table);
	struct varint_reader nums[HIST_KEYS_MAX], strs[HIST_KEYS_MAX];
	struct hist_cell cells[HIST_KEYS_MAX] = { 0 };
	uint32_t entry, want, nstrings = hist_table_strings(table);
	bool has_string[HIST_KEYS_MAX], is_text[HIST_KEYS_MAX];
	unsigned int k;
	uint64_t i;
	int ret;

	for (k = 0; k < schema->nkeys; k++) {
		is_text[k] = hist_key_is_text(schema->keys[k].kind);
		has_string[k] = hist_key_has_string(schema->keys[k].kind);
		nums[k] = *t;
		if (!is_text[k])
			snapshot_skip_varints(t, n);
		strs[k] = *t;
		if (has_string[k])
			snapshot_skip_varints(t, n);
		else
			cells[k].str = HIST_NO_STRING;
	}
	if (t->failed)
		return -EBADMSG;
	if (n < same)
		return -ESTALE;
	ret = hist_table_reserve(table, n - same);
	for (i = 0; i < n && !ret; i++) {
		for (k = 0; k < schema->nkeys; k++) {
			if (!is_text[k])
				cells[k].num += (uint64_t)varint_unzigzag(varint_read(&nums[k]));
			if (!has_string[k])
				continue;
			cells[k].str += (uint32_t)varint_unzigzag(varint_read(&strs[k]));
			if (cells[k].str >= nstrings)
				return -EBADMSG;
		}
		if (i < same) {
			if (!same_cells(cells, hist_table_cells(table, i), schema->nkeys))
				return -ESTALE;
			continue;
		}
		want = hist_table_entries(table);
		ret = hist_table_add(table, cells, &entry);
		if (!ret && entry != want)
			return -EBADMSG;
	}
	for (k = 0; k < schema->nkeys; k++) {
		if (nums[k].failed || strs[k].failed)
			return -EBADMSG;
	}
	return ret;
}

/* Adds new strings and keys, after @strings and @entries that the body repeats. */
static int snapshot_decode_keys(struct varint_reader *t, struct hist_table *table, uint32_t strings,
				uint32_t entries)
{
	uint32_t most = RECORD_ENTRIES_MAX - (hist_table_entries(table) - entries);
	uint64_t n;
	int ret;

	ret = take_strings(t, table, strings);
	if (ret)
		return ret == -E2BIG ? -EBADMSG : ret;
	n = varint_read(t);
	/* each entry needs at least one byte for each of its keys */
	if (t->failed || n > (uint64_t)(t->end - t->at) || n > most)
		return -EBADMSG;
	return take_cells(t, table, n, entries);
}

/* True if the bytes at @t encode exactly the strings and keys of the table. */
static bool snapshot_has_same_keys(const struct varint_reader *t, const struct hist_table *table,
				   const struct full_keys *keys)
{
	return keys->len && keys->generation == hist_table_generation(table) &&
	       keys->strings == hist_table_strings(table) &&
	       keys->entries == hist_table_entries(table) &&
	       keys->len <= (size_t)(t->end - t->at) &&
	       keys->hash == hash_bytes(keys->seed, t->at, keys->len);
}

static void remember_keys(struct full_keys *keys, const struct hist_table *table,
			  const unsigned char *from, const unsigned char *end)
{
	if (!keys->seed)
		keys->seed = hash_seed(keys);
	keys->len = end - from;
	keys->hash = hash_bytes(keys->seed, from, keys->len);
	keys->generation = hist_table_generation(table);
	keys->strings = hist_table_strings(table);
	keys->entries = hist_table_entries(table);
}

/*
 * Reads the keys of a full snapshot, which repeats all keys.  Mostly the bytes are identical to
 * those of the previous full snapshot, or the keys are those of the table plus new ones.  Entry
 * numbers, and data derived from them, then remain valid.
 */
static int take_all_keys(struct varint_reader *t, struct hist_table *table, struct full_keys *keys)
{
	const unsigned char *from = t->at;
	int ret;

	if (snapshot_has_same_keys(t, table, keys)) {
		t->at += keys->len;
		return 0;
	}
	ret = snapshot_decode_keys(t, table, hist_table_strings(table), hist_table_entries(table));
	if (!ret)
		remember_keys(keys, table, from, t->at);
	return ret == -ESTALE ? SNAPSHOT_OTHER_KEYS : ret;
}

#define TOP_BITS UINT64_C(0x8080808080808080)

/* True if each of the next eight varints is one byte long; *@bytes are these bytes. */
static inline bool eight_short(const struct varint_reader *t, const unsigned char *at,
			       uint64_t *bytes)
{
	if (t->end - at < 8)
		return false;
	memcpy(bytes, at, 8);
	return !(*bytes & TOP_BITS);
}

/* True if any byte is 0.  All bytes are below 0x80; the subtraction borrows at a zero byte. */
static inline bool any_zero(uint64_t bytes)
{
	return (bytes - TOP_BITS / 0x80) & TOP_BITS;
}

/*
 * Reads the numbers of the changed entries and appends those of the new entries.  A hostile
 * file may list an entry twice, or go back with a gap that wraps around; known is then false.
 */
static int take_changed(struct varint_reader *t, struct changed_entries *c, uint32_t changed,
			uint32_t known, uint32_t nentries)
{
	uint32_t n = changed + (nentries - known), i = 0, *entries;
	const unsigned char *at = t->at;
	bool ascending = true;
	uint64_t e = 0, gap, bytes;
	unsigned int k;

	if (array_grow(&c->entries, &c->room, n, sizeof(*c->entries)))
		return -ENOMEM;
	entries = c->entries;
	while (i < changed) {
		/* no overflow: each gap is < 2^32 and there are fewer than 2^32 gaps */
		if (i && changed - i >= 8 && eight_short(t, at, &bytes)) {
			ascending &= !any_zero(bytes);
#pragma GCC unroll 8
			for (k = 0; k < 8; k++) {
				e += at[k];
				entries[i + k] = e;
			}
			at += 8;
			i += 8;
			continue;
		}
		gap = varint_read_at(t, &at);
		if (gap >= known)
			return -EBADMSG;
		ascending &= gap || !i;
		e += gap;
		entries[i++] = e;
	}
	t->at = at;
	if (t->failed || e >= known + !changed)
		return -EBADMSG;
	for (e = known; e < nentries; e++)
		entries[i++] = e;
	c->n = i;
	c->known = ascending;
	return 0;
}

/* Adds increments to the values of a sum; replaces the values of other kinds. */
static void snapshot_decode_column(struct varint_reader *t, uint64_t *values, unsigned int width,
				   bool sum,
				   const struct changed_entries *c)
{
	const uint32_t *entry = c->entries, *end = entry + c->n;
	uint64_t keep = sum ? UINT64_MAX : 0, bytes, *value;
	const unsigned char *at = t->at;
	unsigned int k;

	while (entry < end) {
		if (end - entry >= 8 && eight_short(t, at, &bytes)) {
#pragma GCC unroll 8
			for (k = 0; k < 8; k++) {
				value = &values[(size_t)entry[k] * width];
				*value = (*value & keep) + (uint64_t)varint_unzigzag(at[k]);
			}
			entry += 8;
			at += 8;
			continue;
		}
		value = &values[(size_t)*entry++ * width];
		*value = (*value & keep) + (uint64_t)varint_unzigzag(varint_read_at(t, &at));
	}
	t->at = at;
}

static int take_values(struct varint_reader *t, const struct hist_schema *schema,
		       struct hist_snapshot *snap, uint32_t known, struct changed_entries *list)
{
	uint64_t changed = varint_read(t);
	unsigned int v;
	int ret;

	if (changed > known)
		return -EBADMSG;
	ret = take_changed(t, list, changed, known, snap->nentries);
	if (ret)
		return ret;
	/* values of new entries are 0; snap->values may be NULL if the list is empty */
	for (v = 0; list->n && v < schema->nvalues; v++)
		snapshot_decode_column(t, snap->values + v, schema->nvalues,
				       hist_value_is_sum(schema->values[v].kind), list);
	return t->failed || t->at != t->end ? -EBADMSG : 0;
}

static void snapshot_take_losses(struct varint_reader *t, struct hist_snapshot *snap)
{
	uint64_t n = varint_read(t), kind;

	memset(snap->losses, 0, sizeof(snap->losses));
	while (n-- && !t->failed) {
		kind = varint_read(t);
		snap->losses[kind < HIST_LOSS_KINDS ? kind : HIST_LOSS_OTHER] += varint_read(t);
	}
}

void snapshot_take_head(struct varint_reader *t, struct hist_snapshot *snap, uint32_t flags,
			uint64_t *base)
{
	*base = varint_read(t);
	snap->read_ns = varint_read(t);
	snap->missed = varint_read(t);
	snap->hits += (uint64_t)varint_unzigzag(varint_read(t));
	snap->entries += (uint64_t)varint_unzigzag(varint_read(t));
	snap->dropped += (uint64_t)varint_unzigzag(varint_read(t));
	snap->wall = flags & RECORD_WALL ? snap->wall + (uint64_t)varint_unzigzag(varint_read(t)) :
		0;
	snap->events_lost = flags & RECORD_EVENTS_LOST ? varint_read(t) : 0;
	snap->probe_misses = flags & HIST_SNAP_MISSES ? varint_read(t) : 0;
	snap->taken = flags & HIST_SNAP_TAKEN ? varint_read(t) : 0;
	if (flags & RECORD_LOSSES)
		snapshot_take_losses(t, snap);
	else
		memset(snap->losses, 0, sizeof(snap->losses));
}

int snapshot_decode(struct varint_reader *t, struct hist_table *table, struct hist_snapshot *snap,
		    bool full,
		    uint32_t flags, uint32_t *resets, struct full_keys *keys,
		    struct changed_entries *changed)
{
	const struct hist_schema *schema = hist_table_schema(table);
	uint32_t known = snap->nentries;
	uint64_t base;
	int ret;

	changed->known = false;
	snapshot_take_head(t, snap, flags, &base);
	if (full)
		*resets = base;
	else if (base != snap->seq)
		return -ESTALE;

	ret = full ? take_all_keys(t, table, keys) : snapshot_decode_keys(t, table, 0, 0);
	if (!ret && flags & HIST_SNAP_TAKEN && snap->taken >= hist_table_strings(table))
		ret = -EBADMSG;
	if (!ret)
		ret = hist_snapshot_grow(snap, schema, hist_table_entries(table));
	if (ret)
		return ret;
	ret = take_values(t, schema, snap, known, changed);
	/* a full snapshot starts from an empty one, so its changes are unknown */
	changed->known &= !ret && !full;
	return ret;
}
