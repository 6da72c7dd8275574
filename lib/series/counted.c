// SPDX-License-Identifier: LGPL-2.1
/*
 * counted.c - what a histogram counted since its recording began, as counters that never fall
 *
 * Numbers are added and subtracted modulo 2^64, so the order of these steps does not matter.
 * Numbers that a clearing does not change (missed snapshots, losses) are only subtracted.
 *
 * The counters of a series begin with the recording, although earlier files are missing.  The
 * first snapshot of the recording is that with the number 0, or a section of its own in later
 * files (RECORD_FIRST).  What was counted before the histogram was cleared in earlier files is
 * another section (RECORD_CLEARED).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/hist/regroup.h"
#include "lib/series/counted.h"
#include "lib/series/series_private.h"

struct hist_counted *hist_counted_new(const struct hist_schema *schema)
{
	struct hist_counted *c = calloc(1, sizeof(*c));

	if (c)
		c->table = hist_table_new(schema);
	if (!c || !c->table) {
		free(c);
		return NULL;
	}
	return c;
}

void hist_counted_free(struct hist_counted *c)
{
	if (!c)
		return;
	hist_snapshot_clear(&c->sums);
	hist_snapshot_clear(&c->base);
	hist_table_free(c->table);
	free(c->entry_of);
	free(c);
}

/* Finds the entries of @table, and makes room for their values in @to. */
static int counted_find_entries(struct hist_counted *c, const struct hist_table *table,
				uint32_t n, struct hist_snapshot *to)
{
	const struct hist_schema *schema = hist_table_schema(c->table);
	uint32_t before = to->nentries, i;
	unsigned int v;
	int ret;

	if (c->generation != hist_table_generation(table))
		c->known = 0;
	c->generation = hist_table_generation(table);
	ret = array_grow(&c->entry_of, &c->entry_room, (size_t)n + 1, sizeof(*c->entry_of));
	for (; !ret && c->known < n; c->known += !ret)
		ret = hist_table_add_from(c->table, table, c->known, &c->entry_of[c->known]);
	if (!ret)
		ret = hist_snapshot_grow(to, schema, hist_table_entries(c->table));
	for (i = before; !ret && i < to->nentries; i++)
		for (v = 0; v < schema->nvalues; v++)
			if (hist_value_is_text(schema->values[v].kind))
				to->values[(size_t)i * schema->nvalues + v] = UINT64_MAX;
	return ret;
}

/* Adds the hits and values of @snap, whose entries are known, to @to, or subtracts them. */
static void counted_add_known(const struct hist_counted *c, struct hist_snapshot *to,
			      const struct hist_snapshot *snap, bool subtract)
{
	const struct hist_schema *schema = hist_table_schema(c->table);
	size_t width = schema->nvalues, v;
	uint64_t *value, by;
	uint32_t i;

	to->hits += subtract ? -snap->hits : snap->hits;
	to->dropped += subtract ? -snap->dropped : snap->dropped;
	for (v = 0; v < width; v++) {
		if (!hist_value_is_sum(schema->values[v].kind))
			continue;
		for (i = 0; i < snap->nentries; i++) {
			value = &to->values[c->entry_of[i] * width + v];
			by = snap->values[i * width + v];
			*value += subtract ? -by : by;
		}
	}
}

static int counted_apply(struct hist_counted *c, struct hist_snapshot *to,
			 const struct hist_table *table, const struct hist_snapshot *snap,
			 bool subtract)
{
	int ret = counted_find_entries(c, table, snap->nentries, to);

	if (!ret)
		counted_add_known(c, to, snap, subtract);
	return ret;
}

/* Add what was counted up to the last of @resets clearings. */
static int counted_add_cleared(struct hist_counted *c, const struct hist_table *table,
			       const struct hist_snapshot *snap, uint32_t resets)
{
	c->resets = resets;
	return counted_apply(c, &c->base, table, snap, false);
}

int hist_counted_subtract(struct hist_counted *c, const struct hist_table *table,
			  const struct hist_snapshot *snap)
{
	hist_snapshot_copy_head(&c->setup, snap);
	return counted_apply(c, &c->base, table, snap, true);
}

int hist_counted_learn(struct hist_counted *c, const struct hist_table *table, uint32_t nentries)
{
	return counted_find_entries(c, table, nentries, &c->base);
}

void hist_counted_clear(struct hist_counted *c, const struct hist_snapshot *last)
{
	counted_add_known(c, &c->base, last, false);
	c->resets++;
}

/* What was counted so far is what the next snapshots lack. */
static int counted_keep_sums(struct hist_counted *c)
{
	struct hist_snapshot head = c->base;
	int ret = hist_snapshot_copy(&c->base, &c->sums, hist_table_schema(c->table));

	if (ret)
		return ret;
	head.hits = c->sums.hits;
	head.dropped = c->sums.dropped;
	head.nentries = c->base.nentries;
	hist_snapshot_copy_head(&c->base, &head);
	c->resets++;
	return 0;
}

int hist_counted_update(struct hist_counted *c, const struct hist_table *table,
			const struct hist_snapshot *snap, bool cleared)
{
	const struct hist_schema *schema = hist_table_schema(c->table);
	struct hist_snapshot head = *snap;
	int ret = cleared && c->any ? counted_keep_sums(c) : 0;

	if (!ret)
		ret = counted_find_entries(c, table, snap->nentries, &c->base);
	if (!ret)
		ret = hist_snapshot_copy(&c->sums, &c->base, schema);
	if (!ret)
		ret = counted_apply(c, &c->sums, table, snap, false);
	if (ret)
		return ret;
	head.hits = c->sums.hits;
	head.dropped = c->sums.dropped;
	head.missed -= c->setup.missed;
	head.events_lost -= c->setup.events_lost;
	head.probe_misses -= c->setup.probe_misses;
	hist_snapshot_subtract_losses(&head, &c->setup);
	head.nentries = c->sums.nentries;
	hist_snapshot_copy_head(&c->sums, &head);
	c->any = true;
	return 0;
}

/* --- counters of a series --- */

/* A snapshot with its own table. */
struct read_base {
	struct hist_table *table;
	struct hist_snapshot snap;
	uint32_t resets;
};

static void read_base_clear(struct read_base *b)
{
	hist_table_free(b->table);
	hist_snapshot_clear(&b->snap);
}

/* Replace both by their merged rows, if the rows of @x are shown so. */
static int read_base_regroup(struct read_base *b, const struct stream_index *x)
{
	struct hist_regroup *r;
	int ret;

	if (!x->recorded)
		return 0;
	r = hist_regroup_new(x->info.def.schema);
	ret = r ? hist_regroup_update(r, b->table, &b->snap) : -ENOMEM;
	if (!ret) {
		read_base_clear(b);
		b->table = r->table;
		b->snap = r->snap;
		r->table = NULL;
		r->snap = (struct hist_snapshot){ 0 };
	}
	hist_regroup_free(r);
	return ret;
}

static int read_base_decode(struct read_base *b, struct hist_series *s,
			    const struct stream_index *x, uint64_t at)
{
	struct changed_entries changed = { 0 };
	struct full_keys keys = { 0 };
	uint64_t offset = at, body_at;
	struct record_header h;
	struct varint_reader t;
	const void *body;
	int ret;

	b->table = hist_table_new(series_schema(x));
	if (!b->table)
		return -ENOMEM;
	hist_table_limit(b->table, record_weight_max(s->dat->size));
	ret = series_next_record(s, &offset, &h, &body_at);
	if (ret != 1)
		return ret ? ret : -EBADMSG;
	ret = series_read_body(s, &h, body_at, &body);
	if (ret)
		return ret;
	t = varint_begin(body, h.raw_len);
	ret = snapshot_decode(&t, b->table, &b->snap, true, h.flags, &b->resets, &keys, &changed);
	b->snap.seq = h.seq;
	b->snap.time = h.time;
	free(changed.entries);
	if (!ret)
		ret = read_base_regroup(b, x);
	return ret == -E2BIG ? -EBADMSG : ret;
}

/* 1: read; 0: there is none, or it is invalid, which is damage; -errno. */
static int read_base(struct read_base *b, struct hist_series *s, const struct stream_index *x,
		     uint64_t at)
{
	int ret;

	*b = (struct read_base){ 0 };
	if (!at)
		return 0;
	ret = read_base_decode(b, s, x, at);
	if (ret != -EBADMSG && ret != -ESTALE && ret != SNAPSHOT_OTHER_KEYS)
		return ret ? ret : 1;
	series_count_bad(s, at, 1, 0);
	return 0;
}

/* 1: the set-up was subtracted; 0: the series does not begin with it; -errno. */
static int subtract_snapshot(struct hist_counted *c, struct hist_series *s, unsigned int hist)
{
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	int ret = hist_cursor_open(&cursor, s, hist, 0);

	if (ret)
		return ret;
	ret = hist_cursor_next(cursor, &snap);
	if (ret == 1 && snap->seq)
		ret = 0;
	if (ret == 1)
		ret = hist_counted_subtract(c, hist_cursor_table(cursor), snap) ?: 1;
	hist_cursor_free(cursor);
	return ret;
}

static int subtract_setup(struct hist_counted *c, struct hist_series *s, unsigned int hist)
{
	const struct stream_index *x = &s->streams[s->known[hist]];
	struct read_base first;
	int ret;

	if (!x->info.first_seq)
		return subtract_snapshot(c, s, hist);
	ret = read_base(&first, s, x, x->first_at);
	if (ret == 1)
		ret = hist_counted_subtract(c, first.table, &first.snap) ?: 1;
	read_base_clear(&first);
	return ret;
}

int hist_series_begin_counting(struct hist_counted **counted, struct hist_series *s,
			       unsigned int hist, bool without_setup)
{
	const struct stream_index *x;
	struct read_base cleared;
	struct hist_counted *c;
	int ret;

	if (hist >= s->nknown)
		return -EINVAL;
	x = &s->streams[s->known[hist]];
	c = hist_counted_new(x->info.def.schema);
	if (!c)
		return -ENOMEM;
	ret = read_base(&cleared, s, x, x->cleared_at);
	if (ret == 1)
		ret = counted_add_cleared(c, cleared.table, &cleared.snap, cleared.resets);
	read_base_clear(&cleared);
	if (!ret)
		ret = without_setup ? subtract_setup(c, s, hist) : 1;
	if (ret < 0)
		hist_counted_free(c);
	else
		*counted = c;
	return ret;
}
