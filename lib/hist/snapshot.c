// SPDX-License-Identifier: LGPL-2.1
/*
 * snapshot.c - the values of a histogram in a snapshot
 *
 * Invariant: values from nentries up to room are 0, so that new entries count from 0 when the
 * snapshot grows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hist/table.h"

int hist_snapshot_grow(struct hist_snapshot *snap, const struct hist_schema *schema,
		       uint32_t nentries)
{
	uint64_t n = snap->room ? snap->room : 64, *p;
	size_t width = schema->nvalues;

	if (nentries > snap->room) {
		while (n < nentries)
			n *= 2;
		if (n > UINT32_MAX)
			n = UINT32_MAX;
		/* calloc() need not clear memory that is new from the system */
		if (snap->values)
			p = reallocarray(snap->values, n, (width ? width : 1) * sizeof(*p));
		else
			p = calloc(n, (width ? width : 1) * sizeof(*p));
		if (!p)
			return -ENOMEM;
		if (snap->values)
			memset(p + snap->room * width, 0, (n - snap->room) * width * sizeof(*p));
		snap->values = p;
		snap->room = n;
	}
	if (nentries > snap->nentries)
		snap->nentries = nentries;
	return 0;
}

void hist_snapshot_copy_head(struct hist_snapshot *dst, const struct hist_snapshot *src)
{
	struct hist_snapshot head = *src;

	head.values = dst->values;
	head.room = dst->room;
	*dst = head;
}

int hist_snapshot_copy(struct hist_snapshot *dst, const struct hist_snapshot *src,
		       const struct hist_schema *schema)
{
	size_t width = schema->nvalues, used = (size_t)src->nentries * width;
	int ret;

	ret = hist_snapshot_grow(dst, schema, src->nentries);
	if (ret)
		return ret;
	if (used)
		memcpy(dst->values, src->values, used * sizeof(*dst->values));
	if (dst->nentries > src->nentries)
		memset(dst->values + used, 0,
		       (dst->nentries - src->nentries) * width * sizeof(*dst->values));
	hist_snapshot_copy_head(dst, src);
	return 0;
}

int hist_snapshot_follow(struct hist_snapshot *dst, const struct hist_snapshot *src,
			 const struct hist_schema *schema, const uint32_t *changed, uint32_t n)
{
	size_t width = schema->nvalues, at;
	unsigned int v;
	uint32_t i;
	int ret;

	ret = hist_snapshot_grow(dst, schema, src->nentries);
	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		at = changed[i] * width;
		for (v = 0; v < width; v++)
			dst->values[at + v] = src->values[at + v];
	}
	hist_snapshot_copy_head(dst, src);
	return 0;
}

void hist_snapshot_clear(struct hist_snapshot *snap)
{
	if (!snap)
		return;
	free(snap->values);
	memset(snap, 0, sizeof(*snap));
}

/* The schema has a string that can be cut. */
static bool has_longest(const struct hist_schema *schema)
{
	unsigned int k;

	for (k = 0; k < schema->nkeys && !schema->keys[k].longest; k++)
		;
	return k < schema->nkeys;
}

static bool is_cut(const struct hist_table *table, const struct hist_schema *schema, uint32_t entry)
{
	const struct hist_cell *cells = hist_table_cells(table, entry);
	unsigned int k;
	size_t len;

	for (k = 0; k < schema->nkeys; k++) {
		hist_table_string(table, cells[k].str, &len);
		if (schema->keys[k].longest && len >= schema->keys[k].longest)
			return true;
	}
	return false;
}

uint64_t hist_snapshot_count_cut(const struct hist_snapshot *snap, const struct hist_table *table)
{
	const struct hist_schema *schema = hist_table_schema(table);
	int hitcount = hist_schema_hitcount(schema);
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < snap->nentries && has_longest(schema); i++) {
		if (is_cut(table, schema, i))
			sum += hitcount < 0 ? 1
					    : snap->values[(size_t)i * schema->nvalues + hitcount];
	}
	return sum;
}

void hist_snapshot_subtract_losses(struct hist_snapshot *to, const struct hist_snapshot *from)
{
	unsigned int k;

	/* a START without END may get one later */
	for (k = 0; from && k < HIST_LOSS_KINDS; k++)
		to->losses[k] -= from->losses[k] < to->losses[k] ? from->losses[k] : to->losses[k];
}

void hist_snapshot_subtract(struct hist_snapshot *to, const struct hist_snapshot *from,
			    const struct hist_schema *schema)
{
	uint32_t n, e;
	unsigned int v;

	if (!from)
		return;
	to->hits -= from->hits;
	to->dropped -= from->dropped;
	to->missed -= from->missed;
	to->events_lost -= from->events_lost;
	to->probe_misses -= from->probe_misses;
	hist_snapshot_subtract_losses(to, from);
	n = to->nentries < from->nentries ? to->nentries : from->nentries;
	for (v = 0; v < schema->nvalues; v++) {
		if (!hist_value_is_subtracted(schema->values[v].kind))
			continue;
		for (e = 0; e < n; e++)
			to->values[(size_t)e * schema->nvalues + v] -=
				from->values[(size_t)e * schema->nvalues + v];
	}
}

bool hist_clock_is_ns(const char *clock)
{
	static const char *const others[] = { "counter", "uptime", "x86-tsc", "ppc-tb" };
	unsigned int i;

	for (i = 0; clock && i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(clock, others[i]))
			return false;
	return true;
}
