// SPDX-License-Identifier: LGPL-2.1
/*
 * map.c - map keys to the elements of one histogram in one run
 *
 * The map is a hash table of pointers with open addressing.  It is at most a quarter full and
 * doubles.  Elements are in chunks and never move.
 *
 * The kernel's table always has twice as many slots as elements, so a key is dropped only if all
 * elements are used.  This map has the same rule.  It lacks the kernel's duplicates, which come
 * from races.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash_index.h"
#include "lib/engine/map.h"
#include "lib/hist/table.h"

#define FIRST_SLOTS 64

/* The slots of an empty map, so that a search does not need a special case. */
static struct map_element *const no_slots[1];

void map_init(struct map *map, const struct map_shape *shape, uint64_t seed)
{
	memset(map, 0, sizeof(*map));
	map->shape = shape;
	map->slots = (struct map_element **)no_slots;
	map->max = shape->max;
	map->seed = seed;
}

void map_clear(struct map *map)
{
	uint32_t i;

	for (i = 0; map->shape && map->shape->nstrings && i < map->n; i++)
		free(map_at(map, i)->strings);
	for (i = 0; i < map->nchunks; i++)
		free(map->chunks[i]);
	free(map->chunks);
	if (map->mask)
		free(map->slots);
	memset(map, 0, sizeof(*map));
}

static void map_put_element(struct map *map, struct map_element *elt)
{
	uint32_t i = elt->hash;

	while (map->slots[i & map->mask])
		i++;
	map->slots[i & map->mask] = elt;
}

uint32_t map_hash_long(uint64_t seed, const uint64_t *key, uint32_t words)
{
	uint64_t h = 0;
	uint32_t i;

	for (i = 0; i + 1 < words; i += 2)
		if (key[i] | key[i + 1])
			h = hash_pair(h ^ key[i] ^ i, key[i + 1], seed);
	return words % 2 ? hash_mix(h ^ key[i], seed) : h;
}

bool map_has_long_key(const struct map_element *elt, const uint64_t *key, uint32_t words)
{
	return !memcmp(elt->words, key, words * sizeof(*key));
}

static int grow_slots(struct map *map)
{
	uint32_t i, n = map->mask ? (map->mask + 1) * 2 : FIRST_SLOTS;
	struct map_element **slots = hash_slots_new((size_t)n + 1, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	if (map->mask)
		free(map->slots);
	map->slots = slots;
	map->mask = n - 1;
	for (i = 0; i < map->n; i++)
		map_put_element(map, map_at(map, i));
	return 0;
}

static int new_chunk(struct map *map)
{
	size_t size = sizeof(struct map_element) + map->shape->words * sizeof(uint64_t);
	int ret;

	ret = array_grow(&map->chunks, &map->chunks_room, map->nchunks + 1,
			 sizeof(*map->chunks));
	if (ret)
		return ret;
	map->chunks[map->nchunks] = calloc(MAP_CHUNK, size);
	if (!map->chunks[map->nchunks])
		return -ENOMEM;
	map->nchunks++;
	return 0;
}

int map_add(struct map *map, const uint64_t *key, uint32_t words, uint32_t hash,
	    struct map_element **result)
{
	struct map_element *elt;
	int ret = 0;

	if (map->n == map->max) {
		map->drops++;
		return map->refuses ? -EOVERFLOW : -ENOSPC;
	}
	if (!map->mask || map->n * 4 > map->mask)
		ret = grow_slots(map);
	if (!ret && map->n == map->nchunks * MAP_CHUNK)
		ret = new_chunk(map);
	if (ret)
		return ret;
	elt = map_at(map, map->n);
	if (map->shape->nstrings) {
		elt->strings = calloc(map->shape->nstrings, 256);
		if (!elt->strings)
			return -ENOMEM;
	}
	elt->entry = HIST_NO_ENTRY;
	elt->hash = hash;
	memcpy(elt->words, key, words * sizeof(*key));
	map_put_element(map, elt);
	map->n++;
	*result = elt;
	return 1;
}
