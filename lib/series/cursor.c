// SPDX-License-Identifier: LGPL-2.1
/*
 * cursor.c - rebuild the snapshots of one histogram in sequence
 *
 * A full snapshot replaces all values; each delta after it changes them in place.
 * After damage the cursor skips all deltas up to the next full snapshot: `walk.live` is false.
 *
 * A full snapshot may renumber its entries and strings (trace-cmd-hist.dat(5)).
 * Code that compares snapshots by entry number needs stable numbers.  Each entry of such a
 * snapshot therefore gets the number that its key already has in the table of the cursor.  The
 * table and snapshot with the numbers of the file are kept next to those of the cursor.  Each
 * snapshot is copied entry by entry through an array of entry numbers.  The time is linear in the
 * number of entries, which is acceptable: trace-cmd hist does not write such files.
 *
 * Invariant: an entry number keeps its key while the table has the same generation, even if a
 * full snapshot renumbers its entries.  The generation changes only if the histogram was cleared; a
 * lost entry also means that it was cleared.  A snapshot that cannot be decoded leaves the table
 * unchanged.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/hist/regroup.h"
#include "lib/series/record.h"
#include "lib/series/series_private.h"

/* All zero: file and cursor use the same numbers. */
struct renumber {
	struct hist_table *table; /* with the numbers of the file since its last full snapshot */
	struct hist_snapshot snap;
	struct full_keys keys;
	uint32_t *entries; /* by entry number in the file: the number in the cursor's table */
	uint32_t known, room;
};

/* Frees everything and sets @r to all zero. */
static void renumber_clear(struct renumber *r)
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

/*
 * renumber_follow - copy r->snap into @snap, with the entry and string numbers of @table
 * New keys are added to @table.  -ENOMEM, -E2BIG.
 */
static int renumber_follow(struct renumber *r, struct hist_table *table, struct hist_snapshot *snap)
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

struct hist_cursor {
	struct hist_series *series;
	struct stream_index *index;
	uint64_t offset;
	uint32_t section; /* the next one in the list of the index */
	struct hist_table *table;
	struct hist_snapshot snap;
	struct series_walk walk;
	uint32_t until;	 /* the walk ends before a snapshot with a larger number */
	bool shown;	 /* a snapshot was rebuilt */
	uint32_t resets; /* of the last full snapshot; a reset snapshot may have been lost */
	struct full_keys keys;
	struct renumber renumber;
	struct changed_entries changed;
	struct hist_regroup *regroup; /* what is shown instead of table and snap, or NULL */
};

/* A table whose strings are limited by the size of the file. */
static struct hist_table *new_table(const struct hist_cursor *c)
{
	struct hist_table *table = hist_table_new(series_schema(c->index));

	if (table)
		hist_table_limit(table, record_weight_max(c->series->dat->size));
	return table;
}

/*
 * Opens a cursor at the last indexed full snapshot with a number up to @seq and a time up to @time.
 * A clock may be set back (tai, uptime), so this is not a binary search.
 */
static int open_from(struct hist_cursor **cursor, struct hist_series *series, unsigned int hist,
		     uint32_t seq, uint64_t time)
{
	const struct series_seek *seek;
	struct hist_cursor *c;
	unsigned int i;

	if (hist >= series->nknown)
		return -EINVAL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->series = series;
	c->index = &series->streams[series->known[hist]];
	c->offset = series->first;
	c->until = UINT32_MAX;
	for (i = 0; i < c->index->nseeks; i++) {
		seek = &c->index->seeks[i];
		if (seek->seq > seq || seek->time > time)
			break;
		c->offset = seek->offset;
		c->section = seek->section;
	}
	c->table = new_table(c);
	if (c->index->recorded)
		c->regroup = hist_regroup_new(c->index->info.def.schema);
	if (!c->table || (c->index->recorded && !c->regroup)) {
		hist_cursor_free(c);
		return -ENOMEM;
	}
	*cursor = c;
	return 0;
}

int hist_cursor_open(struct hist_cursor **cursor, struct hist_series *series, unsigned int hist,
		     uint32_t seq)
{
	return open_from(cursor, series, hist, seq, UINT64_MAX);
}

int hist_cursor_open_at(struct hist_cursor **cursor, struct hist_series *series,
			unsigned int hist, uint64_t time)
{
	return open_from(cursor, series, hist, UINT32_MAX, time);
}

void hist_cursor_free(struct hist_cursor *c)
{
	if (!c)
		return;
	hist_table_free(c->table);
	hist_snapshot_clear(&c->snap);
	renumber_clear(&c->renumber);
	hist_regroup_free(c->regroup);
	free(c->changed.entries);
	free(c);
}

const struct hist_table *hist_cursor_table(const struct hist_cursor *c)
{
	return c->regroup ? c->regroup->table : c->table;
}

static const struct hist_snapshot *cursor_shown(const struct hist_cursor *c)
{
	return c->regroup ? &c->regroup->snap : &c->snap;
}

const struct hist_snapshot *hist_cursor_snapshot(const struct hist_cursor *c)
{
	return c->walk.live ? cursor_shown(c) : NULL;
}

const uint32_t *hist_cursor_changed(const struct hist_cursor *c, uint32_t *n)
{
	*n = c->changed.n;
	return c->changed.known && !c->regroup ? c->changed.entries : NULL;
}

static size_t snapshot_memory(const struct hist_cursor *c, const struct hist_snapshot *snap)
{
	return (size_t)snap->room * hist_table_schema(c->table)->nvalues * sizeof(*snap->values);
}

size_t hist_cursor_memory(const struct hist_cursor *c)
{
	size_t own = 0;

	if (c->renumber.table)
		own = hist_table_memory(c->renumber.table) + snapshot_memory(c, &c->renumber.snap) +
		      c->renumber.room * sizeof(*c->renumber.entries);
	if (c->regroup)
		own += hist_table_memory(c->regroup->table) + snapshot_memory(c, &c->regroup->snap);
	return sizeof(*c) + hist_table_memory(c->table) + snapshot_memory(c, &c->snap) +
	       c->changed.room * sizeof(*c->changed.entries) + own;
}

void hist_cursor_until(struct hist_cursor *c, uint32_t seq)
{
	c->until = seq;
}

/* Clears a snapshot but keeps its memory. */
static void empty_snapshot(const struct hist_cursor *c, struct hist_snapshot *snap)
{
	struct hist_snapshot empty = { .values = snap->values, .room = snap->room };

	if (snap->nentries)
		memset(snap->values, 0, (size_t)snap->nentries * sizeof(*snap->values) *
					hist_table_schema(c->table)->nvalues);
	*snap = empty;
}

/* Decodes @body into @table and @snap, with the numbers of the file. */
static int take_body(struct hist_cursor *c, const struct record_header *h, const void *body,
		     struct hist_table *table, struct hist_snapshot *snap, struct full_keys *keys,
		     uint32_t *resets)
{
	uint32_t entries = hist_table_entries(table), strings = hist_table_strings(table);
	bool full = h->type == RECORD_FULL;
	struct varint_reader t = varint_begin(body, h->raw_len);
	int ret;

	if (full)
		empty_snapshot(c, snap);
	ret = snapshot_decode(&t, table, snap, full, h->flags, resets, keys, &c->changed);
	if (ret) {
		hist_table_cut(table, entries, strings);
		return ret;
	}
	snap->seq = h->seq;
	snap->time = h->time;
	snap->flags = h->flags & ~(RECORD_COMPRESSED | RECORD_WALL | RECORD_EVENTS_LOST);
	return 0;
}

static bool is_reset(const struct hist_cursor *c, const struct hist_snapshot *snap, uint32_t resets)
{
	return snap->flags & HIST_SNAP_RESET || (c->shown && resets != c->resets);
}

/* Decodes a full snapshot whose keys differ from the first keys of the table. */
static int take_other_keys(struct hist_cursor *c, const struct record_header *h, const void *body,
			   uint32_t *resets)
{
	uint32_t entries = hist_table_entries(c->table), strings = hist_table_strings(c->table);
	struct renumber new = { 0 };
	bool cleared;
	int ret;

	new.table = new_table(c);
	ret = new.table ? 0 : -ENOMEM;
	if (!ret)
		ret = take_body(c, h, body, new.table, &new.snap, &new.keys, resets);
	if (ret)
		goto out;
	empty_snapshot(c, &c->snap);
	cleared = is_reset(c, &new.snap, *resets);
	if (!cleared)
		ret = renumber_follow(&new, c->table, &c->snap);
	if (ret) {
		hist_table_cut(c->table, entries, strings);
		goto out;
	}
	renumber_clear(&c->renumber);
	/* an entry disappears only if the histogram was cleared */
	if (!cleared && c->snap.nentries == new.snap.nentries) {
		c->renumber = new;
		return 0;
	}
	hist_table_move(c->table, new.table);
	hist_snapshot_clear(&c->snap);
	c->snap = new.snap;
	memset(&new.snap, 0, sizeof(new.snap));
	c->keys = new.keys;
	c->keys.generation = hist_table_generation(c->table);
out:
	renumber_clear(&new);
	return ret;
}

static int cursor_rebuild_snapshot(struct hist_cursor *c, const struct record_header *h,
				   uint64_t body_at)
{
	bool own = c->renumber.table != NULL;
	uint32_t resets = c->resets;
	const void *body;
	int ret;

	ret = series_read_body(c->series, h, body_at, &body);
	if (ret)
		return ret;
	if (own)
		ret = take_body(c, h, body, c->renumber.table, &c->renumber.snap, &c->renumber.keys,
				&resets);
	else
		ret = take_body(c, h, body, c->table, &c->snap, &c->keys, &resets);
	if (ret == SNAPSHOT_OTHER_KEYS)
		ret = take_other_keys(c, h, body, &resets);
	else if (!ret && own)
		ret = renumber_follow(&c->renumber, c->table, &c->snap);
	/* names that come under new numbers again and again */
	if (ret == -E2BIG)
		ret = -EBADMSG;
	if (ret)
		return ret;
	c->changed.known &= !c->renumber.table;
	if (is_reset(c, &c->snap, resets))
		c->snap.flags |= HIST_SNAP_RESET;
	c->shown = true;
	c->resets = resets;
	return 0;
}

/* The next section; of any type and histogram if the index does not list offsets. */
static int next_record(struct hist_cursor *c, struct record_header *h, uint64_t *body)
{
	if (c->series->listed <= LISTED_MAX) {
		if (c->section == c->index->nsections)
			return 0;
		c->offset = c->index->sections[c->section++];
	}
	return series_next_record(c->series, &c->offset, h, body);
}

/* The last indexed full snapshot after the position of the cursor and up to @seq, or NULL. */
static const struct series_seek *cursor_find_ahead(const struct hist_cursor *c, uint32_t seq)
{
	const struct series_seek *seek, *found = NULL;
	unsigned int i;

	for (i = 0; i < c->index->nseeks; i++) {
		seek = &c->index->seeks[i];
		if (seek->seq > seq)
			break;
		if (seek->offset > c->offset)
			found = seek;
	}
	return found;
}

/* True if the next section of the histogram is before @seek. */
static bool cursor_is_before(const struct hist_cursor *c, const struct series_seek *seek)
{
	return c->series->listed <= LISTED_MAX ? c->section < seek->section :
		c->offset < seek->offset;
}

int hist_cursor_skip(struct hist_cursor *c, uint32_t seq, hist_cursor_skipped *skipped, void *data)
{
	const struct series_seek *seek = c->series->sound ? cursor_find_ahead(c, seq) : NULL;
	struct hist_snapshot head, next = { 0 };
	unsigned int number = c->index - c->series->streams;
	struct record_header h;
	bool any = false;
	uint64_t body;
	int ret;

	while (seek && cursor_is_before(c, seek)) {
		ret = next_record(c, &h, &body);
		if (ret <= 0)
			return ret;
		if (!record_is_readable(&h) || h.hist != number ||
		    (h.type != RECORD_FULL && h.type != RECORD_DELTA) ||
		    series_is_repeated(&h, c->walk.last_seq))
			continue;
		ret = series_walked(c->series, &c->walk, &h, body, 0);
		if (ret)
			return ret;
		head = next;
		next.seq = h.seq;
		next.time = h.time;
		next.flags = h.flags & (HIST_SNAP_RESET | HIST_SNAP_STOPPED);
		if (any)
			skipped(data, &head);
		any = true;
	}
	/* the full snapshot may repeat the one before it, which is reported only once */
	if (any && next.seq != seek->seq)
		skipped(data, &next);
	if (seek)
		c->walk.live = false;
	return 0;
}

int hist_cursor_next(struct hist_cursor *c, const struct hist_snapshot **snap)
{
	struct hist_series *s = c->series;
	unsigned int number = c->index - s->streams;
	struct record_header h;
	uint64_t body, at;
	bool repeated;
	int ret;

	for (;;) {
		at = c->offset;
		ret = next_record(c, &h, &body);
		if (ret <= 0)
			return ret;
		if (!record_is_readable(&h) || h.hist != number ||
		    (h.type != RECORD_FULL && h.type != RECORD_DELTA))
			continue;
		if (h.seq > c->until) {
			/* the next call reads the section again */
			c->offset = at;
			c->section -= s->listed <= LISTED_MAX;
			return 0;
		}
		repeated = c->walk.live && series_is_repeated(&h, c->walk.last_seq);
		ret = h.type == RECORD_DELTA && !c->walk.live ? -ESTALE :
			cursor_rebuild_snapshot(c, &h, body);
		ret = series_walked(s, &c->walk, &h, body, ret);
		if (ret)
			return ret;
		if (!c->walk.live || repeated)
			continue;
		*snap = cursor_shown(c);
		return (c->regroup ? hist_regroup_update(c->regroup, c->table, &c->snap) : 0) ?: 1;
	}
}
