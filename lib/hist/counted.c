// SPDX-License-Identifier: LGPL-2.1
/*
 * counted.c - what a histogram counted since its recording began, as counters that never fall
 *
 * Numbers are added and subtracted modulo 2^64, so the order of these steps does not matter.
 * Numbers that a clearing does not change (missed snapshots, losses) are only subtracted.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/hist/counted.h"

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

int hist_counted_add_cleared(struct hist_counted *c, const struct hist_table *table,
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
