// SPDX-License-Identifier: GPL-2.0
/*
 * series_random.c - histograms as chance makes them, all of them valid
 *
 * Up to three histograms of any keys and values, over up to eight snapshots: they grow,
 * stay as they are, are cleared or numbered anew; snapshots are lost; hits are dropped,
 * missed, paused and stopped.  Names have what the formats escape, but no other control
 * characters.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/expr/expr.h"
#include "lib/hist/key_names.h"
#include "utest/format/series_random.h"
#include "utest/unit/lib/series/renumber_fixture.h"

#define HISTS_MAX 3

static const char *const key_names[] = { "lat_us", "lat", "pid", "x_ns", "usecs", "common_pid", "size" };
static const char *const events[] = { "test:a", "test:b", "kmem:kmalloc" };

struct made {
	struct hist_schema schema;
	struct hist_table *table;
	struct hist_snapshot snap;
	uint32_t probe; /* the flag that tells of its misses, or 0 */
	bool stops;
	bool losses[HIST_LOSS_KINDS]; /* the kinds that it has */
};

struct chance {
	uint64_t state;
	struct hist_series_writer *writer;
	struct made hists[HISTS_MAX];
	unsigned int nhists;
};

static uint64_t roll(struct chance *c, uint64_t n)
{
	c->state = c->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (c->state >> 33) % n;
}

/* Mostly small, now and then at the ends of the range. */
static uint64_t number(struct chance *c, bool is_signed)
{
	switch (roll(c, 12)) {
	case 0:
		return UINT64_MAX - roll(c, 3);
	case 1:
		return (UINT64_C(1) << 53) - 1 + roll(c, 3);
	case 2:
		return is_signed ? 0 - roll(c, 100000) : UINT64_C(1) << 63;
	case 3:
		return roll(c, 1u << 30);
	default:
		return roll(c, 40);
	}
}

static void choose_key(struct chance *c, struct hist_key_desc *key)
{
	static const enum hist_key_kind with_sign[] = { HIST_KEY_NUM, HIST_KEY_SYSCALL, HIST_KEY_BUCKETS,
							HIST_KEY_EXECNAME, HIST_KEY_LOG2,
							HIST_KEY_FINE_LOG2 };
	unsigned int i;

	key->kind = roll(c, HIST_KEY_KINDS - 1);
	/* only a trigger without an event has it */
	if (key->kind == HIST_KEY_UNKNOWN)
		key->kind = HIST_KEY_FINE_LOG2;
	key->name = (char *)key_names[roll(c, sizeof(key_names) / sizeof(*key_names))];
	for (i = 0; i < sizeof(with_sign) / sizeof(*with_sign); i++)
		key->is_signed |= key->kind == with_sign[i] && roll(c, 3) == 0;
	if (key->kind == HIST_KEY_BUCKETS)
		key->bucket = 1 + roll(c, 100);
	if (key->kind == HIST_KEY_FINE_LOG2)
		key->bucket = 1 + roll(c, HIST_LOG2_BITS_MAX);
	/* no memory: a key without such names */
	if (key->kind == HIST_KEY_SYSCALL && roll(c, 2))
		key->names = hist_key_names_new(0, NULL);
}

static void choose_schema(struct chance *c, struct hist_schema *schema)
{
	static const char *const names[] = { "len", "bytes_req", "saved", "lat_us" };
	unsigned int i;

	schema->nkeys = 1 + roll(c, HIST_KEYS_MAX);
	for (i = 0; i < schema->nkeys; i++)
		choose_key(c, &schema->keys[i]);
	if (roll(c, 8))
		schema->values[schema->nvalues++].name = (char *)"hitcount";
	for (i = roll(c, 4) + !schema->nvalues; i; i--) {
		struct hist_value_desc *v = &schema->values[schema->nvalues++];

		v->kind = roll(c, 2) ? HIST_VALUE_SUM : roll(c, HIST_VALUE_SAVED + 1);
		v->name = (char *)names[v->kind == HIST_VALUE_SAVED ? 2 : roll(c, 2)];
		v->is_signed = v->kind == HIST_VALUE_SUM && roll(c, 3) == 0;
		/* the sum of an axis, which makes means */
		if (v->kind == HIST_VALUE_SUM && roll(c, 2))
			v->name = schema->keys[roll(c, schema->nkeys)].name;
	}
	if (roll(c, 3))
		return;
	/* they are the last values, and no columns */
	if (roll(c, 2))
		schema->values[schema->nvalues++] =
			(struct hist_value_desc){ .name = (char *)"peak", .kind = HIST_VALUE_PEAK };
	schema->values[schema->nvalues++] =
		(struct hist_value_desc){ .name = (char *)"saved", .kind = HIST_VALUE_WORST };
}

static int define(struct chance *c, struct made *m)
{
	static const char *const engines[] = { "kernel", "kernel", "kernel", "user", "replay" };
	struct hist_definition def = {
		.event = events[roll(c, 3)], .trigger = "hist:keys=k:vals=\"v\"\\", .instance = "i",
		.engine = engines[roll(c, 5)], .clock = roll(c, 8) ? "mono" : "counter",
		.uname = "Linux", .host = "box",
	};
	unsigned int k;
	int ret;

	choose_schema(c, &m->schema);
	m->probe = (uint32_t[]){ 0, HIST_SNAP_MISSES, HIST_SNAP_MISSES_UNKNOWN }[roll(c, 3)];
	m->stops = roll(c, 4) == 0;
	for (k = 0; k < HIST_LOSS_KINDS; k++) /* text has a note on each, except the usual ones */
		m->losses[k] = !roll(c, 4) && hist_loss_traits(k)->one;
	m->table = hist_table_new(&m->schema);
	if (!m->table)
		return -ENOMEM;
	ret = hist_series_define(c->writer, &def, m->table);
	return ret < 0 ? ret : 0;
}

static int name(struct chance *c, struct hist_table *table, enum hist_key_kind kind, uint32_t *id)
{
	static const char *const odd[] = { "", "", "", " b", ",b", "\"b\"", ";b", "\\b", ": b", "\tb",
					   "\nb", "\303\274", " }", "  " };
	unsigned int n = roll(c, 20), frames = 1 + roll(c, 17);
	char s[1024];
	int len;

	len = snprintf(s, sizeof(s), "n%u%s", n, odd[roll(c, sizeof(odd) / sizeof(*odd))]);
	while (kind == HIST_KEY_STACK && frames--)
		len += snprintf(s + len, sizeof(s) - len, "\nf%u+0x%x/0x40", frames, n);
	return hist_table_intern(table, s, len, id);
}

/* Now and then, another name for a system call, which may have one. */
static int rename_call(struct chance *c, const struct hist_key_desc *key, uint64_t num)
{
	char s[32];
	int len;

	if (key->kind != HIST_KEY_SYSCALL || !key->names || roll(c, 8))
		return 0;
	len = snprintf(s, sizeof(s), "call %u", (unsigned int)roll(c, 20));
	return hist_key_names_set(key->names, num, s, len);
}

/* One hit, of a key that is known or new. */
static int hit(struct chance *c, struct made *m)
{
	struct hist_cell cells[HIST_KEYS_MAX] = { 0 };
	const struct hist_schema *schema = &m->schema;
	uint64_t *values, n;
	uint32_t entry, id;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < schema->nkeys && !ret; i++) {
		const struct hist_key_desc *key = &schema->keys[i];

		cells[i].str = HIST_NO_STRING;
		if (key->kind == HIST_KEY_LOG2)
			cells[i].num = key->is_signed && !roll(c, 5) ? HIST_LOG2_NEGATIVE :
				       roll(c, roll(c, 4) ? 12 : 64 + !key->is_signed);
		else if (key->kind == HIST_KEY_FINE_LOG2)
			cells[i].num = hist_key_traits(key)->range->find(key,
									 number(c, key->is_signed));
		else if (!hist_key_is_text(key->kind))
			cells[i].num = number(c, key->is_signed);
		/* as the kernel divides: without a sign */
		n = key->kind == HIST_KEY_BUCKETS ? cells[i].num % key->bucket : 0;
		cells[i].num -= n;
		if (hist_key_has_string(key->kind))
			ret = name(c, m->table, key->kind, &cells[i].str);
		ret = ret ? ret : rename_call(c, key, cells[i].num);
	}
	ret = ret ? ret : hist_table_add(m->table, cells, &entry);
	ret = ret ? ret : hist_snapshot_grow(&m->snap, schema, hist_table_entries(m->table));
	if (ret)
		return ret;
	values = m->snap.values + (size_t)entry * schema->nvalues;
	m->snap.hits++;
	m->snap.entries = m->snap.nentries;
	for (i = 0; i < schema->nvalues && !ret; i++) {
		if (!strcmp(schema->values[i].name, "hitcount")) {
			values[i]++;
		} else if (hist_value_is_sum(schema->values[i].kind)) {
			values[i] += number(c, schema->values[i].is_signed);
		} else if (hist_value_is_text(schema->values[i].kind)) {
			ret = name(c, m->table, HIST_KEY_STRING, &id);
			values[i] = id;
		} else {
			values[i] = roll(c, schema->values[i].kind == HIST_VALUE_GRAPH ? 21 : 10001);
		}
	}
	return ret;
}

/* What a snapshot says of itself; all counts but entries only grow. */
static void tell(struct chance *c, struct made *m, bool has_wall)
{
	struct hist_snapshot *snap = &m->snap;
	unsigned int k;

	snap->time += 1 + roll(c, 2000000000);
	snap->wall = has_wall ? UINT64_C(1792540800000000001) + snap->time : 0;
	snap->read_ns = roll(c, 100000);
	snap->missed += roll(c, 4) ? 0 : roll(c, 5);
	snap->dropped += roll(c, 4) ? 0 : roll(c, 1000);
	snap->events_lost += roll(c, 6) ? 0 : roll(c, 1000);
	snap->probe_misses += m->probe == HIST_SNAP_MISSES ? roll(c, 100) : 0;
	for (k = 0; k < HIST_LOSS_KINDS; k++)
		snap->losses[k] += m->losses[k] && !roll(c, 4) ? roll(c, 1000) : 0;
	snap->flags |= m->probe;
	snap->flags |= roll(c, 5) ? 0 : HIST_SNAP_PAUSED;
	snap->flags |= roll(c, 6) ? 0 : HIST_SNAP_AMBIGUOUS;
	snap->flags |= m->stops && !roll(c, 3) ? HIST_SNAP_STOPPED : 0;
}

static int step(struct chance *c, unsigned int i, bool first, bool has_wall)
{
	struct made *m = &c->hists[i];
	struct hist_snapshot *snap = &m->snap;
	uint64_t hits = first ? roll(c, 60) : roll(c, 3) ? roll(c, 12) : 0;
	int ret = 0;

	snap->flags = 0;
	if (!first && !roll(c, 10)) {
		hist_table_clear(m->table);
		memset(snap->values, 0, (size_t)snap->room * m->schema.nvalues * sizeof(*snap->values));
		snap->nentries = 0;
		snap->hits = snap->entries = snap->dropped = 0;
		snap->flags = HIST_SNAP_RESET;
	} else if (!first && !roll(c, 6)) {
		ret = fixture_renumber(c->writer, i, m->table, snap);
	}
	while (hits-- && !ret)
		ret = hit(c, m);
	if (ret)
		return ret;
	/* the kernel's own total may be ahead of the rows */
	snap->hits += roll(c, 20) ? 0 : roll(c, UINT64_C(1) << 60);
	tell(c, m, has_wall);
	return hist_series_add(c->writer, i, snap);
}

struct series_shape series_random_shape(uint64_t seed)
{
	static const enum hist_compression compressions[] = { HIST_COMPRESS_NONE, HIST_COMPRESS_ZLIB,
							      HIST_COMPRESS_ZSTD };

	return (struct series_shape){ compressions[seed % 3], seed / 3 % 2 };
}

int series_random(struct hist_series_writer *writer, uint64_t seed)
{
	struct chance c = { .state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, .writer = writer };
	unsigned int i, n, snapshots;
	uint32_t seq = 0;
	bool has_wall;
	int ret = 0;

	roll(&c, 1);
	c.nhists = 1 + roll(&c, HISTS_MAX);
	snapshots = 1 + roll(&c, 8);
	has_wall = roll(&c, 4) != 0;
	for (i = 0; i < c.nhists && !ret; i++)
		ret = define(&c, &c.hists[i]);
	for (n = 0; n < snapshots && !ret; n++) {
		for (i = 0; i < c.nhists && !ret; i++) {
			c.hists[i].snap.seq = seq;
			ret = step(&c, i, !n, has_wall);
		}
		seq += roll(&c, 10) ? 1 : 3;
	}
	if (!ret && roll(&c, 10))
		ret = hist_series_finish(writer);
	for (i = 0; i < c.nhists; i++) {
		hist_table_free(c.hists[i].table);
		hist_snapshot_clear(&c.hists[i].snap);
		for (n = 0; n < c.hists[i].schema.nkeys; n++)
			hist_key_names_put(c.hists[i].schema.keys[n].names);
	}
	return ret;
}
