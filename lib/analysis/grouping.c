// SPDX-License-Identifier: LGPL-2.1
/*
 * grouping.c - the entries of a table, grouped by all keys except the axis
 *
 * A hash index finds the group of an entry; any entry of a group has the key of the group.  New
 * entries are appended to their groups.  The new tail of each group that grew is then sorted and
 * merged with the older entries.  A snapshot therefore costs its new entries, and one pass over the
 * groups that grew.
 *
 * Invariant: each of the entries [0, taken) is in exactly one group, and every group is sorted,
 * also after a failure.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/base/hash_index.h"

struct group {
	uint32_t *entries;
	uint32_t n, room;
	uint32_t sorted; /* the number of sorted entries; the others are new */
	uint32_t next;	 /* next in the list of the groups that grew: number + 1 */
};

/* An entry and its place on the axis. */
struct placed {
	uint64_t place;
	uint32_t entry;
};

struct hist_grouping {
	const struct hist_table *table;
	uint64_t seed, generation;
	int axis;
	uint32_t taken;	   /* entries of the table that are in groups */
	uint32_t *of;	   /* the group of each entry */
	uint32_t of_room;
	struct placed *scratch; /* room for the longest tail */
	uint32_t scratch_room;
	struct group *groups;
	uint32_t ngroups, groups_room; /* groups after ngroups are empty; some have memory */
	uint32_t grown;		       /* list of groups, number + 1 */
	struct hash_index index;
};

struct hist_grouping *hist_grouping_new(const struct hist_table *table)
{
	struct hist_grouping *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->table = table;
	g->seed = hash_seed(g);
	g->generation = hist_table_generation(table);
	g->axis = hist_axis_key(hist_table_schema(table));
	return g;
}

void hist_grouping_free(struct hist_grouping *g)
{
	uint32_t i;

	if (!g)
		return;
	for (i = 0; i < g->groups_room; i++)
		free(g->groups[i].entries);
	free(g->groups);
	free(g->of);
	free(g->scratch);
	free(g->index.slots);
	free(g);
}

static uint64_t grouping_cell_identity(const struct hist_schema *schema, unsigned int key,
				       const struct hist_cell *cell)
{
	return hist_key_is_text(schema->keys[key].kind) ? cell->str : cell->num;
}

static uint32_t group_hash(const struct hist_grouping *g, const struct hist_cell *cells)
{
	const struct hist_schema *schema = hist_table_schema(g->table);
	uint64_t h = g->seed;
	int i;

	for (i = 0; i < (int)schema->nkeys; i++)
		if (i != g->axis)
			h = hash_mix(h ^ grouping_cell_identity(schema, i, &cells[i]), g->seed + i);
	return h;
}

static bool same_group(const struct hist_grouping *g, const struct hist_cell *a,
		       const struct hist_cell *b)
{
	const struct hist_schema *schema = hist_table_schema(g->table);
	int i;

	for (i = 0; i < (int)schema->nkeys; i++)
		if (i != g->axis && grouping_cell_identity(schema, i, &a[i]) !=
					    grouping_cell_identity(schema, i, &b[i]))
			return false;
	return true;
}

/* The place of an entry on the axis: unsigned numbers in the order of the axis. */
static uint64_t grouping_axis_place(const struct hist_grouping *g, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(g->table);
	struct hist_bounds bounds;

	hist_axis_get_bounds(&schema->keys[g->axis], hist_table_cells(g->table, entry)[g->axis].num,
			     &bounds);
	return bounds.is_signed ? bounds.ge ^ UINT64_C(1) << 63 : bounds.ge;
}

static int compare_places(const void *a, const void *b)
{
	uint64_t pa = ((const struct placed *)a)->place, pb = ((const struct placed *)b)->place;

	return pa < pb ? -1 : pa > pb;
}

/* Sort the new tail of a group, and merge it with the older entries from the end. */
static void grouping_merge_tail(struct hist_grouping *g, struct group *group)
{
	uint32_t tail = group->n - group->sorted, left = group->sorted, at = group->n, i;
	struct placed *scratch = g->scratch;

	for (i = 0; i < tail; i++) {
		scratch[i].entry = group->entries[left + i];
		scratch[i].place = grouping_axis_place(g, scratch[i].entry);
	}
	qsort(scratch, tail, sizeof(*scratch), compare_places);
	while (tail) {
		if (left && grouping_axis_place(g,
						group->entries[left - 1]) > scratch[tail - 1].place)
			group->entries[--at] = group->entries[--left];
		else
			group->entries[--at] = scratch[--tail].entry;
	}
	group->sorted = group->n;
}

static void merge_grown(struct hist_grouping *g)
{
	struct group *group;

	while (g->grown) {
		group = &g->groups[g->grown - 1];
		grouping_merge_tail(g, group);
		g->grown = group->next;
	}
}

static int grouping_append_entry(struct hist_grouping *g, uint32_t number, uint32_t entry)
{
	struct group *group = &g->groups[number];

	if (array_grow(&group->entries, &group->room, (size_t)group->n + 1,
		       sizeof(*group->entries)))
		return -ENOMEM;
	if (group->n == group->sorted) {
		group->next = g->grown;
		g->grown = number + 1;
	}
	group->entries[group->n++] = entry;
	g->of[entry] = number;
	return 0;
}

/* Make room for one more group. */
static int reserve_group(struct hist_grouping *g)
{
	int ret = hash_index_reserve(&g->index, 1);

	return ret ? ret : array_grow_zeroed(&g->groups, &g->groups_room, (size_t)g->ngroups + 1,
					     sizeof(*g->groups));
}

static int grouping_add_entry(struct hist_grouping *g, uint32_t entry)
{
	const struct hist_cell *cells = hist_table_cells(g->table, entry);
	uint32_t hash = group_hash(g, cells), i;
	const struct hash_slot *slot;
	const struct group *group;
	int ret;

	for (i = hash & g->index.mask; g->index.slots; i = (i + 1) & g->index.mask) {
		slot = &g->index.slots[i];
		if (!slot->number)
			break;
		group = &g->groups[slot->number - 1];
		if (slot->hash == hash &&
		    same_group(g, cells, hist_table_cells(g->table, group->entries[0])))
			return grouping_append_entry(g, slot->number - 1, entry);
	}
	ret = reserve_group(g);
	if (ret)
		return ret;
	ret = grouping_append_entry(g, g->ngroups, entry);
	if (ret)
		return ret;
	hash_index_put(&g->index, (struct hash_slot){ ++g->ngroups, hash });
	return 0;
}

static void begin_anew(struct hist_grouping *g)
{
	uint32_t i;

	for (i = 0; i < g->ngroups; i++)
		g->groups[i].n = g->groups[i].sorted = 0;
	g->ngroups = 0;
	g->taken = 0;
	hash_index_clear(&g->index);
}

int hist_grouping_update(struct hist_grouping *g)
{
	uint32_t n = hist_table_entries(g->table);
	int ret;

	if (g->generation != hist_table_generation(g->table)) {
		begin_anew(g);
		g->generation = hist_table_generation(g->table);
	}
	/* the first row may have determined the kind of a key */
	if (!g->taken)
		g->axis = hist_axis_key(hist_table_schema(g->table));
	if (g->taken == n)
		return 0;
	ret = array_grow(&g->of, &g->of_room, n, sizeof(*g->of));
	if (ret)
		return ret;
	if (g->axis < 0) {
		for (; g->taken < n; g->taken++)
			g->of[g->taken] = g->taken;
		return 0;
	}
	ret = array_grow(&g->scratch, &g->scratch_room, n - g->taken,
			 sizeof(*g->scratch));
	if (ret)
		return ret;
	while (g->taken < n) {
		ret = grouping_add_entry(g, g->taken);
		if (ret)
			break;
		g->taken++;
	}
	merge_grown(g);
	return ret;
}

int hist_grouping_follow(struct hist_grouping **grouping, const struct hist_table *table,
			 uint32_t *known)
{
	if (!*grouping || (*grouping)->generation != hist_table_generation(table))
		*known = 0;
	if (!*grouping || (*grouping)->table != table) {
		hist_grouping_free(*grouping);
		*grouping = hist_grouping_new(table);
		if (!*grouping)
			return -ENOMEM;
	}
	return hist_grouping_update(*grouping);
}

int hist_grouping_axis(const struct hist_grouping *g)
{
	return g->axis;
}

const struct hist_table *hist_grouping_table(const struct hist_grouping *g)
{
	return g->table;
}

uint32_t hist_grouping_count(const struct hist_grouping *g)
{
	return g->axis < 0 ? g->taken : g->ngroups;
}

uint32_t hist_grouping_find(const struct hist_grouping *g, uint32_t entry)
{
	return g->of[entry];
}

const uint32_t *hist_grouping_entries(const struct hist_grouping *g, uint32_t group, uint32_t *n)
{
	if (g->axis < 0) {
		*n = 1;
		return &g->of[group]; /* entry and group have the same number */
	}
	*n = g->groups[group].n;
	return g->groups[group].entries;
}

unsigned int hist_grouping_label(struct hist_strbuf *b, const struct hist_grouping *g,
				 uint32_t group, unsigned int flags)
{
	const struct hist_schema *schema = hist_table_schema(g->table);
	const struct hist_cell *cells;
	unsigned int width = 0;
	uint32_t n;
	int i;

	if (schema->nkeys == 1 && g->axis == 0) {
		hist_strbuf_str(b, "all");
		return 3;
	}
	cells = hist_table_cells(g->table, hist_grouping_entries(g, group, &n)[0]);
	for (i = 0; i < (int)schema->nkeys; i++) {
		if (i == g->axis)
			continue;
		if (width) {
			hist_strbuf_str(b, " / ");
			width += 3;
		}
		if (flags & HIST_LABEL_KEYS && schema->keys[i].kind != HIST_KEY_STACK) {
			width += hist_escape(b, schema->keys[i].name, strlen(schema->keys[i].name),
					     flags) + 2;
			hist_strbuf_str(b, ": ");
		}
		width += hist_label_put(b, g->table, i, &cells[i], flags);
	}
	return width;
}
